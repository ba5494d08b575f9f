"""Random changes of images: (height, width, channels)."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import op


def _flip(data: Tensor, axis: int) -> Tensor:
    if data.ndim != 3:
        raise MXNetShapeError(f"the image must be (height, width, channels), not {data.ndim}-D")
    if data.is_meta:
        return data
    if torch_rng.uses_torch(data.device):
        generator = torch_rng.generator(data.device)
        flips = bool(torch.rand((), generator=generator, device=data.device) < 0.5)
    else:
        flips = rng.current().flip()
    return data.flip(axis) if flips else data


@op("_npx__image_random_flip_left_right", view=True)
def _image_random_flip_left_right(data: Tensor) -> Tensor:
    """The image, mirrored left to right half of the time."""
    return _flip(data, 1)


@op("_npx__image_random_flip_top_bottom", view=True)
def _image_random_flip_top_bottom(data: Tensor) -> Tensor:
    """The image, mirrored top to bottom half of the time."""
    return _flip(data, 0)
