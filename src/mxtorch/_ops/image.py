"""Operators on images: (height, width, channels), or a batch of them."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.attrs import Floats, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetValueError, NotSupportedError
from mxtorch._core.op import op
from mxtorch._ops._gradients import straight
from mxtorch._pixels import geometry, opencv

_STRAIGHT = "that from above as it is, not flipped"


@op("_npx__image_to_tensor", name="_image_to_tensor", lists_input=True)
def to_tensor(data: Tensor) -> Tensor:
    """(H, W, C) in 0…255 → (C, H, W) float32 in 0…1; a batch likewise."""
    _check_axes(data)
    if data.dtype is torch.float16:  # divided in its own precision
        return (data / 255).movedim(-1, -3).contiguous().to(torch.float32)
    return data.movedim(-1, -3).contiguous().to(torch.float32) / 255


@op("_npx__image_normalize", name="_image_normalize")
def normalize(
    data: Tensor,
    *,
    mean: Floats = (0.0, 0.0, 0.0, 0.0),
    std: Floats = (1.0, 1.0, 1.0, 1.0),
) -> Tensor:
    """(x - mean) / std for each of the 1 or 3 channels of (C, H, W) images, in their own dtype."""
    _check_axes(data)
    channels = data.shape[-3]
    if channels not in (1, 3):
        raise MXNetShapeError(
            f"normalize takes (C, H, W) images of 1 or 3 channels, got {tuple(data.shape)}; "
            "to_tensor makes them of (H, W, C) images"
        )
    values = data if data.is_floating_point() else data.to(torch.float32)
    result = (values - _per_channel(mean, channels, values)) / _per_channel(std, channels, values)
    # whole numbers keep their low bits
    return result if values is data else result.to(torch.int64).to(data.dtype)


def _check_axes(data: Tensor) -> None:
    if data.ndim not in (3, 4):
        raise MXNetShapeError(f"an image has 3 axes, a batch 4; got shape {tuple(data.shape)}")


def _check_image(data: Tensor) -> None:
    if data.ndim != 3 or data.shape[-1] not in (1, 3):
        raise MXNetShapeError(f"needs (height, width, 1 or 3), got shape {tuple(data.shape)}")


def _per_channel(values: tuple[float, ...], channels: int, data: Tensor) -> Tensor:
    if len(values) not in (1, channels):
        raise MXNetValueError(f"mean and std must have 1 or {channels} numbers, got {values}")
    # the attributes are float32, whatever the images are
    numbers = torch.tensor(values, dtype=torch.float32, device=data.device)
    return numbers.to(data.dtype).reshape(-1, 1, 1)


@op("_npx__image_flip_left_right", name="_image_flip_left_right", gradient=_STRAIGHT)
def flip_left_right(data: Tensor) -> Tensor:
    """The image mirrored left to right."""
    _check_image(data)
    return straight(data.flip(-2), data)


@op("_npx__image_flip_top_bottom", name="_image_flip_top_bottom", gradient=_STRAIGHT)
def flip_top_bottom(data: Tensor) -> Tensor:
    """The image mirrored top to bottom."""
    _check_image(data)
    return straight(data.flip(-3), data)


@op("_npx__image_crop", name="_image_crop", view=True)
def crop(data: Tensor, *, x: int, y: int, width: int, height: int) -> Tensor:
    """The part of `width` x `height` whose upper left corner is (x, y)."""
    _check_axes(data)
    rows, columns = data.shape[-3], data.shape[-2]
    if min(width, height) < 1 or data.shape[-1] not in (1, 3):
        raise MXNetShapeError(f"{width} x {height} of images of shape {tuple(data.shape)}")
    if x < 0 or y < 0 or x + width > columns or y + height > rows:
        raise MXNetShapeError(
            f"{width} x {height} at ({x}, {y}) does not lie in an image of {columns} x {rows}"
        )
    return data[..., y : y + height, x : x + width, :]


@op("_npx__image_resize", name="_image_resize")
def resize(data: Tensor, *, size: Shape = (), keep_ratio: bool = False, interp: int = 1) -> Tensor:
    """The images in another size, (width, height) or one number for both; as OpenCV computes it.

    `keep_ratio`: a single number is the length of the shorter side. `interp`: 0 takes the nearest
    pixel, 1 is bilinear, 2 bicubic, 3 averages areas, 4 is Lanczos; outside the CPU 0 and 1 only.
    """
    if data.ndim not in (3, 4):
        raise MXNetShapeError(f"the images must have 3 or 4 axes, not {data.ndim}")
    height, width = _new_size(data.shape[-3], data.shape[-2], size, keep_ratio)
    if data.is_meta:
        return data.new_empty((*data.shape[:-3], height, width, data.shape[-1]))
    if _is_opencv_better(data, interp):
        return _resized_by_opencv(data, height, width, interp)
    if interp == 0:
        rows, columns = _nearest(data.shape[-3], height), _nearest(data.shape[-2], width)
        return data[..., rows.to(data.device), :, :][..., columns.to(data.device), :]
    if interp != 1:
        raise NotSupportedError(
            f"interp={interp} is not supported on {data.device.type}, nor has it a gradient; "
            "resize on the CPU, or use 0 (nearest) or 1 (bilinear)"
        )
    if data.dtype is torch.uint8:
        return _bilinear_fixed(data, height, width)
    if data.is_floating_point():
        return _bilinear(data, height, width)
    raise NotSupportedError("images of whole numbers other than uint8; convert it to float32")


def _is_opencv_better(data: Tensor, interp: int) -> bool:
    """OpenCV is ten times as fast where it can be used, and the only way for some codes."""
    if data.device.type != "cpu" or data.requires_grad:
        return False
    return interp not in (0, 1) or opencv.is_installed()


def _resized_by_opencv(data: Tensor, height: int, width: int, interp: int) -> Tensor:
    if data.ndim == 3:
        return torch.from_numpy(geometry.resize(data.numpy(), width, height, interp))
    return torch.stack([_resized_by_opencv(image, height, width, interp) for image in data])


def _new_size(height: int, width: int, size: tuple[int, ...], keep_ratio: bool) -> tuple[int, int]:
    if len(size) not in (1, 2):
        raise MXNetValueError(f"size must be one or two numbers, got {size}")
    if min(size) < 1:
        raise MXNetValueError(f"size={size} must be 1 or more")
    if len(size) == 2:
        return size[1], size[0]
    (side,) = size
    if not keep_ratio:
        return side, side
    if height > width:
        return side * height // width, side
    return side, side * width // height


def _nearest(length: int, wanted: int) -> Tensor:
    places = torch.arange(wanted, dtype=torch.float64) * (length / wanted)
    return places.to(torch.int64).clamp(max=length - 1)


def _neighbours(length: int, wanted: int, data: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Between which two pixels each new one lies, and the weight of the second."""
    places = (torch.arange(wanted, dtype=torch.float64) + 0.5) * (length / wanted) - 0.5
    places = places.to(torch.float32)
    first = places.floor()
    weight = (places - first).to(data.device)
    first = first.to(data.device, torch.int64)
    return first.clamp(0, length - 1), (first + 1).clamp(0, length - 1), weight


