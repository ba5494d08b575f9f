"""Pooling and resizing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, NotSupportedError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops.conv import each

PoolType = Literal["avg", "lp", "max", "sum"]
LOWEST = torch.finfo(torch.float32).min


@op("_npx_pooling")
def Pooling(
    data: Tensor,
    *,
    kernel: Shape = (),
    pool_type: PoolType = "max",
    global_pool: bool = False,
    cudnn_off: Hint[bool] = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
) -> Tensor:
    """The largest, mean, sum or p-norm of each window."""
    last = layout is not None and layout.endswith("C")
    if last:
        data = data.movedim(-1, 1)
    n = data.ndim - 2
    if global_pool:
        result = _global(data, pool_type, p_value)
    else:
        if len(kernel) != n:
            raise MXNetShapeError(f"kernel {kernel} has {len(kernel)} axes, data has {n} to pool")
        window = (kernel, each(stride, n, 1, "stride"), each(pad, n, 0, "pad"))
        sizes = _sizes(data.shape[2:], *window, pooling_convention)
        include = True if count_include_pad is None else count_include_pad
        result = _pool(data, window, sizes, pool_type, p_value, include)
    return result.movedim(1, -1) if last else result


def _global(data: Tensor, pool_type: str, p: int | None) -> Tensor:
    axes = tuple(range(2, data.ndim))
    if pool_type == "max":
        return torch.amax(data, axes, keepdim=True)
    if pool_type == "avg":
        return torch.mean(data, axes, keepdim=True)
    if pool_type == "sum":
        return torch.sum(data, axes, keepdim=True)
    return torch.linalg.vector_norm(data, _order(p), axes, keepdim=True)


def _order(p: int | None) -> int:
    if p is None:
        raise MXNetTypeError("pool_type='lp' needs p_value")
    return p


def _sizes(
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    convention: str,
) -> tuple[int, ...]:
    """Windows along each axis."""
    found = []
    for length, k, s, p in zip(size, kernel, stride, pad, strict=True):
        room = length + 2 * p - k
        if convention == "same":
            found.append(-(-length // s))
        elif convention == "full":
            found.append(1 - (-room // s))
        else:
            found.append(1 + room // s)
    if min(found) < 1:
        raise MXNetShapeError(f"kernel {tuple(kernel)} exceeds the input {tuple(size)}")
    return tuple(found)


def _pool(
    data: Tensor,
    window: tuple[Sequence[int], Sequence[int], Sequence[int]],
    sizes: tuple[int, ...],
    pool_type: str,
    p: int | None,
    include: bool,
) -> Tensor:
    kernel, stride, pad = window
    n = len(kernel)
    # what each axis needs on its right so that the last window is whole
    ends = [
        max((m - 1) * s + k - length - q, q)
        for m, s, k, length, q in zip(sizes, stride, kernel, data.shape[2:], pad, strict=True)
    ]
    around = [x for q, end in zip(reversed(pad), reversed(ends), strict=True) for x in (q, end)]
    if pool_type == "max":
        padded = F.pad(data, around, value=LOWEST) if any(around) else data
        result = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[n - 1](padded, kernel, stride)
    else:
        padded = F.pad(data, around) if any(around) else data
        if pool_type == "lp":
            padded = padded.abs() ** _order(p)
        result = _window_sum(padded, kernel, stride)
        if pool_type == "lp":
            result = result ** (1 / _order(p))
        elif pool_type == "avg":
            result = result / _counts(data, window, sizes, include)
    index = tuple(slice(0, m) for m in sizes)
    return result[(..., *index)] if result.shape[2:] != sizes else result


def _window_sum(data: Tensor, kernel: Sequence[int], stride: Sequence[int]) -> Tensor:
    n = len(kernel)
    mean = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[n - 1](data, kernel, stride)
    return mean * math.prod(kernel)


def _counts(
    data: Tensor,
    window: tuple[Sequence[int], Sequence[int], Sequence[int]],
    sizes: tuple[int, ...],
    include: bool,
) -> Tensor:
    """By how much each window's sum is divided."""
    count = torch.ones((), dtype=data.dtype, device=data.device)
    for k, s, p, m, length in zip(*window, sizes, data.shape[2:], strict=True):
        start = torch.arange(m, device=data.device) * s - p
        end = (start + k).clamp(max=length + p)
        if not include:
            start, end = start.clamp(min=0), end.clamp(max=length)
        count = count.unsqueeze(-1) * (end - start).clamp(min=1).to(data.dtype)
    return count


@op()
def _contrib_AdaptiveAvgPooling2D(data: Tensor, *, output_size: Shape = ()) -> Tensor:
    """Means over a grid of windows that covers the image; a single mean by default."""
    size = output_size or (1,)
    size = size * 2 if len(size) == 1 else size
    return F.adaptive_avg_pool2d(data, size)


def _upsampling_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    found = list(shapes)
    if attrs["sample_type"] == "bilinear" and found[0] is not None and len(found) == 2:
        scale = attrs["scale"]
        kernel = 2 * scale - scale % 2
        found[1] = (found[0][1], 1, kernel, kernel)
    return found


@op(fill=_upsampling_shapes)
def UpSampling(
    *data: Tensor,
    scale: int,
    num_filter: int = 0,
    sample_type: Literal["bilinear", "nearest"],
    multi_input_mode: Literal["concat", "sum"] = "concat",
    workspace: Hint[int] = 512,
) -> Tensor:
    """Enlarge `scale` times: repeat values, or a transposed convolution with the given weight."""
    if sample_type == "bilinear":
        image, weight = data
        kernel = 2 * scale - scale % 2
        pad = math.ceil((scale - 1) / 2)
        if weight.shape[-1] != kernel:
            raise MXNetShapeError(
                f"weight has shape {tuple(weight.shape)}; scale={scale} needs kernel {kernel}"
            )
        return F.conv_transpose2d(image, weight, None, scale, pad, 0, image.shape[1])
    height = data[0].shape[2] * scale
    parts = [F.interpolate(x, scale_factor=height // x.shape[2], mode="nearest") for x in data]
    if multi_input_mode == "concat":
        return torch.cat(parts, 1) if len(parts) > 1 else parts[0]
    return torch.stack(parts).sum(0)


_ResizeMode = Literal[
    "like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"
]


@op(needs=lambda attrs: ("like",) if attrs.get("mode") == "like" else ())
def _contrib_BilinearResize2D(
    data: Tensor,
    like: Tensor | None = None,
    *,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: _ResizeMode = "size",
    align_corners: bool = True,
) -> Tensor:
    """Resize images bilinearly; the corners stay where they are unless told otherwise."""
    old = data.shape[2:]
    if mode == "like":
        if like is None:
            raise MXNetTypeError("mode='like' needs the array like")
        size = tuple(like.shape[2:])
    elif mode == "size":
        size = (
            int(old[0] * scale_height) if scale_height is not None else height,
            int(old[1] * scale_width) if scale_width is not None else width,
        )
    elif mode == "odd_scale":
        raise NotSupportedError("mode='odd_scale' is not supported; pass height and width")
    else:
        shift = 1 if mode.endswith("up") else -1
        odd = mode.startswith("to_odd")
        size = tuple(x if (x % 2 == 1) == odd else x + shift for x in old)
    return F.interpolate(data, size=size, mode="bilinear", align_corners=align_corners)
