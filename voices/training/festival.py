"""Festival's voices: people of other countries whose recorded diphones are joined to German words.

What is said reaches a voice as IPA, accent included, and every sign as one of the nearest sounds of the
voice's own language. Which of them a speaker takes is drawn for each utterance, except where the voice
has no recording of two sounds that follow each other.
"""

import random
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from .accents import Accent, spell
from .foreign import foreign_ipa
from .inputs import Refused
from .texts import Word
from .voices import at_rate, sounds

_FOLDER = Path("/usr/share/festival/voices")

# For each language its silence, and for each sign of IPA the sounds that may stand for it: the usual one
# first, `|` between them; those after `/` only where the others were never recorded beside what is next to
# them. A sign with `ː` that is not here is its short one, held.
_CZECH = "#", {
    "a": "a", "aː": "a:", "ɑ": "a", "ɑː": "a:", "ɒ": "o | a", "ɒː": "o: | a:", "æ": "e | a", "ʌ": "a",
    "ɛ": "e", "ɛː": "e:", "e": "e", "eː": "e:", "ə": "e", "ɜ": "e | a", "ɚ": "e r", "ɐ": "e r | a",
    "ɐ̯": "r | a", "ɪ": "i", "i": "i", "iː": "i:", "ɨ": "i", "y": "i | u", "yː": "i: | u:", "ɔ": "o",
    "ɔː": "o:", "o": "o", "oː": "o:", "ʊ": "u", "u": "u", "uː": "u:", "œ": "e", "ø": "e", "øː": "e:",
    "aɪ": "a j", "aj": "a j", "aʊ": "a u", "ɔɪ": "o j", "p": "p", "b": "b / p", "t": "t", "d": "d / t",
    "k": "k", "ɡ": "g / k", "f": "f", "v": "v / f", "s": "s", "z": "z / s", "ʃ": "s~", "ʂ": "s~",
    "ɕ": "s~", "ʒ": "z~ / s~", "ç": "ch | s~", "x": "ch", "χ": "ch", "h": "h / ch", "ɣ": "h / ch",
    "ð": "d / t", "θ": "t | s", "β": "v / f", "m": "m", "n": "n", "ŋ": "n* g | n / n* k", "ŋk": "n* k",
    "ŋɡ": "n* g / n* k", "nf": "m f", "l": "l", "r": "r", "ɾ": "r", "ʁ": "r", "ɹ": "r", "j": "j",
    "ʝ": "j", "w": "v | u", "ts": "c", "ʧ": "c~",
}  # fmt: skip
_FINNISH = "#", {
    "a": "a", "aː": "a:", "ɑ": "a", "ɑː": "a:", "ɒ": "a | o", "ɒː": "a: | o:", "æ": "@", "ʌ": "a",
    "ɛ": "e | @", "ɛː": "@: | e:", "e": "e", "eː": "e:", "ə": "e", "ɜ": "7 | a", "ɚ": "e r",
    "ɐ": "e r | a", "ɐ̯": "r | a", "ɪ": "i", "i": "i", "iː": "i:", "ɨ": "i", "y": "y", "yː": "y:",
    "ɔ": "o / o:", "ɔː": "o:", "o": "o / o:", "oː": "o:", "ʊ": "u", "u": "u", "uː": "u:", "œ": "7",
    "ø": "7", "øː": "7:", "p": "p", "b": "b / p", "t": "t", "d": "d / t", "k": "k", "ɡ": "g / k",
    "f": "f / f e", "v": "v", "s": "s", "z": "s", "ʃ": "S | s", "ʂ": "S | s", "ɕ": "S | s",
    "ʒ": "S | s", "ç": "h / k", "x": "h / k", "χ": "h / k", "h": "h", "ɣ": "h", "ð": "d", "θ": "t | s",
    "β": "v", "m": "m / m e", "n": "n", "ŋ": "N / N: / N k", "l": "l / l e / n l", "r": "r", "ɾ": "r",
    "ʁ": "r", "ɹ": "r", "j": "j | i", "ʝ": "j | i", "w": "v | u", "ts": "t s", "ʧ": "t S | t s",
}  # fmt: skip
_ITALIAN = "#", {
    "a": "a | a1", "ɑ": "a | a1", "ɒ": "O1 | a", "æ": "E1", "ʌ": "a", "ɛ": "E1", "e": "e | e1",
    "ə": "e", "ɜ": "E1 | a", "ɚ": "e r", "ɐ": "e r | a", "ɐ̯": "r | a", "ɪ": "i", "i": "i | i1",
    "ɨ": "i", "y": "u | i", "yː": "u1 | i1", "ɔ": "O1", "o": "o | o1", "ʊ": "u", "u": "u | u1",
    "œ": "E1", "ø": "e1 | o1", "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "ɡ": "g", "f": "f",
    "v": "v", "s": "s", "z": "z | s", "ʃ": "S", "ʂ": "S", "ɕ": "S", "ʒ": "Z | dZ", "ç": "S", "x": "k",
    "χ": "k", "h": "", "ɣ": "g", "ð": "d", "θ": "t | s", "β": "v", "m": "m", "n": "n",
    "ŋ": "ng g | n / e n", "ŋk": "ng k", "ŋɡ": "ng g", "mf": "nf f", "l": "l", "r": "r", "ɾ": "r",
    "ʁ": "r", "ɹ": "r", "j": "j | i", "ʝ": "j | i", "w": "w | u", "ts": "ts", "ʧ": "tS / t S",
}  # fmt: skip
ENGLISH = "pau", {
    "a": "aa | ah", "aː": "aa", "ɑ": "aa", "ɒ": "ao | aa", "æ": "ae / ax", "ʌ": "ah", "ɛ": "eh / ey",
    "ɛː": "eh | ey", "e": "eh | ey", "eː": "ey", "ə": "ax | ih", "ɜ": "er | ax / ax r",
    "ɚ": "er / ax r", "ər": "er / ax r", "əɹ": "er / ax r", "ɐ": "er | ax / ax r", "ɐ̯": "r | ax",
    "ɪ": "ih / iy", "i": "iy", "ɨ": "ih / iy", "y": "uw | ih", "yː": "uw | iy", "ɔ": "ao", "o": "ow",
    "ʊ": "uh / uw", "u": "uw", "œ": "er | eh / ax", "ø": "er | ey / ax", "aɪ": "aa iy | ay", "aj": "ay",
    "ɑɪ": "ay", "aʊ": "aw", "aw": "aw", "au": "aw", "ɔɪ": "oy", "ɔj": "oy", "oj": "oy", "eɪ": "ey",
    "oʊ": "ow", "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "ɡ": "g", "f": "f", "v": "v",
    "s": "s", "z": "z", "ʃ": "sh", "ʂ": "sh", "ɕ": "sh", "ʒ": "zh", "ç": "sh | hh", "x": "k | hh",
    "χ": "hh | k", "h": "hh", "ɣ": "g", "ð": "dh", "θ": "th", "β": "v", "m": "m", "n": "n",
    "ŋ": "ng / ax ng", "l": "l", "r": "r", "ɾ": "r", "ʁ": "r", "ɹ": "r", "j": "y | iy", "ʝ": "y | iy",
    "w": "w", "ts": "t s", "ʧ": "ch",
}  # fmt: skip
_HINDI = "pau", {
    "a": "aa | a", "aː": "aa", "ɑ": "aa", "ɒ": "aa | oh", "æ": "eh", "ʌ": "a", "ɛ": "eh",
    "ɛː": "ee | eh", "e": "ee | eh", "eː": "ee", "ə": "a | eh", "ɜ": "a", "ɚ": "a r", "ɐ": "a r | aa",
    "ɐ̯": "r | a", "ɪ": "ih", "i": "iy | ih", "iː": "iy", "ɨ": "ih", "y": "uh | ih", "yː": "uw | iy",
    "ɔ": "oh", "o": "oo | oh", "oː": "oo", "ʊ": "uh", "u": "uw | uh", "uː": "uw", "œ": "eh | oh",
    "ø": "ee | oo", "aɪ": "ay", "aj": "ay", "aʊ": "aw", "aw": "aw", "au": "aw", "p": "p", "b": "b",
    "t": "th | T", "d": "dh | D", "k": "k", "ɡ": "g", "f": "f", "v": "v", "s": "s", "z": "s", "ʃ": "sh",
    "ʂ": "sh", "ɕ": "sh", "ʒ": "sh", "ç": "sh | h", "x": "h | kh", "χ": "h | kh", "h": "h", "ɣ": "g",
    "ð": "dh", "θ": "tth", "β": "v", "m": "m", "n": "n", "ŋ": "n g | n", "ŋk": "n k", "ŋɡ": "n g",
    "l": "l", "r": "r", "ɾ": "r", "ʁ": "r", "ɹ": "r", "j": "y", "ʝ": "y", "w": "v", "ts": "th s",
    "ʧ": "ch",
}  # fmt: skip


