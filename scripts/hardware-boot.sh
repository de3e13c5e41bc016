#!/usr/bin/env bash
# Does the service really start, shut in as its unit says? Boots Debian's own kernel and systemd in QEMU
# (plain emulation: some eight minutes) on a throw-away copy of this system, installs the service there, starts
# it, stops it dead, upgrades it in the middle of a game, breaks its configuration, takes it away. And how soon
# after the system's start is it ready? And does a telephone find the pages by the wireless network that set-up
# makes with NetworkManager, through two simulated radios?
#
#   scripts/hardware-boot.sh [JOB…]    ready, job, hotspot; all of them by default, called by `make hardware-boot`
#
# Where something it needs is missing and cannot be had, it says so and ends with code 0, skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/guest.sh
guest_ready systemctl:systemd
cargo build --locked --bin annabella

job() { # name, last line, options for QEMU
  local log=$guest/boot-$1.log
  guest_boot "$log" 900 "
chroot /mnt /bin/bash '$here/scripts/hardware-boot/prepare.sh' '$here' '$guest' '$target' $1
exec switch_root /mnt /lib/systemd/systemd" -smp 1 "${@:3}"
  tr -d '\r' <"$log" | grep -E '^(good|BAD ) ' || true
  if grep -q '^BAD ' "$log" || ! grep -q "^good  $2" "$log"; then
    echo "the service did not do all it should: see $log" >&2
    exit 1
  fi
}
# NetworkManager and what it needs, for the guest alone: nothing is installed here.
radio() {
  local fetched=$guest/fetched package
  [ -d "$guest/radio" ] && return
  mkdir -p "$fetched/partial"
  apt-get -qq -y --download-only --no-install-recommends -o Dir::Cache::archives="$fetched" -o Debug::NoLocking=1 \
    install network-manager wpasupplicant dnsmasq-base nftables iw iproute2 >/dev/null || return
  for package in "$fetched"/*.deb; do
    # What runs is left as it is.
    case $package in *systemd* | *udev*) ;; *) dpkg -x "$package" "$fetched/radio" ;; esac
  done
  mv "$fetched/radio" "$guest/radio"
  rm -rf "$fetched"
}
jobs=" ${*:-ready job hotspot} "
wanted() { [[ $jobs == *" $1 "* ]]; }
# By a clock that counts instructions: one core that does 10^9 a second, whatever this machine is or does.
# A Pi 3 or Zero 2 has four that do as many; what is read from a memory card takes its own time there.
if wanted ready; then job ready "started with the system" -icount shift=0; fi
if wanted job; then job job "all done"; fi
if wanted hotspot; then
  radio || skip "NetworkManager cannot be fetched: apt-get update"
  job hotspot "a telephone opens the page"
fi
