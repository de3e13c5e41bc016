#!/usr/bin/env bash
# Fetches the official small German speech model (45 MB), checks it and puts it where Annabella finds it.
#
#   fetch-model.sh [FOLDER [ADDRESS SHA256]]    another place, another file
#
# Without FOLDER: .cache/models/de of a checkout; else /usr/local/share/annabella/model-de, or the same below
# ~/.local where that cannot be written. A second run does nothing. Exit code 3: there is no way to it; 1: it came and
# is not what it should be, or has no room. Nothing half done is left behind.
set -euo pipefail

name=vosk-model-small-de-0.15
own=$(cd "$(dirname "$0")" && pwd)
folder=${1:-}
address=${2:-https://alphacephei.com/vosk/models/$name.zip}
sum=${3:-06f6dea4618df4d825ec06b564e55d4670eb6d8718e48c9ca90cac74d40b5ed9}

say() { echo "fetch-model: $*" >&2; }
fail() { # code, words
  say "${*:2}"
  exit "$1"
}

if [ -z "$folder" ]; then
  if [ -f "$own/../Cargo.toml" ]; then
    folder=$own/../.cache/models/de
  elif mkdir -p /usr/local/share/annabella 2>/dev/null && [ -w /usr/local/share/annabella ]; then
    folder=/usr/local/share/annabella/model-de
  else
    folder=$HOME/.local/share/annabella/model-de
  fi
fi
[ -f "$folder/am/final.mdl" ] && exit 0
command -v curl >/dev/null || fail 1 "curl is missing: apt-get install curl"
command -v python3 >/dev/null || fail 1 "python3 is missing: apt-get install python3"

# Beside the place where it ends up, so that it gets there whole or not at all.
mkdir -p "$(dirname "$folder")" || fail 1 "$(dirname "$folder") cannot be written"
work=$(mktemp -d "$(dirname "$folder")/fetching.XXXXXX") || fail 1 "$(dirname "$folder") cannot be written"
trap 'rm -rf "$work"' EXIT
say "fetching $address"
code=0
# A bar for whoever sees it. TERM=dumb asks for none, as for a screen reader.
shown=--silent
if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then shown=--progress-bar; fi
curl --fail $shown --show-error --location --connect-timeout 20 --retry 2 --output "$work/model.zip" "$address" || code=$?
case $code in
  0) ;;
  # No room for it.
  23) fail 1 "$folder has no room for it" ;;
  *) fail 3 "$address could not be fetched (curl: $code): is there a network?" ;;
esac
found=$(sha256sum "$work/model.zip" | cut -d' ' -f1)
[ "$found" = "$sum" ] || fail 1 "what came is not the expected file: sha256 $found, not $sum"
python3 -m zipfile -e "$work/model.zip" "$work/zip" || fail 1 "what came cannot be unpacked"
model=$(dirname "$(dirname "$(find "$work/zip" -path '*/am/final.mdl' | head -n 1)")")
[ -f "$model/am/final.mdl" ] || fail 1 "what came is no model"
# What the recogniser compares each file with before it opens the model.
(cd "$model" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum) >"$work/fetched.sha256"
mv "$work/fetched.sha256" "$model/"
chmod -R u=rwX,go=rX "$model"
rm -rf "$folder"
mv "$model" "$folder"
say "the official small German model is in $folder"
