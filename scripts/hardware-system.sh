#!/usr/bin/env bash
# Puts the service where systemd finds it, or takes it away: unit, user, device rules, log limits.
# Called by `make install` and `make uninstall`; a second run upgrades. A package brings the files
# itself and calls this for the rest.
#
#   PREFIX=/usr/local DESTDIR= scripts/hardware-system.sh install | uninstall
#   PREFIX=/usr scripts/hardware-system.sh activate [new] | deactivate
#
# Files go below DESTDIR, as a package wants it. Only without DESTDIR, as root, and where systemd runs
# is anything told to systemd and udev. Games and configuration (/var/lib/annabella) are never
# overwritten and never taken away.
set -euo pipefail

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
unit=$root$prefix/lib/systemd/system/annabella.service
rules=$root$prefix/lib/udev/rules.d/60-annabella.rules
users=$root$prefix/lib/sysusers.d/annabella.conf
modules=$root$prefix/lib/modules-load.d/annabella.conf
logs=$root/etc/systemd/journald@annabella.conf
config=$root/var/lib/annabella/annabella.toml

say() { echo "install: $*" >&2; }
# Whether this is the machine that the service shall run on, and not a folder for a package.
live() { [ -z "$root" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; }
is_pi() { grep -qs "Raspberry Pi" /proc/device-tree/model; }

# Tells systemd and udev of the files. Only the first installation switches the service on: who has
# switched it off wants it so.
activate() { # new, or nothing
  systemd-sysusers "$users"
  modprobe --quiet i2c-dev || true
  udevadm control --reload && udevadm trigger --subsystem-match=spidev --subsystem-match=i2c-dev \
    --subsystem-match=gpio --subsystem-match=tty || say "udev does not answer; restart the machine"
  systemctl daemon-reload
  # An upgrade in the middle of a game: the game goes on from its journal.
  systemctl try-restart annabella.service
  if is_pi; then
    if [ "${1:-}" = new ]; then systemctl --quiet enable annabella.service; fi
    if systemctl --quiet is-enabled annabella.service 2>/dev/null; then
      say "the service starts at the next boot; now: sudo systemctl start annabella"
    fi
  elif ! systemctl --quiet is-enabled annabella.service 2>/dev/null; then
    say "this is no Raspberry Pi, so the service stays off; to have it: systemctl enable --now annabella"
  fi
}

deactivate() {
  systemctl --quiet disable --now annabella.service || say "the service could not be stopped"
}

install_all() {
  local new=
  [ -e "$unit" ] || new=new
  cd "$(dirname "$0")/../hardware"
  mkdir -p "$(dirname "$unit")"
  sed "s|/usr/local/bin/annabella|$prefix/bin/annabella|" annabella.service >"$unit.new"
  chmod 644 "$unit.new"
  mv "$unit.new" "$unit"
  install -D -m 644 60-annabella.rules "$rules"
  install -D -m 644 annabella.sysusers.conf "$users"
  install -D -m 644 annabella.modules.conf "$modules"
  install -D -m 644 journald@annabella.conf "$logs"
  if [ ! -e "$config" ]; then
    install -D -m 644 annabella.toml "$config"
  fi
  if live; then activate "$new"; fi
}

uninstall_all() {
  if live && [ -e "$unit" ]; then deactivate; fi
  rm -f "$unit" "$rules" "$users" "$modules" "$logs"
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
activate) if live; then activate "${2:-}"; fi ;;
deactivate) if live; then deactivate; fi ;;
*)
  echo "usage: PREFIX=… DESTDIR=… $0 install | uninstall | activate [new] | deactivate" >&2
  exit 2
  ;;
esac
