"""Transformations of images (height, width, channels); sizes are (width, height)."""

from __future__ import annotations

import math

import torch
from torch import nn

from mxtorch.port.carried.images import center_crop, fixed_crop, imresize, resize_short


class ToTensor(nn.Module):
    """Images as floats of 0 to 1, channels first."""

    def forward(self, image):
        return image.movedim(-1, -3).float() / 255


class Normalize(nn.Module):
    """Channels, which are first, less their mean and by their deviation."""

    def __init__(self, mean=0.0, std=1.0):
        super().__init__()
        self.mean, self.std = torch.tensor(mean), torch.tensor(std)

    def forward(self, image):
        return (image - self.mean.reshape(-1, 1, 1)) / self.std.reshape(-1, 1, 1)


class Cast(nn.Module):
    """Another type of numbers."""

    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.dtype = dtype

    def forward(self, x):
        return x.to(self.dtype)


class Resize(nn.Module):
    """Another size; one number is a square's, or with `keep_ratio` the shorter side's."""

    def __init__(self, size, keep_ratio=False):
        super().__init__()
        self.size, self.keep_ratio = size, keep_ratio

    def forward(self, image):
        if not isinstance(self.size, int):
            return imresize(image, *self.size)
        if self.keep_ratio:
            return resize_short(image, self.size, 1)
        return imresize(image, self.size, self.size)


class CenterCrop(nn.Module):
    """The middle of the image."""

    def __init__(self, size):
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def forward(self, image):
        return center_crop(image, self.size, 1)[0]


class RandomResizedCrop(nn.Module):
    """A part of the image of random size and proportions, resized."""

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3 / 4, 4 / 3)):
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.scale, self.ratio = scale, ratio

    def forward(self, image):
        rows, columns = image.shape[:2]
        low, high = (math.log(r) for r in self.ratio)
        for _ in range(10):
            area = rows * columns * torch.empty(()).uniform_(*self.scale).item()
            ratio = math.exp(torch.empty(()).uniform_(low, high).item())
            width, height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if width <= columns and height <= rows:
                left = int(torch.randint(columns - width + 1, ()))
                top = int(torch.randint(rows - height + 1, ()))
                return fixed_crop(image, left, top, width, height, self.size, 1)
        return center_crop(image, self.size, 1)[0]


class RandomFlip(nn.Module):
    """The image, or by chance its mirror image along `axis`."""

    def __init__(self, axis, p=0.5):
        super().__init__()
        self.axis, self.p = axis, p

    def forward(self, image):
        return image.flip(self.axis) if torch.rand(()) < self.p else image


class CropResize(nn.Module):
    """The part of `width` and `height` whose corner is (x, y), then in another size."""

    def __init__(self, x, y, width, height, size=None):
        super().__init__()
        self.box, self.size = (x, y, width, height), size

    def forward(self, image):
        size = (self.size, self.size) if isinstance(self.size, int) else self.size
        return fixed_crop(image, *self.box, size, 1)


class RandomLighting(nn.Module):
    """The image in another light: directions of ImageNet's colours with normal weights."""

    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, image):
        directions = torch.tensor([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140],
                                   [-0.5836, -0.6948, 0.4203]])  # fmt: skip
        weights = torch.randn(3) * self.alpha * torch.tensor([55.46, 4.794, 1.148])
        found = image.float() + directions @ weights
        return found if image.is_floating_point() else found.clamp(0, 255).to(image.dtype)


def turned(image, part):
    """An image whose hues are turned by a part of the colour circle."""
    most, least = image.amax(-1), image.amin(-1)
    red, green, blue = image.unbind(-1)
    depth = most - least
    red, green, blue = ((c / depth.clamp(min=1e-12)) for c in (red, green, blue))
    is_red, is_green = most == image[..., 0], most == image[..., 1]
    other = torch.where(is_green, 2 + blue - red, 4 + red - green)
    sixth = (torch.where(is_red, green - blue, other) + 6 * part) % 6
    shares = (sixth - 3).abs() - 1, 2 - (sixth - 2).abs(), 2 - (sixth - 4).abs()
    return torch.stack([least + depth * share.clamp(0, 1) for share in shares], -1)


class RandomColors(nn.Module):
    """The image with brightness, contrast, saturation and hue changed by up to these shares."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.shares, self.hue = (brightness, contrast, saturation), hue

    def forward(self, image):
        grey = image.float() @ torch.tensor([0.299, 0.587, 0.114])
        found = image.float()
        for share, other in zip(self.shares, (0, grey.mean(), grey.unsqueeze(-1)), strict=True):
            if share:
                kept = 1 + torch.empty(()).uniform_(-share, share)
                found = kept * found + (1 - kept) * other
        if self.hue:
            found = turned(found, torch.empty(()).uniform_(-self.hue, self.hue))
        return found if image.is_floating_point() else found.clamp(0, 255).to(image.dtype)
