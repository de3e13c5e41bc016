"""Rooms, microphones and noises: what happens to speech on its way to the recogniser.

Everything here is drawn from a generator that the caller seeds, so that it comes out the same again.
"""

from dataclasses import dataclass

import numpy as np
from scipy.signal import butter, fftconvolve, lfilter, resample_poly

RATE_HZ = 16_000


def loudness(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(samples)) + 1e-9))


def noise(rng: np.random.Generator, length: int) -> np.ndarray:
    """White, pink, brown or of one band."""
    white, kind = rng.standard_normal(length), rng.random()
    if kind < 0.3:
        return white
    if kind < 0.65:
        # Source: Kellet's filter for pink noise.
        tops = [0.049922, -0.095993, 0.050612, -0.0044]
        return lfilter(tops, [1, -2.494956, 2.017265, -0.5221894], white)
    if kind < 0.85:
        return lfilter([1], [1, -0.97], white)
    band = np.sort(rng.uniform(0.02, 0.9, 2))
    return lfilter(*butter(2, [band[0], min(band[1] + 0.03, 0.97)], "band"), white)


def room(rng: np.random.Generator, decay_s: float, wet: float) -> np.ndarray:
    """The echo of a room: direct sound, a pause, then a tail that takes `decay_s` to fall by 60 dB."""
    length = int(RATE_HZ * min(decay_s, 0.8))
    tail = rng.standard_normal(length) * np.exp(-6.9 * np.arange(length) / (RATE_HZ * decay_s))
    tail[: int(RATE_HZ * rng.uniform(0.001, 0.012))] = 0
    tail *= wet / np.sqrt(np.sum(tail**2) + 1e-9)
    tail[0] = 1.0
    return tail


def telephone(samples: np.ndarray, low_hz: float = 300, high_hz: float = 3400) -> np.ndarray:
    """Sampled at 8 kHz, between two frequencies."""
    narrow = resample_poly(samples, 1, 2)
    band = [low_hz / 4000, min(high_hz / 4000, 0.95)]
    narrow = lfilter(*butter(2, band, "band"), narrow)
    return resample_poly(narrow, 2, 1)[: len(samples)]


def babble(rng: np.random.Generator, talkers: list[np.ndarray], length: int) -> np.ndarray:
    """Some of them talking at once, each beginning anywhere."""
    out = np.zeros(length)
    for _ in range(rng.integers(1, 7)):
        said = talkers[rng.integers(len(talkers))].astype(np.float64)
        said = said / loudness(said) * rng.uniform(0.4, 1.0)
        begin = int(rng.integers(0, max(1, length - 1)))
        taken = said[: length - begin]
        out[begin : begin + len(taken)] += taken
    return out


def clicks(rng: np.random.Generator, length: int) -> np.ndarray:
    """Presses of a clock and pieces put down: knocks with some ringing."""
    out = np.zeros(length)
    for _ in range(rng.integers(1, 6)):
        begin, lasts = int(rng.integers(0, max(1, length - 2000))), 2000
        ring = np.exp(-np.arange(lasts) / rng.uniform(30, 600)) * rng.standard_normal(lasts)
        if rng.random() < 0.5:
            tone = np.sin(2 * np.pi * rng.uniform(300, 4000) * np.arange(lasts) / RATE_HZ)
            ring = ring + tone * np.exp(-np.arange(lasts) / rng.uniform(50, 400))
        part = ring[: length - begin]
        out[begin : begin + len(part)] += rng.uniform(0.3, 1) * part
    return out


def cough(rng: np.random.Generator) -> np.ndarray:
    """One to three bursts of noise through a throat."""
    bursts = []
    for _ in range(rng.integers(1, 4)):
        length = int(RATE_HZ * rng.uniform(0.12, 0.4))
        burst = rng.standard_normal(length)
        for centre in (rng.uniform(400, 900), rng.uniform(1100, 2200)):
            band = [centre * 0.75 / 8000, centre * 1.25 / 8000]
            burst = burst * 0.3 + lfilter(*butter(1, band, "band"), burst)
        rise = int(RATE_HZ * 0.01)
        shape = np.exp(-np.arange(length) / (RATE_HZ * rng.uniform(0.05, 0.15)))
        shape[:rise] *= np.linspace(0, 1, rise)
        bursts += [burst * shape, np.zeros(int(RATE_HZ * rng.uniform(0.05, 0.4)))]
    return np.concatenate(bursts)


