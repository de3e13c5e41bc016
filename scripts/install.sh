#!/usr/bin/env bash
# Puts an unpacked release, or what `make install` has built, below PREFIX, or takes it away.
#
#   sudo ./install.sh [install | uninstall]
#
# PREFIX is /usr/local, DESTDIR a folder for a package. The folder of the files (bin, lib, share) is the
# one of this script, or FILES. With systemd the service is set up as well; games and configuration are
# never overwritten and never taken away.
set -euo pipefail

own=$(cd "$(dirname "$0")" && pwd)
files=${FILES:-$own}
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
system=$own/scripts/hardware-system.sh
[ -e "$system" ] || system=$own/hardware-system.sh

# The service at boot: into a package, or where systemd runs and looks below the prefix.
with_system() {
  [ -n "${DESTDIR:-}" ] && return
  [ -d /run/systemd/system ] || return 1
  case $prefix in /usr | /usr/local) return 0 ;; *) return 1 ;; esac
}

case ${1:-install} in
install)
  mkdir -p "$root" 2>/dev/null && [ -w "$root" ] || {
    echo "install: $root cannot be written: sudo $0, or name another place with PREFIX" >&2
    exit 1
  }
  (cd "$files" && find bin lib share -type f) | while read -r file; do
    mode=644
    if [ "${file%%/*}" = bin ] || [ -x "$files/$file" ]; then mode=755; fi
    install -D -m "$mode" "$files/$file" "$root/$file"
  done
  if with_system; then "$system" install; fi
  ;;
uninstall)
  if with_system; then "$system" uninstall; fi
  rm -rf "$root/bin/annabella" "$root/bin/annabella-hall" "$root/share/annabella/model" \
    "$root/share/annabella/model-de" "$root/lib/annabella/libvosk.so" "$root/lib/annabella/fetch-model"
  rm -f "$root"/share/man/man1/annabella{,-*}.1 "$root"/share/bash-completion/completions/annabella{,-hall} \
    "$root"/share/zsh/site-functions/_annabella{,-hall} "$root"/share/fish/vendor_completions.d/annabella{,-hall}.fish
  rmdir "$root/share/annabella" "$root/lib/annabella" 2>/dev/null || true
  ;;
*)
  echo "usage: PREFIX=… DESTDIR=… $0 [install | uninstall]" >&2
  exit 2
  ;;
esac
