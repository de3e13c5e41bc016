"""The locked listening tests: voices that were never trained on, in quiet and in noise.

What is said stands in listening.tsv, written once by `annabella-lab corpus --seed 20261121`; who says which
of it and what rooms and noises are added comes from seeds. The files are a corpus as
`annabella measure` reads it.
"""

import random
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.io import wavfile
from scipy.signal import fftconvolve, lfilter

from . import lexicon, sounds, store, voices
from .accents import DICTIONARY, spell
from .foreign import foreign_ipa
from .inputs import Refused

REVISION = 1
SEED = 20_261_121
CONDITIONS = (
    "clean", "babble-20", "babble-10", "babble-5", "noise-20", "noise-10", "noise-5", "hall", "telephone",
)  # fmt: skip
# Lines of each kind that a voice says, the same in each condition.
LINES = {"move": 20, "request": 6, "illegal": 4, "talk": 2}
_FIELDS = "file speaker condition kind fen meant said".split()


@dataclass(frozen=True)
class Line:
    kind: str
    fen: str
    meant: str
    said: str


@dataclass(frozen=True)
class Speaker:
    """`say` takes a text and how fast it is to be said: 1 is usual."""

    name: str
    say: Callable[[str, float], np.ndarray]


def lines() -> list[Line]:
    text = Path(__file__).with_name("listening.tsv").read_text(encoding="utf-8")
    return [Line(*row.split("\t")) for row in text.splitlines()[1:]]


def speakers(threads: int) -> list[Speaker]:
    """Those that no training has heard and that are here."""
    out = []
    for n in range(1, 9):
        if Path(f"/usr/share/mbrola/de{n}/de{n}").is_file():
            out.append(Speaker(f"mbrola-de{n}", _espeak(f"mb-de{n}")))
    for variant in voices.HELD_OUT_ESPEAK:
        out.append(Speaker(f"espeak-{variant.replace(' ', '-')}", _espeak(f"de+{variant}")))
    kokoro = voices.Kokoro(threads)
    for voice in voices.HELD_OUT_KOKORO:
        out.append(Speaker(f"kokoro-{voice}", _kokoro(kokoro, voice)))
    return out


def _espeak(voice: str) -> Callable[[str, float], np.ndarray]:
    return lambda said, pace: voices.espeak(voice, said, int(145 * pace))


def _kokoro(kokoro: voices.Kokoro, voice: str) -> Callable[[str, float], np.ndarray]:
    def ipa(word: str) -> str:
        sounds_of_word = lexicon.read().sounds.get(word.lower())
        if sounds_of_word is None:
            return foreign_ipa(word)
        spelled = spell(word.lower(), sounds_of_word[0], DICTIONARY)
        return "".join(("ˈ" if stressed else "") + sign for stressed, sign in spelled)

    def say(said: str, pace: float) -> np.ndarray:
        words = re.findall(r"[\w']+", said)
        return kokoro.speak(" ".join(map(ipa, words)) + ".", voice, speed=pace)

    return say


def _in_condition(
    x: np.ndarray, condition: str, rng: np.random.Generator, talkers: list[np.ndarray]
) -> np.ndarray:
    """In a room where that is so, at a usual loudness, with some silence around."""
    x = np.concatenate([np.zeros(6400), x.astype(np.float64), np.zeros(11_200)])
    speech = sounds.loudness(x[6400:-11_200])
    name, _, decibels = condition.partition("-")
    if name == "babble":
        others = sounds.babble(rng, talkers, len(x)) + sounds.babble(rng, talkers, len(x))
        x = x + others / sounds.loudness(others) * speech * 10 ** (-int(decibels) / 20)
    elif name == "noise":
        hiss = lfilter([1], [1, -0.7], rng.standard_normal(len(x)))
        x = x + hiss / sounds.loudness(hiss) * speech * 10 ** (-int(decibels) / 20)
    elif name == "hall":
        x = fftconvolve(x, sounds.room(rng, 1.1, 0.7))[: len(x)]
        others = sounds.babble(rng, talkers, len(x))
        x = x + others / sounds.loudness(others) * speech * 0.1
    elif name == "telephone":
        x = sounds.telephone(x) + rng.standard_normal(len(x)) * speech * 0.02
    x = x / np.abs(x).max() * 15_000 + rng.standard_normal(len(x)) * 3
    return np.clip(np.round(x), -32_768, 32_767).astype(np.int16)


def synthetic(threads: int) -> Path:
    """The corpus of voices."""
    text = Path(__file__).with_name("listening.tsv").read_text(encoding="utf-8")
    everybody = speakers(threads)
    names = [speaker.name for speaker in everybody]
    key = [REVISION, SEED, LINES, text, names, CONDITIONS]
    # Those who babble are the voices of the test itself; Kokoro would take its time.
    quick = [one for one in everybody if not one.name.startswith("kokoro")]
    return store.made("listening", key, lambda folder: _spoken(folder, everybody, quick, lines(), LINES, CONDITIONS))


