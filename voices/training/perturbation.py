"""What changes each time that a recording is heard in training: cheap, done to its cepstra.

40 cepstra of 40 bands can be turned back into the bands. There another throat is a stretched axis, a
sound that drowns something is a gap, and people who talk at the same time, and hiss, are added.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from . import features, sounds

BANDS = features.DIMENSIONS
# How much longer or shorter a throat may be, and how often it is another.
THROAT, OFTEN = (0.88, 1.14), 0.6
# At most so many gaps of so many bands, and of so many frames of 10 ms.
BAND_GAPS, BAND_GAP = 2, 6
TIME_GAP = 9
# So many people in a crowd, and by how many decibels a voice is louder than all of them.
CROWD, CROWD_DB = (2, 6), (4.0, 22.0)
# By how many decibels a voice is louder than a hiss, and how steeply that falls: 0 is white, 1 pink, 2 brown.
HISS_DB, HISS_FALL = (3.0, 20.0), (0.0, 1.7)
# Between which two frequencies a dark voice grows quieter, and by how much at most (natural logarithm of its power).
DARK_FROM_HZ, DARK_TO_HZ, DARK = (250, 500), (700, 1600), (0.5, 2.3)
# So many hertz of a noise are as good as one number that nothing else tells. Source: frames of 25 ms.
INDEPENDENT_HZ = 40


@dataclass(frozen=True)
class Hearing:
    """What a stretch of training does to recordings."""

    # At most so many gaps of so many frames.
    time_gaps: int
    # The share heard among a crowd.
    among_others: float
    # The share in a hiss.
    hiss: float = 0.0
    # The share whose lowest sounds are louder than usual against all others: noise drowns these first.
    dark: float = 0.0


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


def among(bands: np.ndarray, others: Sequence[features.Example], draw: np.random.Generator) -> np.ndarray:
    """With some of the others talking at the same time: the powers of sounds add, as good as."""
    power, crowd = np.exp(bands), np.zeros_like(bands)
    _, back = transforms()
    for _ in range(draw.integers(CROWD[0], CROWD[1] + 1)):
        one = others[draw.integers(len(others))].cepstra
        said = np.exp(one.astype(np.float32) @ back.T)
        begin = int(draw.integers(len(said)))
        share = draw.uniform(0.2, 1.0) / said.mean()
        crowd += share * said[np.arange(begin, begin + len(bands)) % len(said)]
    louder = 10 ** (draw.uniform(*CROWD_DB) / 10)
    return np.log(power + crowd * (power.mean() / crowd.mean() / louder))


def hissing(bands: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """With a noise of some colour from beginning to end."""
    centres = centres_hz()
    widths = np.gradient(centres)
    # A band has the power of all that it spans, and fluctuates the less the more that is.
    numbers = np.maximum(1.0, widths / INDEPENDENT_HZ)
    # Source: Kaldi's --preemphasis-coefficient, 0.97: high sounds come out louder.
    raised = 1 + 0.97**2 - 2 * 0.97 * np.cos(2 * np.pi * centres / sounds.RATE_HZ)
    level = widths * raised * centres ** -draw.uniform(*HISS_FALL)
    hiss = level * draw.gamma(numbers, 1 / numbers, bands.shape)
    power = np.exp(bands)
    louder = 10 ** (draw.uniform(*HISS_DB) / 10)
    return np.log(power + hiss * (power.mean() / hiss.mean() / louder)).astype(np.float32)


def darkened(bands: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A voice whose lowest sounds are louder against the others than they were."""
    low, high = draw.uniform(*DARK_FROM_HZ), draw.uniform(*DARK_TO_HZ)
    shape = np.clip(np.log(centres_hz() / low) / np.log(high / low), 0, 1)
    return (bands - draw.uniform(*DARK) * shape).astype(np.float32)


def perturbed(
    cepstra: np.ndarray, rng: random.Random, hearing: Hearing, others: Sequence[features.Example] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Twice `[frames, 40]`: through another microphone, by another throat, among others, with gaps; and the same undisturbed."""
    draw = np.random.default_rng(rng.getrandbits(32))
    tilt = 3 * np.exp(-np.arange(BANDS) / 6) * draw.standard_normal(BANDS)
    cepstra = cepstra + tilt.astype(np.float32)
    forth, back = transforms()
    bands = cepstra @ back.T
    if draw.random() < OFTEN:
        bands = stretched(bands, draw.uniform(*THROAT))
    undisturbed = (bands @ forth.T).astype(np.float32)
    if hearing.dark and draw.random() < hearing.dark:
        bands = darkened(bands, draw)
    if others and hearing.among_others and draw.random() < hearing.among_others:
        bands = among(bands, others, draw)
    if hearing.hiss and draw.random() < hearing.hiss:
        bands = hissing(bands, draw)
    usual = bands.mean(0)
    for _ in range(draw.integers(0, BAND_GAPS + 1)):
        width = int(draw.integers(1, BAND_GAP + 1))
        begin = int(draw.integers(0, BANDS - width + 1))
        bands[:, begin : begin + width] = usual[begin : begin + width]
    for _ in range(draw.integers(0, hearing.time_gaps + 1)):
        length = int(draw.integers(1, TIME_GAP + 1))
        begin = int(draw.integers(0, max(1, len(bands) - length)))
        bands[begin : begin + length] = usual
    return bands @ forth.T, undisturbed
