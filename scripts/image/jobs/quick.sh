#!/bin/sh
# In the guest, instead of systemd: the partition of the games is checked and mounted as fstab says, and the game is played.
# First it runs as /quick, in the card's own initramfs, to come to the card's system as that does.
if [ -e /scripts/functions ]; then
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin rootmnt=/root
  mkdir -p /proc /sys /dev /root
  mount -t devtmpfs dev /dev
  mount -t proc proc /proc
  mount -t sysfs sys /sys
  modprobe -a virtio_pci virtio_blk squashfs overlay ext4
  while [ ! -e /dev/vda3 ]; do sleep 0.1; done
  mount -t squashfs -o ro /dev/vda2 /root
  sh /scripts/local-bottom/card
  for folder in dev proc sys; do mount -n -o move /$folder /root/$folder; done
  exec chroot /root /bin/sh -c 'modprobe -a 9p 9pnet_virtio; mkdir -p /run/job
    mount -t 9p -o trans=virtio,version=9p2000.L job /run/job && exec sh /run/job/quick.sh'
fi
# Twice, as card-grow.service and systemd do.
fsck.ext4 -y /dev/vda3
fsck.ext4 -y /dev/vda3
echo "FSCK $?"
mount -t ext4 -o "$(sed -n 's|^PARTUUID=[^ ]* /data ext4 \([^ ]*\) .*|\1|p' /etc/fstab)" /dev/vda3 /data
mount --bind /data/annabella /var/lib/annabella
runuser -u annabella -- sh /run/job/power.sh /var/lib/annabella
