# In the guest, before systemd: leaves a nearly empty system with one job.
#   prepare.sh PROJECT WORK TARGET
set -u
rm -rf /etc/systemd/system/*.wants
: >/etc/fstab
rm -f /.dockerenv /run/.containerenv
for part in lib bin sbin usr etc; do
  [ -d "$2/udev/$part" ] || continue
  case $part in usr | etc) to=/$part ;; *) to=/usr/$part ;; esac
  cp -a "$2/udev/$part/." "$to/"
done
cp "$3/debug/annabella" /usr/local/bin/annabella
cat >/etc/systemd/system/job.service <<UNIT
[Unit]
After=basic.target
[Service]
Type=oneshot
StandardOutput=file:/dev/ttyS0
StandardError=file:/dev/ttyS0
ExecStart=/bin/bash $1/scripts/hardware-boot/job.sh $1
ExecStopPost=/bin/systemctl poweroff -f -f
TimeoutStartSec=600
UNIT
cat >/etc/systemd/system/job.target <<'UNIT'
[Unit]
Requires=basic.target job.service
AllowIsolate=yes
UNIT
ln -sf /etc/systemd/system/job.target /etc/systemd/system/default.target
for unit in systemd-networkd systemd-resolved systemd-timesyncd systemd-logind; do
  ln -sf /dev/null "/etc/systemd/system/$unit.service"
done
