"""Transforms that change an image's colours by chance, by MXNet's own generator."""

from __future__ import annotations

from typing import Any

from mxtorch.gluon.block import HybridBlock


class _Factor(HybridBlock):
    """A change by a factor from [1 - width, 1 + width], from 0 on."""

    _operator: str

    def __init__(self, width: float) -> None:
        super().__init__()
        self._args = (max(0, 1 - width), 1 + width)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, 1 or 3) → the same shape and type."""
        return getattr(F.image, self._operator)(x, *self._args)


class RandomBrightness(_Factor):
    """Times a number from [1 - brightness, 1 + brightness]."""

    _operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_Factor):
    """The contrast times a number from [1 - contrast, 1 + contrast]."""

    _operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_Factor):
    """The saturation times a number from [1 - saturation, 1 + saturation]."""

    _operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_Factor):
    """The hue turned by a part of the colour circle from [1 - hue, 1 + hue]."""

    _operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Brightness, contrast, saturation, hue in random order, each by at most its number."""

    def __init__(
        self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0
    ) -> None:
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, 1 or 3) → the same shape and type."""
        return F.image.random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """Light added along AlexNet's three directions, with strengths of deviation `alpha`."""

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(H, W, 1 or 3) → the same shape and type."""
        return F.image.random_lighting(x, self._alpha)
