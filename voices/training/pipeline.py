"""From voices to a model that libvosk loads."""

import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from . import export, features, finished, learning, lexicon, people, recordings, sounds, store, synthesis
from .inputs import Refused
from .learning import Course
from .perturbation import Hearing


ENGINES = ("espeak", "pico", "festival", "rhvoice", "flite", "svox", "kokoro")


@dataclass(frozen=True)
class Size:
    """How much is said and trained. Shards hold 100 utterances, Kokoro's 25."""

    espeak: int
    pico: int
    festival: int
    kokoro: int
    width: int
    courses: tuple[Course, ...]
    rhvoice: int = 0
    flite: int = 0
    svox: int = 0
    # The number of each engine's first shard: others say other sentences.
    begin: int = 0
    # Of the networks of a finished model, the one that goes on learning; 1 is the last where there are two.
    goes_on: int = 1
    # Whether that one is replaced by one that learns from a flat start, instead of going on.
    anew: bool = False
    # Sizes whose shards are heard as well.
    also: tuple["Size", ...] = ()
    # In which order they are heard before they are shuffled.
    order: tuple[str, ...] = ENGINES
    # In these courses, instead, that one is taught by all of them as they were.
    taught: tuple[Course, ...] = ()
    # So far the network is moved from what it was to what it has become: less hears others than those it heard last.
    towards: float = 1.0
    # Where people of a folder are heard, one copy each; none: they are not. What is synthetic is heard in `places` then.
    people: tuple[sounds.Place, ...] = ()
    places: tuple[sounds.Place, ...] = ()

    def shards(self) -> list[tuple[str, int]]:
        """The engine and the number of each, in the order in which they are heard before they are shuffled."""
        own = [
            (engine, self.begin + number)
            for engine in self.order
            for number in range(getattr(self, engine))
        ]
        return own + [shard for size in self.also for shard in size.shards()]


def courses(first: int, second: int) -> tuple[Course, ...]:
    """So many epochs with gaps, and so many among other people, without: what is drowned must not be guessed."""
    gaps = Course(first, 2e-3, Hearing(time_gaps=2, among_others=0.0))
    others = Course(second, 1.2e-3, Hearing(time_gaps=0, among_others=0.4))
    return gaps, others


# How often what an engine says is heard anywhere, and in a loud place: those with natural voices more often.
COPIES = dict.fromkeys(["espeak", "pico"], (1, 0)) | {"kokoro": (2, 1), "people": (6, 3)}
COPIES |= dict.fromkeys(["festival", "rhvoice", "flite", "svox"], (1, 1))

# Where people who choose are heard.
JUDGED = ((0, sounds.TIGHT),)

# One from a flat start in the place of the first network, among all voices, with all ways to announce a move.
ANEW = Size(
    espeak=28,
    pico=14,
    festival=28,
    rhvoice=32,
    flite=6,
    svox=20,
    kokoro=64,
    width=448,
    courses=(
        Course(8, 2e-3, Hearing(time_gaps=1, among_others=0.2, hiss=0.1)),
        Course(10, 1.2e-3, Hearing(time_gaps=0, among_others=0.4, hiss=0.2, dark=0.1)),
    ),
    begin=4000,
    goes_on=0,
    anew=True,
)
# Others of the same voices.
MORE_OF_ALL = Size(
    espeak=8, pico=4, festival=12, rhvoice=28, flite=5, svox=24, kokoro=24, width=448, courses=(), begin=4100
)

SIZES = {
    # Four hours on two cores.
    "first": Size(espeak=60, pico=60, festival=40, kokoro=150, width=448, courses=courses(9, 10)),
    # An hour.
    "short": Size(espeak=30, pico=24, festival=16, rhvoice=16, flite=6, kokoro=40, width=320, courses=courses(4, 3)),
    # An hour, for a finished model to go on with: other voices and some of the same, in more noise.
    "more": Size(
        espeak=24,
        pico=20,
        festival=40,
        rhvoice=40,
        flite=6,
        kokoro=48,
        width=448,
        courses=(Course(6, 1e-3, Hearing(time_gaps=0, among_others=0.5, hiss=0.3)),),
    ),
    # An hour: the same voices in the shares of the first courses, in less noise.
    "last": Size(
        espeak=40,
        pico=24,
        festival=40,
        rhvoice=40,
        flite=6,
        kokoro=70,
        width=448,
        courses=(Course(5, 8e-4, Hearing(time_gaps=0, among_others=0.4, hiss=0.2)),),
    ),
    # Two hours: the first network hears the voices that it never did, and others, in sentences of their own.
    "beside": Size(
        espeak=20,
        pico=6,
        festival=32,
        rhvoice=40,
        flite=6,
        svox=32,
        kokoro=48,
        width=448,
        courses=(Course(5, 1e-3, Hearing(time_gaps=0, among_others=0.4, hiss=0.1)),),
        begin=2000,
        goes_on=0,
    ),
    # An hour: the second network among voices that it hardly knows, often darkened, in noise; both teach it what they hear without.
    "taught": Size(
        espeak=8,
        pico=4,
        festival=16,
        rhvoice=24,
        flite=4,
        svox=20,
        kokoro=20,
        width=448,
        courses=(),
        begin=2000,
        order=("rhvoice", "svox", "festival", "espeak", "pico", "flite", "kokoro"),
        taught=(Course(4, 6e-4, Hearing(time_gaps=0, among_others=0.5, hiss=0.3, dark=0.3), taught=0.3),),
        towards=0.5,
    ),
    # Two hours.
    "anew": ANEW,
    # An hour and a half: the network of "anew" goes on, with what it has heard and as much again.
    "further": Size(
        espeak=24,
        pico=8,
        festival=12,
        kokoro=48,
        width=448,
        courses=(Course(7, 1e-3, Hearing(time_gaps=0, among_others=0.5, hiss=0.25, dark=0.15)),),
        begin=4200,
        goes_on=0,
        also=(ANEW, MORE_OF_ALL),
    ),
    # An hour: people, and voices that are quick to make; people who are not trained on choose the round.
    "people": Size(
        espeak=14,
        pico=10,
        festival=13,
        kokoro=0,
        width=448,
        courses=(Course(2, 5e-4, Hearing(time_gaps=1, among_others=0.3, hiss=0.15, dark=0.1)),),
        begin=6000,
        towards=0.25,
        people=(sounds.TIGHT, sounds.ANYWHERE),
        places=(sounds.ANYWHERE,),
    ),
    # Minutes: shows that it works.
    "smoke": Size(espeak=5, pico=1, festival=1, kokoro=1, width=128, courses=courses(30, 5)),
}


