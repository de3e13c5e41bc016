"""A finished model's networks, read back from what `export.py` wrote: to go on with.

What is folded there cannot be unfolded without recordings: how much each unit varies is measured on
some of those that are to be heard. What the network says does not change by it.
"""

import struct
from pathlib import Path

import numpy as np
import torch

from . import export, features, learning, store
from .export import Affine
from .features import Example
from .inputs import Refused
from .network import OFFSETS, SPLICE, STRIDE, Network

REVISION = 2
# So many recordings, out of about so many files, tell how much the units vary.
SOME, FILES = 300, 12


def check(model: Path, width: int) -> None:
    """`Refused` where a model cannot be gone on with in a network of this width."""
    mdl = _mdl(model)
    try:
        data = mdl.read_bytes()
    except OSError as error:
        raise Refused(f"{mdl}: cannot be read ({error.strerror}); name the folder of a finished model") from error
    found = _width(_layers(data, str(mdl))[-1])
    if found != width:
        raise Refused(f"{mdl}: {found} wide, and {width} are to be trained: take the size that made it")


def weights(model: Path, heard: list[Path]) -> list[Path]:
    """A folder for each network of a model, which training can go on with, on these files of examples."""
    mdl = _mdl(model)

    def read(folder: Path) -> None:
        for n, net in enumerate(networks(mdl.read_bytes(), _some(heard), str(mdl))):
            (folder / f"{n}").mkdir()
            torch.save(net.state_dict(), folder / f"{n}" / "weights.pt")

    key = [REVISION, store.file_digest(mdl), [path.parent.name for path in heard]]
    return sorted(store.made("finished", key, read).iterdir())


def halfway(one: Path, other: Path, heard: list[Path]) -> Path:
    """A folder of the mean of two networks' weights, of which one has become the other by training.

    What is folded is what is averaged: what a normalisation undoes may have drifted without being heard. That
    halfway hears better than either is known of networks that go on from the same weights: Wortsman et al., "Model
    soups", 2022.
    """

    def write(folder: Path) -> None:
        files = [one / "weights.pt", other / "weights.pt"]
        [first], [second] = (_layers(export.acoustic_model([export.network_of(file)]), str(file)) for file in files)
        mean = {name: [_mean(*both) for both in zip(first[name], second[name])] for name in first}
        torch.save(_network(mean, _some(heard), str(other)).state_dict(), folder / "weights.pt")

    key = [REVISION, store.name(one), store.name(other), [path.parent.name for path in heard]]
    return store.made("halfway", key, write)


def counted(model: Path) -> tuple[int, int]:
    """How many networks a model has, and how many weights they have together."""
    layers = _layers(_mdl(model).read_bytes(), str(_mdl(model)))
    affines = [affine for one in layers for affines in one.values() for affine in affines]
    return len(layers), sum(weights.size + bias.size for weights, bias in affines)


