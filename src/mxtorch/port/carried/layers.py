"""Layers that torch does not have."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


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


class GroupNorm(nn.GroupNorm):
    """Normalizes groups of channels; scale and shift are one a group, not one a channel."""

    def __init__(self, num_groups=1, eps=1e-5):
        super().__init__(num_groups, num_groups, eps)

    def forward(self, x):
        groups = F.group_norm(x, self.num_groups, eps=self.eps)
        groups = groups.reshape(len(x), self.num_groups, -1)
        return (groups * self.weight[:, None] + self.bias[:, None]).reshape(x.shape)
