"""A folder of recordings of many people, as its manifest.tsv lists them: to train with, and never with its tests.

Columns: file (FLAC or WAV), text, speaker, source, licence, person, certainty, orig_sr, seconds. A text in
parentheses describes a file and is not what is said.
"""

import csv
import random
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import soundfile

from . import lexicon, store, synthesis, voices
from .foreign import foreign_phones
from .inputs import Refused
from .synthesis import Utterance

REVISION = 1
LIST = "manifest.tsv"
# Longer ones are talk of which nobody needs so much.
LONGEST_S = 8.0
# So many recordings of single words by one person are joined to sequences, for each that stays alone.
JOINED = 0.4


@dataclass(frozen=True)
class Recording:
    """One line of the manifest."""

    file: Path
    speaker: str
    text: str


@cache
def _split() -> dict[str, list[str]]:
    """Who is for what: people.toml, which `annabella-lab people` reads too."""
    with open(Path(__file__).with_name("people.toml"), "rb") as file:
        return tomllib.load(file)


def in_turn() -> list[str]:
    """Who leaves one another out in turn."""
    return _split()["in-turn"]


def digest(folder: Path) -> str:
    """Which folder it is: the checksum of its manifest."""
    return store.file_digest(folder / LIST)


def recordings(folder: Path, part: str) -> list[Recording]:
    """Those of a part, `train`, `validation` or `tests`, whose text is known."""
    try:
        text = (folder / LIST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{folder / LIST}: cannot be read ({error}); name a folder with such a list") from error
    found = []
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        known = row["certainty"] != "guess" and not row["text"].startswith("(")
        if row["file"].startswith(tuple(_split()["left-out"])):
            continue
        if row["person"] != "person" or not known or _part(row) != part or float(row["seconds"]) > LONGEST_S:
            continue
        found.append(Recording(folder / row["file"], row["speaker"], row["text"]))
    if not found:
        raise Refused(f"{folder / LIST}: nobody to take for {part}")
    return found


def _part(row: dict[str, str]) -> str:
    if row["file"].startswith(tuple(_split()["tests"])):
        return "tests"
    return "validation" if row["speaker"] in _split()["validation"] else "train"


def shards(folder: Path, part: str = "train") -> list[Path]:
    """Shards of what people say, one a speaker; see `synthesis.load`."""
    if part == "tests":
        raise Refused("nobody of the tests is trained on or chosen by")
    by_speaker: dict[str, list[Recording]] = {}
    for one in recordings(folder, part):
        by_speaker.setdefault(one.speaker, []).append(one)
    key = [REVISION, digest(folder), JOINED, lexicon.read().sounds]
    return [
        store.made("said-people", [*key, speaker, 0], lambda made: _make(made, speaker, said))
        for speaker, said in by_speaker.items()
    ]


def _make(made: Path, speaker: str, said: list[Recording]) -> None:
    rng = random.Random(f"{speaker} 0")
    alone = [one for one in (_utterance(recording) for recording in said) if one is not None]
    short = [one for one in alone if len(one.words) == 1]
    joined = [_joined(rng, short) for _ in range(int(len(short) * JOINED))]
    if not alone:
        raise Refused(f"{speaker}: nothing that can be spelled")
    synthesis.save(made, alone + joined)


def _utterance(recording: Recording) -> Utterance | None:
    """`None` where a word cannot be spelled."""
    known = set(lexicon.read().words)
    words = re.findall(r"[\w']+", recording.text)
    # A letter of the alphabet, spoken alone: none of our words, and its name is not its sound.
    if words[0] == "Buchstabe":
        return None
    if any(any(c.isdigit() for c in word) for word in words):
        return None
    spelled, foreign = [], []
    for word in words:
        if word.lower() in known:
            spelled.append(word.lower())
            foreign.append(None)
        else:
            sounds = foreign_phones(word)
            if sounds is None:
                return None
            spelled.append(lexicon.UNKNOWN)
            foreign.append(sounds)
    return Utterance(f"people {recording.speaker}", tuple(spelled), tuple(foreign), read(recording.file))


def _joined(rng: random.Random, short: list[Utterance]) -> Utterance:
    """Some single words by the same person one after the other, with little between them."""
    parts = rng.choices(short, k=rng.randint(2, 4))
    samples = parts[0].samples.astype(np.float64)
    for part in parts[1:]:
        samples = _after(samples, part.samples.astype(np.float64), int(voices.RATE_HZ * rng.uniform(-0.06, 0.25)))
    words = tuple(word for part in parts for word in part.words)
    foreign = tuple(sounds for part in parts for sounds in part.foreign)
    return Utterance(parts[0].speaker, words, foreign, np.clip(np.round(samples), -32768, 32767).astype(np.int16))


def _after(samples: np.ndarray, more: np.ndarray, gap: int) -> np.ndarray:
    """One sound after another, overlapping where the gap is negative."""
    begin = max(0, len(samples) + gap)
    out = np.zeros(max(len(samples), begin + len(more)))
    out[: len(samples)] += samples
    out[begin : begin + len(more)] += more
    return out


def read(file: Path) -> np.ndarray:
    """Its samples at 16 kHz."""
    try:
        samples, rate = soundfile.read(file, dtype="int16")
    except (OSError, soundfile.SoundFileError) as error:
        raise Refused(f"{file}: cannot be read ({error})") from error
    if samples.ndim != 1:
        raise Refused(f"{file}: must be mono")
    return voices.at_rate(samples, rate)
