"""Trains the network; stops and goes on at will."""

import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import torch

from . import features, graphs, lexicon, mmi, store
from .features import Example
from .network import CONTEXT, STRIDE, Network
from .perturbation import Hearing, perturbed

REVISION = 4
SEED = 1
# Padded frames of 10 ms in a batch.
BATCH_FRAMES = 8000
WARM_UP_STEPS = 200
# How slowly the averaged weights, which are the result, follow.
AVERAGE_DECAY = 0.997
HELD_BACK = 150


def _has_bfloat16() -> bool:
    """Whether the processor multiplies them by itself, and not by a detour."""
    flags = Path("/proc/cpuinfo").read_text().split()
    return "avx512_bf16" in flags or "amx_bf16" in flags


@dataclass(frozen=True)
class Course:
    """A stretch of training, in which the rate rises and falls once."""

    epochs: int
    top_rate: float
    hearing: Hearing
    # How much it counts, beside what was said, what others who hear it undisturbed make of each moment.
    taught: float = 0.0


@dataclass(frozen=True)
class Plan:
    """How much is trained."""

    width: int
    # One after the other: each begins with the weights that the one before it ended with.
    courses: tuple[Course, ...]
    threads: int = 2
    # Whether matrices are multiplied with 16 bits; other processors and graphics cards do without.
    halved: bool = field(default_factory=_has_bfloat16)


def train(
    examples: list[Path],
    plan: Plan,
    start: Path | None = None,
    teachers: Sequence[Path] = (),
    validation: Sequence[Path] = (),
) -> Path:
    """The folder of trained weights; `start` is another such folder, to go on with, `teachers` are those of others.

    With examples for `validation` the weights are those of the round that heard these best.
    """
    heard = [path.parent.name for path in examples]
    weights, epochs = start, 0
    for course in plan.courses:
        before = None if weights is None else store.name(weights)
        key = [REVISION, SEED, plan.width, plan.threads, plan.halved, asdict(course), before, epochs, heard]
        key += [store.name(teacher) for teacher in teachers]
        key += [path.parent.name for path in validation]
        # Bound now: the next course has others.
        make = partial(_train, examples, plan, course, weights, epochs, store.digest(key), list(teachers), list(validation))
        weights = store.made("weights", key, make)
        epochs += course.epochs
    return weights


def _train(
    paths: list[Path],
    plan: Plan,
    course: Course,
    start: Path | None,
    before: int,
    key: str,
    teachers: list[Path],
    validation: list[Path],
    folder: Path,
) -> None:
    """One course, from the weights in `start`, after so many epochs `before` it."""
    torch.set_num_threads(plan.threads)
    torch.manual_seed(SEED)
    examples = [one for path in paths for one in features.load(path) if len(one.cepstra) > 20]
    random.Random(SEED).shuffle(examples)
    held_back, examples = examples[:HELD_BACK], examples[HELD_BACK:]
    if validation:
        held_back = [one for path in validation for one in features.load(path) if len(one.cepstra) > 20]
    hours = sum(len(one.cepstra) for one in examples) / 360_000
    learner = _Learner(plan, course, examples, start, teachers)
    count = sum(weights.numel() for weights in learner.network.parameters())
    print(
        f"training {count:,} weights on {len(examples)} recordings, {hours:.1f} h, {learner.device}",
        flush=True,
    )
    # Left by a run that was broken off.
    resume = folder.parent / f"weights-{key}.pt"
    first = learner.go_on(resume) if resume.exists() else 0
    for epoch in range(first, course.epochs):
        learner.learn(epoch, before + epoch)
        quality = _held_back(plan, learner.average, held_back, learner.device)
        print(f"epoch {before + epoch + 1}: held back {quality:.4f}", flush=True)
        learner.judge(quality, bool(validation))
        learner.keep(resume, epoch + 1)
    torch.save({name: value.cpu() for name, value in learner.best.items()}, folder / "weights.pt")
    (folder / "hours.txt").write_text(f"{hours:.1f}\n")
    resume.unlink(missing_ok=True)


