"""Bilinear samples of images at places that are data themselves."""

from __future__ import annotations

import torch
from torch import Tensor


def sample(image: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """The values of `image` (B, C, H, W) at rows `y` and columns `x` (B, P): (B, C, P).

    What lies outside the image counts as 0. Places of whole numbers take their slope from the
    pixels behind them, as in MXNet's kernels; `torch.nn.functional.grid_sample` would round there.
    """
    channels, height, width = image.shape[1:]
    if not height * width:
        return image.new_zeros(image.shape[0], channels, y.shape[1])
    flat = image.flatten(2)
    top, left = torch.floor(y.detach()), torch.floor(x.detach())
    down, right = y - top, x - left
    parts = []
    for row, tall in ((top, 1 - down), (top + 1, down)):
        for column, wide in ((left, 1 - right), (left + 1, right)):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            index = (row * width + column).long().clamp(0, height * width - 1)
            weight = torch.where(inside, tall * wide, 0)
            values = flat.gather(2, index.unsqueeze(1).expand(-1, channels, -1))
            parts.append(values * weight.unsqueeze(1))
    return parts[0] + parts[1] + parts[2] + parts[3]
