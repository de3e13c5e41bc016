"""Writes the network as Kaldi's nnet3, and all else that libvosk wants in a model's folder.

The graph is not made here: its phones never change with training, so that of voices/model is taken,
and `annabella words build` brings it up to the language pack.
"""

import dataclasses
import math
import shutil
import struct
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from . import features, lexicon
from .network import BYPASS, CONTEXT, OFFSETS, SPLICE, STRIDE, Network

REVISION = 3
# So many frames of 10 ms are calculated at once. With libvosk's 20 each matrix is read anew for every few columns, and the same
# words take twice the time; many more take hardly less, and make opening slower.
AT_ONCE = 120
# Of a weight of 16 bits.
STEPS = 65535
# Of those calculated at once in a component of several steps, as Kaldi has it when nobody says: more than there ever are.
MAX_ROWS = 2048
MODEL_CONF = f"""--min-active=200
--max-active=3000
--beam=14.0
--lattice-beam=6.0
--acoustic-scale=1.0
--frame-subsampling-factor={STRIDE}
--frames-per-chunk={AT_ONCE}
--endpoint.silence-phones=1
--endpoint.rule2.min-trailing-silence=0.8
--endpoint.rule3.min-trailing-silence=1.0
--endpoint.rule4.min-trailing-silence=2.0
"""


class _Kaldi:
    """Kaldi's binary form: numbers with their size before them, tokens with a space after them."""

    def __init__(self) -> None:
        self.out = bytearray(b"\0B")

    def token(self, *names: str) -> None:
        for name in names:
            self.out += name.encode() + b" "

    def int(self, *values: int) -> None:
        for value in values:
            self.out += b"\x04" + struct.pack("<i", value)

    def float(self, value: float) -> None:
        self.out += b"\x04" + struct.pack("<f", value)

    def double(self, value: float) -> None:
        self.out += b"\x08" + struct.pack("<d", value)

    def ints(self, values: list[int]) -> None:
        self.int(len(values))
        self.out += np.array(values, "<i4").tobytes()

    def vector(self, values: np.ndarray | list[float]) -> None:
        self.token("FV")
        self.int(len(values))
        self.out += np.asarray(values, "<f4").tobytes()

    def matrix(self, values: np.ndarray) -> None:
        """Numbers of 16 bits between the least and the greatest: Kaldi's CompressedMatrix, kTwoByte."""
        least = np.float32(values.min())
        # Never 0: Kaldi divides by it.
        span = max(np.float32(values.max()) - least, np.float32(1e-6))
        self.token("CM2")
        self.out += struct.pack("<ffii", least, span, *values.shape)
        self.out += np.round((values - least) * (STEPS / span)).clip(0, STEPS).astype("<u2").tobytes()


def positioned_phones() -> list[tuple[str, str, str]]:
    """Name, phone and kind (as in word_boundary.int) of all phones in their places, numbered from 1."""
    phones = [(lexicon.SILENCE, lexicon.SILENCE, "nonword")]
    for phone in lexicon.PHONES[1:]:
        phones += [(f"{phone}_{place}", phone, kind) for place, kind in lexicon.PLACES]
    return phones


# A network that stays as it is: its lines, its components as they are written, and its output.
Kept = tuple[list[str], dict[str, bytes], str]


def write(weights: Sequence[Path], folder: Path, kept: Sequence[Kept] = ()) -> None:
    """The model's folder: acoustic model, configuration, and the graph of voices/model.

    `weights` are files of one network each; the model says what they and those that are kept say on an average.
    """
    for part in ("am", "conf"):
        (folder / part).mkdir(parents=True)
    (folder / "am" / "final.mdl").write_bytes(acoustic_model([network_of(file) for file in weights], kept))
    (folder / "conf" / "mfcc.conf").write_text(features.MFCC_CONF)
    (folder / "conf" / "model.conf").write_text(MODEL_CONF)
    graph = lexicon.VOICES / "model" / "graph"
    expected = "<eps> 0\n" + "".join(
        f"{name} {n}\n" for n, (name, _, _) in enumerate(positioned_phones(), 1)
    )
    if (graph / "phones.txt").read_text() != expected:
        raise ValueError("voices/model/graph/phones.txt has other phones than training/lexicon.py")
    shutil.copytree(graph, folder / "graph")


def network_of(weights: Path) -> Network:
    """As training left it, to be used and not to learn."""
    state = torch.load(weights, weights_only=True)
    network = Network(len(state["first.weight"]))
    network.load_state_dict(state)
    return network.eval()


def acoustic_model(networks: Sequence[Network], kept: Sequence[Kept] = ()) -> bytes:
    """Kaldi's final.mdl: transitions, and the networks side by side, their outputs averaged."""
    out = _Kaldi()
    _transitions(out)
    _networks(out, networks, kept)
    return bytes(out.out)


def _transitions(out: _Kaldi) -> None:
    """One state a phone, its first frame with another output than those after it."""
    phones = positioned_phones()
    out.token("<TransitionModel>", "<Topology>")
    out.ints(list(range(1, len(phones) + 1)))
    out.ints([-1] + [0] * len(phones))
    # Not a plain HMM (-1); one topology of two states: class 0 forward, class 1 in the loop; the last is the end.
    out.int(-1, 1, 2)
    out.int(0, 1, 2, 0)
    out.float(0.5)
    out.int(1)
    out.float(0.5)
    out.int(-1, -1, 0)
    out.token("</Topology>", "<Tuples>")
    out.int(len(phones))
    for n, (_, phone, _) in enumerate(phones, 1):
        out.int(n, 0, *lexicon.outputs(phone))
    out.token("</Tuples>", "<LogProbs>")
    out.vector([0.0] + [math.log(0.5)] * (2 * len(phones)))
    out.token("</LogProbs>", "</TransitionModel>")


