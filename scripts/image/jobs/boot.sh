# In the guest, before the service starts: a sound card whose loudspeaker is recorded from its other end.
cd /run/job || exit 1
modprobe snd-aloop pcm_substreams=2
cat >/etc/asound.conf <<'CARD'
pcm.!default { type asym playback.pcm "plughw:Loopback,0,0" capture.pcm "plughw:Loopback,1,1" }
CARD
: >recording.raw
# The service comes before everything else on a card, but not before who listens.
chrt --fifo 50 arecord -D plughw:Loopback,1,0 -t raw -f S16_LE -c 1 -r 22050 recording.raw 2>recorder.log &
while [ ! -s recording.raw ]; do sleep 0.1; done
# Seconds since the kernel began, and the samples recorded until then.
echo "BEGAN $(cut -d' ' -f1 /proc/uptime) $(stat -c %s recording.raw)"
mount >system.txt
(
  while sleep 5; do
    journalctl --namespace annabella --no-pager -o short-monotonic
    systemctl status annabella --no-pager --full
    df -k /data
    cat /proc/asound/Loopback/pcm*p/sub0/status
    systemctl --no-pager list-jobs
    systemctl --no-pager --failed
    journalctl -b --no-pager -o short-monotonic | tail -n 200
  done 2>&1 | cat >service.log
) &
exit 0
