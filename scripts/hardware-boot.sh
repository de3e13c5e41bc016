#!/usr/bin/env bash
# Does the service really start, shut in as its unit says? Boots Debian's own kernel and systemd in QEMU
# (plain emulation: some six minutes) on a throw-away copy of this system, installs the service there, starts
# it, stops it dead, upgrades it in the middle of a game, breaks its configuration, takes it away.
#
#   scripts/hardware-boot.sh       called by `make hardware-boot`
#
# Where something it needs is missing and cannot be had, it says so and ends with code 0, skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/guest.sh
guest_ready systemctl:systemd
cargo build --locked --bin annabella

log=$guest/boot.log
guest_boot "$log" 900 "
chroot /mnt /bin/bash '$here/scripts/hardware-boot/prepare.sh' '$here' '$guest' '$target'
exec switch_root /mnt /lib/systemd/systemd" -smp 1

tr -d '\r' <"$log" | grep -E '^(good|BAD ) ' || true
if grep -q '^BAD ' "$log" || ! grep -q '^good  all done' "$log"; then
  echo "the service did not do all it should: see $log" >&2
  exit 1
fi
