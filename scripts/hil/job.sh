# In the guest, before anything else runs: buses and sound cards, then the game. job.sh PROJECT KERNEL TEST
cd "$1" || exit 1
export HOME=/root HIL_OUT=/mnt VOSK_LIB="$1/$(scripts/fetch-vosk.sh where)"
mount -t 9p -o trans=virtio,version=9p2000.L out $HIL_OUT || exit 1
kernel=$2
load() {
  modprobe -d "$kernel" "$@" && return
  echo "cannot load $*"
  exit 1
}
load i2c-dev
load i2c-stub chip_addr=0x20,0x21,0x22,0x23,0x24
load snd-aloop pcm_substreams=2
# What is played into one side of the card comes out of the other: loudspeaker on the first cable,
# microphone on the second.
cat >/etc/asound.conf <<'CARD'
pcm.!default { type asym playback.pcm "plughw:Loopback,0,0" capture.pcm "plughw:Loopback,1,1" }
CARD
exec "$3" hil:: --nocapture --test-threads 1
