#!/usr/bin/env bash
# What must hold, the quickest check first, and how many seconds each took.
#
#   scripts/test.sh quick   called by `make check`: format, lints, the quick tests
#   scripts/test.sh full    called by `make test`: everything, before a change is handed in
set -euo pipefail
cd "$(dirname "$0")/.."

goal=${1:-full}
case $goal in
quick | full) ;;
*) echo "test: unknown goal '$goal': write quick or full" >&2; exit 2 ;;
esac

times=
step() { # name, command…
  local name=$1 began=$SECONDS
  shift
  echo "== $*" >&2
  "$@"
  times+="$name $((SECONDS - began)) s, "
}

tests() { # profile of .config/nextest.toml
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --workspace --all-features --profile "$1"
  elif [ "$1" = full ]; then
    cargo test --locked --workspace --all-features --lib --bins --tests --no-fail-fast
  else
    # Without nextest the quick tests are those of the crates that decide.
    cargo test --locked -p annabella-words -p annabella-core -p annabella-records --all-features --no-fail-fast
  fi
}

step format cargo fmt --all --check
if [ "$goal" = quick ]; then
  step lints cargo clippy --locked --workspace --lib --bins --all-features -- -D warnings
  step tests tests default
  echo "== ${times%, }" >&2
  exit
fi

# What tests leave out for want of something, each in a line (tests/shared/skip.rs).
skipped=${CARGO_TARGET_DIR:-target}/tmp/skipped
rm -f "$skipped"
step lints cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
step "lints of the bare core" cargo clippy --locked --no-default-features -- -D warnings
# The fuzz targets have a lock file of their own, which nothing else here reads.
step "lock file" cargo tree --locked --manifest-path fuzz/Cargo.toml --depth 0
# It takes long to build, so it is used where it is; holes become known without any change, so `make deny` asks for them.
if cargo deny --version >/dev/null 2>&1; then
  step licences cargo deny --workspace --all-features check licenses bans sources
fi
RUSTDOCFLAGS="-D warnings" step documentation cargo doc --locked --workspace --no-deps --all-features --quiet
step "building tests" cargo test --locked --workspace --all-features --lib --bins --tests --no-run --quiet
step tests tests full
step "documentation's tests" cargo test --locked --workspace --all-features --doc
if [ -f "$skipped" ]; then sort -u "$skipped" >&2; fi
echo "== ${times%, }" >&2
