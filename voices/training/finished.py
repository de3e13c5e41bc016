"""A finished model's networks, read back from what `export.py` wrote: to go on with.

What is folded there cannot be unfolded without recordings: how much each unit varies is measured on
some of those that are to be heard. What the network says does not change by it.
"""

import re
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
    return between(one, other, 0.5, heard)


def between(one: Path, other: Path, share: float, heard: list[Path]) -> Path:
    """The same, nearer to one of them: `share` of the other."""

    def write(folder: Path) -> None:
        files = [one / "weights.pt", other / "weights.pt"]
        [first], [second] = (_layers(export.acoustic_model([export.network_of(file)]), str(file)) for file in files)
        mean = {name: [_mean(*both, share) for both in zip(first[name], second[name])] for name in first}
        torch.save(_network(mean, _some(heard), str(other)).state_dict(), folder / "weights.pt")

    key = [REVISION, store.name(one), store.name(other), [path.parent.name for path in heard]]
    return store.made("halfway", key if share == 0.5 else [*key, share], write)


def counted(model: Path) -> tuple[int, int]:
    """How many networks a model has, and how many weights they have together."""
    layers = _layers(_mdl(model).read_bytes(), str(_mdl(model)))
    affines = [affine for one in layers for affines in one.values() for affine in affines]
    return len(layers), sum(weights.size + bias.size for weights, bias in affines)


# Networks of a model whose names begin so stay as they are, in whatever shape: none of them is gone on with.
KEPT = "kept"


def kept(mdl: bytes, name: str = "final.mdl") -> list[tuple[list[str], dict[str, bytes], str]]:
    """The networks of a model that stay as they are: their lines, their components as they are written, and their output."""
    begin, end = mdl.find(b"<Nnet3> "), mdl.find(b"<NumComponents> ")
    parts = mdl[end : mdl.find(b"</Nnet3>")].split(b"<ComponentName> ")[1:]
    if begin < 0 or not parts:
        raise Refused(f"{name}: no <NumComponents>: no model of this pipeline")
    components = dict(part.split(b" ", 1) for part in parts)
    lines = mdl[begin:end].decode(errors="replace").splitlines()
    found = []
    for network in sorted({part.split(b".")[0] for part in components if part.startswith(KEPT.encode())}):
        own = {one.decode(): body for one, body in components.items() if one.startswith(network + b".")}
        nodes = [line for line in lines if line.startswith(f"component-node name={network.decode()}.")]
        # The last node is its output: nothing else reads it.
        found.append((nodes, own, nodes[-1].split("name=")[1].split(" ")[0]))
    return found


def beside(model: Path) -> list[export.Kept]:
    """All networks of a finished model, in whatever shape, to be kept beside others as they are, with weights of 16 bits."""
    mdl, name = _mdl(model).read_bytes(), str(_mdl(model))
    renamed = mdl
    for n, network in enumerate(_prefixes(mdl, name), 1):
        renamed = _renamed(renamed, network, f"{KEPT}{n}.")
    return [
        (lines, {component: _halved(body) for component, body in own.items()}, end)
        for lines, own, end in kept(renamed, name)
    ]


def _prefixes(mdl: bytes, name: str) -> list[str]:
    """How the names of each network's components begin: `net1.`, or nothing where there is but one."""
    parts = mdl.partition(b"<NumComponents> ")[2].split(b"<ComponentName> ")[1:]
    if not parts:
        raise Refused(f"{name}: no <NumComponents>: no model of this pipeline")
    found = [re.match(rb"(net|kept)\d+\.", part) for part in parts]
    return sorted({"" if one is None else one[0].decode() for one in found})


def _renamed(mdl: bytes, before: str, after: str) -> bytes:
    """The same with other names for the components that begin so."""
    head, *parts = mdl.split(b"<ComponentName> ")
    names = [part.split(b" ", 1)[0] for part in parts]
    own = {one for one in names if one.startswith(before.encode()) and not one.startswith(KEPT.encode())}
    new = {one: after.encode() + one[len(before) :] for one in own}
    begin, end = head.find(b"<Nnet3>"), head.find(b"<NumComponents> ")
    text = re.sub(rb"[\w.]+", lambda word: new.get(word[0], word[0]), head[begin:end])
    # Names of nodes stand behind `name=`, which no word holds.
    parts = [new.get(one, one) + part[len(one) :] for one, part in zip(names, parts)]
    return b"<ComponentName> ".join([head[:begin] + text + head[end:], *parts])


def _halved(component: bytes) -> bytes:
    """With weights of 16 bits instead of 32."""
    sign = b"<LinearParams> FM "
    before, found, after = component.partition(sign)
    if not found:
        return component
    rows, columns = struct.unpack("<xixi", after[:10])
    out, end = export._Kaldi(), 10 + 4 * rows * columns
    out.matrix(np.frombuffer(after[10:end], "<f4").reshape(rows, columns))
    return before + b"<LinearParams> " + bytes(out.out[2:]) + _halved(after[end:])


def kept_of(model: Path) -> list[export.Kept]:
    """Those of a finished model's networks that are kept as they are."""
    return kept(_mdl(model).read_bytes(), str(_mdl(model)))


def _some(heard: list[Path]) -> list[Example]:
    """Recordings enough to tell how much units vary."""
    return [one for path in heard[:: max(1, len(heard) // FILES)] for one in features.load(path)]


def _mean(one: Affine, other: Affine, share: float) -> Affine:
    weights, shift = (a + share * (b - a) for a, b in zip(one, other))
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
        if network.startswith(KEPT):
            continue
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
