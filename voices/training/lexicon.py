"""The phones of the model and the words of the German pack, with their sounds.

Words and pronunciations are those of voices/pronunciations-de.toml: what is trained is what the graph
of the running model holds.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VOICES = Path(__file__).resolve().parent.parent

SILENCE = "SIL"
GARBAGE = "GBG"
UNKNOWN = "[unk]"
# In SAMPA, in the order of graph/phones.txt: the network's outputs are numbered by it.
OF_WORDS = (
    "a a: E E: e: I i: O o: U u: 9 2: Y y: @ 6 aI aU OY p b t d k g f v s z S C x h m n N l r j ts"
).split()
PHONES = [SILENCE, GARBAGE, *OF_WORDS]
VOWELS = set("a a: E E: e: I i: O o: U u: 9 2: Y y: @ 6 aI aU OY".split())
PLACES = (("B", "begin"), ("E", "end"), ("I", "internal"), ("S", "singleton"))

# Words whose first full vowel is not the stressed one: which vowel is, from 0.
STRESSED_VOWEL = {
    "rochade": 1, "remis": 1, "passant": 1, "passang": 1, "korrektur": 2, "zurück": 1, "zurecht": 1,
    "jadoube": 1, "j'adoube": 1, "korrigiere": 2, "beantrage": 1, "figuren": 1, "kontrolle": 1,
    "gedrückt": 1, "geschlagen": 1, "geschlagene": 1, "vertauscht": 1, "verwandelt": 1, "ergänzen": 1,
    "vergiss": 1, "verzögerung": 1, "ergebnis": 1, "jawohl": 1, "partie": 1, "dieselbe": 1,
}  # fmt: skip


def outputs(phone: str) -> tuple[int, int]:
    """The network's outputs for the first frame of a phone and for those after it."""
    at = PHONES.index(phone)
    return 2 * at, 2 * at + 1


OUTPUTS = 2 * len(PHONES)


@dataclass(frozen=True)
class Lexicon:
    """Every word that is heard, in lower case, with its pronunciations."""

    sounds: dict[str, list[tuple[str, ...]]]

    @property
    def words(self) -> list[str]:
        return list(self.sounds)


@cache
def read() -> Lexicon:
    """The pronunciations as the project keeps them."""
    with open(VOICES / "pronunciations-de.toml", "rb") as file:
        listed = tomllib.load(file)["words"]
    sounds = {}
    for word, variants in listed.items():
        split = [tuple(variant.split()) for variant in variants]
        for phone in (phone for variant in split for phone in variant):
            if phone not in OF_WORDS:
                raise ValueError(f"pronunciations-de.toml: '{word}' has '{phone}', which is no phone")
        sounds[word] = split
    return Lexicon(sounds)


def pack() -> dict:
    """The German language pack."""
    with open(VOICES / "de.toml", "rb") as file:
        return tomllib.load(file)
