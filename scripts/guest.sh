# Sourced by scripts that boot Debian's own kernel in QEMU (plain emulation) on a throw-away copy of this
# system. This machine is only read: the guest sees it through a read-only share under a file system in memory.
#
#   guest_ready                     what it takes is here now; or says what is missing and ends with code 0
#   guest_boot LOG SECONDS INIT [QEMU OPTION…]
#                                   boots; INIT is what is done in the guest once its root is at /mnt
# Leaves the kernel, unpacked, in $guest/kernel: the second time nothing is fetched.
here=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
guest=$target/guest

skip() {
  echo "skipped: $*" >&2
  exit 0
}

guest_kernel() {
  ls "$guest"/kernel/boot/vmlinuz-* >/dev/null 2>&1 && return 0
  rm -rf "$guest/fetched" "$guest/kernel"
  mkdir -p "$guest/fetched"
  (
    cd "$guest/fetched"
    kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | head -1)
    [ -n "$kernel" ] && apt-get -qq download "$kernel" udev 2>/dev/null || exit 1
    dpkg -x "$kernel"_*.deb kernel
    dpkg -x udev_*.deb udev
    rm -f ./*.deb
    depmod -b kernel "$(ls kernel/lib/modules)"
  ) || return 1
  rm -rf "$guest/udev"
  mv "$guest/fetched/udev" "$guest/fetched/kernel" "$guest/"
  rmdir "$guest/fetched"
}

guest_ready() { # more programs, as program:package
  local entry lacking=()
  [ "$(uname -s)" = Linux ] && [ "$(uname -m)" = x86_64 ] || skip "only on x86-64"
  command -v apt-get >/dev/null || skip "only on Debian, whose kernel is booted"
  scripts/setup.sh guest || skip "what it needs could not be installed"
  for entry in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio depmod:kmod "$@"; do
    command -v "${entry%%:*}" >/dev/null || lacking+=("${entry#*:}")
  done
  [ ${#lacking[@]} -eq 0 ] || skip "not here: apt-get install ${lacking[*]}"
  guest_kernel || skip "the kernel or udev cannot be fetched: apt-get update, then apt-get download linux-image-amd64"
}

# The first programs of the guest: modules, the share, a layer in memory over it.
guest_image() { # file, what is done then
  local image release module name
  image=$(mktemp -d "$guest/image.XXXXXX")
  mkdir -p "$image"/{bin,dev,proc,sys,mnt,lib/modules,ro,rw}
  cp "$(command -v busybox)" "$image/bin/busybox"
  for name in sh mount insmod mkdir chroot switch_root poweroff echo; do ln -s busybox "$image/bin/$name"; done
  release=$(ls "$guest/kernel/lib/modules")
  for module in virtio_pci 9pnet_virtio 9p overlay; do
    modprobe -d "$guest/kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
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
$2
INIT
  chmod +x "$image/init"
  (cd "$image" && find . | cpio -o -H newc --quiet | gzip -1) >"$1"
  rm -rf "$image"
}

guest_boot() { # log, seconds at most, what is done in the guest, more options for QEMU
  local log=$1 seconds=$2 initrd
  initrd=$(mktemp "$guest/initrd.XXXXXX")
  guest_image "$initrd" "$3"
  shift 3
  timeout "$seconds" qemu-system-x86_64 -M q35,accel=tcg -m 768 -nographic -no-reboot -nodefaults \
    -serial stdio -kernel "$guest"/kernel/boot/vmlinuz-* -initrd "$initrd" \
    -append "console=ttyS0 quiet panic=-1" \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap "$@" \
    >"$log" 2>&1 </dev/null || true
  rm -f "$initrd"
}
