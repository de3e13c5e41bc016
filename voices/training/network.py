"""The network: time delays, one output every 30 ms."""

import torch
from torch import nn

from . import features, lexicon

# Frames of 10 ms on each side that the first layer sees, and that each layer after it adds.
SPLICE = 2
OFFSETS = (3, 3, 3, 6, 9)
CONTEXT = SPLICE + sum(OFFSETS)
STRIDE = 3
# How much of its input a layer hands on beside what it makes of it.
BYPASS = 0.66


class Network(nn.Module):
    """`[batch, 3·(T-1) + 1 + 2·CONTEXT, 40]` in, `[batch, T, outputs]` out."""

    def __init__(self, width: int, dropout: float = 0.1, halved: bool = False):
        """With `halved`, training multiplies numbers of 16 bits, quicker where a processor can."""
        super().__init__()
        self.width, self.dropout, self.halved = width, dropout, halved
        self.first = nn.Linear((2 * SPLICE + 1) * features.DIMENSIONS, width, bias=False)
        self.layers = nn.ModuleList(nn.Linear(3 * width, width, bias=False) for _ in OFFSETS)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width, momentum=0.05) for _ in range(len(OFFSETS) + 1))
        self.last = nn.Linear(width, lexicon.OUTPUTS)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)
        self.register_buffer("mean", torch.zeros(features.DIMENSIONS))
        self.register_buffer("scale", torch.ones(features.DIMENSIONS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = (x - self.mean) * self.scale
        steps = (x.shape[1] - 2 * SPLICE + STRIDE - 1) // STRIDE
        spliced = [x[:, n : n + STRIDE * (steps - 1) + 1 : STRIDE] for n in range(2 * SPLICE + 1)]
        x = self._normal(self.first(torch.cat(spliced, -1)), 0)
        for n, (layer, offset) in enumerate(zip(self.layers, OFFSETS)):
            apart = offset // STRIDE
            steps = x.shape[1] - 2 * apart
            if self.training and self.dropout:
                kept = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) > self.dropout
                x = x * kept / (1 - self.dropout)
            middle = x[:, apart : apart + steps]
            seen = torch.cat([x[:, :steps], middle, x[:, 2 * apart :]], -1)
            x = self._normal(self._affine(layer, seen), n + 1) + BYPASS * middle
        return self.last(x)

    def _affine(self, layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
        if not (self.training and self.halved):
            return layer(x)
        return nn.functional.linear(x.bfloat16(), layer.weight.bfloat16()).float()

    def _normal(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return torch.relu(self.norms[n](x.flatten(0, 1)).view_as(x))
