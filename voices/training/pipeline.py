"""From voices to a model that libvosk loads."""

import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from . import export, features, learning, lexicon, store, synthesis


@dataclass(frozen=True)
class Size:
    """How much is said and trained. Shards hold 100 utterances, Kokoro's 25."""

    espeak: int
    pico: int
    kokoro: int
    # In how many surroundings each is heard.
    copies: int
    # Kokoro's voices are the most natural: in so many.
    kokoro_copies: int
    width: int
    epochs: int


SIZES = {
    # Three hours on two cores.
    "full": Size(espeak=60, pico=60, kokoro=150, copies=1, kokoro_copies=3, width=320, epochs=12),
    # An hour.
    "short": Size(espeak=30, pico=24, kokoro=40, copies=1, kokoro_copies=3, width=256, epochs=6),
    # Minutes: shows that it works.
    "smoke": Size(espeak=5, pico=1, kokoro=1, copies=2, kokoro_copies=2, width=128, epochs=8),
}


@dataclass(frozen=True)
class Made:
    """A finished model and what it was made of."""

    model: Path
    size: Size
    said_hours: float
    heard_hours: float
    speakers: int


def make(size: Size, threads: int) -> Made:
    """All steps; those that are done already are not done again."""
    wanted = [
        (engine, number)
        for engine in ("espeak", "pico", "kokoro")
        for number in range(getattr(size, engine))
    ]
    print(f"{len(wanted)} shards of speech", flush=True)
    said = _all(synthesis.shard, [(engine, number, 1) for engine, number in wanted], threads)
    heard = _all(
        features.shard,
        [
            (folder, copy)
            for (engine, _), folder in zip(wanted, said)
            for copy in range(size.kokoro_copies if engine == "kokoro" else size.copies)
        ],
        threads,
    )
    weights = learning.train(heard, learning.Plan(size.width, size.epochs, threads=threads))
    model = store.made(
        "model", [weights.name, export.MODEL_CONF], lambda folder: export.write(weights / "weights.pt", folder)
    )
    utterances = [one for folder in said for one in synthesis.load(folder)]
    return Made(
        model,
        size,
        sum(len(one.samples) for one in utterances) / 16_000 / 3600,
        float((weights / "hours.txt").read_text()),
        len({one.speaker for one in utterances}),
    )


def _all(work, arguments: list[tuple], threads: int) -> list[Path]:
    """The work done for all arguments, by several processes, in the order of the arguments."""
    if threads == 1:
        done = map(work, *zip(*arguments))
        return [_told(n, len(arguments), path) for n, path in enumerate(done, 1)]
    with ProcessPoolExecutor(threads) as pool:
        done = pool.map(work, *zip(*arguments))
        return [_told(n, len(arguments), path) for n, path in enumerate(done, 1)]


def _told(n: int, of: int, path: Path) -> Path:
    if n % 20 == 0 or n == of:
        print(f"  {n} of {of}", flush=True)
    return path


def check(model: Path, voices_to_try: int = 4, phrases: int = 10) -> tuple[int, int]:
    """Right and all choices among ten announcements that a grammar at run time allows.

    The voices are variants of espeak-ng that were not trained on. Chance is one in ten.
    """
    import json

    import numpy as np
    import vosk

    from . import texts, voices

    vosk.SetLogLevel(-1)
    loaded = vosk.Model(str(model))
    rng, right = random.Random(7), 0
    for variant in voices.HELD_OUT_ESPEAK[:voices_to_try]:
        said = []
        for _ in range(phrases):
            words = [rng.choice(texts.PIECES)]
            for _ in range(2):
                words += [rng.choice(texts.FILES), rng.choice(texts.RANKS)]
            said.append(" ".join(words))
        grammar = json.dumps([*said, lexicon.UNKNOWN], ensure_ascii=False)
        for text in said:
            recognizer = vosk.KaldiRecognizer(loaded, voices.RATE_HZ, grammar)
            spoken = voices.espeak(f"de+{variant}", text.replace("cäsar", "Zäsar").title())
            padded = np.pad(spoken, (4000, 8000))
            recognizer.AcceptWaveform(padded.tobytes())
            right += json.loads(recognizer.FinalResult())["text"] == text
    return right, voices_to_try * phrases


def described(made: Made) -> dict:
    """What a model was made of, to be kept beside it."""
    return {
        "size": asdict(made.size),
        "said_hours": round(made.said_hours, 1),
        "heard_hours": made.heard_hours,
        "speakers": made.speakers,
        "words": len(lexicon.read().words),
        "seed": learning.SEED,
    }
