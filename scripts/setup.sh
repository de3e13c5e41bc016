#!/usr/bin/env bash
# Makes a fresh Debian or Raspberry Pi OS ready: installs what is missing, and only that.
#
#   scripts/setup.sh demo     what `make demo` needs
#   scripts/setup.sh build    that, and what `cargo build` needs besides
#   scripts/setup.sh test     that, and what `make test` needs besides
#   scripts/setup.sh partner  that of `build`, and what `make partner` needs besides
#   scripts/setup.sh fuzz     that, and what `make fuzz` needs besides
#   scripts/setup.sh hall     that, and what `make demo ARGS="--hall 20"` needs besides
#   scripts/setup.sh bench    that, and what `make bench` needs besides
#   scripts/setup.sh instructions  that, and what `make instructions` needs besides
#   scripts/setup.sh hardware what `make hardware` needs, and nothing of the program
#   scripts/setup.sh guest    that, and what `make hil` and `make hardware-boot` need besides
#
# Needed packages that cannot be had end with code 1; useful ones with a line that says what is lost.
set -euo pipefail
cd "$(dirname "$0")/.."

goal=${1:-build}

# package:what it is for (in words that fit after "needed for" / "without it").
needed=(
  "gcc:compiling SQLite, and linking"
  "libc6-dev:compiling SQLite, and linking"
  "pkg-config:finding libraries"
  "libasound2-dev:sound"
)
useful=(
  "espeak-ng:nothing is spoken by the built-in voice"
)
if [ "$goal" != demo ]; then
  needed+=("libspeechd-dev:the system's own voice" "libclang-dev:the system's own voice")
fi
if [ "$goal" = test ]; then
  needed+=(
    "python3:comparing the drawings in hardware/ with their source"
    "g++:checking the fuzz targets"
  )
  useful+=(
    "ngspice:circuits are computed, but not simulated"
    "stockfish:no game is played against a real engine"
    "pgn-extract:exported PGN is not checked by a second program"
    "nats-server:boards are not joined in a hall's stream"
    "brltty:the Braille line is tried with a simulated brltty only"
    "liblouis-bin:German Braille is not compared with a second program's"
    "dbus-daemon:no board is connected by Bluetooth, not even a simulated one"
    "systemd:how exposed the service is, is not rated"
    "openssh-client:a card's owner and his key are not tried"
    "mtools:a card's owner and his key are not tried"
    "dosfstools:a card's owner and his key are not tried"
    "fdisk:a card's owner and his key are not tried"
    "speech-dispatcher:the system's own voice is not tried"
    "speech-dispatcher-espeak-ng:the system's own voice is not tried"
    "libasound2-plugins:sound through PulseAudio is not tried"
    "pulseaudio:sound through PulseAudio is not tried"
    "pulseaudio-utils:sound through PulseAudio is not tried"
  )
elif [ "$goal" = fuzz ]; then
  needed+=("g++:compiling the fuzzer")
elif [ "$goal" = partner ]; then
  needed+=("stockfish:playing against a chess engine")
elif [ "$goal" = hall ]; then
  needed+=("nats-server:joining many boards")
elif [ "$goal" = bench ]; then
  useful+=(
    "nats-server:a hall of many boards is not measured"
    "stress-ng:the machine is kept busy by threads that only compute"
    "valgrind:instructions are not counted"
  )
elif [ "$goal" = instructions ]; then
  useful+=("valgrind:instructions are not counted")
elif [ "$goal" = guest ]; then
  useful+=(
    "qemu-system-x86:no machine can be emulated"
    "busybox-static:no emulated machine can be booted"
    "cpio:no emulated machine can be booted"
    "kmod:no emulated machine can be booted"
    "alsa-utils:no sound card can be recorded from"
  )
elif [ "$goal" = hardware ]; then
  needed=("python3:drawings, tables and boards")
  useful=(
    "kicad:nothing is written for a house that makes boards, and KiCad's rules are not asked"
    "kicad-footprints:pads are not compared with KiCad's library"
    "openscad:there are no parts to print or mill"
    "ngspice:circuits are computed, but not simulated"
  )
elif [ "$goal" != build ] && [ "$goal" != demo ]; then
  echo "setup: unknown goal '$goal': write demo, build, test, partner, fuzz, hall, bench, instructions, guest or hardware" >&2
  exit 2