def _some(heard: list[Path]) -> list[Example]:
    """Recordings enough to tell how much units vary."""
    return [one for path in heard[:: max(1, len(heard) // FILES)] for one in features.load(path)]


def _mean(one: Affine, other: Affine) -> Affine:
    weights, shift = ((a + b) / 2 for a, b in zip(one, other))
    return weights, shift


def _mdl(model: Path) -> Path:
    return model / "am" / "final.mdl"


def networks(mdl: bytes, examples: list[Example], name: str = "final.mdl") -> list[Network]:
    """The networks of an acoustic model, able to learn.

    `Refused` where it is not one of this pipeline, in its present shape.
    """
    return [_network(layers, examples, name) for layers in _layers(mdl, name)]


def _width(layers: dict[str, list[Affine]]) -> int:
    [(weights, _)] = layers["tdnn1"]
    return len(weights)


def _network(found: dict[str, list[Affine]], examples: list[Example], name: str) -> Network:
    net = Network(_width(found))
    learning.normalise(net, examples)
    frames = 2 * SPLICE + 1
    [(first, bias)] = found["tdnn1"]
    state = {"first.weight": first / np.tile(net.scale.numpy(), frames)[None]}
    shifts = [bias + first @ np.tile(net.mean.numpy(), frames)]
    for n in range(len(OFFSETS)):
        (state[f"narrow.{n}.weight"], _), (state[f"layers.{n}.weight"], shift) = found[f"tdnn{n + 2}"]
        shifts.append(shift)
    [(state["last.weight"], state["last.bias"])] = found["output"]
    own = net.state_dict()
    for key, value in state.items():
        if own[key].shape != value.shape:
            raise Refused(f"{name}: {key} is {value.shape}, not {tuple(own[key].shape)}")
        own[key].copy_(torch.from_numpy(np.ascontiguousarray(value)))
    _unfold(net, shifts, examples)
    return net


@torch.no_grad()
def _unfold(net: Network, shifts: list[np.ndarray], examples: list[Example]) -> None:
    """Normalisations that do, on the average of these recordings, what was folded into the layers."""
    for norm, shift in zip(net.norms, shifts):
        norm.bias.copy_(torch.from_numpy(shift))
        norm.running_var.fill_(1 - norm.eps)
    seen: list[tuple[torch.Tensor, torch.Tensor]] = []
    watches = [
        norm.register_forward_pre_hook(lambda _, x: seen.append((x[0].mean(0), x[0].var(0)))) for norm in net.norms
    ]
    talking = [one for one in examples if not one.silent]
    rows = [one.cepstra.astype(np.float32) for one in talking[:: max(1, len(talking) // SOME)]]
    net.eval()
    net(learning.padded(rows, max(len(row) for row in rows) // STRIDE + 1))
    for watch in watches:
        watch.remove()
    for norm, (mean, variance) in zip(net.norms, seen):
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.add_(mean)


def _layers(mdl: bytes, name: str) -> list[dict[str, list[Affine]]]:
    """The layers that have weights, of each network, by their names: those of network.py."""
    found: dict[str, dict[str, list[Affine]]] = {}
    for component, affines in _affines(mdl, name).items():
        network, _, layer = component.partition(".")
        found.setdefault(network, {})[layer] = affines
    counts = {"tdnn1": 1, "output": 1} | {f"tdnn{n}": 2 for n in range(2, len(OFFSETS) + 2)}
    for network, layers in found.items():
        if {layer: len(affines) for layer, affines in layers.items()} != counts:
            raise Refused(f"{name}: {len(layers)} layers of {network}, not those of training/network.py")
    return list(found.values())


def _affines(mdl: bytes, name: str) -> dict[str, list[Affine]]:
    """What the components multiply by and add, one after the other; those that do not are left out."""
    reader, found = _Reader(mdl, name), {}
    reader.after(b"<NumComponents> ")
    for _ in range(reader.int()):
        reader.after(b"<ComponentName> ")
        component = reader.token()
        if affines := _component(reader):
            found[component] = affines
    return found


def _component(reader: "_Reader") -> list[Affine]:
    kind = reader.token()
    if kind == "<CompositeComponent>":
        reader.expect("<MaxRowsProcess>")
        reader.int()
        reader.expect("<NumComponents>")
        return [affine for _ in range(reader.int()) for affine in _component(reader)]
    affines = []
    if kind == "<FixedAffineComponent>":
        reader.expect("<LinearParams>", "CM2")
        matrix = reader.compressed()
        reader.expect("<BiasParams>", "FV")
        affines.append((matrix, reader.floats(reader.int())))
    reader.after(f"</{kind[1:]} ".encode())
    return affines


class _Reader:
    """Kaldi's binary form, as `export.py` writes it."""

    def __init__(self, data: bytes, name: str):
        self.data, self.name, self.at = data, name, 0

    def after(self, sign: bytes) -> None:
        at = self.data.find(sign, self.at)
        if at < 0:
            raise Refused(f"{self.name}: no {sign.decode().strip()} after byte {self.at}: no model of this pipeline")
        self.at = at + len(sign)

    def token(self) -> str:
        begin = self.at
        self.after(b" ")
        return self.data[begin : self.at - 1].decode(errors="replace")

    def expect(self, *tokens: str) -> None:
        for token in tokens:
            begin = self.at
            if (found := self.token()) != token:
                raise Refused(f"{self.name}: {found!r} at byte {begin} where {token} should be")

    def int(self) -> int:
        size, value = struct.unpack("<bi", self._bytes(5))
        if size != 4 or value < 0:
            raise Refused(f"{self.name}: no number at byte {self.at - 5}")
        return value

    def floats(self, count: int) -> np.ndarray:
        return np.frombuffer(self._bytes(4 * count), "<f4").copy()

    def compressed(self) -> np.ndarray:
        """A matrix of numbers of 16 bits between the least and the greatest."""
        least, span, rows, columns = struct.unpack("<ffii", self._bytes(16))
        steps = np.frombuffer(self._bytes(2 * rows * columns), "<u2").reshape(rows, columns)
        return (np.float32(least) + steps * np.float32(span / export.STEPS)).astype(np.float32)

    def _bytes(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Refused(f"{self.name}: cut off at byte {len(self.data)}")
        self.at += count
        return self.data[self.at - count : self.at]
