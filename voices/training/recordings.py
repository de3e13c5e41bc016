"""Recordings of people, as `annabella enrol` keeps them where a player agrees: to train with.

A folder holds corpus.tsv, the list that `annabella measure` reads too, and the WAV files that it names.
"""

import re
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from . import lexicon, store, synthesis, voices
from .inputs import Refused

REVISION = 1
LIST = "corpus.tsv"
# What is said in the others is not known word for word.
KINDS = {"move", "request", "illegal"}


def shard(folder: Path) -> Path:
    """What is said in a folder's recordings, as a shard of utterances; see `synthesis.load`.

    `Refused` where the list is not one, or a word of it is none that the model is to know.
    """
    rows = _rows(folder / LIST)
    key = [REVISION, [(speaker, words, store.file_digest(file)) for file, speaker, words in rows]]
    return store.made("said-people", key, lambda made: _make(made, rows))


def _rows(path: Path) -> list[tuple[Path, str, list[str]]]:
    """File, speaker and words of each recording."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: cannot be read ({error}); name a folder that `annabella enrol` kept") from error
    known, rows = set(lexicon.read().words), []
    for n, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != 7:
            raise Refused(f"{path}, line {n}: {len(cells)} columns, not the 7 of a list of recordings")
        file, speaker, _, kind, _, _, said = cells
        if kind not in KINDS:
            continue
        words = re.findall(r"[\w']+", said.lower())
        for word in words:
            if word not in known:
                raise Refused(f"{path}, line {n}: '{word}' is no word of pronunciations-de.toml: add or correct it")
        recording = path.parent / file
        if not recording.is_file():
            raise Refused(f"{path}, line {n}: {recording} is not there: bring it back or take the line out")
        rows.append((recording, speaker, words))
    if not rows:
        raise Refused(f"{path}: lists no announcement and no request")
    return rows


def _make(made: Path, rows: list[tuple[Path, str, list[str]]]) -> None:
    said = [
        synthesis.Utterance(f"people {speaker}", tuple(words), (None,) * len(words), _samples(file))
        for file, speaker, words in rows
    ]
    synthesis.save(made, said)


def _samples(file: Path) -> np.ndarray:
    try:
        rate, samples = wavfile.read(file)
    except (OSError, ValueError) as error:
        raise Refused(f"{file}: no WAV file ({error})") from error
    if samples.dtype != np.int16 or samples.ndim != 1:
        raise Refused(f"{file}: must be mono, of 16 bits; sox can turn it into that")
    return voices.at_rate(samples, rate)
