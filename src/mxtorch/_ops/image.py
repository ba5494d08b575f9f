"""Operators on images: (height, width, channels), or a batch of them."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.attrs import Floats
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import op


@op("_npx__image_to_tensor", name="_image_to_tensor")
def to_tensor(data: Tensor) -> Tensor:
    """(H, W, C) in 0…255 → (C, H, W) float32 in 0…1; a batch likewise."""
    return (data.to(torch.float32) / 255).movedim(-1, -3).contiguous()


@op("_npx__image_normalize", name="_image_normalize")
def normalize(
    data: Tensor,
    *,
    mean: Floats = (0.0, 0.0, 0.0, 0.0),
    std: Floats = (1.0, 1.0, 1.0, 1.0),
) -> Tensor:
    """(x - mean) / std for each channel of (C, H, W) images."""
    channels = data.shape[-3]
    return (data - _per_channel(mean, channels, data)) / _per_channel(std, channels, data)


def _per_channel(values: tuple[float, ...], channels: int, data: Tensor) -> Tensor:
    if len(values) not in (1, channels):
        raise MXNetValueError(f"mean and std must have 1 or {channels} numbers, got {values}")
    return torch.tensor(values, dtype=data.dtype, device=data.device).reshape(-1, 1, 1)


@op("_npx__image_flip_left_right", name="_image_flip_left_right")
def flip_left_right(data: Tensor) -> Tensor:
    """The image mirrored left to right."""
    return data.flip(-2)


@op("_npx__image_flip_top_bottom", name="_image_flip_top_bottom")
def flip_top_bottom(data: Tensor) -> Tensor:
    """The image mirrored top to bottom."""
    return data.flip(-3)


@op("_npx__image_crop", name="_image_crop", view=True)
def crop(data: Tensor, *, x: int, y: int, width: int, height: int) -> Tensor:
    """The part of `width` x `height` whose upper left corner is (x, y)."""
    rows, columns = data.shape[-3], data.shape[-2]
    if x < 0 or y < 0 or x + width > columns or y + height > rows:
        raise MXNetShapeError(
            f"{width} x {height} at ({x}, {y}) does not lie in an image of {columns} x {rows}"
        )
    return data[..., y : y + height, x : x + width, :]
