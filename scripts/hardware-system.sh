#!/usr/bin/env bash
# Puts the service where systemd finds it, or takes it away: unit, user, device rules, log limits.
# Called by `make install` and `make uninstall`; a second run upgrades.
#
#   PREFIX=/usr/local DESTDIR= scripts/hardware-system.sh install | uninstall
#
# Files go below DESTDIR, as a package wants it. Only without DESTDIR, as root, and where systemd runs
# is anything told to systemd and udev. Games and configuration (/var/lib/annabella) are never
# overwritten and never taken away.
set -euo pipefail
cd "$(dirname "$0")/../hardware"

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
unit=$root$prefix/lib/systemd/system/annabella.service
rules=$root$prefix/lib/udev/rules.d/60-annabella.rules
users=$root$prefix/lib/sysusers.d/annabella.conf
logs=$root/etc/systemd/journald@annabella.conf
config=$root/var/lib/annabella/annabella.toml

say() { echo "install: $*" >&2; }
# Whether this is the machine that the service shall run on, and not a folder for a package.
live() { [ -z "$root" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; }
is_pi() { grep -qs "Raspberry Pi" /proc/device-tree/model; }

install_all() {
  mkdir -p "$(dirname "$unit")"
  sed "s|/usr/local/bin/annabella|$prefix/bin/annabella|" annabella.service >"$unit.new"
  chmod 644 "$unit.new"
  mv "$unit.new" "$unit"
  install -D -m 644 60-annabella.rules "$rules"
  install -D -m 644 annabella.sysusers.conf "$users"
  install -D -m 644 journald@annabella.conf "$logs"
  if [ ! -e "$config" ]; then
    install -D -m 644 annabella.toml "$config"
  fi
  live || return 0

  systemd-sysusers "$users"
  udevadm control --reload && udevadm trigger --subsystem-match=spidev --subsystem-match=i2c-dev \
    --subsystem-match=gpio --subsystem-match=tty || say "udev does not answer; restart the machine"
  systemctl daemon-reload
  # An upgrade in the middle of a game: the game goes on from its journal.
  systemctl try-restart annabella.service
  if is_pi; then
    systemctl --quiet enable annabella.service
    say "the service starts at the next boot; now: sudo systemctl start annabella"
  elif ! systemctl --quiet is-enabled annabella.service 2>/dev/null; then
    say "this is no Raspberry Pi, so the service stays off; to have it: systemctl enable --now annabella"
  fi
}

uninstall_all() {
  if live && [ -e "$unit" ]; then
    systemctl --quiet disable --now annabella.service || say "the service could not be stopped"
  fi
  rm -f "$unit" "$rules" "$users" "$logs"
  live || return 0
  systemctl daemon-reload
  udevadm control --reload || true
  if [ -e /var/lib/annabella ]; then
    say "games and configuration are still in /var/lib/annabella"
  fi
}

case ${1:-} in
install) install_all ;;
uninstall) uninstall_all ;;
*)
  echo "usage: PREFIX=… DESTDIR=… $0 install | uninstall" >&2
  exit 2
  ;;
esac