class _Learner:
    """The network while it learns, and the average of its weights, which is the result."""

    def __init__(
        self, plan: Plan, course: Course, examples: list[Example], start: Path | None, teachers: list[Path]
    ):
        self.course, self.examples = course, examples
        self.talking = [one for one in examples if not one.silent]
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        halved = plan.halved and self.device.type == "cpu"
        self.network = _network(plan.width, start, self.device, halved)
        if start is None:
            normalise(self.network, examples)
        self.teachers = [_network(plan.width, folder, self.device, halved).eval() for folder in teachers]
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.best, self.least = self.average, float("inf")
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=course.top_rate, weight_decay=0.01)
        self.steps = len(_batches(examples, random.Random(0)))
        self.began = time.monotonic()

    def learn(self, epoch: int, of_all: int) -> None:
        """All recordings once: the course's epoch, counted from 0, and the same among those of all courses."""
        rng = random.Random(f"{SEED} {of_all}")
        torch.manual_seed(SEED + of_all)
        self.network.train()
        losses = []
        for n, batch in enumerate(_batches(self.examples, rng)):
            step = epoch * self.steps + n
            done = (epoch + n / self.steps) / self.course.epochs
            _set_rate(self.optimizer, self.course.top_rate, step, done)
            losses.append(self._step([self.examples[k] for k in batch], rng))
            self._follow(min(AVERAGE_DECAY, (step + 1) / (step + 10)))
            if n % 100 == 99:
                print(
                    f"epoch {of_all + 1}, step {n + 1} of {self.steps}: {np.mean(losses[-100:]):.4f}, "
                    f"{time.monotonic() - self.began:.0f} s",
                    flush=True,
                )

    def _step(self, examples: list[Example], rng: random.Random) -> float:
        batch = [_heard(one, rng, self.course.hearing, self.talking) for one in examples]
        loss = _loss(self.network, batch, self.device, self.teachers, self.course.taught)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def _follow(self, decay: float) -> None:
        for name, value in self.network.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)

    def judge(self, quality: float, choose: bool) -> None:
        """The result is the average as it is now, if it need not be chosen or is the best so far."""
        if not choose or quality < self.least:
            self.best, self.least = {name: value.clone() for name, value in self.average.items()}, quality

    def keep(self, file: Path, epochs: int) -> None:
        """All that is needed to go on after so many epochs of the course."""
        unfinished = file.with_suffix(".new")
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        state |= {"average": self.average, "best": self.best, "least": self.least}
        torch.save({**state, "epoch": epochs}, unfinished)
        unfinished.rename(file)

    def go_on(self, file: Path) -> int:
        """As it was kept; after how many epochs."""
        state = torch.load(file, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.best, self.least = state["average"], state["best"], state["least"]
        print(f"going on after {state['epoch']} epochs", flush=True)
        return state["epoch"]


def _network(width: int, folder: Path | None, device: torch.device, halved: bool = False) -> Network:
    """One with the weights in this folder, or with those that it begins with."""
    network = Network(width, halved=halved)
    if folder is not None:
        network.load_state_dict(torch.load(folder / "weights.pt", weights_only=True))
    return network.to(device)


def _set_rate(optimizer: torch.optim.Optimizer, top: float, step: int, done: float) -> None:
    """Up at once, level for a third, down to a fiftieth."""
    rate = top * min(1.0, (step + 1) / WARM_UP_STEPS)
    if done > 0.3:
        rate *= max(0.02, 1 - (done - 0.3) / 0.7)
    for group in optimizer.param_groups:
        group["lr"] = rate


def normalise(network: Network, examples: list[Example]) -> None:
    """Cepstra are to be about 1 on an average."""
    some = np.concatenate([one.cepstra[::7].astype(np.float32) for one in examples[:4000]])
    network.mean.copy_(torch.from_numpy(some.mean(0)))
    network.scale.copy_(torch.from_numpy(1 / some.std(0)))


def _batches(examples: list[Example], rng: random.Random) -> list[list[int]]:
    """Recordings of like length together, in any order."""
    order = sorted(range(len(examples)), key=lambda n: len(examples[n].cepstra) + rng.random() * 20)
    batches: list[list[int]] = [[]]
    for n in order:
        if len(examples[n].cepstra) * (len(batches[-1]) + 1) > BATCH_FRAMES and batches[-1]:
            batches.append([])
        batches[-1].append(n)
    rng.shuffle(batches)
    return batches


# A recording, its cepstra as they are heard now, whether foreign words in it are told by their sounds, and its cepstra
# undisturbed.
_Heard = tuple[Example, np.ndarray, bool, np.ndarray]


def _heard(one: Example, rng: random.Random, hearing: Hearing, others: list[Example]) -> _Heard:
    """Begun somewhere in its first 30 ms, and sounding a little different."""
    row = one.cepstra.astype(np.float32)
    row, undisturbed = perturbed(row[rng.randint(0, STRIDE - 1) :], rng, hearing, others)
    return one, row, rng.random() < 0.5 or one.by_sound, undisturbed


def _as_it_is(one: Example) -> _Heard:
    row = one.cepstra.astype(np.float32)
    return one, row, one.by_sound, row


def _loss(
    network: Network,
    batch: list[_Heard],
    device: torch.device,
    teachers: Sequence[Network] = (),
    taught: float = 0.0,
) -> torch.Tensor:
    rows, frames, said, sayable = [], [], [], []
    for one, row, by_sound, _ in batch:
        rows.append(row)
        frames.append((len(row) + STRIDE - 1) // STRIDE)
        foreign = lexicon.UNKNOWN in one.words
        by_sound = by_sound and foreign and None not in _sounds_of_foreign(one)
        said.append(
            graphs.nothing_said() if one.silent else graphs.said(one.words, one.foreign, by_sound)
        )
        sayable.append(graphs.sayable(garbage=not by_sound, phones=by_sound or not foreign))
    y = network(padded(rows, max(frames)).to(device))
    loss = mmi.loss(y, frames, said, sayable)
    if teachers and taught:
        undisturbed = padded([row for *_, row in batch], max(frames)).to(device)
        loss = loss + taught * _unlike(y, frames, teachers, undisturbed)
    return loss + 0.0005 * y.square().mean()


def _unlike(
    y: torch.Tensor, frames: list[int], teachers: Sequence[Network], undisturbed: torch.Tensor
) -> torch.Tensor:
    """How far what it says is from what its teachers say on an average, by frame: the divergence of Kullback and Leibler."""
    with torch.no_grad():
        told = sum(teacher(undisturbed) for teacher in teachers) / len(teachers)
    lasts = torch.arange(y.shape[1], device=y.device)[None] < torch.tensor(frames, device=y.device)[:, None]
    likely = torch.log_softmax(told[lasts], -1)
    return (likely.exp() * (likely - torch.log_softmax(y[lasts], -1))).sum(-1).mean()


def padded(rows: list[np.ndarray], steps: int) -> torch.Tensor:
    """What the network gets to say something at so many steps: `[rows, 3·(steps-1) + 1 + 2·CONTEXT, 40]`."""
    length = STRIDE * (steps - 1) + 1
    return torch.from_numpy(
        np.stack(
            [
                np.pad(row, ((CONTEXT, length + CONTEXT), (0, 0)), mode="edge")[: length + 2 * CONTEXT]
                for row in rows
            ]
        )
    )


def _sounds_of_foreign(one: Example) -> list[tuple[str, ...] | None]:
    return [sounds for word, sounds in zip(one.words, one.foreign) if word == lexicon.UNKNOWN]


def _held_back(
    plan: Plan, average: dict[str, torch.Tensor], examples: list[Example], device: torch.device
) -> float:
    """The loss of the averaged weights on recordings that are not trained on."""
    network = Network(plan.width).to(device)
    network.load_state_dict(average)
    network.eval()
    with torch.no_grad():
        losses = [
            _loss(network, [_as_it_is(examples[n]) for n in batch], device).item()
            for batch in _batches(examples, random.Random(0))
        ]
    return float(np.mean(losses))
