#!/usr/bin/env bash
# What must hold, the quickest check first, and how many seconds each took.
#
#   scripts/test.sh quick   called by `make check`: format, lints, the quick tests
#   scripts/test.sh full    called by `make test`: everything, before a change is handed in
#   scripts/test.sh properties [20]   called by `make properties`: the quick tests and the largest properties, each
#                           round with another seed of proptest; a seed with which something fails is named
set -euo pipefail
cd "$(dirname "$0")/.."

goal=${1:-full}
rounds=${2:-20}
case $goal in
quick | full | properties) ;;
*) echo "test: unknown goal '$goal': write quick, full or properties" >&2; exit 2 ;;
esac
# One change passes or fails however often it is tried. Other seeds are for `make properties`.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
# Lines are compared in English; tests of the German ones ask for them.
export LC_ALL=C.UTF-8

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

if [ "$goal" = properties ]; then
  failed=
  for _ in $(seq "$rounds"); do
    PROPTEST_RNG_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
    echo "== PROPTEST_RNG_SEED=$PROPTEST_RNG_SEED" >&2
    cargo nextest run --locked --workspace --all-features --profile properties || failed+=" $PROPTEST_RNG_SEED"
  done
  [ -z "$failed" ] || { echo "properties: failed with these values of PROPTEST_RNG_SEED:$failed" >&2; exit 1; }
  exit
fi

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