def _bilinear(data: Tensor, height: int, width: int) -> Tensor:
    left, right, x = _neighbours(data.shape[-2], width, data)
    top, bottom, y = _neighbours(data.shape[-3], height, data)
    x, y = x.to(data.dtype)[:, None], y.to(data.dtype)[:, None, None]
    across = data[..., left, :] * (1 - x) + data[..., right, :] * x
    return across[..., top, :, :] * (1 - y) + across[..., bottom, :, :] * y


def _bilinear_fixed(data: Tensor, height: int, width: int) -> Tensor:
    """In whole numbers: weights in 2048ths, with OpenCV's shifts between the two directions."""
    left, right, x = _neighbours(data.shape[-2], width, data)
    top, bottom, y = _neighbours(data.shape[-3], height, data)
    x0, x1 = (torch.round(w * 2048).to(torch.int32)[:, None] for w in (1 - x, x))
    y0, y1 = (torch.round(w * 2048).to(torch.int32)[:, None, None] for w in (1 - y, y))
    pixels = data.to(torch.int32)
    across = (pixels[..., left, :] * x0 + pixels[..., right, :] * x1) >> 4
    above = (across[..., top, :, :] * y0) >> 16
    below = (across[..., bottom, :, :] * y1) >> 16
    return ((above + below + 2) >> 2).clamp(0, 255).to(torch.uint8)
