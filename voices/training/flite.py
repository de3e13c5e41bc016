"""Two men more, of Scotland and the United States, with the voices of the program flite.

Their way to speak was learnt from an hour of theirs each; flite's other two people speak with festival and
RHVoice. What is said reaches them as the nearest sounds of English, as in rhvoice.py.
"""

import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from . import festival, rhvoice
from .accents import Accent
from .inputs import Refused
from .texts import Word
from .voices import at_rate

VOICES = ("awb", "rms")
_PAUSE = "pau"


class Flite:
    """Voices that get sounds from here."""

    name = "flite"

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        name = rng.choice(VOICES)
        said = rhvoice.nearest(festival.ENGLISH[1], words, accent, rng)
        if said is None:
            return f"flite {name}", np.zeros(0, np.int16)
        return f"flite {name}", speak(name, [rhvoice.marked(word) for word in said], rng)


def speak(name: str, wanted: list[list[str]], rng: random.Random) -> np.ndarray:
    """What a voice makes of the sounds of some words, in a pace of its own."""
    gap = [_PAUSE] if rng.random() < 0.25 else []
    phones = [_PAUSE]
    for word in wanted:
        phones += [*word, *gap]
    phones = " ".join(phones if gap else [*phones, _PAUSE])
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "said.wav"
        command = ["flite", "-voice", name, "--setf", f"duration_stretch={rng.uniform(0.75, 1.35):.3f}"]
        ended = subprocess.run([*command, "-p", phones, str(out)], text=True, capture_output=True)
        if ended.returncode or not out.exists():
            raise Refused(f"flite's {name} cannot say {phones} ({' '.join(ended.stderr.split())})")
        rate, samples = wavfile.read(out)
    return at_rate(samples, rate)
