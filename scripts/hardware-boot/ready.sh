# In the guest, as a unit of systemd: how soon the service, started with the system, is ready. ready.sh PROJECT
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Microseconds since the kernel began.
at_us() { systemctl show "$@" --value; }
for _ in $(seq 60); do
  [ "$(systemctl show annabella -p ActiveState --value)" = active ] && break
  sleep 1
done
userspace=$(at_us -p UserspaceTimestampMonotonic)
basic=$(at_us basic.target -p ActiveEnterTimestampMonotonic)
begun=$(at_us annabella -p ExecMainStartTimestampMonotonic)
ready=$(at_us annabella -p ActiveEnterTimestampMonotonic)
ms() { echo $((($2 - $1) / 1000)); }
took=$(ms "$userspace" "$ready")
systemd=$(ms "$userspace" "$basic")
verdict=BAD
# Files come slowly from a busy machine, for systemd too: a Pi 3 needs some 3 s to the same point.
if [ "$ready" -gt 0 ] && { [ "$took" -lt 10000 ] || [ "$took" -lt $((3 * systemd)) ]; }; then verdict=good; fi
printf '%-5s %s\n' "$verdict" "ready $took ms after userspace began, $((took * 100 / systemd)) % of what systemd took to basic.target ($systemd ms)"
printf '%-5s %s\n' good "of these the service itself: $(ms "$begun" "$ready") ms; started again $(systemctl show annabella -p NRestarts --value) times"
sleep 3
if journalctl --namespace annabella --no-pager -o cat | grep -E "^(said|in the ear): "; then
  echo "BAD   says something unasked"
else
  echo "good  says nothing unasked"
fi
journalctl --namespace annabella --no-pager -o cat | tail -20
systemctl show annabella -p ActiveState -p Result -p ExecMainStatus
echo "good  started with the system"
