# In the guest, as a unit of systemd: how soon the service, started with the system, is ready. ready.sh PROJECT
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Microseconds since the kernel began.
at_us() { systemctl show "$@" --value; }
for n in $(seq 60); do
  [ "$(systemctl show annabella -p ActiveState --value)" = active ] && break
  sleep 1
done
userspace=$(at_us -p UserspaceTimestampMonotonic)
basic=$(at_us basic.target -p ActiveEnterTimestampMonotonic)
begun=$(at_us annabella -p ExecMainStartTimestampMonotonic)
ready=$(at_us annabella -p ActiveEnterTimestampMonotonic)
ms() { echo $((($2 - $1) / 1000)); }
if [ "$ready" -gt 0 ] && [ "$(ms "$userspace" "$ready")" -lt 10000 ]; then verdict="good "; else verdict="BAD  "; fi
echo "$verdict ready $(ms "$userspace" "$ready") ms after userspace began (systemd itself, to basic.target: $(ms "$userspace" "$basic") ms)," \
  "$(ms "$begun" "$ready") ms after the service did; restarts: $(systemctl show annabella -p NRestarts --value)"
sleep 3
if journalctl --namespace annabella --no-pager -o cat | grep -E "^(said|in the ear): "; then
  echo "BAD   says something unasked"
else
  echo "good  says nothing unasked"
fi
journalctl --namespace annabella --no-pager -o cat | tail -20
systemctl show annabella -p ActiveState -p Result -p ExecMainStatus
echo "good  started with the system"
