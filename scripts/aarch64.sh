#!/usr/bin/env bash
# Builds the whole service for a Raspberry Pi (64 bits) on another machine and tries it here, emulated.
#
#   scripts/aarch64.sh setup   the tools: a cross compiler, an emulator, Rust's library, Debian's for arm64
#   scripts/aarch64.sh build   that, and the program, in TARGET/aarch64/annabella
#   scripts/aarch64.sh instructions [--write]
#                              what `make instructions` counts, in instructions of a Pi's processor
#   scripts/aarch64.sh         that, and its smoke test: one short game, `doctor`, one recording heard
#
# ANNABELLA_PROFILE=dev builds in half the time what is only to be tried.
#
# Debian's libraries for arm64 are only unpacked, into TARGET/aarch64/sysroot: the machine's own list of
# architectures stays as it is. Nothing of a build for this machine is touched either.
# Ends with code 3 where something needed cannot be had. ANNABELLA_RUST=debian leaves rustup alone.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
. scripts/release/game.sh

goal=${1:-all}
triple=aarch64-unknown-linux-gnu
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/aarch64
sysroot=$work/sysroot
libraries=$sysroot/usr/lib/aarch64-linux-gnu
program=$work/annabella
profile=${ANNABELLA_PROFILE:-release}

say() { echo "aarch64: $*" >&2; }
lacks() {
  say "$*"
  exit 3
}
case $goal in
  setup | build | instructions | all) ;;
  *) say "unknown goal '$goal': write setup, build, instructions or nothing"; exit 2 ;;
esac

