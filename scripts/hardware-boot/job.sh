# In the guest, as a unit of systemd: what the service must do. job.sh PROJECT
cd "$1" || exit 1
. scripts/hardware-boot/must.sh
folder=/var/lib/annabella

shows() { [ "$(systemctl show annabella -p "$1" --value)" = "$2" ]; }
pid() { systemctl show annabella -p MainPID --value; }
install_it() { PREFIX=/usr/local DESTDIR= bash scripts/hardware-system.sh install; }
another() { local now; now=$(pid); [ "$now" != 0 ] && [ "$now" != "$1" ] && shows ActiveState active; }

must "installed" install_it
must "has its own user in the groups of its devices" \
  test "$(id -nG annabella | tr ' ' '\n' | sort | tr '\n' ' ')" = "annabella audio bluetooth dialout gpio i2c input spi "
must "does not start by itself on a machine that is no Pi" test "$(systemctl is-enabled annabella)" = disabled
must "the device rules are understood" \
  bash -c '! udevadm test /sys/class/tty/ttyS0 2>&1 | grep -E "60-annabella.*(invalid|unknown|error)"'
printf '[board]\nkind = "sim"\n[console]\nlisten = ""\n' >$folder/annabella.toml
must "starts and says that it is ready" systemctl start annabella
must "the game is being recorded" test -s $folder/annabella.db
must "nobody else may read the records" test "$(stat -c %a,%U $folder)" = 700,annabella
must "no new rights, system calls filtered" \
  test "$(grep -cE '^(NoNewPrivs:	1|Seccomp:	2)$' "/proc/$(pid)/status")" = 2

must "comes before all others" test "$(cat /sys/fs/cgroup/system.slice/annabella.service/cpu.weight)" = 10000

old=$(pid)
kill -STOP "$old"
must "hangs, and is started anew by the watchdog" soon another "$old"
old=$(pid)
must "upgraded" install_it
must "goes on after the upgrade" soon another "$old"
echo nonsense >$folder/annabella.toml
systemctl restart annabella 2>/dev/null
must "a wrong configuration is not tried again and again" soon shows ActiveState failed
must "and ends with code 2" shows ExecMainStatus 2
must "its log is its own and says why" \
  bash -c 'journalctl --namespace annabella --no-pager -o cat | grep -q "annabella.toml:1:"'
must "is well shut in" bash -c "systemd-analyze security --threshold=25 --no-pager annabella.service >/dev/null"
must "taken away" env PREFIX=/usr/local DESTDIR= bash scripts/hardware-system.sh uninstall
must "systemd knows it no more" shows LoadState not-found
must "its games are still there" test -s $folder/annabella.db
echo "good  all done"