@dataclass(frozen=True)
class Made:
    """A finished model and what it was made of."""

    model: Path
    size: Size
    said_hours: float
    heard_hours: float
    speakers: int


def make(
    size: Size,
    threads: int,
    start: Path | None = None,
    enrolled: Sequence[Path] = (),
    folder: Path | None = None,
    keep: Path | None = None,
) -> Made:
    """All steps; those that are done already are not done again.

    `start` is a finished model to go on with, `enrolled` are folders of recordings that `annabella enrol` kept,
    `folder` is one of many people, with a manifest. `keep` is a finished model whose networks take the place of all
    others of `start` but the one that goes on.
    """
    # First: they may be refused.
    if size.taught and start is None:
        raise Refused("only a finished model can be taught: name one with --from")
    if size.anew and start is None:
        raise Refused("a network is made anew only for a finished model: name one with --from")
    if start is not None:
        finished.check(start, size.width)
    if size.people and (folder is None or start is None):
        raise Refused("people's recordings are missing: name their folder with --people, and a model with --from")
    spoken = [recordings.shard(one) for one in enrolled]
    many = people.shards(folder) if size.people else []
    chosen_by = [features.shard(one, copy, place) for one in people.shards(folder, "validation") for copy, place in JUDGED] if size.people else []
    wanted = size.shards()
    print(f"{len(wanted)} shards of speech", flush=True)
    said = _all(synthesis.shard, [(engine, number, 1) for engine, number in wanted], threads)
    said += spoken
    engines = [engine for engine, _ in wanted] + ["people"] * len(enrolled)
    surroundings = []
    for engine, one in zip(engines, said):
        anywhere, loud = COPIES[engine]
        places = size.places or [sounds.ANYWHERE] * anywhere + [sounds.LOUD] * loud
        surroundings += [(one, copy, place) for copy, place in enumerate(places)]
    surroundings += [(one, copy, place) for one in many for copy, place in enumerate(size.people)]
    said += many
    heard = _all(features.shard, surroundings, threads)
    begun = [] if start is None else finished.weights(start, heard)
    chosen = begun[min(size.goes_on, len(begun) - 1)] if begun else None
    planned, teachers = (size.taught, begun) if size.taught else (size.courses, [])
    plan = learning.Plan(size.width, planned, threads)
    trained = learning.train(heard, plan, None if size.anew else chosen, teachers, chosen_by)
    became = finished.between(chosen, trained, size.towards, heard) if size.towards < 1 else trained
    kept = finished.beside(keep) if keep is not None else [] if start is None else finished.kept_of(start)
    networks = [became] if kept else beside(begun, chosen, became)
    files = [folder / "weights.pt" for folder in networks]
    key = [export.REVISION, [store.name(file) for file in files], export.MODEL_CONF]
    if kept:
        key.append(store.file_digest((keep or start) / "am" / "final.mdl"))
    model = store.made("model", key, lambda folder: export.write(files, folder, kept))
    utterances = [one for folder in said for one in synthesis.load(folder)]
    return Made(
        model,
        size,
        sum(len(one.samples) for one in utterances) / 16_000 / 3600,
        float((trained / "hours.txt").read_text()),
        len({one.speaker for one in utterances}),
    )


def beside(begun: list[Path], chosen: Path | None, trained: Path) -> list[Path]:
    """The networks of a model: those that it was begun with, and what took the place of one of them.

    Where there was one, it stays as it is beside what it has become: together they hear better.
    """
    if len(begun) < 2:
        return [*begun, trained]
    return [trained if one == chosen else one for one in begun]


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


def described(made: Made, begun: dict | None = None, folder: Path | None = None) -> dict:
    """What a model was made of, to be kept beside it; `begun` is the same of one that was gone on with, `folder`
    that of the people that it heard."""
    heard = {} if folder is None or not made.size.people else {"manifest": people.digest(folder)}
    return ({} if begun is None else {"begun": begun}) | heard | {
        "size": asdict(made.size),
        "said_hours": round(made.said_hours, 1),
        "heard_hours": made.heard_hours,
        "speakers": made.speakers,
        "words": len(lexicon.read().words),
        "seed": learning.SEED,
    }