def _spoken(
    folder: Path,
    everybody: list[Speaker],
    others: list[Speaker],
    script: list[Line],
    counts: dict[str, int],
    conditions: tuple[str, ...],
) -> None:
    """What everybody says in each condition; the others babble."""
    talk = [line.said for line in lines() if line.kind == "talk"]
    talkers = [one.say(said, 1.0) for one, said in zip(others * 4, talk)]
    rows = []
    for speaker in everybody:
        rng = random.Random(f"{SEED} {speaker.name}")
        for kind, count in counts.items():
            for line in rng.sample([one for one in script if one.kind == kind], count):
                said = speaker.say(line.said, rng.choice([0.85, 1.0, 1.0, 1.15]))
                for condition in conditions:
                    noises = np.random.default_rng(rng.getrandbits(63))
                    name = f"{len(rows):05d}.wav"
                    heard = _in_condition(said, condition, noises, talkers)
                    wavfile.write(folder / name, voices.RATE_HZ, heard)
                    rows.append([name, speaker.name, condition, kind, line.fen, line.meant, line.said])
        print(f"listening tests: {speaker.name} has spoken", flush=True)
    _write(folder, rows)


# Those whose hearing is looked at while thresholds are chosen.
TUNED = ("mbrola-de2", "mbrola-de4", "mbrola-de5", "mbrola-de6", "mbrola-de7")
# Those who babble behind them as well: in the tests too there are voices of both engines.
BABBLING_ESPEAK = ("m3", "f2", "Andy")


def to_tune(threads: int, lists: Path, moves: int, conditions: tuple[str, ...]) -> Path:
    """A corpus of other sentences in the same rooms, to choose thresholds with. What is said stands in a `corpus.tsv` that
    `annabella-lab corpus` wrote with a seed of its own; each voice says so many moves, half as many illegal ones and a
    few requests."""
    text = lists.read_text(encoding="utf-8")
    script = [Line(*row.split("\t")[3:]) for row in text.splitlines()[1:]]
    counts = {"move": moves, "request": moves // 8, "illegal": moves // 2}
    for kind, count in counts.items():
        there = sum(line.kind == kind for line in script)
        if there < count:
            raise Refused(f"{lists}: {there} lines of the kind {kind}, and {count} are needed: ask for fewer with --moves")
    everybody = [speaker for speaker in speakers(threads) if speaker.name in TUNED]
    if not everybody:
        raise Refused(f"none of these voices is here: {', '.join(TUNED)}; apt-get install mbrola and them (non-free)")
    others = everybody + [Speaker(variant, _espeak(f"de+{variant}")) for variant in BABBLING_ESPEAK]
    key = [REVISION, text, [speaker.name for speaker in everybody], BABBLING_ESPEAK, counts, conditions]
    return store.made("to-tune", key, lambda folder: _spoken(folder, everybody, others, script, counts, conditions))


def _write(folder: Path, rows: list[list[str]]) -> None:
    table = "".join("\t".join(row) + "\n" for row in [_FIELDS, *rows])
    (folder / "corpus.tsv").write_text(table, encoding="utf-8")


def part(corpus: Path, share: float, conditions: tuple[str, ...]) -> Path:
    """A corpus with the first lines of each voice, in some conditions, or with some recordings of people."""
    if share == 1 and set(conditions) == set(CONDITIONS):
        return corpus

    def group_of(row: list[str]) -> tuple[str, ...]:
        return ("people",) if row[2] == "recorded" else tuple(row[1:4])

    def choose(folder: Path) -> None:
        text = (corpus / "corpus.tsv").read_text(encoding="utf-8")
        kept, seen, total = [], Counter(), Counter()
        rows = [row.split("\t") for row in text.splitlines()[1:]]
        rows = [row for row in rows if row[2] in conditions or row[2] == "recorded"]
        total.update(map(group_of, rows))
        for row in rows:
            group = group_of(row)
            # Of people every so manieth, of voices the first: their lines are in no order.
            n = seen[group]
            seen[group] += 1
            if int((n + 1) * share) > int(n * share) if row[2] == "recorded" else n < total[group] * share:
                kept.append([str(corpus / row[0]), *row[1:]])
        _write(folder, kept)

    return store.made("part", [corpus.name, share, conditions], choose)


# Debian's recordings of people. None of them says a move.
PEOPLE = {
    "klettres-data": "/usr/share/klettres/de",
    "ktuberling-data": "/usr/share/ktuberling/sounds",
    "asterisk": "/usr/share/asterisk/sounds",
}
# Those of asterisk-core-sounds-*-wav: other packages put other people beside them.
ASTERISK = {"en_US_f_Allison", "es_MX_f_Allison", "fr_CA_f_June", "it_IT_m_Carlo", "ru_RU_f_IvrvoiceRU"}


def people() -> Path:
    """The corpus of people who talk of something else."""
    chosen: list[tuple[str, Path]] = []
    for package, folder in PEOPLE.items():
        files = sorted(
            path for path in Path(folder).rglob("*") if path.suffix in (".ogg", ".wav") and path.is_file()
        )
        if package == "asterisk":
            files = [path for path in files if path.relative_to(folder).parts[0] in ASTERISK]
        chosen += [(package, path) for path in files]
    key = [REVISION, SEED, [str(path) for _, path in chosen]]
    return store.made("people", key, lambda folder: _people(folder, chosen))


def _people(folder: Path, chosen: list[tuple[str, Path]]) -> None:
    positions = sorted({line.fen for line in lines()})
    rng, rows = random.Random(SEED), []
    for package, path in chosen:
        name = f"{len(rows):05d}.wav"
        command = ["sox", "-V1", str(path), "-r", "16000", "-c", "1", "-b", "16", str(folder / name)]
        subprocess.run([*command, "pad", "0.3", "0.6"], check=True)
        root = Path(PEOPLE[package])
        who = path.relative_to(root).parts[0] if package != "klettres-data" else "de"
        rows.append([name, f"{package}:{who}", "recorded", "talk", rng.choice(positions), "-", path.stem])
    _write(folder, rows)
