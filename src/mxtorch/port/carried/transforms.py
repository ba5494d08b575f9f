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


class RandomColors(nn.Module):
    """The image with brightness, contrast and saturation changed by up to these shares."""

    def __init__(self, brightness=0, contrast=0, saturation=0):
        super().__init__()
        self.shares = brightness, contrast, saturation

    def forward(self, image):
        grey = image.float() @ torch.tensor([0.299, 0.587, 0.114])
        found = image.float()
        for share, other in zip(self.shares, (0, grey.mean(), grey.unsqueeze(-1)), strict=True):
            if share:
                kept = 1 + torch.empty(()).uniform_(-share, share)
                found = kept * found + (1 - kept) * other
        return found if image.is_floating_point() else found.clamp(0, 255).to(image.dtype)
