"""Another person says the same: WORLD takes speech apart and puts it together with another throat.

Each engine has few voices and one way to speak. Here throat, pitch, melody, tempo and breath change one by
one, which no change of pace or filter does.
"""

import numpy as np
import pyworld

from .sounds import RATE_HZ

_FRAME_MS = 5.0
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 420.0


# How much longer or shorter a throat may be, and the highest usual pitch; children have shorter ones and higher.
_THROAT, _PITCH_HZ = (0.84, 1.19), 300.0
_CHILD, _CHILD_HZ = (0.72, 0.92), 400.0


def another_voice(samples: np.ndarray, rng: np.random.Generator, children: float = 0.0) -> np.ndarray:
    """The same words in a voice that nobody has; `samples` at 16 kHz, some other length comes out; a child's so often."""
    x = np.ascontiguousarray(samples, np.float64)
    rough, times = pyworld.dio(x, RATE_HZ, f0_floor=60.0, f0_ceil=500.0, frame_period=_FRAME_MS)
    pitch = pyworld.stonemask(x, rough, times, RATE_HZ)
    envelope = pyworld.cheaptrick(x, pitch, times, RATE_HZ)
    breath = pyworld.d4c(x, pitch, times, RATE_HZ)
    frames = _tempo(len(pitch), rng)
    child = bool(children) and rng.random() < children
    bins = _throat(envelope.shape[1], rng, child)
    return pyworld.synthesize(
        _melody(pitch, rng, child)[frames],
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


def _throat(bins: int, rng: np.random.Generator, child: bool = False) -> np.ndarray:
    """Which frequency is heard where: a longer throat has all its resonances lower, a shorter higher."""
    length = rng.uniform(*(_CHILD if child else _THROAT))
    return np.clip(np.round(np.arange(bins) * length), 0, bins - 1).astype(np.int64)


def _melody(pitch: np.ndarray, rng: np.random.Generator, child: bool = False) -> np.ndarray:
    """Higher or lower, livelier or flat, now and then hoarse; 0 where nothing sounds."""
    sounding = pitch > 0
    if not sounding.any():
        return pitch
    usual = np.median(pitch[sounding])
    target = rng.uniform(220, _CHILD_HZ) if child else np.clip(usual * 2 ** rng.uniform(-0.6, 0.6), 75, _PITCH_HZ)
    melody = target * np.power(pitch / usual, rng.uniform(0, 1.5), where=sounding, out=np.zeros_like(pitch))
    if rng.random() < 0.3:
        melody *= 1 + rng.uniform(0.005, 0.03) * rng.standard_normal(len(melody))
    return np.where(sounding, np.clip(melody, _LOWEST_HZ, _HIGHEST_HZ), 0.0)
