"""Speech as the network gets it: 40 cepstra every 10 ms, of speech in many rooms."""

import math
import pickle
from dataclasses import asdict, dataclass
from pathlib import Path

import kaldi_native_fbank
import numpy as np

from . import sounds, store, synthesis
from .conversion import another_voice

REVISION = 2
DIMENSIONS = 40
# Of the recordings of a shard, this share more hold no speech at all.
NO_SPEECH_SHARE = 0.06
# So many of an engine's are said in a voice that nobody has: pico has a single one of its own.
CONVERTED = dict.fromkeys(["espeak", "festival", "rhvoice", "flite", "kokoro", "people"], 0.4)
# Real people need it less.
CONVERTED |= {"pico": 0.75, "svox": 0.6, "people": 0.25}

# As conf/mfcc.conf tells libvosk; what is not here is Kaldi's default.
MFCC_CONF = """--use-energy=false
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=7600
--allow-upsample=true
--allow-downsample=true
--dither=0
"""


@dataclass(frozen=True)
class Example:
    """One recording: its cepstra, `[frames, 40]`, and what is said in it."""

    words: tuple[str, ...]
    foreign: tuple[tuple[str, ...] | None, ...]
    # Nobody says anything.
    silent: bool
    cepstra: np.ndarray
    # Foreign words are told by their sounds always, and never as garbage.
    by_sound: bool = False


def cepstra(samples: np.ndarray) -> np.ndarray:
    """`[frames, 40]`, just as Kaldi computes them without dither: noise is added before, and a hiss in `listener.rs`."""
    options = kaldi_native_fbank.MfccOptions()
    options.frame_opts.samp_freq = sounds.RATE_HZ
    options.frame_opts.dither = 0.0
    options.num_ceps = DIMENSIONS
    options.use_energy = False
    options.mel_opts.num_bins = DIMENSIONS
    options.mel_opts.low_freq = 20
    options.mel_opts.high_freq = 7600
    mfcc = kaldi_native_fbank.OnlineMfcc(options)
    mfcc.accept_waveform(sounds.RATE_HZ, np.asarray(samples, np.float32))
    mfcc.input_finished()
    return np.stack([mfcc.get_frame(n) for n in range(mfcc.num_frames_ready)]).astype(np.float16)


def shard(said: Path, copy: int, place: sounds.Place = sounds.ANYWHERE) -> Path:
    """The file of examples that a shard of utterances becomes; each copy is another surrounding."""
    engine = said.name.split("-")[1]
    # What a place is not is no part of its name.
    told = {name: value for name, value in asdict(place).items() if value or name == "untouched"}
    key = [REVISION, CONVERTED[engine], said.name, copy, told]
    folder = store.made("heard", key, lambda folder: _make(folder, said, copy, place))
    return folder / "examples.pickle"


def _make(folder: Path, said: Path, copy: int, place: sounds.Place) -> None:
    seed = int.from_bytes(store.digest([said.name, copy]).encode()[:8], "little")
    rng = np.random.default_rng(seed)
    utterances = synthesis.load(said)
    talkers = [utterance.samples for utterance in utterances]
    examples = []
    for one in utterances:
        converted = rng.random() < CONVERTED[one.speaker.split()[0]]
        said = another_voice(one.samples, rng, place.children) if converted else one.samples
        heard = sounds.varied(said, rng, talkers, place)
        # People say hardly any of our words but numbers here: taught as garbage, their voices would be garbage.
        examples.append(Example(one.words, one.foreign, False, cepstra(heard), one.speaker.startswith("people ")))
    for _ in range(math.ceil(NO_SPEECH_SHARE * len(utterances))):
        examples.append(Example((), (), True, cepstra(sounds.no_speech(rng, talkers))))
    with open(folder / "examples.pickle", "wb") as file:
        pickle.dump(examples, file, protocol=4)


def load(path: Path) -> list[Example]:
    with open(path, "rb") as file:
        return pickle.load(file)