def _folded(layer: torch.nn.Linear, norm: torch.nn.BatchNorm1d) -> tuple[np.ndarray, np.ndarray]:
    """A layer and the normalisation after it as one affine map."""
    gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
    shift = norm.bias.detach().numpy() - norm.running_mean.numpy() * gain
    return layer.weight.detach().numpy() * gain[:, None], shift


# What a component does, one after the other: an affine map, or what has no weights, and how wide it is.
Affine = tuple[np.ndarray, np.ndarray]
_Step = Affine | Literal["relu", "sum"]


@dataclasses.dataclass
class _Component:
    name: str
    width: int
    steps: list[_Step]


def _networks(out: _Kaldi, networks: Sequence[Network], kept: Sequence[Kept]) -> None:
    components: list[_Component] = []
    lines = [f"input-node name=input dim={features.DIMENSIONS}"]
    ends = [_network(network, f"net{n}", components, lines) for n, network in enumerate(networks, 1)]
    for nodes, _, end in kept:
        lines += nodes
        ends.append(end)
    shares = [f"Scale({1 / len(ends)}, {end})" for end in ends]
    said = reduce(lambda sum_, share: f"Sum({sum_}, {share})", shares)
    lines.append(f"output-node name=output input={said} objective=linear")
    out.out += b"<Nnet3> \n" + "\n".join(lines).encode() + b"\n\n"
    out.token("<NumComponents>")
    out.int(len(components) + sum(len(own) for _, own, _ in kept))
    for component in components:
        _component(out, component)
    for _, own, _ in kept:
        for name, body in own.items():
            out.token("<ComponentName>", name)
            out.out += body
    out.token("</Nnet3>", "<LeftContext>")
    out.int(CONTEXT)
    out.token("<RightContext>")
    out.int(CONTEXT)
    out.token("<Priors>")
    out.vector([])


def _network(network: Network, prefix: str, components: list[_Component], lines: list[str]) -> str:
    """Adds one network's layers, and how they are joined; the name of its output."""

    def node(name: str, seen: str, *steps: _Step) -> str:
        name = f"{prefix}.{name}"
        components.append(_Component(name, network.width, list(steps)))
        lines.append(f"component-node name={name} component={name} input={seen}")
        return name

    weights, bias = _folded(network.first, network.norms[0])
    # The normalisation of the input is folded into the first layer too.
    frames = 2 * SPLICE + 1
    weights = weights * np.tile(network.scale.numpy(), frames)[None]
    bias = bias - weights @ np.tile(network.mean.numpy(), frames)
    offsets = range(-SPLICE, SPLICE + 1)
    seen = ", ".join("input" if n == 0 else f"Offset(input, {n})" for n in offsets)
    before = node("tdnn1", f"Append({seen})", (weights, bias), "relu")
    for n, offset in enumerate(OFFSETS, 2):
        narrow = network.narrow[n - 2].weight.detach().numpy()
        seen = f"Append(Offset({before}, -{offset}), {before}, Offset({before}, {offset}))"
        wide = _folded(network.layers[n - 2], network.norms[n - 1])
        made = node(f"tdnn{n}", seen, (narrow, np.zeros(len(narrow))), wide, "relu")
        before = node(f"tdnn{n}.sum", f"Sum({made}, Scale({BYPASS}, {before}))", "sum")
    return node("output", before, (network.last.weight.detach().numpy(), network.last.bias.detach().numpy()))


def _component(out: _Kaldi, component: _Component) -> None:
    """Several steps are one component to Kaldi: it works out when each is due as it opens the model, and fewer take less time."""
    out.token("<ComponentName>", component.name)
    if len(component.steps) > 1:
        out.token("<CompositeComponent>", "<MaxRowsProcess>")
        out.int(MAX_ROWS)
        out.token("<NumComponents>")
        out.int(len(component.steps))
    for step in component.steps:
        _step(out, step, component.width)
    if len(component.steps) > 1:
        out.token("</CompositeComponent>")


def _step(out: _Kaldi, step: _Step, width: int) -> None:
    if step == "sum":
        # It hands on what it gets: only a component can be read by two layers.
        out.token("<NoOpComponent>", "<Dim>")
        out.int(width)
        out.token("<BackpropScale>")
        out.float(1.0)
        out.token("</NoOpComponent>")
    elif step == "relu":
        out.token("<RectifiedLinearComponent>", "<Dim>")
        out.int(width)
        _statistics(out)
        out.token("</RectifiedLinearComponent>")
    else:
        weights, bias = step
        out.token("<FixedAffineComponent>", "<LinearParams>")
        out.matrix(weights)
        out.token("<BiasParams>")
        out.vector(bias)
        out.token("</FixedAffineComponent>")


def _statistics(out: _Kaldi) -> None:
    """Those of a nonlinearity that was never watched."""
    for name in ("<ValueAvg>", "<DerivAvg>"):
        out.token(name)
        out.vector([])
    for name in ("<Count>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
        out.token(name)
        out.double(0.0)
