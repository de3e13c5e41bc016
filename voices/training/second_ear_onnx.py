"""Writes the second ears of a run, each as a model has one: NAME.onnx never heard NAME, all.onnx heard everybody.

    python -m training.second_ear_onnx EARS FOLDER

`make eval-people ARGS="--ears FOLDER"` judges by the eight who leave one another out in turn, and all.onnx is what ships.

The graph is written by hand, so that it is the same with every version of torch: sound in, logarithms of
probabilities of the eight ranks and of everything else out. What normalises is folded into what is before it.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from .second_ear import CLASSES, DILATIONS, FLOOR, HOP, WINDOW, Ear

OPSET = 13


def load(file: Path) -> dict[str, Ear]:
    """The networks of a run: one for each who was left out, and `all`."""
    ears = {}
    for name, kept in torch.load(file, weights_only=True).items():
        ear = Ear()
        # The teacher's embedding was needed to learn only.
        missing, unexpected = ear.load_state_dict({key: value.float() for key, value in kept.items()}, strict=False)
        if unexpected or not all(key.startswith(("told.", "fourier", "mel")) or key.endswith("num_batches_tracked") for key in missing):
            raise ValueError(f"{file}: not the weights of this network: {unexpected or missing}")
        ears[name] = ear.eval()
    return ears


def write(ear: Ear, file: Path) -> None:
    graph = _Graph()
    x = graph.node("Unsqueeze", ["sound", graph.ints("axis", [1])])
    x = graph.node("Conv", [x, graph.floats(ear.fourier)], strides=[HOP])
    x = graph.node("Mul", [x, x])
    x = graph.node("Conv", [x, graph.floats(ear.mel)])
    x = graph.node("Log", [graph.node("Add", [x, graph.floats(torch.tensor([FLOOR]))])])
    spread = (ear.input.running_var + ear.input.eps).sqrt()
    x = graph.node("Sub", [x, graph.floats(ear.input.running_mean[None, :, None])])
    x = graph.node("Div", [x, graph.floats(spread[None, :, None])])
    x = graph.convolved(x, ear.first.weight, ear.norms[0], strides=[2], pads=[2, 2])
    for layer, norm, apart in zip(ear.layers, ear.norms[1:], DILATIONS):
        x = graph.node("Add", [x, graph.convolved(x, layer.weight, norm, dilations=[apart], pads=[apart, apart])])
    where = graph.node("Conv", [x, graph.floats(ear.where.weight), graph.floats(ear.where.bias)])
    where = graph.node("Softmax", [where], axis=2)
    pooled = graph.node("MatMul", [where, graph.node("Transpose", [x], perm=[0, 2, 1])])
    pooled = graph.node("Reshape", [pooled, graph.ints("flat", [1, -1])])
    said = graph.node("Gemm", [pooled, graph.floats(ear.last.weight), graph.floats(ear.last.bias)], transB=1)
    graph.nodes.append(helper.make_node("LogSoftmax", [said], ["said"], axis=1))
    whole = helper.make_graph(
        graph.nodes,
        "second ear",
        [helper.make_tensor_value_info("sound", TensorProto.FLOAT, [1, WINDOW])],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, [1, CLASSES])],
        graph.kept,
    )
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="annabella", ir_version=8)
    onnx.checker.check_model(model)
    file.write_bytes(model.SerializeToString())


class _Graph:
    def __init__(self) -> None:
        self.nodes: list = []
        self.kept: list = []

    def node(self, kind: str, inputs: list[str], **how) -> str:
        name = f"x{len(self.nodes)}"
        if kind == "Conv":
            # Some runtimes take what is left out for that of pictures.
            how = {"pads": [0, 0], "strides": [1], "dilations": [1]} | how
        self.nodes.append(helper.make_node(kind, inputs, [name], **how))
        return name

    def floats(self, values: torch.Tensor) -> str:
        name = f"w{len(self.kept)}"
        self.kept.append(numpy_helper.from_array(np.ascontiguousarray(values.detach().float().numpy()), name))
        return name

    def ints(self, name: str, values: list[int]) -> str:
        self.kept.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def convolved(self, x: str, weight: torch.Tensor, norm: torch.nn.BatchNorm1d, **how) -> str:
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        shift = norm.bias - norm.running_mean * scale
        return self.node("Relu", [self.node("Conv", [x, self.floats(weight * scale[:, None, None]), self.floats(shift)], **how)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.second_ear_onnx", description=__doc__)
    parser.add_argument("ears", type=Path)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, ear in load(args.ears).items():
        write(ear, args.folder / f"{name}.onnx")


if __name__ == "__main__":
    main()
