#!/usr/bin/env bash
# The pages in a real browser. Installs what that needs, or says what is missing and leaves it at that.
#
#   scripts/browser.sh setup      Node.js, Chromium and two packages
#   scripts/browser.sh test       that, and the tests
#   scripts/browser.sh pictures   that, and the README's pictures, made by the same tests
set -euo pipefail
cd "$(dirname "$0")/.."

goal=${1:-test}
say() { echo "browser: $*" >&2; }
case $goal in
  setup | test | pictures) ;;
  *) say "unknown goal '$goal': write setup, test or pictures"; exit 2 ;;
esac

target=${CARGO_TARGET_DIR:-target}
# A machine without network must not wait for it each time.
lately() { [ -n "$(find "$target/browser-$1-tried" -mtime -1 2>/dev/null)" ]; }
tried() { mkdir -p "$target"; touch "$target/browser-$1-tried"; }

install() { # command, packages…
  local command=$1; shift
  command -v "$command" >/dev/null && return
  if ! command -v apt-get >/dev/null || lately "$command"; then
    say "$command is missing: install $* for the browser tests"
    return
  fi
  tried "$command"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "$command is missing; as root run: apt-get install $*"; return; }
    as_root=(sudo)
  fi
  say "installing $*"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 \
    install --yes --no-install-recommends "$@" >/dev/null 2>&1 ||
    { "${as_root[@]}" apt-get -qq update >/dev/null 2>&1 || true
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 \
        install --yes --no-install-recommends "$@" >/dev/null 2>&1 || say "$command could not be installed"; }
}

install npm nodejs npm
install chromium chromium fonts-dejavu-core
folder=tests/browser
fetched=$folder/node_modules/.package-lock.json
# Other versions are asked for since they were fetched, or they never were.
if command -v npm >/dev/null && [ ! $fetched -nt $folder/package-lock.json ]; then
  if ! lately packages || [ $folder/package-lock.json -nt "$target/browser-packages-tried" ]; then
    tried packages
    say "fetching playwright-core and axe-core"
    (cd $folder && npm ci --no-progress >/dev/null 2>&1) || say "they could not be fetched: the browser tests are skipped"
  fi
fi

case $goal in
  test) cargo test --locked --test hall browser:: -- --nocapture ;;
  pictures)
    ANNABELLA_PICTURES=$PWD/pictures cargo test --locked --test hall browser:: -- --nocapture
    ;;
esac
