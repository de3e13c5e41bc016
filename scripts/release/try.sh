#!/usr/bin/env bash
# Installs the packages where they can do no harm, and looks whether they do what they should. Called by
# `scripts/release.sh try`; needs root for a scratch Debian, which is made once.
#
#   scripts/release/try.sh PACKAGES ARCHITECTURE
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/release/game.sh

packages=$1
own=$2
work=$packages/work
scratch=$work/debian
# Nothing where there is none.
newest() { { ls -t "$packages"/annabella_*_"$1".deb 2>/dev/null || true; } | head -1; }
folder=/var/lib/annabella

skip() {
  echo "skipped: $*" >&2
  exit 0
}
must() { # what, command…
  local what=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    echo "good  $what" >&2
  else
    echo "BAD   $what; it said:" >&2
    cat "$work/said" >&2
    exit 1
  fi
}
# A program's end does not matter to these, only what it says.
says() { # pattern, command…
  local pattern=$1
  shift
  "$@" >"$work/answer" 2>&1 || true
  grep -qF -- "$pattern" "$work/answer" || { cat "$work/answer"; return 1; }
}

# Its own mounts go with it.
within() {
  unshare --mount --pid --fork -- bash -c \
    'mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' \
    "$scratch" "$@"
}
make_scratch() {
  local suite sound=libasound2t64
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  [ "$suite" = bookworm ] && sound=libasound2
  if [ ! -e "$work/base.tar" ]; then
    command -v debootstrap >/dev/null || {
      echo "installing debootstrap" >&2
      apt-get -qq install --yes --no-install-recommends debootstrap >/dev/null 2>&1
    } || skip "debootstrap is not here: apt-get install debootstrap"
    echo "making a scratch Debian (some 90 s, 400 MB)" >&2
    rm -rf "$work/base"
    debootstrap --variant=minbase \
      --include="$sound,libspeechd2,libatomic1,libstdc++6,libgcc-s1,espeak-ng,systemd,udev" \
      "$suite" "$work/base" >"$work/debootstrap.log" 2>&1 ||
      skip "a scratch Debian could not be made: $(tail -n 1 "$work/debootstrap.log")"
    tar -C "$work/base" -cf "$work/base.tar.new" .
    mv "$work/base.tar.new" "$work/base.tar"
    rm -rf "$work/base"
  fi
  rm -rf "$scratch"
  mkdir -p "$scratch"
  tar -C "$scratch" -xf "$work/base.tar"
}

