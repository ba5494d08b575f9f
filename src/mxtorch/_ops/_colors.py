"""Changes of an image's colours, (height, width, 1 or 3), with the bits of MXNet's on the CPU.

The strengths are float32 numbers. Each gives an image of the same type: bytes saturate, other whole
numbers lose their fraction.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

_GRAY = (0.299, 0.587, 0.114)
# directions of light in RGB, times their deviations (AlexNet's)
_LIGHT = np.array(
    [
        (55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009),
        (55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140),
        (55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203),
    ],
    "float32",
)
# For each sixth of the colour circle: which of (highest, lowest, falling, rising) blue, green and
# red are.
_SECTORS = ((1, 3, 0), (1, 0, 2), (3, 0, 1), (0, 2, 1), (0, 1, 3), (2, 1, 0))


def _like(value: Tensor, data: Tensor) -> Tensor:
    if data.dtype is torch.uint8:
        value = value.clamp(0, 255)
    return value.to(data.dtype)


def brightness(data: Tensor, alpha: float) -> Tensor:
    """Every value times alpha."""
    return _like(data.float() * alpha, data)


def _total(values: Tensor) -> Tensor:
    """The sum in float32; on the CPU one after the other, as MXNet adds."""
    if values.device.type == "cpu":
        return torch.from_numpy(np.cumsum(values.numpy())[-1:])
    return values.sum()


def contrast(data: Tensor, alpha: float) -> Tensor:
    """Away from the mean brightness for alpha above 1, towards it below."""
    values = data.float()
    gray = values
    if data.shape[2] == 3:
        gray = values * values.new_tensor(_GRAY)
    mean = _total(gray.flatten()) / (data.shape[0] * data.shape[1])
    rest = float(np.float32(1) - np.float32(alpha))
    return _like(values * alpha + mean * rest, data)


def saturation(data: Tensor, alpha: float) -> Tensor:
    """Away from gray for alpha above 1, towards it below; "gray" is MXNet's: blue alone."""
    if data.shape[2] == 1:
        return data
    values = data.float()
    rest = float(np.float32(1) - np.float32(alpha))
    gray = values[..., 2:] * _GRAY[2] * rest
    return _like(gray + values * alpha, data)


def hue(data: Tensor, alpha: float) -> Tensor:
    """Turned by alpha of the colour circle."""
    if data.shape[2] == 1:
        return data
    turn = float(np.float32(alpha) * np.float32(360))
    angle, light, depth = _hls(data.float() / 255)
    return _like(_rgb(angle + turn, light, depth) * 255, data)


def _hls(rgb: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    red, green, blue = rgb.unbind(2)
    most, least = rgb.amax(2), rgb.amin(2)
    spread = most - least
    light = (most + least) * 0.5
    depth = torch.where(light < 0.5, spread / (most + least), spread / (2 - most - least))
    step: Tensor = 60 / spread
    angle = torch.where(
        most == red,
        (green - blue) * step,
        torch.where(most == green, (blue - red) * step + 120, (red - green) * step + 240),
    )
    angle = torch.where(angle < 0, angle + 360, angle)
    colored = spread > torch.finfo(torch.float32).eps
    zero = torch.zeros_like(light)
    return torch.where(colored, angle, zero), light, torch.where(colored, depth, zero)


def _rgb(angle: Tensor, light: Tensor, depth: Tensor) -> Tensor:
    high = torch.where(light <= 0.5, light * (1 + depth), light + depth - light * depth)
    low = 2 * light - high
    angle = angle * float(np.float32(1) / np.float32(60))
    angle = angle - 6 * (angle / 6).floor()
    sector = angle.long().clamp(max=5)
    angle = angle - sector
    between = high - low
    levels = torch.stack([high, low, low + between * (1 - angle), low + between * angle], 2)
    which = torch.tensor(_SECTORS, device=light.device)[sector]
    rgb = levels.gather(2, which).flip(2)
    return torch.where((depth == 0).unsqueeze(2), light.unsqueeze(2), rgb)


def lighting(data: Tensor, alpha: tuple[float, ...]) -> Tensor:
    """Light added along AlexNet's three directions."""
    if data.shape[2] == 1:
        return data
    parts = _LIGHT * np.array(alpha[:3], "float32")
    light = parts[:, 0] + parts[:, 1] + parts[:, 2]
    return _like(data.float() + torch.from_numpy(light).to(data.device), data)


EFFECTS: dict[str, Callable[[Tensor, float], Tensor]] = {
    "brightness": brightness,
    "contrast": contrast,
    "saturation": saturation,
    "hue": hue,
}
