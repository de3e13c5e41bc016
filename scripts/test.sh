#!/usr/bin/env bash
# Everything that must hold before a change is handed in, the quickest check first.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  local began=$SECONDS
  echo "== $*" >&2
  "$@"
  echo "== $((SECONDS - began)) s" >&2
}

# A program outside the checkout does not find what was fetched into it.
VOSK_LIB=${VOSK_LIB:-$(scripts/fetch-vosk.sh here)}
export VOSK_LIB

# What tests leave out for want of something, each in a line (tests/shared/skip.rs).
skipped=${CARGO_TARGET_DIR:-target}/tmp/skipped
rm -f "$skipped"

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
step cargo check --locked --no-default-features
# The fuzz targets have a lock file of their own, which nothing else here reads.
step cargo tree --locked --manifest-path fuzz/Cargo.toml --depth 0
# It takes long to build, so it is used where it is; holes become known without any change, so `make deny` asks for them.
if cargo deny --version >/dev/null 2>&1; then
  step cargo deny --workspace --all-features check licenses bans sources
fi
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --workspace --no-deps --all-features --quiet
if cargo nextest --version >/dev/null 2>&1; then
  step cargo nextest run --locked --workspace --all-features
else
  step cargo test --locked --workspace --all-features --lib --bins --tests --no-fail-fast
fi
step cargo test --locked --workspace --all-features --doc
if [ -f "$skipped" ]; then sort -u "$skipped" >&2; fi
