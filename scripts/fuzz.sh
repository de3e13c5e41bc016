#!/usr/bin/env bash
# Fuzzes one target for some seconds with the stable toolchain: scripts/fuzz.sh infer_input 60
# With "all" each target in turn, ten minutes if not told otherwise; for the night.
#
# ANNABELLA_PROFILE=dev builds in half the time what tries less in a second.
# LLVM's coverage counters guide it; for the address sanitizer too, use cargo-fuzz and a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"

target=${1:-}
if [ "$target" = all ]; then
  failed=()
  for file in fuzz_targets/*.rs; do
    "../scripts/fuzz.sh" "$(basename -s .rs "$file")" "${2:-600}" || failed+=("$(basename -s .rs "$file")")
  done
  [ ${#failed[@]} -eq 0 ] && exit
  echo "fuzz: found something: ${failed[*]}; see fuzz/artifacts/" >&2
  exit 1
fi
seconds=${2:-60}
if [ ! -f "fuzz_targets/$target.rs" ]; then
  echo "fuzz: name a target: $(basename -s .rs fuzz_targets/*.rs | tr '\n' ' ')" >&2
  exit 2
fi

host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$PWD/target
export RUSTFLAGS="-Cpasses=sancov-module -Cdebug-assertions -Coverflow-checks -Ccodegen-units=1 \
-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
# With --target the flags stay away from build scripts, which have no fuzzer to link to.
profile=${ANNABELLA_PROFILE:-counted}
features=$(awk -F '[][]' -v target="$target" '
  /^name = / { split($0, name, "\""); found = name[2] == target }
  found && /^required-features = / { gsub(/[" ]/, "", $2); print $2 }' Cargo.toml)
cargo build --locked --profile "$profile" --target "$host" -p annabella-fuzz --no-default-features \
  --features "$features" --bin "$target"

mkdir -p "corpus/$target" "artifacts/$target"
seeds=seeds/$target
[ "$target" != pack ] || seeds=../voices
[ -d "$seeds" ] || seeds=corpus/$target
# A fuzzer does not begin in Rust's own main, which would have seen to it: who closes a connection ends nobody.
trap '' PIPE
exec "target/$host/${profile/#dev/debug}/$target" -max_total_time="$seconds" -max_len=4000 -print_final_stats=1 \
  -artifact_prefix="artifacts/$target/" "corpus/$target" "$seeds"
