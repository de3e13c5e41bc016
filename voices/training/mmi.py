"""LF-MMI as a loss for PyTorch; the forward-backward itself is mmi.cpp, on the processor."""

import ctypes
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import torch

from . import store
from .graphs import Graph

_SOURCE = Path(__file__).with_name("mmi.cpp")


@cache
def _library() -> ctypes.CDLL:
    def compile_it(folder: Path) -> None:
        flags = "-std=c++17 -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -shared -fPIC".split()
        if subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip() != "x86_64":
            flags.remove("-march=x86-64-v3")
        out = folder / "mmi.so"
        subprocess.run(["g++", *flags, str(_SOURCE), "-o", str(out)], check=True)

    return ctypes.CDLL(str(store.made("mmi", _SOURCE.read_text(), compile_it) / "mmi.so"))


def _at(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


class _Mmi(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, frames, said, sayable):
        rows = np.ascontiguousarray(y.detach().cpu().numpy(), dtype=np.float32)
        count, longest, outputs = rows.shape
        graphs: list[Graph] = list({id(graph): graph for graph in [*said, *sayable]}.values())
        index = {id(graph): n for n, graph in enumerate(graphs)}
        lengths = [len(graph.from_) for graph in graphs]
        sizes = np.array([[n, graph.hubs, graph.end] for n, graph in zip(lengths, graphs)], np.int32)
        begins = np.cumsum([0, *lengths[:-1]]).astype(np.int32)
        joined = [
            np.concatenate([getattr(graph, name) for graph in graphs])
            for name in ("from_", "first", "later", "leaves_for", "enter", "leave")
        ]
        which = [np.array([index[id(graph)] for graph in of], np.int32) for of in (said, sayable)]
        frames = np.array(frames, np.int32)
        slope, logs = np.zeros_like(rows), np.zeros((2, count))
        _library().compare(
            count, longest, outputs, _at(rows), _at(frames), *map(_at, which), _at(sizes), _at(begins),
            *map(_at, joined), _at(slope), _at(logs[0]), _at(logs[1]),
        )  # fmt: skip
        fine = np.isfinite(logs).all(axis=0)
        ctx.total = max(1, int(frames[fine].sum()))
        ctx.save_for_backward(torch.from_numpy(-slope).to(y.device))
        loss = -(logs[0][fine] - logs[1][fine]).sum() / ctx.total
        return torch.tensor(loss, dtype=torch.float32, device=y.device)

    @staticmethod
    def backward(ctx, upstream):
        (slope,) = ctx.saved_tensors
        return upstream * slope / ctx.total, None, None, None


def loss(
    y: torch.Tensor, frames: list[int], said: list[Graph], sayable: list[Graph]
) -> torch.Tensor:
    """How much likelier everything sayable is than what was said, by frame: 0 at best.

    `y` is `[utterances, frames, outputs]`, unnormalised. An utterance too short for its words does not
    count.
    """
    return _Mmi.apply(y, frames, said, sayable)
