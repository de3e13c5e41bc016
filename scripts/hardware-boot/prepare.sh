# In the guest, before systemd: leaves a nearly empty system with one job.
#   prepare.sh PROJECT GUEST TARGET JOB
# Before the job "ready" the service is installed, so that it starts with the system; before "hotspot" NetworkManager
# is.
set -u
rm -rf /etc/systemd/system/*.wants
: >/etc/fstab
rm -f /.dockerenv /run/.containerenv
unpack() { # folder
  local part to
  for part in lib bin sbin usr etc; do
    [ -d "$1/$part" ] || continue
    case $part in usr | etc) to=/$part ;; *) to=/usr/$part ;; esac
    cp -a "$1/$part/." "$to/"
  done
}
unpack "$2/udev"
cp "$3/debug/annabella" /usr/local/bin/annabella
cat >/etc/systemd/system/job.service <<UNIT
[Unit]
After=basic.target
[Service]
Type=oneshot
StandardOutput=file:/dev/ttyS0
StandardError=file:/dev/ttyS0
ExecStart=/bin/bash $1/scripts/hardware-boot/$4.sh $1
ExecStopPost=/bin/systemctl poweroff -f -f
TimeoutStartSec=600
UNIT
if [ "$4" = ready ]; then
  (cd "$1" && PREFIX=/usr/local DESTDIR=/ bash scripts/hardware-system.sh install && systemd-sysusers)
  # What hears is there too; the guest shares nothing with the checkout as an installed service sees it.
  mkdir -p /usr/local/share/annabella /usr/local/lib/annabella
  cp -r "$1/voices/model" /usr/local/share/annabella/
  cp "$1/$(cd "$1" && scripts/fetch-vosk.sh where)" /usr/local/lib/annabella/
  # A bus and a sound card, as a Pi has them at boot.
  for module in i2c-dev "i2c-stub chip_addr=0x20,0x21,0x22,0x23,0x24" snd-aloop; do
    # shellcheck disable=SC2086  # module and options
    modprobe -d "$2/kernel" $module
  done
  # A Pi's bus is the second; the rules that are installed are for that one.
  mkdir -p /etc/udev/rules.d
  echo 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"' >/etc/udev/rules.d/99-guest.rules
  printf '[board]\nkind = "expander"\ni2c_bus = 0\nclosed = "high"\n[buttons]\nkind = "none"\n' >/var/lib/annabella/annabella.toml
  mkdir -p /etc/systemd/system/job.target.wants
  ln -s /usr/local/lib/systemd/system/annabella.service /etc/systemd/system/job.target.wants/
fi
if [ "$4" = hotspot ]; then
  unpack "$2/radio"
  # As the packages do it when they are installed.
  groupadd --force --system netdev
  mkdir -p /lib/modules
  ln -sfn "$2"/kernel/lib/modules/* /lib/modules/
  # Two radios that hear each other, and nothing else.
  modprobe mac80211_hwsim radios=2
fi
cat >/etc/systemd/system/job.target <<'UNIT'
[Unit]
Requires=basic.target job.service
AllowIsolate=yes
UNIT
ln -sf /etc/systemd/system/job.target /etc/systemd/system/default.target
for unit in systemd-networkd systemd-resolved systemd-timesyncd systemd-logind; do
  ln -sf /dev/null "/etc/systemd/system/$unit.service"
done
