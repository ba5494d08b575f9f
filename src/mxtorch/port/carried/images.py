"""Images as arrays (height, width, channels): reading, resizing, cropping."""

from __future__ import annotations

import io

import numpy as np
import torch
from torch.nn import functional as F

try:
    from PIL import Image
except ImportError:  # needed by the ported program that reads images, not to port it
    Image = None


def imdecode(data, flag=1):
    """An encoded image as bytes of RGB, (height, width, 3); flag 0: of grey, (height, width, 1)."""
    image = np.array(Image.open(io.BytesIO(bytes(data))).convert("RGB" if flag else "L"))
    return torch.from_numpy(image).reshape(*image.shape[:2], -1)


def imread(path, flag=1):
    """The image of a file as bytes of RGB, (height, width, 3)."""
    with open(path, "rb") as file:
        return imdecode(file.read(), flag)


def imresize(image, width, height, interp=1):
    """An image, or a batch of them, resized: 0 nearest, 1 bilinear, 2 bicubic, 3 area."""
    batch = image if image.dim() == 4 else image.unsqueeze(0)
    moved = batch.permute(0, 3, 1, 2).float()
    mode = ("nearest", "bilinear", "bicubic", "area")[interp]
    corners = False if mode in ("bilinear", "bicubic") else None
    found = F.interpolate(moved, (height, width), mode=mode, align_corners=corners)
    found = found.permute(0, 2, 3, 1)
    if not image.is_floating_point():
        found = found.round().clamp(0, 255).to(image.dtype)
    return found if image.dim() == 4 else found[0]


def resize_short(image, size, interp=2):
    """The image with its shorter side of this length."""
    height, width = image.shape[:2]
    if height > width:
        return imresize(image, size, size * height // width, interp)
    return imresize(image, size * width // height, size, interp)


def fixed_crop(image, left, top, width, height, size=None, interp=2):
    """A part of the image, resized to `size` (width, height) if that is given."""
    part = image[top : top + height, left : left + width]
    if size is None or size == (width, height):
        return part
    return imresize(part, *size, interp)


def crop_size(image, size):
    """The largest (width, height) of the wanted proportions that lies in the image."""
    height, width = image.shape[:2]
    if height < size[1]:
        size = (size[0] * height / size[1], height)
    if width < size[0]:
        size = (width, size[1] * width / size[0])
    return int(size[0]), int(size[1])


def center_crop(image, size, interp=2):
    """The middle of the image in `size` (width, height), and (left, top, width, height)."""
    width, height = crop_size(image, size)
    left, top = (image.shape[1] - width) // 2, (image.shape[0] - height) // 2
    return fixed_crop(image, left, top, width, height, size, interp), (left, top, width, height)


def random_crop(image, size, interp=2):
    """A part of the image at random in `size` (width, height), and where it lay."""
    width, height = crop_size(image, size)
    left = int(torch.randint(image.shape[1] - width + 1, ()))
    top = int(torch.randint(image.shape[0] - height + 1, ()))
    return fixed_crop(image, left, top, width, height, size, interp), (left, top, width, height)


def color_normalize(image, mean, std=None):
    """The image less the mean, by the deviation."""
    image = image - torch.as_tensor(mean)
    return image if std is None else image / torch.as_tensor(std)


def normalize(image, mean=0.0, std=1.0):
    """Channels, which are first, less their mean and by their deviation."""
    mean, std = (torch.as_tensor(a, dtype=image.dtype).reshape(-1, 1, 1) for a in (mean, std))
    return (image - mean) / std
