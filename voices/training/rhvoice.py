"""RHVoice's voices: more people of other countries, whose way to speak was learnt from hours of theirs.

As with festival, what is said reaches a voice as IPA, accent included, and every sign as one of the
nearest sounds of the voice's own language; lengths and melody are the voice's. Only voices whose terms
allow what is done here: most others of RHVoice forbid what is made of them, or to earn by it.
"""

import random
import subprocess
import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from scipy.io import wavfile

from . import festival
from .accents import Accent
from .inputs import Refused
from .texts import Word
from .voices import at_rate

# For each sign of IPA the sounds that may stand for it, as in festival.py; the first is the usual one.
_RUSSIAN = {
    "a": "a", "ɑ": "a", "ɒ": "o | a", "æ": "e | a", "ʌ": "a", "ɛ": "e", "e": "e", "ə": "a0 | e | y0",
    "ɜ": "a0 | e", "ɚ": "e r", "ɐ": "e r | a0 r | a0", "ɐ̯": "r | a0", "ɪ": "i | y", "i": "i", "ɨ": "y",
    "y": "u | i", "ɔ": "o", "o": "o", "ʊ": "u", "u": "u", "œ": "e | o", "ø": "e | o", "p": "p", "b": "b",
    "t": "t", "d": "d", "k": "k", "ɡ": "g", "f": "f", "v": "v", "s": "s", "z": "z", "ʃ": "sh",
    "ʂ": "sh", "ɕ": "sch", "ʒ": "zh", "ç": "hh | sch", "x": "h", "χ": "h", "h": "h", "ɣ": "h | g",
    "ð": "d", "θ": "t | s", "β": "v", "m": "m", "n": "n", "ŋ": "n g | n", "ŋk": "n k", "ŋɡ": "n g",
    "l": "l | ll", "r": "r", "ɾ": "r", "ʁ": "r", "ɹ": "r", "j": "j", "ʝ": "j", "w": "v | u",
    "ts": "c", "ʧ": "ch",
}  # fmt: skip
_UKRAINIAN = _RUSSIAN | {
    "ə": "e", "ɜ": "e | a", "ɐ": "e r | a", "ɐ̯": "r | a", "ɪ": "i | ii", "i": "ii", "ɨ": "i",
    "y": "u | ii", "v": "w", "β": "w", "w": "w | u", "h": "gh | h", "ɣ": "gh", "ɕ": "shj", "ç": "hj | sh",
    "l": "l", "ts": "ts", "ʧ": "tsh",
}  # fmt: skip
_KYRGYZ = _RUSSIAN | {
    "aː": "aa", "ɑː": "aa", "ɛː": "ee", "eː": "ee", "ə": "e | y", "ɜ": "e | a", "ɐ": "e r | a",
    "ɐ̯": "r | a", "ɪ": "i", "y": "uf", "yː": "uuf", "ɔː": "oo", "oː": "oo", "uː": "uu", "œ": "of",
    "ø": "of", "øː": "oof", "ɕ": "sch", "ç": "h | sh", "ŋ": "ng", "ŋk": "ng k", "ŋɡ": "ng g", "l": "l",
}  # fmt: skip
_ESPERANTO = _RUSSIAN | {
    "ə": "e", "ɜ": "e | a", "ɐ": "e r | a", "ɐ̯": "r | a", "ɪ": "i", "ɨ": "i", "ɕ": "sh", "ç": "hh | sh",
    "x": "hh", "χ": "hh", "ɣ": "g", "aɪ": "a y", "aj": "a y", "ɑɪ": "a y", "aʊ": "a w", "aw": "a w",
    "au": "a w", "ɔɪ": "o y", "ɔj": "o y", "oj": "o y", "l": "l", "j": "y", "ʝ": "y", "w": "v | u",
}  # fmt: skip
# The Russian sounds that are soft before i, where they are written twice.
_SOFT = set("b d f g h k l m n p r s t v z".split())

_LANGUAGES = {
    "russian": _RUSSIAN, "ukrainian": _UKRAINIAN, "kyrgyz": _KYRGYZ, "esperanto": _ESPERANTO,
    "english": festival.ENGLISH[1],
}  # fmt: skip
# The voices and the languages of their packages. Source: /usr/share/doc/rhvoice/copyright, LGPL-2.1-or-later.
VOICES = {
    "aleksandr": "russian", "anna": "russian", "elena": "russian", "irina": "russian",
    "anatol": "ukrainian", "natalia": "ukrainian", "azamat": "kyrgyz", "nazgul": "kyrgyz",
    "spomenka": "esperanto", "alan": "english", "bdl": "english", "clb": "english", "slt": "english",
}  # fmt: skip


def packages() -> list[str]:
    """What has to be installed."""
    return ["rhvoice", *(f"rhvoice-{language}" for language in sorted(set(VOICES.values())))]


class RHVoice:
    """Voices that get sounds from here."""

    name = "rhvoice"

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        name = rng.choice(list(VOICES))
        wanted = written(name, words, accent, rng)
        samples = np.zeros(0, np.int16) if wanted is None else speak(name, wanted, rng)
        return f"rhvoice {name}", samples


def written(name: str, words: list[Word], accent: Accent, rng: random.Random) -> list[list[str]] | None:
    """The sounds of each word in the voice's language; `None` if it has none for some of it."""
    language = VOICES[name]
    said = nearest(_LANGUAGES[language], words, accent, rng)
    if said is None:
        return None
    if language == "english":
        return [marked(word) for word in said]
    out = [[phone for phone, _ in word] for word in said]
    if language == "russian":
        for phones in out:
            for n, phone in enumerate(phones[1:]):
                if phone == "i" and phones[n] in _SOFT:
                    phones[n] *= 2
    return out


def nearest(
    table: dict[str, str], words: list[Word], accent: Accent, rng: random.Random
) -> list[list[tuple[str, bool]]] | None:
    """For each word its sounds in a table, and which of them are stressed; `None` where one is not in it."""
    ways_of: dict[str, festival.Ways] = {}
    out = []
    for word in words:
        signs = festival.signs(festival.spoken(word, accent, rng), table, ways_of, 1.0, rng)
        if not signs:
            return None
        out.append([(phone, sign.stressed) for sign in signs for phone in min(sign.ways)[1]])
    return out


def marked(word: list[tuple[str, bool]]) -> list[str]:
    """English sounds, the vowels with their stress."""
    return [phone + str(int(stressed)) if phone[0] in "aeiou" else phone for phone, stressed in word]


def speak(name: str, wanted: list[list[str]], rng: random.Random) -> np.ndarray:
    """What a voice makes of the sounds of some words, in a pace and pitch of its own."""
    gap = rng.choice([" ", " ", ", ", f'<break time="{rng.randint(40, 250)}ms"/>'])
    words = gap.join(f"<phoneme ph={quoteattr(' '.join(phones))}>x</phoneme>" for phones in wanted)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "said.wav"
        command = ["RHVoice-test", "--ssml", "--profile", name, "--output", str(out)]
        command += ["--rate", str(rng.randint(75, 150)), "--pitch", str(rng.randint(85, 120))]
        ended = subprocess.run(command, input=f"<speak>{words}</speak>", text=True, capture_output=True)
        if ended.returncode or not out.exists():
            raise Refused(f"RHVoice's {name} cannot say {words} ({' '.join(ended.stderr.split())})")
        rate, samples = wavfile.read(out)
    return at_rate(samples, rate)
