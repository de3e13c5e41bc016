"""Another person says the same: WORLD takes speech apart and puts it together with another throat.

Each engine has few voices and one way to speak. Here throat, pitch, melody, tempo and breath change one by
one, which no change of pace or filter does.
"""

import numpy as np
import pyworld

from .sounds import RATE_HZ

_FRAME_MS = 5.0
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 420.0


def another_voice(samples: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The same words in a voice that nobody has; `samples` at 16 kHz, some other length comes out."""
    x = np.ascontiguousarray(samples, np.float64)
    rough, times = pyworld.dio(x, RATE_HZ, f0_floor=60.0, f0_ceil=500.0, frame_period=_FRAME_MS)
    pitch = pyworld.stonemask(x, rough, times, RATE_HZ)
    envelope = pyworld.cheaptrick(x, pitch, times, RATE_HZ)
    breath = pyworld.d4c(x, pitch, times, RATE_HZ)
    frames = _tempo(len(pitch), rng)
    bins = _throat(envelope.shape[1], rng)
    return pyworld.synthesize(
        _melody(pitch, rng)[frames],
        np.ascontiguousarray(envelope[frames][:, bins]),
        np.ascontiguousarray(breath[frames][:, bins] ** rng.uniform(0.5, 1.2)),
        RATE_HZ,
        _FRAME_MS,
    )


def _tempo(count: int, rng: np.random.Generator) -> np.ndarray:
    """Which frame is heard when: quicker here, slower there."""
    knots = max(2, count // 50 + 1)
    paces = rng.uniform(0.85, 1.2) * rng.uniform(0.8, 1.25, knots)
    pace = np.interp(np.arange(2 * count), np.linspace(0, 2 * count, knots), paces)
    at = np.concatenate([[0.0], np.cumsum(pace)])
    return at[at < count].astype(np.int64)


def _throat(bins: int, rng: np.random.Generator) -> np.ndarray:
    """Which frequency is heard where: a longer throat has all its resonances lower, a shorter higher."""
    length = rng.uniform(0.84, 1.19)
    return np.clip(np.round(np.arange(bins) * length), 0, bins - 1).astype(np.int64)


def _melody(pitch: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Higher or lower, livelier or flat, now and then hoarse; 0 where nothing sounds."""
    sounding = pitch > 0
    if not sounding.any():
        return pitch
    usual = np.median(pitch[sounding])
    target = np.clip(usual * 2 ** rng.uniform(-0.6, 0.6), 75, 300)
    melody = target * np.power(pitch / usual, rng.uniform(0, 1.5), where=sounding, out=np.zeros_like(pitch))
    if rng.random() < 0.3:
        melody *= 1 + rng.uniform(0.005, 0.03) * rng.standard_normal(len(melody))
    return np.where(sounding, np.clip(melody, _LOWEST_HZ, _HIGHEST_HZ), 0.0)
