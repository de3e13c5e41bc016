"""What changes each time that a recording is heard in training: cheap, done to its cepstra.

40 cepstra of 40 bands can be turned back into the bands. There another throat is a stretched axis, and a
sound that drowns something is a gap.
"""

import random
from functools import cache

import numpy as np

from . import features

BANDS = features.DIMENSIONS
# How much longer or shorter a throat may be, and how often it is another.
THROAT, OFTEN = (0.88, 1.14), 0.6
# At most so many gaps of so many bands, and of so many frames of 10 ms.
BAND_GAPS, BAND_GAP = 2, 6
TIME_GAPS, TIME_GAP = 2, 9


@cache
def transforms() -> tuple[np.ndarray, np.ndarray]:
    """Kaldi's cosine transform with its lifter, and the way back; both are multiplied from the left."""
    rows, columns = np.arange(BANDS)[:, None], np.arange(BANDS)[None]
    cosines = np.sqrt(2 / BANDS) * np.cos(np.pi / BANDS * (columns + 0.5) * rows)
    cosines[0] = np.sqrt(1 / BANDS)
    # Source: the default of Kaldi's --cepstral-lifter.
    lifter = 1 + 0.5 * 22 * np.sin(np.pi * np.arange(BANDS) / 22)
    forth = lifter[:, None] * cosines
    return forth.astype(np.float32), (cosines.T / lifter).astype(np.float32)


@cache
def centres_hz() -> np.ndarray:
    """Of the bands, as conf/mfcc.conf has them."""
    low, high = (1127 * np.log(1 + hz / 700) for hz in (20, 7600))
    mels = low + (high - low) * np.arange(1, BANDS + 1) / (BANDS + 1)
    return 700 * (np.exp(mels / 1127) - 1)


def stretched(bands: np.ndarray, length: float) -> np.ndarray:
    """All resonances at `length` times their frequency."""
    centres = centres_hz()
    at = np.interp(centres / length, centres, np.arange(BANDS))
    below = np.floor(at).astype(int)
    above = np.minimum(below + 1, BANDS - 1)
    share = (at - below).astype(np.float32)
    return bands[:, below] * (1 - share) + bands[:, above] * share


def perturbed(cepstra: np.ndarray, rng: random.Random) -> np.ndarray:
    """`[frames, 40]` through another microphone, by another throat, with gaps."""
    draw = np.random.default_rng(rng.getrandbits(32))
    tilt = 3 * np.exp(-np.arange(BANDS) / 6) * draw.standard_normal(BANDS)
    cepstra = cepstra + tilt.astype(np.float32)
    forth, back = transforms()
    bands = cepstra @ back.T
    if draw.random() < OFTEN:
        bands = stretched(bands, draw.uniform(*THROAT))
    usual = bands.mean(0)
    for _ in range(draw.integers(0, BAND_GAPS + 1)):
        width = int(draw.integers(1, BAND_GAP + 1))
        begin = int(draw.integers(0, BANDS - width + 1))
        bands[:, begin : begin + width] = usual[begin : begin + width]
    for _ in range(draw.integers(0, TIME_GAPS + 1)):
        length = int(draw.integers(1, TIME_GAP + 1))
        begin = int(draw.integers(0, max(1, len(bands) - length)))
        bands[begin : begin + length] = usual
    return bands @ forth.T
