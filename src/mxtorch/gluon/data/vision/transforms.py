"""Transforms of images (height, width, channels), for `Dataset.transform_first`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from mxtorch.gluon.block import Block, HybridBlock  # noqa: F401 - programs derive from it here
from mxtorch.gluon.data.vision._colors import (
    RandomBrightness,
    RandomColorJitter,
    RandomContrast,
    RandomHue,
    RandomLighting,
    RandomSaturation,
)
from mxtorch.gluon.data.vision._later import (
    HybridCompose,
    HybridRandomApply,
    RandomCrop,
    RandomGray,
)
from mxtorch.gluon.data.vision._sizes import (
    CenterCrop,
    CropResize,
    RandomResizedCrop,
    RandomRotation,
    Resize,
    Rotate,
)
from mxtorch.gluon.nn import HybridSequential, Sequential

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "HybridCompose",
    "HybridRandomApply",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomCrop",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomGray",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]


class Compose(Sequential):
    """Transforms one after the other; neighbours that can are run as one graph."""

    def __init__(self, transforms: Sequence[Any]) -> None:
        super().__init__()
        hybrid: list[HybridBlock] = []
        for transform in (*transforms, None):
            if isinstance(transform, HybridBlock):
                hybrid.append(transform)
                continue
            if len(hybrid) == 1:
                self.add(hybrid[0])
            elif hybrid:
                together = HybridSequential()
                together.add(*hybrid)
                together.hybridize()
                self.add(together)
            hybrid = []
            if transform is not None:
                self.add(transform)


class Cast(HybridBlock):
    """Convert to another element type."""

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Any array → the same values in `dtype`."""
        return F.cast(x, self._dtype)


class RandomApply(Sequential):
    """A transform that is applied with probability `p`, by Python's generator."""

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, x: Any, *args: Any) -> Any:
        """The transformed image, or the image itself."""
        return x if self.p < random.random() else self.transforms(x)


class ToTensor(HybridBlock):
    """(H, W, C) in 0…255 → (C, H, W) float32 in 0…1, whatever the element type; batches too."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, C) → (C, H, W) float32."""
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """(x - mean) / std for each channel of (C, H, W) images."""

    def __init__(
        self, mean: float | Sequence[float] = 0.0, std: float | Sequence[float] = 1.0
    ) -> None:
        super().__init__()
        self._mean = mean
        self._std = std

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(C, H, W) → the same shape."""
        return F.image.normalize(x, self._mean, self._std)


class RandomFlipLeftRight(HybridBlock):
    """Mirror left to right half of the time."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, C) → the same shape."""
        return F.image.random_flip_left_right(x)


class RandomFlipTopBottom(HybridBlock):
    """Mirror top to bottom half of the time."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, C) → the same shape."""
        return F.image.random_flip_top_bottom(x)
