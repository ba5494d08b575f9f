"""Layers that torch does not have."""

from __future__ import annotations

import torch
from torch import nn


class Lambda(nn.Module):
    """A function as a layer."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class Concurrent(nn.ModuleList):
    """Layers that are all given the same; their outputs are joined along an axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def forward(self, x):
        return torch.cat([layer(x) for layer in self], dim=self.axis)
