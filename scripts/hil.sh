#!/usr/bin/env bash
# Hardware in the loop, without hardware: boots Debian's own kernel in QEMU with its I2C bus and its sound card
# for tests (i2c-stub, snd-aloop), and plays a whole short game there with the program as it is. The pegs are
# moved by another process that writes the chips' registers, announcements are recorded from the sound card and
# heard by the recogniser, the opponent's moves are spoken into it. Two minutes, more on a busy machine.
#
#   scripts/hil.sh       called by `make hil`
#
# The recording, what the program said on its outputs and the journal are left in target/guest/hil.
# Where something it needs is missing and cannot be had, it says so and ends with code 0, skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/guest.sh
guest_ready arecord:alsa-utils espeak-ng:espeak-ng
[ -f "$(scripts/fetch-vosk.sh where)" ] || skip "libvosk is not here, nothing would be heard: make vosk"

echo "building" >&2
mkdir -p "$guest"
test=$(cargo test --locked --workspace --all-features --test slow --no-run --message-format=json 2>"$guest/build.log" |
  sed -n '/"name":"slow"/s/.*"executable":"\([^"]*\)".*/\1/p') || {
  cat "$guest/build.log" >&2
  exit 1
}

out=$guest/hil
rm -rf "$out"
mkdir -p "$out"
log=$guest/hil.log
echo "booting $(ls "$guest/kernel/lib/modules") in QEMU, the game follows" >&2
began=$SECONDS
# With icount the guest's time is what it has computed: however slow or busy this machine is, sound comes in
# time in there.
# shellcheck disable=SC2016  # $? is for the guest
guest_boot "$log" "${HIL_SECONDS:-900}" "
chroot /mnt /bin/bash '$here/scripts/hil/job.sh' '$here' '$guest/kernel' '$test'
"'echo "hil ended with $?"; poweroff -f' -smp 1 -icount shift=0 \
  -virtfs "local,path=$out,mount_tag=out,security_model=none"

tr -d '\r' <"$log" | grep -E '^(good  |annabella: |thread |assertion|  (left|right): )' || true
# A skipped test ends with 0 too; a played game says so.
if ! tr -d '\r' <"$log" | grep -qx 'hil ended with 0' || ! grep -q '^good  the journal has' "$log"; then
  echo "the game was not played as it should: see $log, and $out" >&2
  exit 1
fi
echo "played in $((SECONDS - began)) s; recording, outputs and journal: $out" >&2
