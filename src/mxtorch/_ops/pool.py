"""Pooling: the largest, mean, sum or p-norm of each window."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Hint, Shape, Sizes
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError, NotSupportedError
from mxtorch._core.op import op
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows, run_function
from mxtorch._ops._windows import (
    max_along_axes,
    max_channels_last,
    max_of_tiles,
    sum_along_axes,
)
from mxtorch._ops.activation import check_float
from mxtorch._ops.conv import each, is_channels_last
from mxtorch._ops.unary import cbrt

PoolType = Literal["avg", "lp", "max", "sum"]
Convention = Literal["full", "same", "valid"]
MAX = (F.max_pool1d, F.max_pool2d, F.max_pool3d)
MEAN = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)


class Window(NamedTuple):
    """Where the windows lie: what follows from the attributes and the input's size."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    pad: tuple[int, ...]
    windows: tuple[int, ...]
    # padding that makes the last window whole, as torch wants it: last axis first, before and after
    around: tuple[int, ...]
    # whether torch's pooling with `pad` has these windows
    is_torch: bool
    # whether they neither overlap nor leave gaps nor reach into padding
    is_tiled: bool
    # whether each has all its elements in the padded input, and in the input itself
    is_whole: tuple[bool, bool]


def _window(
    size: tuple[int, ...], kernel: Shape, stride: Shape, pad: Shape, convention: Convention
) -> Window:
    n = len(size)
    if not 1 <= n <= 3 or len(kernel) != n:
        raise MXNetShapeError(f"kernel={kernel} does not fit {n} axes of size {size}")
    stride, pad = each(stride, n, 1, "stride"), each(pad, n, 0, "pad")
    if convention == "same":
        raise NotSupportedError(
            "pooling_convention='same' does not run on MXNet's CPU, so there is no result to "
            "match; use 'valid' or 'full' with pad"
        )
    counts, ends, plain = [], [], True
    for length, k, s, p in zip(size, kernel, stride, pad, strict=True):
        room = length + 2 * p - k
        if room < 0:
            raise MXNetShapeError(f"kernel {kernel} exceeds the input {size}")
        count = 1 - (-room // s) if convention == "full" else 1 + room // s
        counts.append(count)
        ends.append(max((count - 1) * s + k - length - p, 0))
        plain = plain and count == 1 + room // s and 2 * p <= k
    inside = not any(pad) and not any(ends)
    return Window(
        kernel,
        stride,
        pad,
        tuple(counts),
        tuple(x for both in zip(reversed(pad), reversed(ends), strict=True) for x in both),
        plain,
        inside and kernel == stride,
        (all(e <= p for e, p in zip(ends, pad, strict=True)), inside),
    )


_remembered = lru_cache(maxsize=1024)(_window)


def window_of(
    size: tuple[int, ...], kernel: Shape, stride: Shape, pad: Shape, convention: Convention
) -> Window:
    """The windows on an input of this size, worked out once."""
    with suppress(TypeError):  # symbolic sizes cannot be remembered
        return _remembered(size, kernel, stride, pad, convention)
    return _window(size, kernel, stride, pad, convention)


@op(
    "_npx_pooling",
    # MXNet's oneDNN keeps the places of the maxima
    outputs=lambda attrs: 2 if attrs["pool_type"] == "max" else 1,
    visible=1,
    output_names=("output", "workspace"),
    lists_input=True,
)
def Pooling(
    data: Tensor,
    *,
    kernel: Sizes = (),
    pool_type: PoolType = "max",
    global_pool: bool = False,
    cudnn_off: Hint[bool] = False,
    pooling_convention: Convention = "valid",
    stride: Sizes = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
) -> Tensor:
    """The largest, mean, sum or p-norm of each window; `stride` is 1 unless given.

    With `pooling_convention='full'` a last window may lie in the padding: its mean is 0, its
    maximum the lowest float32.
    """
    check_float(data)
    if pool_type == "lp" and p_value not in (1, 2, 3):
        raise MXNetValueError(f"pool_type='lp' needs p_value 1, 2 or 3, got {p_value}")
    if layout is not None and len(layout) != data.ndim:
        raise MXNetShapeError(f"layout={layout!r} does not fit data with {data.ndim} axes")
    last = is_channels_last(layout)
    if last:
        data = data.movedim(-1, 1)
    if global_pool:
        result = _global(data, pool_type, p_value)
    else:
        window = window_of(tuple(data.shape[2:]), kernel, stride, pad, pooling_convention)
        if pool_type == "max":
            result = _max(data, window)
        elif pool_type == "avg":
            result = _mean(data, window, count_include_pad is None or count_include_pad)
        elif pool_type == "sum" or p_value == 1:
            result = _sum(data, window)
        else:
            assert p_value is not None
            result = _root(_sum(data**p_value, window), p_value)
    return result.movedim(1, -1).contiguous() if last else result


def _global(data: Tensor, pool_type: str, p: int | None) -> Tensor:
    axes = tuple(range(2, data.ndim))
    if pool_type == "avg":
        return torch.mean(data, axes, keepdim=True)
    if pool_type == "max":
        # amax would share the gradient between equal elements; MXNet gives it to the first
        return data.flatten(2).max(-1).values.reshape(*data.shape[:2], *[1] * len(axes))
    if pool_type == "sum":
        return torch.sum(data, axes, keepdim=True)
    assert p is not None
    return _root(torch.sum(data**p, axes, keepdim=True), p)


class _SquareRoot(Function):
    """The root whose gradient at zero is zero."""

    @staticmethod
    def forward(ctx: Any, total: Tensor) -> Tensor:
        root = torch.sqrt(total)
        ctx.save_for_backward(root)
        return root

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (root,) = ctx.saved_tensors
        return torch.where(root == 0, 0, grad / (2 * root))


def _root(total: Tensor, p: int) -> Tensor:
    if p == 1:
        return total
    return run_function(_SquareRoot, total) if p == 2 else cbrt(total)


# From this many windows on the strided slices are faster on the CPU than torch's pooling.
_MANY = 2048
_WIDE = 16  # channels


def _is_strided(data: Tensor, window: Window) -> bool:
    if not data.is_cpu or torch.compiler.is_compiling():  # an exported graph takes any batch
        return False
    return math.prod(window.windows) * data.shape[0] * data.shape[1] >= _MANY


def _has_channels_last(data: Tensor) -> bool:
    """Whether channels alone lie side by side in memory."""
    last = data.is_contiguous(memory_format=torch.channels_last)
    return last and not data.is_contiguous()


def _max(data: Tensor, window: Window) -> Tensor:
    kernel, stride, pad, windows = window[:4]
    n, gradient, many = len(kernel), follows(data), _is_strided(data, window)
    if many and n == 2 and not gradient and window.is_torch and _has_channels_last(data):
        return F.max_pool2d(data, kernel, stride, pad)  # torch's is the fastest there
    if many and gradient and window.is_tiled and max(kernel) > 1:
        return max_of_tiles(data, kernel)
    if any(window.around) and not (window.is_torch and (gradient or not many)):
        lowest = max(torch.finfo(torch.float32).min, torch.finfo(data.dtype).min)
        data, pad = F.pad(data, window.around, value=lowest), (0,) * n
    if many and not gradient:
        return max_along_axes(data, kernel, stride, windows)
    if many and n == 2 and data.shape[1] >= _WIDE:  # torch's is several times faster there
        return max_channels_last(data, kernel, stride, pad)
    return MAX[n - 1](data, kernel, stride, pad)


def _sum(data: Tensor, window: Window) -> Tensor:
    if any(window.around):
        data = F.pad(data, window.around)
    return sum_along_axes(data, window.kernel, window.stride, window.windows)


def _mean(data: Tensor, window: Window, include: bool) -> Tensor:
    if window.is_torch and not _is_strided(data, window):
        mean = MEAN[len(window.kernel) - 1]
        return mean(data, window.kernel, window.stride, window.pad, False, include)
    return _sum(data, window) / _divisor(data, window, include)


def _divisor(data: Tensor, window: Window, include: bool) -> Tensor | int:
    """By how much each window's sum is divided: the elements it has, or has in the padded input."""
    if window.is_whole[0 if include else 1]:
        return math.prod(window.kernel)
    divisor = torch.ones((), dtype=data.dtype, device=data.device)
    for k, s, p, m, n in zip(*window[:4], data.shape[2:], strict=True):
        start = torch.arange(m, device=data.device) * s - p
        end = (start + k).clamp(max=n + p if include else n)
        if not include:
            start = start.clamp(min=0)
        divisor = divisor.unsqueeze(-1) * (end - start).clamp(min=1).to(data.dtype)
    return divisor


@op()
def _contrib_AdaptiveAvgPooling2D(data: Tensor, *, output_size: Shape = ()) -> Tensor:
    """Means over a grid of windows that covers the image; a single mean by default."""
    check_float(data)
    if data.ndim != 4:
        raise MXNetShapeError(f"data must have 4 axes, got shape {tuple(data.shape)}")
    if len(output_size) > 2:
        raise MXNetTypeError(f"output_size={output_size} must be one or two numbers")
    size = output_size or (1,)
    return F.adaptive_avg_pool2d(data, (size[0], size[-1]))