@dataclass(frozen=True)
class _Voice:
    """A recorded person: his package, the folder of his voice and about how high he spoke, in Hz."""

    package: str
    folder: str
    pitch: float
    language: tuple[str, dict[str, str]]


# Hindi's speaker is that of festvox-mr-nsk and festvox-te-nsk too.
VOICES = {
    "kallpc16k": _Voice("festvox-kallpc16k", "english/kal_diphone", 95, ENGLISH),
    "kdlpc16k": _Voice("festvox-kdlpc16k", "english/ked_diphone", 110, ENGLISH),
    "italp16k": _Voice("festvox-italp16k", "italian/lp_diphone", 195, _ITALIAN),
    "itapc16k": _Voice("festvox-itapc16k", "italian/pc_diphone", 115, _ITALIAN),
    "czech-dita": _Voice("festvox-czech-dita", "czech/czech_dita", 222, _CZECH),
    "czech-krb": _Voice("festvox-czech-krb", "czech/czech_krb", 245, _CZECH),
    "czech-machac": _Voice("festvox-czech-machac", "czech/czech_machac", 80, _CZECH),
    "czech-ph": _Voice("festvox-czech-ph", "czech/czech_ph", 136, _CZECH),
    "suopuhe-lj": _Voice("festvox-suopuhe-lj", "finnish/suo_fi_lj_diphone", 135, _FINNISH),
    "suopuhe-mv": _Voice("festvox-suopuhe-mv", "finnish/hy_fi_mv_diphone", 90, _FINNISH),
    "hi-nsk": _Voice("festvox-hi-nsk", "hindi/hindi_NSK_diphone", 170, _HINDI),
}

