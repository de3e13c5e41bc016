"""svox pico's other voices: five women of Britain, the United States, Spain, France and Italy.

Pico reads X-SAMPA, and each voice has the sounds of its own language: what is said reaches it as the nearest of
them, as in rhvoice.py.
"""

import random

import numpy as np

from . import rhvoice, voices
from .accents import Accent
from .texts import Word

# For each sign of IPA the sounds that may stand for it, as in festival.py; the first is the usual one. Source: what
# pico 1.0 was heard to say of all X-SAMPA; what it does not know it leaves out.
_CONSONANTS = {
    "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "ɡ": "g", "f": "f", "v": "v", "s": "s", "z": "z",
    "ʃ": "S", "ʂ": "S", "ɕ": "S", "ç": "S", "ð": "d", "θ": "t | s", "β": "v", "m": "m", "n": "n", "ŋ": "N",
    "ŋk": "N k", "ŋɡ": "N g", "l": "l", "j": "j", "ʝ": "j", "ts": "t_s", "ʧ": "t_S",
}  # fmt: skip
_ENGLISH = _CONSONANTS | {
    "a": "V | A:", "aː": "A:", "ɑ": "A: | V", "ɒ": "Q | A:", "æ": "{", "ʌ": "V", "ɛ": "E", "ɛː": "E | e_I",
    "e": "E | e_I", "eː": "e_I", "ə": "@", "ɜ": "3: | @", "ɚ": "@", "ər": "@", "əɹ": "@", "ɐ": "@ | V",
    "ɐ̯": "@", "ɪ": "I", "i": "i: | I", "iː": "i:", "ɨ": "I", "y": "u: | I", "yː": "u: | i:", "ɔ": "Q | O:",
    "ɔː": "O:", "o": "@_U | O:", "oː": "@_U | O:", "ʊ": "U", "u": "u: | U", "uː": "u:", "œ": "3:", "ø": "3:",
    "aɪ": "a_I", "aj": "a_I", "ɑɪ": "a_I", "aʊ": "a_U", "aw": "a_U", "au": "a_U", "ɔɪ": "O_I", "ɔj": "O_I",
    "oj": "O_I", "eɪ": "e_I", "oʊ": "@_U", "ʒ": "Z", "ç": "S | h", "x": "k | h", "χ": "h | k", "h": "h",
    "ɣ": "g", "ð": "D", "θ": "T", "r": r"r\\", "ɾ": r"r\\", "ʁ": r"r\\", "ɹ": r"r\\", "w": "w",
}  # fmt: skip
_ROMANCE = _CONSONANTS | {
    "a": "a", "ɑ": "a", "ɒ": "O | a", "æ": "E | a", "ʌ": "a", "ɛ": "E", "e": "e", "ə": "e", "ɜ": "e | a",
    "ɚ": "e r", "ɐ": "e r | a", "ɐ̯": "r | a", "ɪ": "i", "i": "i", "ɨ": "i", "y": "u | i", "ɔ": "O",
    "o": "o", "ʊ": "u", "u": "u", "œ": "e | o", "ø": "e | o", "r": "r", "ɾ": "r", "ʁ": "r", "ɹ": "r",
    "ɣ": "g", "w": "u",
}  # fmt: skip
_SPANISH = _ROMANCE | {
    "ɒ": "o | a", "æ": "e | a", "ɛ": "e", "ɔ": "o", "b": "b | B", "d": "d | D", "v": "B | b", "β": "B",
    "z": "s", "ʃ": "t_S | s", "ʂ": "t_S | s", "ɕ": "t_S | s", "ʒ": "t_S", "ç": "x | t_S", "x": "x",
    "χ": "x", "h": "x", "ɣ": "G", "ð": "D", "θ": "T", "ɾ": "4", "ʁ": "r | 4",
}  # fmt: skip
_FRENCH = _ROMANCE | {
    "ə": "@", "ɜ": "9", "ɚ": "9 R", "ɐ": "E R | a", "ɐ̯": "R | a", "y": "y", "œ": "9", "ø": "2", "ʒ": "Z",
    "x": "R | k", "χ": "R", "h": "", "r": "R", "ɾ": "R", "ʁ": "R", "ɹ": "R", "w": "w", "ts": "t s",
    "ʧ": "t S",
}  # fmt: skip
_ITALIAN = _ROMANCE | {
    "ʒ": "d_Z", "x": "k", "χ": "k", "h": "", "ŋk": "n k", "ŋɡ": "n g", "ŋ": "n g | n", "j": "i", "ʝ": "i",
    "ɾ": "r | 4",
}  # fmt: skip
# Pico's names of the voices, which are those of the languages.
VOICES = {"en-GB": _ENGLISH, "en-US": _ENGLISH, "es-ES": _SPANISH, "fr-FR": _FRENCH, "it-IT": _ITALIAN}


class Svox:
    """Voices that get sounds from here."""

    name = "svox"

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        name = rng.choice(list(VOICES))
        said = rhvoice.nearest(VOICES[name], words, accent, rng)
        if said is None:
            return f"svox {name}", np.zeros(0, np.int16)
        return f"svox {name}", speak(name, [written(word) for word in said], rng)


def written(word: list[tuple[str, bool]]) -> str:
    """A word's sounds in X-SAMPA, the stressed syllable marked: it is taken to begin with one consonant, the first with all."""
    vowels = [n for n, (sound, _) in enumerate(word) if sound[0] in "aAeEiIoOQuUyV{@3290"]
    begins = {n if n == 0 or n - 1 in vowels else n - 1 for n in vowels[1:] if word[n][1]}
    if vowels and word[vowels[0]][1]:
        begins.add(0)
    return "".join(('"' if n in begins else "") + sound for n, (sound, _) in enumerate(word))


def speak(name: str, wanted: list[str], rng: random.Random) -> np.ndarray:
    """What a voice makes of the sounds of some words, in a pace and pitch of its own."""
    gap = rng.choice([" ", " ", ", ", f'<break time="{rng.randint(40, 250)}ms"/>'])
    # Pico does not know `&quot;`, and the stress is a quotation mark.
    said = gap.join(f"<phoneme ph='{sounds}'/>" for sounds in wanted)
    how = f'<speed level="{rng.randint(75, 135)}"><pitch level="{rng.randint(70, 130)}">'
    return voices.pico(f"{how}{said}</pitch></speed>", name)
