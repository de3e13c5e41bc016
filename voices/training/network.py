"""The network: time delays, one output every 30 ms.

Each layer sees three moments and is two matrices with a narrow place between them, so that there may be
more layers, and wider ones, for as many weights.
"""

import torch
from torch import nn

from . import features, lexicon

# Frames of 10 ms on each side that the first layer sees, and that each layer after it adds.
SPLICE = 2
OFFSETS = (3, 3, 3, 3, 6, 6, 6)
CONTEXT = SPLICE + sum(OFFSETS)
STRIDE = 3
# How much of its input a layer hands on beside what it makes of it.
BYPASS = 0.66
# Of a layer's width, so much is its narrow place.
NARROW = 4


class Network(nn.Module):
    """`[batch, 3·(T-1) + 1 + 2·CONTEXT, 40]` in, `[batch, T, outputs]` out."""

    def __init__(self, width: int, dropout: float = 0.1, halved: bool = False):
        """With `halved` numbers of 16 bits are multiplied, quicker where a processor can: good enough to learn and to teach."""
        super().__init__()
        self.width, self.dropout, self.halved = width, dropout, halved
        self.first = nn.Linear((2 * SPLICE + 1) * features.DIMENSIONS, width, bias=False)
        self.narrow = nn.ModuleList(nn.Linear(3 * width, width // NARROW, bias=False) for _ in OFFSETS)
        self.layers = nn.ModuleList(nn.Linear(width // NARROW, width, bias=False) for _ in OFFSETS)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width, momentum=0.05) for _ in range(len(OFFSETS) + 1))
        self.last = nn.Linear(width, lexicon.OUTPUTS)
        for layer in self.narrow:
            nn.init.orthogonal_(layer.weight)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)
        self.register_buffer("mean", torch.zeros(features.DIMENSIONS))
        self.register_buffer("scale", torch.ones(features.DIMENSIONS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = (x - self.mean) * self.scale
        steps = (x.shape[1] - 2 * SPLICE + STRIDE - 1) // STRIDE
        spliced = [x[:, n : n + STRIDE * (steps - 1) + 1 : STRIDE] for n in range(2 * SPLICE + 1)]
        x = self._normal(self.first(torch.cat(spliced, -1)), 0)
        for n, offset in enumerate(OFFSETS):
            apart = offset // STRIDE
            steps = x.shape[1] - 2 * apart
            if self.training and self.dropout:
                kept = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) > self.dropout
                x = x * (kept / (1 - self.dropout))
            # All three moments at once, then each where it belongs: a third of the numbers to move about.
            thirds = self.narrow[n].weight.view(-1, 3, self.width).transpose(0, 1).flatten(0, 1)
            first, middle, last = self._linear(thirds, x).chunk(3, -1)
            narrow = first[:, :steps] + middle[:, apart : apart + steps] + last[:, 2 * apart :]
            wide = self._linear(self.layers[n].weight, narrow).float()
            x = torch.add(self._normal(wide, n + 1), x[:, apart : apart + steps], alpha=BYPASS)
        return self.last(x)

    def _linear(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        if not self.halved:
            return nn.functional.linear(x, weights)
        return nn.functional.linear(x.bfloat16(), weights.bfloat16())

    def _normal(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return torch.relu(self.norms[n](x.flatten(0, 1)).view_as(x))
