"""Writes the network as Kaldi's nnet3, and all else that libvosk wants in a model's folder.

The graph is not made here: its phones never change with training, so that of voices/model is taken,
and `annabella words build` brings it up to the language pack.
"""

import math
import shutil
import struct
from pathlib import Path

import numpy as np
import torch

from . import features, lexicon
from .network import BYPASS, CONTEXT, OFFSETS, SPLICE, Network

MODEL_CONF = """--min-active=200
--max-active=3000
--beam=14.0
--lattice-beam=6.0
--acoustic-scale=1.0
--frame-subsampling-factor=3
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
        self.token("FM")
        self.int(*values.shape)
        self.out += np.ascontiguousarray(values, "<f4").tobytes()


def positioned_phones() -> list[tuple[str, str, str]]:
    """Name, phone and kind (as in word_boundary.int) of all phones in their places, numbered from 1."""
    phones = [(lexicon.SILENCE, lexicon.SILENCE, "nonword")]
    for phone in lexicon.PHONES[1:]:
        phones += [(f"{phone}_{place}", phone, kind) for place, kind in lexicon.PLACES]
    return phones


def write(weights: Path, folder: Path) -> None:
    """The model's folder: acoustic model, configuration, and the graph of voices/model."""
    state = torch.load(weights, weights_only=True)
    network = Network(len(state["first.weight"]))
    network.load_state_dict(state)
    network.eval()
    for part in ("am", "conf"):
        (folder / part).mkdir(parents=True)
    (folder / "am" / "final.mdl").write_bytes(_acoustic_model(network))
    (folder / "conf" / "mfcc.conf").write_text(features.MFCC_CONF)
    (folder / "conf" / "model.conf").write_text(MODEL_CONF)
    graph = lexicon.VOICES / "model" / "graph"
    expected = "<eps> 0\n" + "".join(
        f"{name} {n}\n" for n, (name, _, _) in enumerate(positioned_phones(), 1)
    )
    if (graph / "phones.txt").read_text() != expected:
        raise ValueError("voices/model/graph/phones.txt has other phones than training/lexicon.py")
    shutil.copytree(graph, folder / "graph")


def _acoustic_model(network: Network) -> bytes:
    out = _Kaldi()
    _transitions(out)
    _network(out, network)
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


def _network(out: _Kaldi, network: Network) -> None:
    components: list[tuple[str, np.ndarray | int, np.ndarray | None]] = []
    lines = [f"input-node name=input dim={features.DIMENSIONS}"]

    def node(name: str, seen: str) -> None:
        lines.append(f"component-node name={name} component={name} input={seen}")

    def affine(name: str, weights: np.ndarray, bias: np.ndarray, seen: str) -> None:
        components.append((f"{name}.affine", weights, bias))
        node(f"{name}.affine", seen)

    def relu(name: str) -> None:
        components.append((f"{name}.relu", network.width, None))
        node(f"{name}.relu", f"{name}.affine")

    weights, bias = _folded(network.first, network.norms[0])
    # The normalisation of the input is folded into the first layer too.
    frames = 2 * SPLICE + 1
    weights = weights * np.tile(network.scale.numpy(), frames)[None]
    bias = bias - weights @ np.tile(network.mean.numpy(), frames)
    offsets = range(-SPLICE, SPLICE + 1)
    seen = ", ".join("input" if n == 0 else f"Offset(input, {n})" for n in offsets)
    affine("tdnn1", weights, bias, f"Append({seen})")
    relu("tdnn1")
    before = "tdnn1.relu"
    for n, offset in enumerate(OFFSETS, 2):
        weights, bias = _folded(network.layers[n - 2], network.norms[n - 1])
        name = f"tdnn{n}"
        narrow = network.narrow[n - 2].weight.detach().numpy()
        components.append((f"{name}.narrow", narrow, np.zeros(len(narrow))))
        node(f"{name}.narrow", f"Append(Offset({before}, -{offset}), {before}, Offset({before}, {offset}))")
        affine(name, weights, bias, f"{name}.narrow")
        relu(name)
        components.append((f"{name}.sum", network.width, None))
        node(f"{name}.sum", f"Sum({name}.relu, Scale({BYPASS}, {before}))")
        before = f"{name}.sum"
    affine("output", network.last.weight.detach().numpy(), network.last.bias.detach().numpy(), before)
    lines.append("output-node name=output input=output.affine objective=linear")

    out.out += b"<Nnet3> \n" + "\n".join(lines).encode() + b"\n\n"
    out.token("<NumComponents>")
    out.int(len(components))
    for name, weights, bias in components:
        out.token("<ComponentName>", name)
        if bias is not None:
            out.token("<FixedAffineComponent>", "<LinearParams>")
            out.matrix(weights)
            out.token("<BiasParams>")
            out.vector(bias)
            out.token("</FixedAffineComponent>")
        elif name.endswith(".sum"):
            # It hands on what it gets: only a component can be read by two layers.
            out.token("<NoOpComponent>", "<Dim>")
            out.int(weights)
            out.token("<BackpropScale>")
            out.float(1.0)
            out.token("</NoOpComponent>")
        else:
            out.token("<RectifiedLinearComponent>", "<Dim>")
            out.int(weights)
            _statistics(out)
            out.token("</RectifiedLinearComponent>")
    out.token("</Nnet3>", "<LeftContext>")
    out.int(CONTEXT)
    out.token("<RightContext>")
    out.int(CONTEXT)
    out.token("<Priors>")
    out.vector([])


def _statistics(out: _Kaldi) -> None:
    """Those of a nonlinearity that was never watched."""
    for name in ("<ValueAvg>", "<DerivAvg>"):
        out.token(name)
        out.vector([])
    for name in ("<Count>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
        out.token(name)
        out.double(0.0)
