#!/usr/bin/env bash
# Does the service really start, shut in as its unit says? Boots Debian's own kernel and systemd in QEMU
# (plain emulation: some six minutes) on a throw-away copy of this system, installs the service there, starts
# it, stops it dead, upgrades it in the middle of a game, breaks its configuration, takes it away.
#
#   scripts/hardware-boot.sh       called by `make hardware-boot`
#
# This machine is only read: the guest sees it through a read-only share under a file system in memory.
# Where something it needs is missing, it says so and ends with code 0, skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/boot

skip() {
  echo "skipped: $*" >&2
  exit 0
}
lacking=()
for entry in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio depmod:kmod dpkg:dpkg systemctl:systemd; do
  command -v "${entry%%:*}" >/dev/null || lacking+=("${entry#*:}")
done
[ ${#lacking[@]} -eq 0 ] || skip "not here: apt-get install ${lacking[*]}"
[ "$(uname -m)" = x86_64 ] || skip "only on x86-64"

mkdir -p "$work"
cargo build --locked --bin annabella
if ! ls "$work"/kernel/boot/vmlinuz-* >/dev/null 2>&1; then
  (
    cd "$work"
    kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | head -1)
    apt-get -qq download "$kernel" udev
    dpkg -x "$kernel"_*.deb kernel
    dpkg -x udev_*.deb udev
    rm -f "$kernel"_*.deb udev_*.deb
    depmod -b kernel "$(ls kernel/lib/modules)"
  ) || skip "the kernel or udev cannot be fetched with apt-get download"
fi

# The first programs of the guest: modules, the share, a layer in memory over it.
image=$(mktemp -d "$work/image.XXXXXX")
trap 'rm -rf "$image"' EXIT
mkdir -p "$image"/{bin,dev,proc,sys,mnt,lib/modules,ro,rw}
cp "$(command -v busybox)" "$image/bin/busybox"
for name in sh mount insmod mkdir chroot switch_root echo; do ln -s busybox "$image/bin/$name"; done
release=$(ls "$work/kernel/lib/modules")
for module in virtio_pci 9pnet_virtio 9p overlay; do
  modprobe -d "$work/kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
done | awk '!seen[$0]++' | while read -r file; do
  cp "$file" "$image/lib/modules/"
  basename "$file" >>"$image/order"
done
cat >"$image/init" <<INIT
#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
while read -r module; do insmod "/lib/modules/\$module"; done </order
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=loose,ro host /ro
mount -t tmpfs tmpfs /rw; mkdir /rw/upper /rw/work
mount -t overlay -o lowerdir=/ro,upperdir=/rw/upper,workdir=/rw/work overlay /mnt
mount --move /proc /mnt/proc; mount --move /sys /mnt/sys; mount --move /dev /mnt/dev
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
chroot /mnt /bin/bash "$here/scripts/hardware-boot/prepare.sh" "$here" "$work" "$target"
exec switch_root /mnt /lib/systemd/systemd
INIT
chmod +x "$image/init"
(cd "$image" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initrd"

log=$work/boot.log
timeout 900 qemu-system-x86_64 -M q35,accel=tcg -m 768 -smp 1 -nographic -no-reboot -nodefaults \
  -serial stdio -kernel "$work"/kernel/boot/vmlinuz-* -initrd "$work/initrd" \
  -append "console=ttyS0 quiet panic=-1" \
  -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap >"$log" 2>&1 </dev/null || true

tr -d '\r' <"$log" | grep -E '^(good|BAD ) ' || true
if grep -q '^BAD ' "$log" || ! grep -q '^good  all done' "$log"; then
  echo "the service did not do all it should: see $log" >&2
  exit 1
fi