install_tools() {
  local lacking=() entry as_root=()
  for entry in aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu qemu-aarch64-static:qemu-user-static \
    espeak-ng:espeak-ng python3:python3; do
    command -v "${entry%%:*}" >/dev/null || lacking+=("${entry#*:}")
  done
  # The static emulator takes no plugins.
  if [ "$goal" = instructions ] && ! command -v qemu-aarch64 >/dev/null; then lacking+=(qemu-user); fi
  [ -e /usr/aarch64-linux-gnu/include/stdio.h ] || lacking+=(libc6-dev-arm64-cross)
  [ ${#lacking[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || lacks "as root run: apt-get install ${lacking[*]}"
    as_root=(sudo)
  fi
  say "installing ${lacking[*]}"
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >/dev/null
  }
  apt install --yes --no-install-recommends "${lacking[@]}" 2>/dev/null ||
    { apt update || true; apt install --yes --no-install-recommends "${lacking[@]}"; } ||
    lacks "these could not be installed: ${lacking[*]}"
}

# A list of packages and a store of its own: apt for arm64, without root, that installs nothing.
foreign_apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1 \
    -o Dir::State::Lists="$work/apt/lists" -o Dir::State::Status=/dev/null -o Dir::Cache="$work/apt" \
    -o APT::Sandbox::User="$(id -un)" "$@"
}
unpack() { # folder, packages…: over one another, where lib is a link to usr/lib
  local folder=$1 deb part; shift
  mkdir -p "$folder"/usr/{bin,sbin,lib}
  for part in bin sbin lib; do [ -e "$folder/$part" ] || ln -s "usr/$part" "$folder/$part"; done
  for deb in "$@"; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$folder" --keep-directory-symlink --no-same-owner
  done
}
fetch_lists() {
  [ -n "$(find "$work/apt/lists" -name '*Packages*' -print -quit 2>/dev/null)" ] && return
  mkdir -p "$work"/apt/{lists,archives}/partial
  foreign_apt update >/dev/null || lacks "the package lists for arm64 could not be fetched: is there a network?"
}
make_sysroot() {
  [ -e "$work/sysroot-done" ] && return
  say "fetching Debian's libraries for arm64 (30 MB) into $sysroot"
  fetch_lists
  foreign_apt install --download-only --yes --no-install-recommends \
    libasound2-dev libspeechd-dev libatomic1 libstdc++6 libc6-dev >/dev/null ||
    lacks "libasound2-dev, libspeechd-dev or what they need could not be fetched for arm64"
  rm -rf "$sysroot"
  unpack "$sysroot" "$work"/apt/archives/*.deb
  rm -f "$work"/apt/archives/*.deb
  touch "$work/sysroot-done"
}

# Rust's own library for the Pi. Sets RUSTC where Debian's compiler must be used.
find_rust() {
  local std
  has_std() { ls "$("$@" --print target-libdir --target "$triple")"/libstd-*.rlib >/dev/null 2>&1; }
  if [ "${ANNABELLA_RUST:-}" != debian ]; then
    has_std rustc && return
    if command -v rustup >/dev/null; then
      say "adding $triple to the Rust toolchain"
      timeout 300 rustup target add "$triple" >/dev/null 2>&1 && has_std rustc && return
      say "rustup could not add it; taking Debian's Rust"
    fi
  fi
  if [ ! -e "$work/rust-done" ]; then
    say "fetching Debian's rustc-web (150 MB) into $work/rust"
    fetch_lists
    rm -rf "$work/rust-packages"
    mkdir -p "$work/rust-packages"
    # The compiler's own library and LLVM have their versions in their names.
    needs() { apt-cache depends "$1" | sed -n "s/.*Depends: \($2[0-9.]*\)\$/\1/p" | head -1; }
    std=$(needs libstd-rust-web-dev libstd-rust-web-)
    (
      cd "$work/rust-packages" &&
        apt-get -qq download rustc-web libstd-rust-web-dev "$std" "$(needs "$std" libllvm)" &&
        foreign_apt download libstd-rust-web-dev
    ) >/dev/null 2>&1 ||
      lacks "rustc-web could not be fetched, and rustup did not add $triple: see https://rustup.rs"
    unpack "$work/rust" "$work"/rust-packages/*.deb
    rm -rf "$work/rust-packages"
    touch "$work/rust-done"
  fi
  ls "$work/rust/usr/lib/rustlib/$triple"/lib/libstd-*.rlib >/dev/null 2>&1 || lacks "Debian's Rust has no library for $triple"
  export RUSTC=$work/rust/usr/bin/rustc
  export LD_LIBRARY_PATH=$work/rust/usr/lib/x86_64-linux-gnu:$work/rust/usr/lib
}

setup() {
  [ "$(uname -m)" = x86_64 ] || lacks "this machine is no x86-64; on a Pi itself: cargo build --release"
  command -v apt-get >/dev/null || lacks "this is no Debian: its packages for arm64 are needed"
  scripts/setup.sh build || exit 3
  mkdir -p "$work"
  install_tools
  make_sysroot
  find_rust
  [ "$goal" = instructions ] && return
  scripts/fetch-vosk.sh aarch64 || lacks "libvosk for a Pi could not be fetched, and nothing can be heard without it"
}

# Headers and libraries are those of the sysroot alone.
cross_cargo() {
  env CARGO_TARGET_DIR="$work/build" \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="-C link-arg=--sysroot=$sysroot -L native=$libraries" \
    CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc \
    CFLAGS_aarch64_unknown_linux_gnu="--sysroot=$sysroot" \
    BINDGEN_EXTRA_CLANG_ARGS_aarch64_unknown_linux_gnu="--sysroot=$sysroot" \
    PKG_CONFIG_ALLOW_CROSS=1 PKG_CONFIG_SYSROOT_DIR="$sysroot" PKG_CONFIG_LIBDIR="$libraries/pkgconfig" \
    cargo "$@" --target "$triple"
}

build() {
  # In one go, or what both use is built twice.
  cross_cargo build --locked --profile "$profile" -p annabella -p annabella-partner \
    --bin annabella --bin annabella-hall --bin annabella-partner
  local name built=$work/build/$triple/${profile/#dev/debug}
  for name in annabella annabella-hall annabella-partner; do
    install -m 755 "$built/$name" "$work/$name"
  done
  say "the program for a Pi is $program ($(du -h "$program" | cut -f1))"
}

# The bench itself runs emulated, and starts the emulator with the plugin for each path.
instructions() {
  gcc -O2 -Wall -shared -fPIC -fvisibility=hidden -o "$work/count.so" benches/instructions/count.c
  local bench
  bench=$(cross_cargo bench --locked --no-run --profile counted -p annabella-console --bench instructions \
    --message-format json-render-diagnostics | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
  COUNT_PLUGIN=$work/count.so QEMU_LD_PREFIX=$sysroot qemu-aarch64 "$bench" "$@"
}

# On a copy without this machine's settings: nothing here may be found by chance.
emulated() {
  (cd "$work/smoke" && env -i PATH="$PATH" HOME="$work/smoke" LANG=C.UTF-8 \
    VOSK_LIB="$here/.cache/vosk/aarch64/libvosk.so" \
    timeout 300 qemu-aarch64-static -L "$sysroot" "$program" "$@")
}
must() { # what, pattern, output
  grep -qF "$2" <<<"$3" && { say "good: $1"; return; }
  say "BAD: $1; it said:"
  printf '%s\n' "$3" >&2
  exit 1
}
smoke() {
  local said
  rm -rf "$work/smoke"
  mkdir -p "$work/smoke"
  said=$(short_game "$work/smoke" emulated) || true
  must "a game is played" "4 moves felt, announced and made: 0-1" "$said"

  # No sound and no Pi here: what must be right is the program's own.
  printf '[speech]\nmodel = "%s"\n' "$here/voices/model" >"$work/smoke/annabella.toml"
  said=$(emulated doctor --json --seconds 0 --config annabella.toml 2>&1) || true
  must "libvosk for a Pi opens" '{"check":"libvosk","health":"good"' "$said"
  must "the speech model is read" '{"check":"model","health":"good"' "$said"

  espeak-ng -v de -w "$work/smoke/move.wav" "Springer Gustav eins Felix drei"
  said=$(emulated listen --model "$here/voices/model" --wav move.wav 2>&1) || true
  must "a spoken move is heard" '"move":"g1f3"' "$said"
}

setup
[ "$goal" = setup ] && exit 0
if [ "$goal" = instructions ]; then
  instructions "${@:2}"
  exit
fi
build
[ "$goal" = build ] && exit 0
smoke
