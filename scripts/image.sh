#!/usr/bin/env bash
# Makes a card to flash for Pi 3, 4, 5 and Zero 2: a bootable 64-bit image of Debian's packages, with the service.
# Tries it in QEMU too.
#
#   scripts/image.sh               the image, TARGET/image/annabella-VERSION.img
#   scripts/image.sh check         what scripts/image/ describes: read-only, radio off, no login; needs nothing built
#   scripts/image.sh again         the image a second time, compared byte by byte
#   scripts/image.sh boot          boots it to the first spoken sentence, which is compared
#   scripts/image.sh pi3           boots it on QEMU's Pi 3, as far as that goes
#   scripts/image.sh owner [WHAT]  logs in as its owner, on cards whose partition of the games is damaged
#   scripts/image.sh power [N [SEED]]   pulls the power N times while a game is recorded (default 10)
#
# MIRROR, SUITE and KERNEL_SUITE say where Debian comes from. Debian's packages are kept in TARGET/image/base.tar: a
# second image takes a minute or two. BASE=fresh asks the mirror anew. It must be run by root, or with sudo.
set -euo pipefail
cd "$(dirname "$0")/.."

MIRROR=${MIRROR:-http://deb.debian.org/debian}
SUITE=${SUITE:-trixie}
# A Pi 5 has its USB and its header with a newer kernel only.
KERNEL_SUITE=${KERNEL_SUITE:-$SUITE-backports}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/image
parts=scripts/image
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Cargo.toml)}
image=$work/annabella-$version.img
# The number of the card, in its partition table: the same in every image, and how the system finds its partitions.
disk=a11abe11
data_uuid=a11abe11-0003-4000-8000-000000000003

# What is on the card besides Debian's essential packages.
packages=(
  systemd systemd-sysv systemd-timesyncd udev kmod initramfs-tools zstd linux-image-arm64 raspi-firmware
  fdisk e2fsprogs dosfstools openssh-server sudo alsa-utils
  brltty espeak-ng libasound2t64 libspeechd2 libatomic1 libstdc++6
)
# raspi-firmware would write a boot partition that is not there: its hook is one that does nothing.
# What is not unpacked: every radio's driver and firmware, and what no Pi without a screen needs.
left_out=(
  '/usr/lib/modules/*/kernel/drivers/net/wireless/*' '/usr/lib/modules/*/kernel/net/wireless/*'
  '/usr/lib/modules/*/kernel/net/mac80211/*' '/usr/lib/modules/*/kernel/drivers/bluetooth/*'
  '/usr/lib/modules/*/kernel/net/bluetooth/*' '/usr/lib/firmware/*'
  '/usr/lib/modules/*/kernel/drivers/gpu/*' '/usr/lib/modules/*/kernel/drivers/media/*'
  '/usr/lib/modules/*/kernel/drivers/infiniband/*' '/usr/lib/modules/*/kernel/drivers/scsi/*'
  '/usr/lib/modules/*/kernel/drivers/ata/*' '/usr/lib/modules/*/kernel/drivers/iio/*'
  '/usr/lib/modules/*/kernel/drivers/target/*' '/usr/lib/modules/*/kernel/drivers/nvme/*'
  '/usr/lib/modules/*/kernel/drivers/net/ethernet/mellanox/*' '/usr/lib/modules/*/kernel/drivers/net/ethernet/intel/*'
  '/usr/lib/modules/*/kernel/fs/btrfs/*' '/usr/lib/modules/*/kernel/fs/xfs/*' '/usr/lib/modules/*/kernel/fs/ocfs2/*'
  '/etc/kernel/postinst.d/z50-raspi-firmware' '/etc/kernel/postrm.d/z50-raspi-firmware'
  '/etc/initramfs/post-update.d/z50-raspi-firmware' '/usr/share/initramfs-tools/hooks/raspi-firmware-fsck'
  '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*' '/usr/share/doc/*' '/usr/share/lintian/*'
)

