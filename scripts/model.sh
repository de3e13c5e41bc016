#!/usr/bin/env bash
# Makes and measures the speech model; nothing of it is needed to run Annabella. See voices/training/README.md.
#
#   scripts/model.sh full             the whole model: some seven hours on two cores (`make model`)
#   scripts/model.sh more             voices/model goes on learning, from recordings of people too: an hour or two
#                                     (`make model-more ARGS="--recordings FOLDER"`)
#   scripts/model.sh people           voices/model goes on among people: PEOPLE is their folder, with manifest.tsv
#   scripts/model.sh short            the whole model with less speech: an hour or two
#   scripts/model.sh smoke            minutes: shows that it can be made and hears something (`make model-smoke`)
#   scripts/model.sh eval [options]   compares it with voices/model and others (`make eval-speech`)
#   scripts/model.sh tune [options]   speaks other sentences, to choose thresholds with (`make tuning-set`)
#   scripts/model.sh card             prints the model card of target/model with the last comparison, and that of
#                                     people where target/eval-people.jsonl has the lines of `make eval-people`
#
# What is missing is installed first; exit code 3 where that cannot be done. All of it can be stopped and started
# again.
set -euo pipefail
cd "$(dirname "$0")/.."

goal=${1:-}
[ $# -gt 0 ] && shift
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(realpath "$target")
export ANNABELLA_TRAINING=${ANNABELLA_TRAINING:-$target/training}
# Another build of the program may be named.
given=${ANNABELLA:-}
export ANNABELLA=${given:-$target/release/annabella}
# Programs built outside of this folder find nothing in it by themselves.
VOSK_LIB=${VOSK_LIB:-$(scripts/fetch-vosk.sh here)}
export VOSK_LIB
export OMP_WAIT_POLICY=passive
threads=${THREADS:-$(nproc)}
environment=$ANNABELLA_TRAINING/venv

say() { echo "model: $*" >&2; }

# package:what it is for.
needed=(
  "python3-venv:the libraries of the training"
  "g++:the training's inner loop"
  "python3-dev:WORLD, which is compiled here"
  "espeak-ng:voices"
  "festival:voices"
  "festvox-kallpc16k:a voice" "festvox-kdlpc16k:a voice" "festvox-italp16k:a voice" "festvox-itapc16k:a voice"
  "festvox-czech-dita:a voice" "festvox-czech-krb:a voice" "festvox-czech-machac:a voice" "festvox-czech-ph:a voice"
  "festvox-suopuhe-lj:a voice" "festvox-suopuhe-mv:a voice" "festvox-hi-nsk:a voice"
  "festival-hi:the sounds of the last of them"
  "flite:two voices"
  "wngerman:words that are none of ours"
  "npm:fetching the voices of Kokoro"
)
# In Debian's non-free: all but the smallest need them.
pico="libttspico-utils:a voice"
# And these.
rhvoice=(
  "rhvoice:voices"
  "rhvoice-russian:four of them" "rhvoice-english:four of them" "rhvoice-ukrainian:two of them"
  "rhvoice-kyrgyz:two of them" "rhvoice-esperanto:one of them"
)
listening=(
  "sox:recordings of people"
  "mbrola:voices that were never trained on"
  "mbrola-de1:a voice" "mbrola-de2:a voice" "mbrola-de3:a voice" "mbrola-de4:a voice"
  "mbrola-de5:a voice" "mbrola-de6:a voice" "mbrola-de7:a voice"
  "klettres-data:recordings of people"
  "ktuberling-data:recordings of people"
  "asterisk-core-sounds-en-wav:recordings of people" "asterisk-core-sounds-es-wav:recordings of people"
  "asterisk-core-sounds-fr-wav:recordings of people" "asterisk-core-sounds-it-wav:recordings of people"
  "asterisk-core-sounds-ru-wav:recordings of people"
)

# Whether apt's lists have a version of it that can be installed.
candidate() { [ -n "$(apt-cache policy "$1" 2>/dev/null | grep '^  Candidate: [^(]')" ]; }

install() {
  local entry lacking=() there=() nowhere=()
  for entry in "$@"; do
    # npm comes with other packages than Debian's too.
    [ "${entry%%:*}" = npm ] && command -v npm >/dev/null && continue
    dpkg-query -W -f '${db:Status-Status}' "${entry%%:*}" 2>/dev/null | grep -qx installed && continue
    say "${entry%%:*} is missing, needed for ${entry#*:}"
    lacking+=("${entry%%:*}")
  done
  [ ${#lacking[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  "${as_root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update || say "the package lists could not be fetched; going on with those here"
  # One that is nowhere would keep all others away.
  for entry in "${lacking[@]}"; do
    if candidate "$entry"; then there+=("$entry"); else nowhere+=("$entry"); fi
  done
  if [ ${#there[@]} -gt 0 ] && ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends "${there[@]}" >/dev/null; then
    say "not all could be installed: ${there[*]}"
    return 1
  fi
  [ ${#nowhere[@]} -eq 0 ] && return 0
  # pico, mbrola and the voices of RHVoice and mbrola are in these two.
  say "not in apt's lists: ${nowhere[*]}; libttspico-utils, rhvoice-* and mbrola* need 'contrib' and 'non-free' in apt's sources"
  return 1
}

prepare() {
  install "${needed[@]}" || exit 3
  cmp -s voices/training/requirements.txt "$environment/requirements.txt" && return
  mkdir -p "$environment"
  local free
  free=$(df --output=avail --block-size=1G "$environment" | tail -n 1)
  if [ "$free" -lt 8 ]; then
    say "the Python libraries need 8 GB below $environment, and there are $free"
    exit 3
  fi
  say "installing Python libraries into $environment (6 GB, once)"
  if ! { python3 -m venv "$environment" &&
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
      -r voices/training/requirements.txt; }; then
    say "the Python libraries of voices/training/requirements.txt cannot be installed: is there a way to PyPI?"
    exit 3
  fi
  cp voices/training/requirements.txt "$environment/"
}

training() {
  PYTHONPATH=voices "$environment/bin/python" -m training "$@" --threads "$threads"
}

build() {
  [ -n "$given" ] || cargo build --locked --release --workspace --exclude annabella-fuzz --bins
}

# Hours before it is needed: is it such a folder, and the one that voices/model has heard?
people_folder() {
  if [ -z "${PEOPLE:-}" ]; then
    [ "$goal" = full ] || return 0
    say "PEOPLE names no folder of people's recordings (with manifest.tsv, see voices/training/README.md): the course among"
    say "people is left out, so this will not be voices/model but the synthetic one, made from packages alone"
    return 0
  fi
  if [ ! -f "$PEOPLE/manifest.tsv" ]; then
    say "$PEOPLE has no manifest.tsv: it is no folder of people's recordings (see voices/training/README.md)"
    exit 2
  fi
  local sum
  sum=$(sha256sum "$PEOPLE/manifest.tsv" | cut -d' ' -f1)
  grep -q "$sum" voices/model/README.md ||
    say "manifest.tsv of $PEOPLE is not the one that voices/model was made with (sha256 $sum): other weights will come out"
}

case $goal in
  full | short | more | people)
    people_folder
    prepare
    install "$pico" "${rhvoice[@]}" || exit 3
    made=$target/model
    case $goal in
      full)
        training make first --out "$target/model-first" "$@"
        training make more --from "$target/model-first" --out "$target/model-more" "$@"
        training make last --from "$target/model-more" --out "$target/model-last" "$@"
        taught=$made
        if [ -n "${PEOPLE:-}" ]; then
          taught=$target/model-taught
        fi
        training make taught --from "$target/model-last" --out "$taught" "$@"
        if [ -n "${PEOPLE:-}" ]; then
          training make people --from "$taught" --keep "$target/model-first" --people "$PEOPLE" --out "$made"
        fi
        ;;
      people)
        [ -n "${PEOPLE:-}" ] || { say "name a folder of people's recordings, with manifest.tsv: PEOPLE=FOLDER"; exit 2; }
        training make people --from voices/model --people "$PEOPLE" --out "$made" "$@"
        ;;
      short) training make short --out "$made" "$@" ;;
      more) training make more --from voices/model --out "$made" "$@" ;;
    esac
    build
    "$ANNABELLA" words build --model "$made" --out "$made"
    say "the model is in $made; 'make eval-speech' compares it with voices/model"
    ;;
  smoke)
    prepare
    install "$pico" || say "going on without it"
    PYTHONPATH=voices "$environment/bin/python" -m unittest training.test_training
    training smoke "$@"
    ;;
  eval)
    prepare
    install "${listening[@]}" || say "going on with the voices and recordings that are here"
    build
    scripts/fetch-vosk.sh
    models=("voices/model=voices/model")
    [ -d "$target/model" ] && models=("new=$target/model" "${models[@]}")
    [ -d .cache/models/de ] && models+=("official German=.cache/models/de")
    [ -d .cache/models/ko ] && models+=("Korean=.cache/models/ko")
    training evaluate "${models[@]}" --out "$target/eval-speech.md" "$@"
    ;;
  tune)
    prepare
    install "${listening[@]}" || say "going on with the voices that are here"
    build
    lists=$target/lists-to-tune
    # One voice is enough: only the list of what is said is needed.
    rm -rf "$lists"
    "${ANNABELLA%/*}/annabella-lab" corpus --out "$lists" --seed 20261124 --moves 40 --requests 1 --illegal 20 --talk 0 --speakers mbrola-de4 >&2
    spoken=$(training tune "$lists/corpus.tsv" "$@" | tee /dev/stderr | tail -n 1)
    say "it is in $spoken; '$ANNABELLA measure $spoken' says how well it is understood"
    ;;
  card)
    prepare
    people=()
    [ -f "$target/eval-people.jsonl" ] && people=(--people "$target/eval-people.jsonl")
    training card "$target/model" "$target/eval-speech.md" "${people[@]}"
    ;;
  *)
    say "write full, more, people, short, smoke, eval, tune or card"
    exit 2
    ;;
esac
