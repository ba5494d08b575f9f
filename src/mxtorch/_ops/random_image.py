"""Random changes of images: (height, width, channels)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.attrs import Factor, Floats
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._core.op import op
from mxtorch._ops import _colors
from mxtorch._ops._gradients import straight

_STRAIGHT = "that from above as it is, whatever the change"


def _changed(data: Tensor, change: Callable[[Tensor], Tensor]) -> Tensor:
    """The image changed; the gradient goes to the image as it is, whatever the change."""
    if data.ndim != 3:
        raise MXNetShapeError(f"the image must be (height, width, channels), not {data.ndim}-D")
    if data.shape[2] not in (1, 3):
        raise MXNetShapeError(f"an image has 1 or 3 channels, not {data.shape[2]}")
    if data.is_meta:
        return data
    with torch.no_grad():
        changed = change(data)
    return straight(changed, data)


def _uniform(device: torch.device, low: float, high: float) -> float:
    if torch_rng.uses_torch(device):
        unit = torch.rand((), generator=torch_rng.generator(device), device=device)
        return low + (high - low) * float(unit)
    return rng.current().between(low, high)


# flips -----------------------------------------------------------------------------------------


def _flip(axis: int, data: Tensor) -> Tensor:
    if torch_rng.uses_torch(data.device):
        flips = _uniform(data.device, 0, 1) < 0.5
    else:
        flips = rng.current().flip()
    return data.flip(axis) if flips else data


@op("_npx__image_random_flip_left_right", view=True, gradient=_STRAIGHT)
def _image_random_flip_left_right(data: Tensor) -> Tensor:
    """The image, mirrored left to right half of the time."""
    return _changed(data, partial(_flip, 1))


@op("_npx__image_random_flip_top_bottom", view=True, gradient=_STRAIGHT)
def _image_random_flip_top_bottom(data: Tensor) -> Tensor:
    """The image, mirrored top to bottom half of the time."""
    return _changed(data, partial(_flip, 0))


# colours ---------------------------------------------------------------------------------------


def _enhanced(effect: str, data: Tensor, min_factor: float, max_factor: float) -> Tensor:
    for name, value in (("min_factor", min_factor), ("max_factor", max_factor)):
        if value < 0:
            raise MXNetError(f"{name}={value} must not be negative")

    def change(image: Tensor) -> Tensor:
        alpha = _uniform(image.device, min_factor, max_factor)
        return _colors.EFFECTS[effect](image, alpha)

    return _changed(data, change)


@op("_npx__image_random_brightness", view=True, gradient=_STRAIGHT)
def _image_random_brightness(data: Tensor, *, min_factor: Factor, max_factor: Factor) -> Tensor:
    """The image times a number from [min_factor, max_factor]."""
    return _enhanced("brightness", data, min_factor, max_factor)


@op("_npx__image_random_contrast", view=True, gradient=_STRAIGHT)
def _image_random_contrast(data: Tensor, *, min_factor: Factor, max_factor: Factor) -> Tensor:
    """The contrast times a number from [min_factor, max_factor]."""
    return _enhanced("contrast", data, min_factor, max_factor)


@op("_npx__image_random_saturation", view=True, gradient=_STRAIGHT)
def _image_random_saturation(data: Tensor, *, min_factor: Factor, max_factor: Factor) -> Tensor:
    """The saturation times a number from [min_factor, max_factor]."""
    return _enhanced("saturation", data, min_factor, max_factor)


@op("_npx__image_random_hue", view=True, gradient=_STRAIGHT)
def _image_random_hue(data: Tensor, *, min_factor: Factor, max_factor: Factor) -> Tensor:
    """The hue turned by a part of the colour circle from [min_factor, max_factor]."""
    return _enhanced("hue", data, min_factor, max_factor)


@op("_npx__image_random_color_jitter", view=True, gradient=_STRAIGHT)
def _image_random_color_jitter(
    data: Tensor, *, brightness: float, contrast: float, saturation: float, hue: float
) -> Tensor:
    """The four changes in random order, each by at most its number."""

    def change(image: Tensor) -> Tensor:
        for effect, alpha in _jitter(image.device, brightness, contrast, saturation, hue):
            image = _colors.EFFECTS[effect](image, alpha)
        return image

    return _changed(data, change)


def _jitter(device: torch.device, *widths: float) -> list[tuple[str, float]]:
    if not torch_rng.uses_torch(device):
        return rng.current().color_jitter(*widths)
    generator = torch_rng.generator(device)
    effects = list(_colors.EFFECTS)
    drawn = []
    for i in torch.randperm(4, generator=generator, device=device).tolist():
        if widths[i] > 0:
            middle = 0.0 if effects[i] == "hue" else 1.0
            drawn.append((effects[i], middle + _uniform(device, -widths[i], widths[i])))
    return drawn


@op("_npx__image_adjust_lighting", view=True, gradient=_STRAIGHT)
def _image_adjust_lighting(data: Tensor, *, alpha: Floats) -> Tensor:
    """Light added: three strengths along AlexNet's directions."""
    if len(alpha) < 3:
        raise MXNetValueError(f"alpha must have 3 numbers, got {alpha}")
    return _changed(data, lambda image: _colors.lighting(image, alpha))


@op("_npx__image_random_lighting", view=True, gradient=_STRAIGHT)
def _image_random_lighting(data: Tensor, *, alpha_std: float = 0.0500000007) -> Tensor:
    """Light added with strengths of deviation `alpha_std`."""

    def change(image: Tensor) -> Tensor:
        if torch_rng.uses_torch(image.device):
            generator = torch_rng.generator(image.device)
            alpha = torch.randn(3, generator=generator, device=image.device) * alpha_std
        else:
            alpha = torch.from_numpy(rng.current().lighting(alpha_std))
        return _colors.lighting(image, tuple(alpha.tolist()))

    return _changed(data, change)