fi

if [ "$goal" != hardware ] && [ ! -f "$(scripts/fetch-vosk.sh where)" ] && ! python3 -m pip --version >/dev/null 2>&1; then
  useful+=("python3-pip:libvosk cannot be fetched, and nothing is heard")
fi

say() { echo "setup: $*" >&2; }

# Rust first: without it nothing else helps, but for drawings and boards.
if [ "$goal" != hardware ] && ! command -v cargo >/dev/null; then
  say "Rust is missing: install it as https://rustup.rs says (version 1.95 or later), then run this again"
  exit 1
fi
if [ "$goal" = test ]; then
  for part in fmt:rustfmt clippy:clippy; do
    cargo "${part%%:*}" --version >/dev/null 2>&1 && continue
    say "adding ${part##*:} to the Rust toolchain"
    if ! command -v rustup >/dev/null || ! rustup component add "${part##*:}"; then
      say "cargo ${part%%:*} is missing: add the component ${part##*:} to your Rust"
      exit 1
    fi
  done
fi

target=${CARGO_TARGET_DIR:-target}
# What is merely useful is tried once a day: a machine without network must not wait for it each time.
lately() { [ -n "$(find "$target/setup-$1-tried" -mtime -1 2>/dev/null)" ]; }
tried() {
  mkdir -p "$target"
  touch "$target/setup-$1-tried"
}

# One query for all; a package that was never heard of makes dpkg-query fail, which is no news.
absent() {
  local here entry
  here=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${@%%:*}" 2>/dev/null || true)
  for entry in "$@"; do
    grep -qxF "installed ${entry%%:*}" <<<"$here" || echo "$entry"
  done
}

packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: make sure yourself that these are here: $(printf '%s ' "${needed[@]%%:*}" "${useful[@]%%:*}")"
    return 0
  fi

  mapfile -t lacking < <(absent "${needed[@]}")
  mapfile -t wanted < <(absent "${useful[@]}")
  [ ${#lacking[@]} -eq 0 ] && [ ${#wanted[@]} -eq 0 ] && return 0

  if [ ${#lacking[@]} -eq 0 ] && lately "$goal"; then return 0; fi
  tried "$goal"

  for entry in "${lacking[@]}"; do say "${entry%%:*} is missing, needed for ${entry#*:}"; done
  for entry in "${wanted[@]}"; do say "${entry%%:*} is missing, without it ${entry#*:}"; done

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null; then
      as_root=(sudo)
    else
      say "installing needs root, and there is no sudo; as root run: apt-get install ${lacking[*]%%:*} ${wanted[*]%%:*}"
      [ ${#lacking[@]} -eq 0 ] && return 0
      exit 1
    fi
  fi
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o DPkg::Lock::Timeout=120 -o APT::Update::Error-Mode=any "$@" >/dev/null
  }

  say "fetching the package lists"
  apt update || say "the package lists could not be fetched; going on with those that are here"

  if [ ${#lacking[@]} -gt 0 ]; then
    say "installing ${lacking[*]%%:*}"
    if ! apt install --yes --no-install-recommends "${lacking[@]%%:*}"; then
      say "these could not be installed, and nothing can be built without them: ${lacking[*]%%:*}"
      exit 1
    fi
  fi
  # One by one: one that this release does not have must not keep the others away.
  for entry in "${wanted[@]}"; do
    say "installing ${entry%%:*}"
    apt install --yes --no-install-recommends "${entry%%:*}" ||
      say "${entry%%:*} could not be installed: ${entry#*:}"
  done
}

# Not in Debian: fetched into .cache/ by the Python package index's own client.
fetch() { # what, what is lost without it
  lately "fetch-$1" && return
  scripts/fetch-vosk.sh "$1" && return
  tried "fetch-$1"
  say "$2"
}

packages
if [ "$goal" = fuzz ] || [ "$goal" = hardware ] || [ "$goal" = instructions ]; then exit 0; fi
fetch libvosk "nothing is heard without libvosk; \`make vosk\` tries again"
if [ "$goal" = test ]; then
  fetch model-ko "models of other languages are not tried; \`make model-ko\` tries again"
fi
