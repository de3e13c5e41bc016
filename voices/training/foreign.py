"""How words sound that the lexicon does not hold, as espeak-ng reads them."""

import re
import subprocess
from functools import cache

from .accents import STANDARD

# IPA as espeak-ng writes German, beside the signs of STANDARD.
_OTHER_SIGNS = {
    "ɔø": "OY", "ɔʏ": "OY", "ʏ": "Y", "œ": "9", "ø": "2:", "ɜ": "6", "ɾ": "r", "r": "r", "ʒ": "S", "g": "g",
    "e": "e:", "i": "i:", "o": "o:", "u": "u:", "ɑ": "a", "ɑː": "a:", "ɒ": "O", "œː": "2:", "ɛɪ": "aI",
    "tʃ": "t S", "dʒ": "d S", "pf": "p f", "ts": "ts", "ɐ̯": "6", "w": "v", "ʌ": "a",
}  # fmt: skip
_PHONES = {ipa: phone for phone, ipa in STANDARD.items()} | _OTHER_SIGNS
_PHONES |= {sign: sign for sign in "a b d f h j k l m n p s t v x y z".split() if sign != "y"}
_PHONES["y"] = "Y"
_SIGN = re.compile("|".join(sorted(map(re.escape, _PHONES), key=len, reverse=True)))


@cache
def foreign_ipa(word: str) -> str:
    """A German word in the signs of IPA that Kokoro knows."""
    command = ["espeak-ng", "-v", "de", "-q", "--ipa", word]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Marks of languages, and what joins signs.
    said = re.sub(r"\([a-z-]+\)|\u200d", "", said).strip().replace("\n", " ")
    # espeak-ng 1.51 cannot write this one.
    said = re.sub("[?\ufffd]+", "ʊɐ", said)
    for theirs, ours in (("ɜ", "ɐ"), ("ɾ", "ʁ"), ("ʏ", "y"), ("g", "ɡ")):
        said = said.replace(theirs, ours)
    # After a vowel and before no other, r is a vowel too.
    return re.sub(r"(?<=[aeiouyøœɛɔʊɪː])[rʁ](?![aeiouyøœɛɔʊɪəɐˈ])", "ɐ", said)


@cache
def foreign_phones(word: str) -> tuple[str, ...] | None:
    """A German word in the model's phones; `None` if it has a sound that German has not."""
    plain = re.sub(r"[ˈˌʔ ̩̯]", "", foreign_ipa(word))
    out, at = [], 0
    while at < len(plain):
        sign = _SIGN.match(plain, at)
        if sign is None:
            return None
        out += _PHONES[sign[0]].split()
        at = sign.end()
    return tuple(out) or None
