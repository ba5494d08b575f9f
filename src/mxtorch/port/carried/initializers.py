"""Initializers that a program writes itself."""

from __future__ import annotations

import torch


class Initializer:
    """Fills a weight by the method that a class derived from this has."""

    def __init__(self, **options):
        self._kwargs = options

    @torch.no_grad()
    def __call__(self, weight):
        self._init_weight("weight", weight)


@torch.no_grad()
def bilinear_(weight):
    """Fill the weight of a transposed convolution that interpolates between pixels."""
    factor = (weight.shape[3] + 1) // 2
    center = (2 * factor - 1 - factor % 2) / (2 * factor)
    down, across = (1 - (torch.arange(n) / factor - center).abs() for n in weight.shape[2:])
    return weight.copy_((down[:, None] * across).expand_as(weight))
