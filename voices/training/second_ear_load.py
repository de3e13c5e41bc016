"""What the second ear learns from, as few small files: so that they can be carried to a machine with a graphics card.

`python -m training.second_ear_load FOLDER OUT` takes people's recordings (manifest.tsv) and speaks with espeak-ng's
voices. Nobody of the tests is in it, nor those who choose, but for the eight who are left out in turn.
"""

import argparse
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import soundfile

from . import people, texts, voices
from .inputs import Refused

RATE_HZ = voices.RATE_HZ
RANKS = texts.RANKS
# What a recording holds, beside a rank: another word, or talk of which any piece may be taken.
OTHER, TALK = len(RANKS), len(RANKS) + 1
# "eins" of these is doubtful: it may be "ein".
DOUBTFUL = {"ast-gabi": {"eins"}}
# Below this share of its greatest power a recording holds no voice.
QUIET = 1e-3
KEPT_S = 0.12
MOST_TALK_S = 600.0
# Words that espeak-ng says beside the ranks, twice as many recordings in all.
OTHERS = [*texts.FILES, *texts.OTHERWISE, *texts.PIECES, *texts.CONFUSABLE, *texts.NEAR, "null", "neun", "zehn", "elf", "zwölf"]


class Load:
    """Recordings one after the other, and what each is."""

    def __init__(self) -> None:
        self.parts: list[np.ndarray] = []
        self.rows: list[tuple[int, int, str, int]] = []
        self.length = 0

    def add(self, samples: np.ndarray, speaker: str, what: int) -> None:
        begin, end = voice(samples)
        if end - begin < RATE_HZ // 20:
            return
        kept = samples[max(0, begin - int(KEPT_S * RATE_HZ)) : end + int(KEPT_S * RATE_HZ)]
        inside = max(0, begin - int(KEPT_S * RATE_HZ))
        self.rows.append((self.length + begin - inside, self.length + end - inside, speaker, what))
        self.parts.append(kept)
        self.length += len(kept)

    def write(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        samples = np.concatenate(self.parts)
        with soundfile.SoundFile(out / "said.ogg", "w", RATE_HZ, 1, "VORBIS", format="OGG", compression_level=0.55) as file:
            # In pieces: libsndfile encodes what it is given at once on its stack.
            for at in range(0, len(samples), RATE_HZ):
                file.write(samples[at : at + RATE_HZ])
        begins, ends, speakers, what = zip(*self.rows)
        in_turn = [one for one in people.in_turn() if one in speakers]
        np.savez_compressed(
            out / "said.npz", begin=begins, end=ends, speaker=np.array(speakers), what=what, in_turn=np.array(in_turn, dtype=str)
        )


def voice(samples: np.ndarray) -> tuple[int, int]:
    """Where the voice begins and ends in a recording."""
    power = np.convolve(samples.astype(np.float64) ** 2, np.ones(320) / 320, "same")
    loud = np.flatnonzero(power > power.max() * QUIET)
    return (int(loud[0]), int(loud[-1]) + 1) if len(loud) else (0, 0)


def what_is(text: str, speaker: str) -> int | None:
    """A rank's place among the ranks, another word, or talk; `None`: not to be learnt from."""
    words = re.findall(r"\w+", text.lower())
    if not words or text.startswith("Buchstabe") or any(c.isdigit() for c in text):
        return None
    said = "zwei" if words == ["zwo"] else words[0]
    if len(words) > 1:
        return TALK if not set(words) & {*RANKS, "zwo"} else None
    if said in DOUBTFUL.get(speaker, ()):
        return None
    return RANKS.index(said) if said in RANKS else OTHER


def add_people(load: Load, folder: Path) -> None:
    """Everybody who may be trained on, and those who are left out in turn: each of them both teaches and judges."""
    wanted = people.recordings(folder, "train")
    wanted += [one for one in people.recordings(folder, "validation") if one.speaker in people.in_turn()]
    talked: dict[str, float] = {}
    for one in wanted:
        what = what_is(one.text, one.speaker)
        if what is None:
            continue
        samples = people.read(one.file)
        if what == TALK:
            talked[one.speaker] = talked.get(one.speaker, 0.0) + len(samples) / RATE_HZ
            if talked[one.speaker] > MOST_TALK_S:
                continue
        load.add(samples, one.speaker, what)


def add_voices(load: Load, count: int) -> None:
    """As many ranks as `count`, and half as many other words, by voices of espeak-ng that no test has."""
    rng, names = random.Random(1), voices.Espeak().variants
    wanted = [(RANKS[n % len(RANKS)], n % len(RANKS)) for n in range(count)]
    wanted += [(rng.choice(OTHERS), OTHER) for _ in range(count // 2)]
    how = [(f"de+{rng.choice(names)}", rng.randint(95, 200), rng.randint(10, 90)) for _ in wanted]

    def say(one: tuple) -> np.ndarray:
        (word, _), (voice_, pace, pitch) = one
        return voices.espeak(voice_, word.replace("cäsar", "Zäsar").title(), pace, pitch)

    with ThreadPoolExecutor(2) as pool:
        for (_, what), (name, *_), samples in zip(wanted, how, pool.map(say, zip(wanted, how))):
            load.add(samples, f"espeak {name}", what)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.second_ear_load", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--spoken", type=int, default=3200, help="ranks by synthetic voices")
    args = parser.parse_args()
    load = Load()
    try:
        add_people(load, args.folder)
    except Refused as refused:
        raise SystemExit(f"second ear: {refused}") from refused
    add_voices(load, args.spoken)
    load.write(args.out)
    print(f"{len(load.rows)} recordings, {load.length / RATE_HZ / 60:.0f} minutes, {len({row[2] for row in load.rows})} voices")


if __name__ == "__main__":
    main()