here() {
  local deb
  deb=$(newest "$own")
  [ -n "$deb" ] || skip "there is no package for $own: make release"
  if command -v lintian >/dev/null; then
    must "lintian finds no error" lintian --allow-root --fail-on error "$deb"
  else
    echo "skipped: lintian is not here: apt-get install lintian" >&2
  fi
  [ "$(id -u)" = 0 ] || skip "a scratch Debian needs root"
  # A container or a chroot may not let one have mounts of its own.
  unshare --mount --pid --fork true 2>"$work/said" || skip "a scratch Debian could not be entered: $(head -n 1 "$work/said")"
  make_scratch
  within true 2>"$work/said" || skip "a scratch Debian cannot be entered: $(head -n 1 "$work/said")"
  cp "$deb" "$scratch/annabella.deb"
  must "installs where its dependencies are" within dpkg -i /annabella.deb
  must "has a configuration" test -s "$scratch$folder/annabella.toml"
  must "brings the service" test -s "$scratch/usr/lib/systemd/system/annabella.service"
  must "the unit is one that systemd takes" within systemd-analyze verify --man=no annabella.service
  must "libvosk opens" says '"libvosk","health":"good","found":"/usr/' within annabella doctor --json --seconds 0
  must "the model is read" says '"model","health":"good","found":"/usr/' within annabella doctor --json --seconds 0
  must "the service's configuration is looked at" \
    says "configuration good  $folder/annabella.toml has no mistake" within annabella doctor --seconds 0
  must "hands over to the hall's program" says "annabella hall " within annabella hall --version
  must "plays a game" short_game "$scratch" within annabella
  must "brings nothing that plays chess" bash -c "! ls '$scratch'/usr/bin/annabella-partner 2>/dev/null"
  must "the package for home names the service and an engine" bash -c \
    "dpkg-deb --field '$packages'/annabella-partner_*_$own.deb Depends | grep -q 'annabella.*stockfish'"
  # Its engine is Debian's and not in the scratch system: what is tried is that it hands over, and says so.
  must "unpacks beside it" dpkg-deb -x "$(ls -t "$packages"/annabella-partner_*_"$own".deb | head -1)" "$scratch"
  must "hands over to the partner" says "annabella partner " within annabella partner --version
  must "an engine that is missing is named" says "sudo apt install stockfish" within annabella partner
  rm -f "$scratch/usr/bin/annabella-partner"
  must "says where demonstrations are" says "there is no annabella-lab beside annabella" within annabella demo

  echo '# mine' >>"$scratch$folder/annabella.toml"
  echo games >"$scratch$folder/annabella.db"
  must "is upgraded" within dpkg -i /annabella.deb
  must "an upgrade keeps the configuration" grep -qx '# mine' "$scratch$folder/annabella.toml"
  must "is removed" within dpkg -r annabella
  must "nothing of the program stays" test ! -e "$scratch/usr/bin/annabella" -a ! -e "$scratch/usr/bin/annabella-hall" \
    -a ! -e "$scratch/usr/lib/annabella" -a ! -e "$scratch/usr/lib/systemd/system/annabella.service"
  must "configuration and games stay" test -s "$scratch$folder/annabella.toml" -a -s "$scratch$folder/annabella.db"
  must "is purged" within dpkg -P annabella
  must "purging takes the configuration" test ! -e "$scratch$folder/annabella.toml"
  must "and leaves the games" test -s "$scratch$folder/annabella.db"
  must "dpkg knows it no more" bash -c "! grep -q '^Package: annabella$' '$scratch/var/lib/dpkg/status'"

  # The tarball, in the same scratch system.
  local tarball name
  tarball=$(ls -t "$packages"/annabella-*-"$(uname -m)".tar.xz | head -1)
  name=$(basename "$tarball" .tar.xz)
  tar -C "$scratch/root" -xf "$tarball"
  must "the tarball's program runs where it lies" \
    says '"libvosk","health":"good"' within "/root/$name/bin/annabella" doctor --json --seconds 0
  must "it installs itself" within "/root/$name/install.sh"
  must "and is found" says "annabella " within annabella --version
  must "it takes itself away" within "/root/$name/install.sh" uninstall
  must "all of it" test ! -e "$scratch/usr/local/bin/annabella" -a ! -e "$scratch/usr/local/bin/annabella-hall" \
    -a ! -e "$scratch/usr/local/lib/annabella"
}

# A package for a Pi: what it brings, and its program in an emulator.
pi() {
  local deb root=$work/pi sysroot
  sysroot=$(dirname "$packages")/aarch64/sysroot
  deb=$(newest arm64)
  [ "$own" = amd64 ] && [ -n "$deb" ] || return 0
  local wanted
  dpkg-deb --contents "$deb" >"$work/contents"
  for wanted in bin/annabella bin/annabella-hall lib/annabella/libvosk.so share/annabella/model/am/final.mdl \
    lib/systemd/system/annabella.service lib/udev/rules.d/60-annabella.rules lib/sysusers.d/annabella.conf; do
    must "the package for a Pi brings usr/$wanted" grep -qE "root/root .* \./usr/$wanted$" "$work/contents"
  done
  must "and nothing of the laboratory" bash -c "! grep -q annabella-lab '$work/contents'"
  must "and nothing that plays chess" bash -c "! grep -q annabella-partner '$work/contents'"
  must "and names its architecture" test "$(dpkg-deb --field "$deb" Architecture)" = arm64
  command -v qemu-aarch64-static >/dev/null && [ -d "$sysroot" ] || {
    echo "skipped: its program is not tried, there is no emulator: make aarch64" >&2
    return 0
  }
  rm -rf "$root"
  dpkg-deb -x "$deb" "$root"
  emulated() {
    (cd "$root" && env -i PATH="$PATH" HOME="$root" timeout 300 qemu-aarch64-static -L "$sysroot" usr/bin/annabella "$@")
  }
  must "its program plays a game" short_game "$root" emulated
  must "its libvosk opens" says '"libvosk","health":"good","found":"/' emulated doctor --json --seconds 0
  must "its model is read" says '"model","health":"good"' emulated doctor --json --seconds 0
  rm -rf "$root"
}

mkdir -p "$work"
pi
here
rm -rf "$scratch"
echo "good  all done" >&2
