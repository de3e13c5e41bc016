"""How people say German phones: each in his own way, by the rules of his first language.

A speaker has one accent and keeps to it: each of its rules is his or not, for all that he says. The
label stays the German phone, so the model learns to hear it in all these forms. The forms are IPA.
"""

import random
from dataclasses import dataclass

from . import lexicon

# How a German phone is written for an engine that reads IPA.
STANDARD = {
    "a:": "aː", "E": "ɛ", "E:": "ɛː", "e:": "eː", "I": "ɪ", "i:": "iː", "O": "ɔ", "o:": "oː", "U": "ʊ",
    "u:": "uː", "9": "œ", "2:": "øː", "Y": "y", "y:": "yː", "@": "ə", "6": "ɐ", "aI": "aɪ", "aU": "aʊ",
    "OY": "ɔɪ", "C": "ç", "S": "ʃ", "N": "ŋ", "r": "ʁ", "g": "ɡ",
}  # fmt: skip

# Vowels without length: most languages of the packs have none.
_SHORT = {
    "a:": ["a"], "E:": ["ɛ"], "e:": ["e"], "i:": ["i"], "o:": ["o"], "u:": ["u"], "I": ["i"],
    "U": ["u"],
}  # fmt: skip

# Forms in the order of how usual they are. First language of the speaker: German phone: its forms.
RULES: dict[str, dict[str, list[str]]] = {
    "north": {
        "E:": ["eː"], "6": ["ɐ", "ɜ"], "aI": ["aɪ", "ɑɪ"], "OY": ["ɔɪ", "ɔø"], "a:": ["ɑː"],
        "Y": ["y", "ɪ"],
    },
    "south": {  # Bavaria and Austria: no voiced s, soft consonants, open a
        "z": ["s"], "a": ["ɑ", "ɒ"], "a:": ["ɑː", "ɒː"], "b": ["p"], "d": ["t"], "t": ["t", "d"],
        "p": ["p", "b"], "r": ["ɾ", "r", "ʁ"], "Y": ["y", "i"], "y:": ["yː", "iː"], "2:": ["øː", "eː"],
        "E:": ["eː", "ɛː"], "aI": ["aɛ", "ɛɪ"], "6": ["a", "ɐ"], "@": ["ɛ", "ə"], "OY": ["ɔɪ", "aɪ"],
        "I": ["i"], "U": ["u"],
    },
    "swiss": {
        "z": ["s"], "r": ["r", "ɾ"], "6": ["ər", "r", "ɐ"], "C": ["x", "χ"], "x": ["χ"], "@": ["ɛ", "ə"],
        "k": ["kx", "k"], "b": ["p"], "d": ["t"], "g": ["k"], "aI": ["ɛɪ", "aɪ"],
    },
    "fr": _SHORT | {
        "h": [""], "r": ["ʁ"], "6": ["ɛʁ", "œʁ", "ʁ"], "x": ["ʁ", "k", "ʃ"], "C": ["ʃ"], "N": ["nɡ", "ŋ"],
        "@": ["ə", "ɛ"], "aI": ["aj"], "aU": ["ao", "aw"], "OY": ["ɔj"], "2:": ["ø"], "Y": ["y"],
        "y:": ["y"], "ts": ["ts", "s"], "O": ["ɔ", "o"],
    },
    "en": {
        "r": ["ɹ"], "6": ["əɹ", "ɚ", "ɹ"], "x": ["k", "x"], "C": ["ʃ", "k"], "Y": ["ʊ", "u"],
        "y:": ["uː", "ju"], "2:": ["ɜː", "oʊ"], "9": ["ɜ"], "e:": ["eɪ"], "o:": ["oʊ"], "a": ["æ", "ɑ"],
        "a:": ["ɑː"], "E:": ["eɪ", "ɛ"], "ts": ["ts", "z"], "O": ["ɑ", "ɔ"], "t": ["tʰ", "t"],
        "k": ["kʰ", "k"], "p": ["pʰ", "p"],
    },
    "es": _SHORT | {
        "z": ["s"], "v": ["β", "b"], "S": ["ʃ", "ʧ"], "ts": ["ts", "s"], "h": ["x", ""], "C": ["x", "ʃ"],
        "r": ["r", "ɾ"], "6": ["eɾ", "eɾ", "a"], "Y": ["u", "i"], "y:": ["u", "i"], "2:": ["o", "e"],
        "9": ["o", "e"], "@": ["e"], "E": ["e"], "O": ["o"], "N": ["n", "ŋ"], "j": ["ʝ"], "aI": ["aj"],
        "aU": ["aw"], "OY": ["oj"], "b": ["β", "b"], "d": ["ð", "d"],
    },
    "ru": _SHORT | {
        "h": ["x", "ɡ"], "C": ["x", "ɕ"], "r": ["r"], "6": ["er", "ar", "ər"], "Y": ["ju", "u"],
        "y:": ["ju", "u"], "2:": ["jo", "ɛ"], "9": ["jo", "ɛ"], "I": ["i", "ɨ"], "N": ["n", "nɡ"],
        "@": ["e", "ə"], "aI": ["aj"], "aU": ["au"], "OY": ["oj"], "e:": ["ɛ", "je"], "E": ["ɛ"],
        "S": ["ʂ"], "l": ["l", "lʲ"],
    },
    "pl": _SHORT | {
        "h": ["x"], "C": ["ɕ", "x"], "r": ["r"], "6": ["er", "ɛr"], "Y": ["ɨ", "i"], "y:": ["i", "u"],
        "2:": ["ɛ"], "9": ["ɛ"], "N": ["nɡ", "ŋ"], "S": ["ʂ"], "I": ["i", "ɨ"], "@": ["ɛ"], "e:": ["ɛ"],
        "aI": ["aj"], "aU": ["aw"], "OY": ["ɔj"], "o:": ["ɔ"],
    },
    "lt": {
        "h": ["ɣ", "x"], "C": ["x", "ʃ"], "r": ["r"], "6": ["er", "ɛr"], "Y": ["u", "i"],
        "y:": ["uː", "iː"], "2:": ["o", "ɛ"], "9": ["o", "ɛ"], "N": ["ŋɡ"], "@": ["ɛ", "e"], "aI": ["aj"],
        "aU": ["au"], "OY": ["oj"], "E": ["ɛ", "æ"], "a": ["ɑ", "a"], "O": ["o"],
    },
}  # fmt: skip

