"""Lets the voices speak: shards of utterances, each made from a seed of its own."""

import json
import random
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from . import accents, festival, flite, foreign, lexicon, rhvoice, store, svox, texts, voices
from .inputs import Refused

# Raised when the voices change; texts, pronunciations and accents are seen to change.
REVISION = 2
# Kokoro takes its time, and what is broken off in the middle of a shard is lost.
UTTERANCES_IN_SHARD = {"espeak": 100, "pico": 100, "festival": 100, "rhvoice": 100, "flite": 100, "svox": 100, "kokoro": 25}


@dataclass(frozen=True)
class Utterance:
    """What was said by whom: 16 kHz samples, the words, and the sounds of words that are foreign."""

    speaker: str
    words: tuple[str, ...]
    # One for each word; `None` for those of the lexicon and for foreign ones that cannot be spelled.
    foreign: tuple[tuple[str, ...] | None, ...]
    samples: np.ndarray


@cache
def _voice(
    engine: str, threads: int
) -> voices.Espeak | voices.Pico | festival.Festival | rhvoice.RHVoice | flite.Flite | svox.Svox | voices.Kokoro:
    if engine == "kokoro":
        return voices.Kokoro(threads)
    engines = {
        "espeak": voices.Espeak,
        "pico": voices.Pico,
        "festival": festival.Festival,
        "rhvoice": rhvoice.RHVoice,
        "flite": flite.Flite,
        "svox": svox.Svox,
    }
    return engines[engine]()


@cache
def _program(engine: str) -> str:
    """Which engine it is, to the version."""
    if engine == "espeak":
        said = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True, check=True)
        return said.stdout.split("Data at")[0].strip()
    if engine == "kokoro":
        return "82M"
    packages = {
        "pico": ["libttspico-data"],
        "svox": ["libttspico-data"],
        "festival": festival.packages(),
        "rhvoice": rhvoice.packages(),
        "flite": ["flite"],
    }[engine]
    query = ["dpkg-query", "-W", "-f", "${Version}", *packages]
    answer = subprocess.run(query, capture_output=True, text=True)
    if answer.returncode:
        raise Refused(f"{engine} cannot speak ({' '.join(answer.stderr.split())}): install {' '.join(packages)}")
    return answer.stdout


def shard(engine: str, number: int, threads: int) -> Path:
    """A folder with a shard of utterances of an engine; made if it is not there."""
    said = store.digest(_script(engine, number)[:UTTERANCES_IN_SHARD[engine]])
    key = [REVISION, engine, _program(engine), number, lexicon.read().sounds, said, accents.RULES]
    return store.made(f"said-{engine}", key, lambda folder: _make(folder, engine, number, threads))


def _script(engine: str, number: int) -> list[list[texts.Word]]:
    """What a shard says, and some more in case that a voice has no sound for something."""
    script = texts.Script(random.Random(f"{engine} {number}").getrandbits(32))
    return [script.utterance() for _ in range(2 * UTTERANCES_IN_SHARD[engine])]


def _make(folder: Path, engine: str, number: int, threads: int) -> None:
    rng = random.Random(f"{engine} {number} voices")
    voice = _voice(engine, threads)
    said: list[Utterance] = []
    for words in _script(engine, number):
        if len(said) == UTTERANCES_IN_SHARD[engine]:
            break
        speaker, samples = voice.say(words, accents.draw(rng), rng)
        if len(samples) < 3000:
            # Nothing was said: espeak-ng has no sound for it.
            continue
        said.append(
            Utterance(
                speaker,
                tuple(word if isinstance(word, str) else lexicon.UNKNOWN for word in words),
                tuple(None if isinstance(word, str) else foreign.foreign_phones(word[1]) for word in words),
                samples,
            )
        )
    save(folder, said)


def save(folder: Path, said: list[Utterance]) -> None:
    """The utterances of a shard, for `load`."""
    lines, begin = [], 0
    for one in said:
        lines.append({"speaker": one.speaker, "words": one.words, "foreign": one.foreign, "begin": begin})
        begin += len(one.samples)
    np.save(folder / "samples.npy", np.concatenate([one.samples for one in said]))
    (folder / "said.json").write_text(json.dumps(lines, ensure_ascii=False), encoding="utf-8")


def load(folder: Path) -> list[Utterance]:
    """The utterances of a shard."""
    samples = np.load(folder / "samples.npy")
    lines = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    ends = [line["begin"] for line in lines[1:]] + [len(samples)]
    return [
        Utterance(
            line["speaker"],
            tuple(line["words"]),
            tuple(None if one is None else tuple(one) for one in line["foreign"]),
            samples[line["begin"] : end],
        )
        for line, end in zip(lines, ends)
    ]
