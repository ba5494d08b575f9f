"""Resizing images: repeated values, transposed convolution, bilinear interpolation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Count, Hint
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float


def _kernel(scale: int) -> int:
    return 2 * scale - scale % 2


def _upsampling_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    found = list(shapes)
    if attrs["sample_type"] == "bilinear" and found[0] is not None and len(found) == 2:
        size = _kernel(attrs["scale"])
        found[1] = (found[0][1], 1, size, size)
    return found


@op(
    needs=lambda attrs: ("data", "weight") if attrs["sample_type"] == "bilinear" else (),
    fill=_upsampling_shapes,
    variable_attrs={"weight": {"__init__": '["bilinear", {}]'}},
    output_names=("output",),
)
def UpSampling(
    *data: Tensor,
    scale: Count,
    num_filter: int = 0,
    sample_type: Literal["bilinear", "nearest"],
    multi_input_mode: Literal["concat", "sum"] = "concat",
    workspace: Hint[int] = 512,
) -> Tensor:
    """Enlarge `scale` times: repeat values, or a transposed convolution with the given weight.

    Several images (`nearest`) are enlarged to the size of the first one's result, then joined.
    """
    for image in data:
        check_float(image)
    if sample_type == "bilinear":
        return _transposed(data, scale, num_filter)
    require(all(image.ndim == 4 for image in data), *data, needs="images (N, C, H, W)")
    size = [n * scale for n in data[0].shape[2:]]
    parts = [_repeated(image, size) for image in data]
    if multi_input_mode == "concat":
        return torch.cat(parts, 1) if len(parts) > 1 else parts[0]
    if any(part.shape != parts[0].shape for part in parts):
        raise MXNetShapeError("multi_input_mode='sum' needs equal numbers of channels")
    return torch.stack(parts).sum(0)


def _repeated(image: Tensor, size: Sequence[int]) -> Tensor:
    factor = size[0] // image.shape[2]
    if [n * factor for n in image.shape[2:]] != list(size):
        raise MXNetShapeError(f"an image of shape {tuple(image.shape)} does not divide {size}")
    return F.interpolate(image, scale_factor=factor, mode="nearest")


def _transposed(data: Sequence[Tensor], scale: int, num_filter: int) -> Tensor:
    if len(data) != 2:
        raise MXNetTypeError(f"sample_type='bilinear' takes an image and a weight, got {len(data)}")
    image, weight = data
    channels, size = image.shape[1], _kernel(scale)
    if num_filter != channels:
        raise MXNetValueError(f"num_filter={num_filter} must be the image's {channels} channels")
    if weight.shape != (channels, 1, size, size):
        raise MXNetShapeError(
            f"weight has shape {tuple(weight.shape)}; scale={scale} on {channels} channels needs "
            f"{(channels, 1, size, size)}"
        )
    return F.conv_transpose2d(image, weight, None, scale, math.ceil((scale - 1) / 2), 0, channels)


_ResizeMode = Literal[
    "like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"
]


@op(needs=lambda attrs: ("like",) if attrs.get("mode") == "like" else ())
def _contrib_BilinearResize2D(
    data: Tensor,
    like: Tensor | None = None,
    *,
    height: Count = 1,
    width: Count = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: _ResizeMode = "size",
    align_corners: bool = True,
) -> Tensor:
    """Resize images bilinearly; the corners stay where they are unless told otherwise."""
    check_float(data)
    if data.ndim != 4:
        raise MXNetShapeError(f"data must have 4 axes, got shape {tuple(data.shape)}")
    if mode == "like":
        if like is None:
            raise MXNetTypeError("mode='like' needs the array like")
        size = tuple(like.shape[2:])
    else:
        scales = None
        if scale_height is not None or scale_width is not None or mode == "odd_scale":
            if scale_height is None or scale_width is None:
                raise MXNetTypeError("scale_height and scale_width go together")
            scales = scale_height, scale_width
        size = _size(tuple(data.shape[2:]), mode, scales, (height, width))
    for axis, length in zip((2, 3), size, strict=True):
        if length == 1:  # one pixel is the first one, not the middle
            data = data.narrow(axis, 0, 1)
    return F.interpolate(data, size=size, mode="bilinear", align_corners=align_corners)


def _size(
    old: tuple[int, ...], mode: str, scales: tuple[float, float] | None, given: tuple[int, int]
) -> tuple[int, ...]:
    """Height and width of the result."""
    if mode == "size":
        if scales is None:
            return given
        return tuple(int(n * f) for n, f in zip(old, scales, strict=True))
    if mode == "odd_scale":
        assert scales is not None
        pairs = zip(old, scales, strict=True)
        return tuple(int((n - 1) * f) + 1 if n % 2 else int(n * f) for n, f in pairs)
    step = 1 if mode.endswith("up") else -1
    return tuple(n if n % 2 == ("odd" in mode) else n + step for n in old)