_VOWELS = "aɑɒæʌɛeəɜɚɐɪiɨyɔoʊuœø"
# How long the sounds are, in ms; those that are not here, 75.
_LENGTHS = dict.fromkeys(_VOWELS, 90) | {"ə": 65, "ɐ": 85, "ɐ̯": 60, "ts": 130, "ʧ": 130}
_LENGTHS |= dict.fromkeys("fsʃʂɕçxχ", 105) | dict.fromkeys("ptk", 90) | dict.fromkeys("lrɾʁɹj", 65)
_HELD = 1.65
# What it costs to say something in another way than the usual, to keep two sounds apart by a short silence
# because their join was never recorded, to say what only resembles, and to have no join at all.
_OTHER, _APART, _LAST, _MISSING = 2.0, 8.0, 10.0, 50.0

# How a sign may be said, and what each costs.
Ways = list[tuple[float, tuple[str, ...]]]


@dataclass(frozen=True)
class _Sign:
    """A sign of IPA, to be said by a voice."""

    ipa: str
    stressed: bool
    seconds: float
    ways: Ways


@cache
def diphones(name: str) -> frozenset[tuple[str, str]]:
    """The pairs of sounds of which a voice has a recording."""
    (group,) = (_FOLDER / VOICES[name].folder / "group").glob("*.group")
    head, _, entries = group.read_bytes().partition(b"EST_Header_End\n")
    count = int(re.search(rb"NumEntries (\d+)", head)[1])
    names = (line.split()[0].decode() for line in entries.split(b"\n", count)[:count])
    return frozenset((pair[0], pair[1]) for pair in (name.split("-") for name in names))