say() { echo "image: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

tools() {
  local entry lacking=()
  command -v apt-get >/dev/null || fail "this is no Debian, whose tools are needed"
  case $goal in build | again) [ "$(id -u)" = 0 ] || fail "folders of other users are made: run it by root, or with sudo" ;; esac
  for entry in mmdebstrap:mmdebstrap qemu-aarch64-static:qemu-user-static update-binfmts:binfmt-support arch-test:arch-test \
    mksquashfs:squashfs-tools mcopy:mtools mkfs.vfat:dosfstools sfdisk:fdisk mke2fs:e2fsprogs dtc:device-tree-compiler \
    zstd:zstd curl:curl qemu-system-aarch64:qemu-system-arm qemu-img:qemu-utils ssh-keygen:openssh-client python3:python3; do
    command -v "${entry%%:*}" >/dev/null || lacking+=("${entry#*:}")
  done
  if [ ${#lacking[@]} -gt 0 ]; then
    say "installing ${lacking[*]}"
    apt() { env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >/dev/null; }
    apt install --yes --no-install-recommends "${lacking[@]}" 2>/dev/null ||
      { apt update && apt install --yes --no-install-recommends "${lacking[@]}"; } ||
      fail "these could not be installed: ${lacking[*]}"
  fi
  # Programs for arm64 run while packages are set up.
  if ! arch-test arm64 >/dev/null 2>&1; then
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc || true
    update-binfmts --enable qemu-aarch64 || true
    arch-test arm64 >/dev/null || fail "programs for arm64 cannot be run here: is binfmt_misc in this kernel?"
  fi
}

# Debian's part. It changes only with the list of packages, the initramfs, and when it is asked for.
base_key() {
  printf '%s\n' "$MIRROR" "$SUITE" "$KERNEL_SUITE" "${packages[@]}" "${left_out[@]}" |
    cat - $(find $parts/root/etc/initramfs-tools -type f | LC_ALL=C sort) | sha256sum | cut -c1-16
}
base() {
  local key options=() entry date
  key=$(base_key)
  [ "${BASE:-}" != fresh ] && [ "$(cat "$work/base.key" 2>/dev/null)" = "$key" ] && return
  say "fetching and setting up Debian $SUITE for arm64 from $MIRROR: half an hour on a slow machine, once"
  date=$(curl -sfL --retry 3 "$MIRROR/dists/$SUITE/InRelease" | sed -n 's/^Date: //p' | head -1)
  [ -n "$date" ] || fail "the mirror does not answer: $MIRROR"
  for entry in "${left_out[@]}"; do options+=("--dpkgopt=path-exclude=$entry"); done
  options+=("--dpkgopt=path-include=/usr/share/doc/*/copyright" "--dpkgopt=force-unsafe-io")
  rm -f "$work/base.key"
  cat >"$work/kernel.pref" <<PIN
Package: src:linux src:linux-signed-arm64 src:linux-base raspi-firmware
Pin: release n=$KERNEL_SUITE
Pin-Priority: 600
PIN
  local sources=("deb $MIRROR $SUITE main non-free-firmware")
  [ "$KERNEL_SUITE" = "$SUITE" ] || sources+=("deb $MIRROR $KERNEL_SUITE main non-free-firmware")
  SOURCE_DATE_EPOCH=$(date -d "$date" +%s) mmdebstrap --mode=root --architectures=arm64 --variant=essential \
    --components=main,non-free-firmware --include="$(IFS=,; echo "${packages[*]}")" "${options[@]}" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --setup-hook="mkdir -p \"\$1/etc/apt/preferences.d\" && cp '$work/kernel.pref' \"\$1/etc/apt/preferences.d/kernel\"" \
    --essential-hook="cp -r $parts/root/etc/initramfs-tools \"\$1/etc/\"" \
    --essential-hook='chmod 755 "$1"/etc/initramfs-tools/scripts/local-bottom/*' \
    --essential-hook='mkdir -p "$1/etc/kernel/postinst.d" && cd "$1/etc/kernel/postinst.d" &&
      echo "#!/bin/sh" >z50-raspi-firmware && chmod 755 z50-raspi-firmware' \
    "$SUITE" "$work/base.new.tar" "${sources[@]}"
  mv "$work/base.new.tar" "$work/base.tar"
  echo "$key" >"$work/base.key"
}

# Our part: the package of `make release ARGS=arm64`, the files of scripts/image/root, what is switched on.
package() {
  deb=${DEB:-$target/packages/annabella_$version-1_arm64.deb}
  if [ ! -f "$deb" ]; then
    say "there is no $deb: making it"
    scripts/release.sh arm64
  fi
  say "the service is that of $deb ($(date -u -r "$deb" '+%F %H:%M')); \`make release ARGS=arm64\` makes it anew"
}
inside() { env -i PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$epoch" DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
system() {
  local file
  root=$work/root
  rm -rf "$root"
  mkdir -p "$root"
  tar -xpf "$work/base.tar" -C "$root" --numeric-owner --xattrs --xattrs-include='*'
  cp "$deb" "$root/annabella.deb"
  inside dpkg --install /annabella.deb >/dev/null
  rm "$root/annabella.deb"
  cp -r $parts/root/. "$root/"
  grep -rlI '@DISK@' "$root/etc/fstab" "$root"/etc/systemd/system | xargs sed -i "s/@DISK@/$disk/g"
  find $parts/root -type f -printf '%P\n' | while IFS= read -r file; do
    case $file in usr/lib/annabella/* | */scripts/*) chmod 755 "$root/$file" ;; *) chmod 644 "$root/$file" ;; esac
  done
  chmod 440 "$root/etc/sudoers.d/owner"

  # The service's user, and the owner, who has no password: his key or password is on the boot partition.
  inside systemd-sysusers
  inside useradd --create-home --uid 1000 --shell /bin/bash --groups sudo,annabella,audio,input,gpio,spi,i2c,dialout owner
  inside systemctl --quiet enable annabella card-grow card-owner ssh systemd-networkd systemd-timesyncd
  # Only a display starts it, with a key of its own.
  inside systemctl --quiet disable brltty
  rm -f "$root/etc/brlapi.key"
  inside systemctl --quiet mask systemd-networkd-wait-online ssh.socket dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    systemd-firstboot systemd-rfkill.service systemd-rfkill.socket
  echo annabella >"$root/etc/hostname"
  printf '127.0.0.1 localhost annabella\n::1 localhost\n' >"$root/etc/hosts"
  mkdir -p "$root"/{data,boot/firmware,var/lib/annabella,var/lib/systemd/timesync}
  # The first configuration is made by ear.
  rm -f "$root"/var/lib/annabella/*
  # Where the games' partition is not mounted, this folder in memory is used.
  inside install -d -o annabella -g annabella -m 700 /var/lib/annabella
  user=$(inside id -u annabella):$(inside id -g annabella)

  # A Pi has no clock of its own: it never starts before the card was made.
  touch --date="@$epoch" "$root/usr/lib/clock-epoch"

  # For the boot partition.
  boot=$work/boot
  rm -rf "$boot"
  mkdir -p "$boot"
  local modules=("$root"/usr/lib/modules/*) dtb name kernel
  [ ${#modules[@]} = 1 ] || fail "there is not one kernel but: ${modules[*]}"
  kernel=$(basename "${modules[0]}")
  cp "$root/boot/vmlinuz-$kernel" "$boot/vmlinuz"
  cp "$root/boot/initrd.img-$kernel" "$boot/initrd.img"
  for name in bootcode.bin start.elf fixup.dat start4.elf fixup4.dat; do cp "$root/usr/lib/raspi-firmware/$name" "$boot/"; done
  local trees=$root/usr/lib/linux-image-$kernel/broadcom
  [ -d "$trees" ] || trees=${modules[0]}/dtb/broadcom
  for name in pi pi5; do dtc -q -@ -I dts -O dtb -o "$work/$name.dtbo" $parts/boot/$name.dts; done
  for dtb in "$trees"/bcm2837-rpi-{3,zero-2}*.dtb "$trees"/bcm2711-rpi-4*.dtb "$trees"/bcm2712*-rpi-5*.dtb; do
    name=pi
    [[ $dtb == */bcm2712* ]] && name=pi5
    fdtoverlay -i "$dtb" -o "$boot/$(basename "$dtb")" "$work/$name.dtbo"
  done
  # The firmware's name for a Pi 5 of the second kind.
  [ ! -f "$boot/bcm2712-d-rpi-5-b.dtb" ] || mv "$boot/bcm2712-d-rpi-5-b.dtb" "$boot/bcm2712d0-rpi-5-b.dtb"
  cp $parts/boot/config.txt $parts/boot/README.txt "$boot/"
  sed "s/@DISK@/$disk/" $parts/boot/cmdline.txt >"$boot/cmdline.txt"
  cp "$root/usr/share/doc/raspi-firmware/copyright" "$boot/LICENCE.firmware" 2>/dev/null || true

  # What differs from one making to the next, and what is on the other partition now.
  rm -rf "$root"/boot/{vmlinuz,initrd.img,config,System.map}* "$root"/{vmlinuz,initrd.img}* "$root/usr/lib/raspi-firmware" \
    "$root"/usr/lib/linux-image-* "${modules[0]}"/{dtb,vmlinuz} "$root"/etc/ssh/ssh_host_* "$root"/var/lib/dbus/machine-id \
    "$root"/var/cache/* "$root"/var/lib/apt/* "$root"/var/log/* "$root"/tmp/* "$root"/var/tmp/* "$root"/etc/*- \
    "$root"/var/lib/dpkg/*-old "$root"/var/lib/systemd/{random-seed,catalog} "$root"/etc/kernel/postinst.d/z50-raspi-firmware "$root"/boot/firmware/*
  : >"$root/etc/machine-id"
  # Nothing in /usr is newer than these: the linker's cache and the like are not made anew at each start.
  touch "$root"/{etc,var}/.updated
  find "$root" "$boot" -newermt "@$epoch" -print0 | xargs -0r touch --no-dereference --date="@$epoch"
}

partition_of() { # file, first MiB: into the image
  dd if="$1" of="$new" bs=1M seek="$2" conv=notrunc,sparse status=none
}
assemble() { # file
  local new=$1 system_mib games_at name
  rm -f "$new" "$work"/{system.squashfs,boot.fat,data.ext4}
  export SOURCE_DATE_EPOCH=$epoch
  say "packing the system"
  mksquashfs "$root" "$work/system.squashfs" -comp zstd -Xcompression-level 15 -b 256K -no-progress -quiet -noappend >/dev/null
  system_mib=$(($(stat -c %s "$work/system.squashfs") / 1048576 + 1))

  mkfs.vfat -F 32 -n CARD -i "$disk" --invariant -C "$work/boot.fat" $((256 * 1024)) >/dev/null
  for name in "$boot"/*; do MTOOLS_SKIP_CHECK=1 mcopy -m -i "$work/boot.fat" "$name" ::; done

  # Every write goes through the journal of the file system, in one piece; the folders belong to who writes there.
  truncate -s 128M "$work/data.ext4"
  E2FSPROGS_FAKE_TIME=$epoch mke2fs -q -t ext4 -L games -U "$data_uuid" -J size=16 \
    -E "hash_seed=$data_uuid,lazy_itable_init=0,lazy_journal_init=0,resize=67108864" "$work/data.ext4"
  E2FSPROGS_FAKE_TIME=$epoch debugfs -w -f - "$work/data.ext4" >/dev/null 2>&1 <<FOLDERS
mkdir annabella
sif annabella mode 040700
sif annabella uid ${user%:*}
sif annabella gid ${user#*:}
mkdir clock
sif clock mode 040755
FOLDERS
  e2fsck -fn "$work/data.ext4" >/dev/null 2>&1 || fail "the file system for the games is not as it should be"

  games_at=$((260 + (system_mib + 3) / 4 * 4))
  truncate -s $(((games_at + 128) * 1048576)) "$new"
  sfdisk --quiet "$new" <<TABLE
label: dos
label-id: 0x$disk
start=4MiB, size=256MiB, type=c, bootable
start=260MiB, size=${system_mib}MiB, type=83
start=${games_at}MiB, size=128MiB, type=83
TABLE
  partition_of "$work/boot.fat" 4
  partition_of "$work/system.squashfs" 260
  partition_of "$work/data.ext4" "$games_at"
  rm -f "$work"/{boot.fat,data.ext4}
}
made() {
  base
  package
  system
  assemble "$1"
}

goal=${1:-build}
[ "$goal" = check ] && exec python3 $parts/check.py
python3 $parts/check.py
tools
mkdir -p "$work"
case $goal in
  build)
    made "$image"
    python3 $parts/check.py --built "$work"
    say "$image: $(($(stat -c %s "$image") / 1000000)) MB, of which $(($(du -B1 "$image" | cut -f1) / 1000000)) MB are written"
    ;;
  again)
    made "$work/again.img"
    cmp "$image" "$work/again.img" && say "the second image is the same, byte by byte"
    rm -f "$work/again.img"
    ;;
  boot) exec python3 $parts/boot.py "$image" "$work" ;;
  pi3) exec python3 $parts/boot.py --pi3 "$image" "$work" ;;
  owner) shift; exec python3 $parts/owner.py "$image" "$work" "$@" ;;
  power) shift; exec python3 $parts/power.py "$image" "$work" "$@" ;;
  *) fail "unknown goal '$goal'" ;;
esac