def no_speech(rng: np.random.Generator, talkers: list[np.ndarray]) -> np.ndarray:
    """Some seconds in which nobody says anything to the program."""
    length = int(RATE_HZ * rng.uniform(1, 5))
    out = noise(rng, length)
    out = out / loudness(out) * 10 ** rng.uniform(0, 2.8)
    kind = rng.random()
    if kind < 0.35:
        added = clicks(rng, length)
    elif kind < 0.65:
        added, one = np.zeros(length), cough(rng)
        begin = int(rng.integers(0, length // 2))
        part = one[: length - begin]
        added[begin : begin + len(part)] += part
    elif kind < 0.85:
        added = babble(rng, talkers, length) + babble(rng, talkers, length)
    else:
        return np.clip(out, -32768, 32767)
    added = added / (np.abs(added).max() + 1e-9) * 10 ** rng.uniform(2.5, 4.4)
    return np.clip(np.round(out + added), -32768, 32767)


@dataclass(frozen=True)
class Place:
    """Where something is said: shares of 1, and by how many decibels the voice is louder."""

    hiss: float
    hiss_db: tuple[float, float]
    babble: float
    babble_db: tuple[float, float]
    # One of these is one to six talkers.
    crowds: int = 1
    # What nothing is added to.
    untouched: float = 0.0
    # Recordings that begin and end with the word, or a little within it.
    tight: float = 0.0
    # Of the voices that nobody has, the share of children's.
    children: float = 0.0


ANYWHERE = Place(hiss=0.85, hiss_db=(3, 35), babble=0.35, babble_db=(4, 26), untouched=0.08)
# Recorded near, as collections of single words are, and begun when a talk key is pressed a little late.
TIGHT = Place(hiss=0.55, hiss_db=(8, 40), babble=0.15, babble_db=(8, 26), untouched=0.3, tight=0.7, children=0.35)
# A hall with many people in it.
LOUD = Place(hiss=0.5, hiss_db=(2, 14), babble=0.75, babble_db=(3, 14), crowds=2)


def varied(
    samples: np.ndarray, rng: np.random.Generator, talkers: list[np.ndarray], place: Place = ANYWHERE
) -> np.ndarray:
    """Speech as it may arrive: another pace and pitch, a room, a microphone, noise, loudness."""
    x = samples.astype(np.float64)
    if rng.random() < place.untouched:
        # Some stay as they are, between pieces of silence.
        return _loud(_padded(x, rng, place.tight), rng)
    pace = int(rng.choice([17, 18, 19, 20, 20, 21, 22, 23, 24]))
    if pace != 20:
        x = resample_poly(x, 20, pace)
    if rng.random() < 0.25:
        x = np.tanh(x / 32768 * rng.uniform(0.5, 3)) * 20_000
    x = _padded(x, rng, place.tight)
    if rng.random() < 0.6:
        far = rng.random() < 0.25
        decay = rng.uniform(0.5, 1.3) if far else rng.uniform(0.1, 0.6)
        x = fftconvolve(x, room(rng, decay, rng.uniform(0.1, 1.0 if far else 1.2)))[: len(x)]
    if rng.random() < 0.5:
        tilt = rng.uniform(-0.6, 0.6)
        x = lfilter([1, -tilt], [1], x) if rng.random() < 0.5 else lfilter([1], [1, tilt], x)
    if rng.random() < 0.4:
        x = lfilter(*butter(int(rng.choice([1, 2])), rng.uniform(60, 350) / 8000, "high"), x)
    if rng.random() < 0.2:
        centre = rng.uniform(500, 6000) / 8000
        width = min(centre * rng.uniform(0.2, 0.6), 0.15)
        band = [max(centre - width / 2, 0.01), min(centre + width / 2, 0.98)]
        x = x + rng.uniform(-0.8, 2) * lfilter(*butter(1, band, "band"), x)
    level = loudness(x)
    if rng.random() < place.hiss:
        hiss = noise(rng, len(x))
        x = x + hiss / loudness(hiss) * level * 10 ** (-rng.uniform(*place.hiss_db) / 20)
    if rng.random() < place.babble:
        others = sum(babble(rng, talkers, len(x)) for _ in range(place.crowds))
        x = x + others / loudness(others) * level * 10 ** (-rng.uniform(*place.babble_db) / 20)
    if rng.random() < 0.08:
        x = x + clicks(rng, len(x)) * level * rng.uniform(0.5, 5)
    if rng.random() < 0.15:
        x = telephone(x, rng.uniform(100, 350), rng.uniform(3100, 3800))
    return _loud(x, rng)


def _padded(x: np.ndarray, rng: np.random.Generator, tight: float = 0.0) -> np.ndarray:
    if tight and rng.random() < tight:
        return _cut(x, rng)
    before, after = int(RATE_HZ * rng.uniform(0.05, 0.7)), int(RATE_HZ * rng.uniform(0.1, 0.8))
    return np.concatenate([np.zeros(before), x, np.zeros(after)])


def _cut(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Without the quiet before and after, and now and then without the very first and last of the voice."""
    loud = np.flatnonzero(np.abs(x) > 0.02 * np.abs(x).max())
    if len(loud) < RATE_HZ // 10:
        return x
    begin = loud[0] - int(RATE_HZ * rng.uniform(-0.02, 0.12))
    end = loud[-1] + int(RATE_HZ * rng.uniform(-0.03, 0.15))
    return x[max(0, begin) : max(end, begin + RATE_HZ // 10)]


def _loud(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """At some loudness, now and then too loud, with the last bit's noise."""
    x = x / (np.abs(x).max() + 1e-9) * 32_767 * 10 ** (-rng.uniform(0.5, 32) / 20)
    if rng.random() < 0.05:
        x = np.clip(x * rng.uniform(1, 3), -32_767, 32_767)
    x = x + rng.standard_normal(len(x)) * rng.choice([0.5, 1, 3, 10])
    return np.round(np.clip(x, -32_768, 32_767))