# How often each is spoken in training; the rest speak as the dictionary does.
SHARES = {
    "north": 0.15, "south": 0.12, "swiss": 0.05, "fr": 0.06, "en": 0.06, "es": 0.05, "ru": 0.06,
    "pl": 0.05, "lt": 0.04,
}  # fmt: skip


@dataclass(frozen=True)
class Accent:
    """One speaker's own way: the phones that he says otherwise."""

    name: str
    forms: dict[str, str]

    def ipa(self, phone: str) -> str:
        return self.forms.get(phone, STANDARD.get(phone, phone))


DICTIONARY = Accent("dictionary", {})


def draw(rng: random.Random) -> Accent:
    """A speaker: how strong his accent is decides how many of its rules are his."""
    name = rng.choices(["dictionary", *SHARES], [1 - sum(SHARES.values()), *SHARES.values()])[0]
    strength = rng.uniform(0.3, 0.9)
    forms = {}
    for phone, ways in RULES.get(name, {}).items():
        if rng.random() < strength:
            # The first form is the usual one.
            forms[phone] = rng.choice([ways[0], *ways])
    return Accent(name, forms)


def spell(word: str, sounds: tuple[str, ...], accent: Accent) -> list[tuple[bool, str]]:
    """The IPA of each phone, and whether stress is to be marked before it."""
    stressed = lexicon.STRESSED_VOWEL.get(word, 0)
    vowels, out = 0, []
    for phone in sounds:
        mark = False
        if phone in lexicon.VOWELS:
            mark = vowels == stressed
            vowels += 1
        out.append((mark, accent.ipa(phone)))
    return out
