# In the guest, before the service starts: mended.sh STAGE. It is set up for typed moves, which are typed once it runs; what
# comes of it is told on the serial line.
stage=$1
folder=/var/lib/annabella
put() {
  cat >$folder/annabella.toml <<CONFIG
[board]
kind = "none"
path = "$folder/typed"
[buttons]
kind = "none"
[speech]
engine = "none"
listen = "off"
public = "none"
private = "none"
[console]
listen = ""
[journal]
path = "$folder/annabella.db"
CONFIG
  rm -f $folder/typed
  mkfifo $folder/typed
  chown annabella: $folder/annabella.toml $folder/typed
}
games() { runuser -u annabella -- annabella games list --json --config $folder/annabella.toml 2>&1; }
typed() { # move, plies then
  timeout 300 sh -c "echo $1 >$folder/typed"
  for _ in $(seq 60); do
    games | grep -q "\"plies\":$2" && break
    sleep 1
  done
  echo "GAMES $(games | tr '\n' ' ')"
}
clock() { echo "CLOCK $(date +%s) $(stat -c %Y /var/lib/systemd/timesync/clock)"; }
services() { echo "SERVICES $(systemctl is-active annabella systemd-timesyncd | tr '\n' ' ')"; }
unsaved() {
  for _ in $(seq 120); do
    journalctl --namespace annabella -b -o cat | grep "in the ear: .*nicht gespeichert" && break
    sleep 1
  done
}
mended() {
  echo "MOUNT $(findmnt -no SOURCE,OPTIONS $folder)"
  typed e2e4 1
  clock
}
again() {
  typed e7e5 2
  clock
  # As where the kernel finds the file system damaged: it can only be read from then on.
  echo damaged >/sys/fs/ext4/vda3/trigger_fs_error
  echo "MOUNT $(findmnt -no SOURCE,OPTIONS /data)"
  systemctl restart annabella systemd-timesyncd
  unsaved
  typed g1f3 3
  # What was played in memory is not overwritten by what the card has.
  systemctl restart annabella
  typed b8c6 4
  clock
}
locked() {
  unsaved
  typed e2e4 1
  clock
}
[ "$stage" = again ] || put
(
  until systemctl -q is-active annabella systemd-timesyncd; do sleep 1; done
  $stage
  services
  journalctl -b --no-pager -o cat | tail -n 60 >/run/job/$stage.txt
  journalctl --namespace annabella -b --no-pager -o cat >>/run/job/$stage.txt
  echo OVER
) &
exit 0
