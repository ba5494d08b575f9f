"""Transforms that MXNet has from 2.0 on; 1.9.1 has nothing of these names."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from mxtorch import image
from mxtorch._front.handle import wrap_new
from mxtorch.gluon.block import Block, HybridBlock
from mxtorch.gluon.data.vision._sizes import _pair
from mxtorch.gluon.nn import HybridSequential, Sequential

_GRAY = torch.tensor([0.21, 0.72, 0.07])


class HybridCompose(HybridSequential):
    """Transforms one after the other, all of them HybridBlocks, as one graph."""

    def __init__(self, transforms: Sequence[HybridBlock]) -> None:
        super().__init__()
        for transform in transforms:
            if not isinstance(transform, HybridBlock):
                raise ValueError(
                    f"{transform} is no HybridBlock; use Compose for transforms that are not"
                )
            self.add(transform)
        self.hybridize()


class HybridRandomApply(Sequential):
    """A HybridBlock that is applied with probability `p`, by Python's generator."""

    def __init__(self, transforms: HybridBlock, p: float = 0.5) -> None:
        super().__init__()
        if not isinstance(transforms, HybridBlock):
            raise ValueError(f"{transforms} is no HybridBlock; use RandomApply")
        self.transforms = transforms
        self.p = p

    def forward(self, x: Any, *args: Any) -> Any:
        """The transformed image, or the image itself."""
        return x if self.p < random.random() else self.transforms(x)


class RandomCrop(Block):
    """A part of `size` (width, height) or one number, at a place from Python's generator.

    `pad` first puts a border of `pad_value` around the image: a number, or for each axis
    (before, after), as `numpy.pad` takes them. A smaller image gives what it has, enlarged.
    """

    def __init__(
        self, size: Any, pad: Any = None, pad_value: float = 0, interpolation: int = 1
    ) -> None:
        super().__init__()
        self._args = (_pair(size), interpolation)
        self._pad = ((pad, pad), (pad, pad), (0, 0)) if isinstance(pad, int) else pad
        self._pad_value = pad_value

    def forward(self, x: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        if self._pad:
            padded = np.pad(x.asnumpy(), self._pad, constant_values=self._pad_value)
            x = _like(x, torch.from_numpy(padded).to(x.storage().device))
        return image.random_crop(x, *self._args)[0]


class RandomGray(Block):
    """Gray in three channels, with probability `p`, by Python's generator."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Any) -> Any:
        """(H, W, 3) → the same shape and type."""
        if random.random() >= self.p:
            return x
        pixels = x.storage()
        gray = pixels.float() @ _GRAY.to(pixels.device)
        return _like(x, gray[..., None].expand(pixels.shape).to(pixels.dtype).contiguous())


def _like(x: Any, pixels: torch.Tensor) -> Any:
    return wrap_new(type(x), pixels, x.context)