def packages() -> list[str]:
    """What has to be installed."""
    return ["festival", *(voice.package for voice in VOICES.values())]


class Festival:
    """Diphone voices that get sounds, lengths and melody from here."""

    name = "festival"

    def __init__(self) -> None:
        self.program = subprocess.Popen(
            ["festival", "--pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        name = rng.choice(list(VOICES))
        wanted = written(name, words, accent, rng)
        samples = np.zeros(0, np.int16) if wanted is None else self.speak(name, wanted, rng)
        return f"festival {name}", samples

    def speak(self, name: str, wanted: list[_Sign], rng: random.Random) -> np.ndarray:
        """What a voice makes of what is wanted, with a melody of its own."""
        silence = VOICES[name].language[0]
        segments = path(name, wanted)
        whole = sum(seconds for _, seconds, _ in segments)
        base, swing = VOICES[name].pitch * rng.uniform(0.88, 1.15), rng.uniform(0.05, 0.2)
        # Most announcements end low, some stay in the air, some ask.
        end = rng.choice([-0.8, -0.8, -0.3, 0.8])
        parts, at = [f"({silence} 0.15 (0.1 {base * (1 + swing / 2):.0f}))"], 0.0
        for phone, seconds, sign in segments:
            target = ""
            if sign.ipa and sign.ipa[0] in _VOWELS:
                level = 0.6 - at / whole + rng.uniform(-0.3, 0.3)
                level += rng.uniform(0.4, 1.2) if sign.stressed else 0
                target = f" ({seconds / 2:.4f} {base * (1 + swing * level):.0f})"
            parts.append(f"({phone} {seconds:.4f}{target})")
            at += seconds
        parts.append(f"({silence} 0.15 (0.02 {base * (1 + swing * end):.0f}))")
        return self._spoken(name, " ".join(parts))

    def _spoken(self, name: str, segments: str) -> np.ndarray:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "said.wav"
            # What a voice does with its own texts, such as marks of clusters, is not wanted here.
            self.program.stdin.write(
                f"(begin (voice_{Path(VOICES[name].folder).name}) (set! UniSyn_module_hooks nil)"
                f" (utt.save.wave (utt.synth (Utterance Segments ({segments}))) \"{out}\" 'riff))\n"
                # Said after a mistake too.
                '(begin (format t "said\\n") (fflush nil))\n'
            )
            self.program.stdin.flush()
            while (line := self.program.stdout.readline()) != "said\n":
                if not line:
                    break
            if not out.exists():
                package = VOICES[name].package
                raise Refused(
                    f"festival cannot speak with {package}: install it and what it recommends; it was to say {segments}"
                )
            rate, samples = wavfile.read(out)
        samples = at_rate(samples, rate).astype(np.float64)
        # The voices differ much in how loud they were recorded.
        return np.round(samples * (20_000 / max(1, np.abs(samples).max()))).astype(np.int16)

    def close(self) -> None:
        """Ends the program."""
        self.program.communicate()


def written(
    name: str, words: list[Word], accent: Accent, rng: random.Random
) -> list[_Sign] | None:
    """What a voice is to say, in its own pace; `None` if it has no sound for some of it."""
    silence, table = VOICES[name].language
    pace, pause = rng.uniform(0.75, 1.35), rng.choice([0, 0, 0.08, 0.25])
    ways_of: dict[str, Ways] = {}
    out: list[_Sign] = []
    for n, word in enumerate(words):
        said = signs(spoken(word, accent, rng), table, ways_of, pace, rng)
        if said is None:
            return None
        gap = pause * rng.uniform(0.5, 1.5)
        # A vowel at the beginning of a word has a stop before it, mostly.
        if gap == 0 and said and said[0].ipa[0] in _VOWELS and rng.random() < 0.6:
            gap = 0.03
        if n and gap:
            out.append(_Sign("", False, gap, [(0.0, (silence,))]))
        out += said
    return out


def spoken(word: Word, accent: Accent, rng: random.Random) -> str:
    """A word in IPA, one of the lexicon's in an accent."""
    if not isinstance(word, str):
        return foreign_ipa(word[1])
    spelled = spell(word, sounds(word, rng), accent)
    return "".join(("ˈ" if stressed else "") + ipa for stressed, ipa in spelled)


def signs(
    ipa: str, table: dict[str, str], ways_of: dict[str, Ways], pace: float, rng: random.Random
) -> list[_Sign] | None:
    """A word in the signs of a voice's table; `None` if it has none for one of them."""
    # After a vowel the vowel of r is none of its own.
    plain = re.sub(f"(?<=[{_VOWELS}ː])ɐ", "ɐ̯", re.sub(r"[ˌʔʰʲ ̩-]", "", ipa))
    keys = "|".join(sorted(map(re.escape, table), key=len, reverse=True))
    out, stressed, at = [], False, 0
    while at < len(plain):
        found = re.compile(f"(ˈ)|({keys})(ː?)").match(plain, at)
        if found is None:
            return None
        at = found.end()
        if found[1]:
            stressed = True
            continue
        sign = found[2]
        if sign not in ways_of:
            ways_of[sign] = _ways(sign, table, rng)
        vowel = sign[0] in _VOWELS
        seconds = sum(_LENGTHS.get(one, 75) for one in _parts(sign)) / 1000 / pace
        seconds *= rng.uniform(0.88, 1.12) * (_HELD if "ː" in found[0] else 1)
        seconds *= 1.2 if stressed and vowel else 1
        # What ends a word is held a little.
        seconds *= 1.2 if at == len(plain) else 1
        out.append(_Sign(sign, stressed and vowel, seconds, ways_of[sign]))
        stressed = stressed and not vowel
    return out


def _ways(sign: str, table: dict[str, str], rng: random.Random) -> Ways:
    """A speaker's own way to say a sign, and what he may say in its place."""
    drawn, _, last = table[sign].partition(" / ")
    ways = drawn.split(" | ")
    first = rng.choice([ways[0], *ways])
    priced = [(0.0, first)] + [(_OTHER, way) for way in ways if way != first]
    if sign.endswith("ː"):
        priced += [(_OTHER, way) for way in table[sign[0]].split(" / ")[0].split(" | ")]
    priced += [(_LAST, way) for way in last.split(" / ") if last]
    return [(price, tuple(way.split())) for price, way in priced]


def _parts(sign: str) -> list[str]:
    return [sign] if sign in _LENGTHS else [one for one in sign if one not in "ː̯"]


def path(name: str, wanted: list[_Sign]) -> list[tuple[str, float, _Sign]]:
    """The cheapest sounds for the signs: the usual ones, unless a join of theirs was never recorded."""
    silence, recorded = VOICES[name].language[0], diphones(name)

    def joined(last: str, phone: str) -> tuple[float, tuple[str, ...]]:
        if (last, phone) in recorded:
            return 0.0, (phone,)
        if last == phone:
            return 0.0, ()
        if {(last, silence), (silence, phone)} <= recorded:
            return _APART, (silence, phone)
        return _MISSING, (phone,)

    best: dict[str, tuple[float, list[tuple[str, float, _Sign]]]] = {silence: (0.0, [])}
    for sign in wanted:
        after: dict[str, tuple[float, list[tuple[str, float, _Sign]]]] = {}
        for last, (cost, said) in best.items():
            for dearer, phones in sign.ways:
                total, at, more = cost + dearer, last, []
                for phone in phones:
                    price, added = joined(at, phone)
                    total, at = total + price, phone
                    seconds = sign.seconds * (0.6 if len(phones) > 1 else 1.0)
                    more += [(silence, 0.015, sign)] if len(added) > 1 else []
                    more += [(phone, seconds, sign)] if added else []
                if at not in after or total < after[at][0]:
                    after[at] = total, said + more
        best = after
    return min((cost + joined(last, silence)[0], said) for last, (cost, said) in best.items())[1]
