"""Transforms that resize, crop and turn images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch import image
from mxtorch.gluon.block import Block, HybridBlock


def _pair(size: Any) -> Any:
    """A size (width, height) for one that may be a single number."""
    return (size, size) if isinstance(size, (int, float, np.number)) else size


class Resize(HybridBlock):
    """Another size: (width, height), or one number for both.

    `keep_ratio`: a single number is the length of the shorter side. `interpolation`: 0 nearest,
    1 bilinear, 2 bicubic, 3 area, 4 Lanczos.
    """

    def __init__(self, size: Any, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._keep = keep_ratio
        self._size = size
        self._interpolation = interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, C), or a batch of them → (height, width, C)."""
        return F.image.resize(x, self._size, self._keep, self._interpolation)


class CenterCrop(Block):
    """The middle, of `size` (width, height) or one number; a smaller image is enlarged."""

    def __init__(self, size: Any, interpolation: int = 1) -> None:
        super().__init__()
        self._args = (_pair(size), interpolation)

    def forward(self, x: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        return image.center_crop(x, *self._args)[0]


class RandomResizedCrop(Block):
    """A part of random area and proportions, resized to `size`, by Python's generator.

    `scale`: limits of its share of the image; `ratio`: limits of width / height.
    """

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._args = (_pair(size), scale, ratio, interpolation)

    def forward(self, x: Any) -> Any:
        """(H, W, C) → (height, width, C)."""
        return image.random_size_crop(x, *self._args)[0]


class CropResize(HybridBlock):
    """The part of `width` x `height` at (x, y), then resized to `size` if that is given.

    A `size` needs an `interpolation`, of `Resize`'s codes.
    """

    def __init__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        size: Any = None,
        interpolation: int | None = None,
    ) -> None:
        super().__init__()
        self._x = x
        self._y = y
        self._width = width
        self._height = height
        self._size = size
        self._interpolation = interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, C), or a batch of them → (height, width, C)."""
        out = F.image.crop(x, self._x, self._y, self._width, self._height)
        if self._size:
            out = F.image.resize(out, self._size, False, self._interpolation)
        return out


class Rotate(Block):
    """Turned by a number of degrees: images (C, H, W) of float32; see `mx.image.imrotate`."""

    def __init__(
        self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False
    ) -> None:
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: Any) -> Any:
        """(C, H, W), or a batch of them → the same shape."""
        _check_float32(x)
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Turned by an angle from two limits, with probability `rotate_with_proba`.

    Images (C, H, W) of float32. Draws from NumPy's generator.
    """

    def __init__(
        self,
        angle_limits: Sequence[float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        lower, upper = angle_limits
        if lower >= upper:
            raise ValueError("`angle_limits` must be an ordered tuple")
        if not 0 <= rotate_with_proba <= 1:
            raise ValueError("Probability of rotating the image should be between 0 and 1")
        self._args = (angle_limits, zoom_in, zoom_out)
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x: Any) -> Any:
        """(C, H, W), or a batch of them → the same shape."""
        if np.random.random() > self._rotate_with_proba:
            return x
        _check_float32(x)
        return image.random_rotate(x, *self._args)


def _check_float32(x: Any) -> None:
    if x.dtype is not np.float32:
        raise TypeError(
            "This transformation only supports float32. Consider calling it after ToTensor"
        )
