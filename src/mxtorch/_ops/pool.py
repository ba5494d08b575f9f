"""Pooling: the largest, mean, sum or p-norm of each window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError, NotSupportedError
from mxtorch._core.op import op
from mxtorch._ops._gradients import follows, run_function
from mxtorch._ops._windows import max_along_axes, strided, sum_along_axes, tiled_max
from mxtorch._ops.activation import check_float
from mxtorch._ops.conv import each, is_channels_last
from mxtorch._ops.unary import cbrt

PoolType = Literal["avg", "lp", "max", "sum"]
Convention = Literal["full", "same", "valid"]
MAX = (F.max_pool1d, F.max_pool2d, F.max_pool3d)
MEAN = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)


class Window(NamedTuple):
    """Size, step and padding along each pooled axis, and how many windows there are."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    pad: tuple[int, ...]
    windows: tuple[int, ...]

    def ends(self, size: Sequence[int]) -> tuple[int, ...]:
        """Padding after the last element, so that the last window is whole."""
        return tuple(
            max((m - 1) * s + k - n - p, 0) for k, s, p, m, n in zip(*self, size, strict=True)
        )

    def is_torch(self, size: Sequence[int]) -> bool:
        """Whether these are the windows that torch's pooling has with the same padding."""
        whole = tuple((n + 2 * p - k) // s + 1 for k, s, p, _, n in zip(*self, size, strict=True))
        return whole == self.windows and all(
            2 * p <= k for p, k in zip(self.pad, self.kernel, strict=True)
        )


@op(
    "_npx_pooling",
    # MXNet's oneDNN keeps the places of the maxima
    outputs=lambda attrs: 2 if attrs["pool_type"] == "max" else 1,
    visible=1,
    output_names=("output", "workspace"),
)
def Pooling(
    data: Tensor,
    *,
    kernel: Shape = (),
    pool_type: PoolType = "max",
    global_pool: bool = False,
    cudnn_off: Hint[bool] = False,
    pooling_convention: Convention = "valid",
    stride: Shape = (),
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
    n = data.ndim - 2
    if layout is not None and len(layout) != data.ndim:
        raise MXNetShapeError(f"layout={layout!r} does not fit data with {data.ndim} axes")
    last = is_channels_last(layout)
    if last:
        data = data.movedim(-1, 1)
    if global_pool:
        result = _global(data, pool_type, p_value)
    else:
        if not 1 <= n <= 3 or len(kernel) != n:
            raise MXNetShapeError(f"kernel={kernel} does not fit data of shape {tuple(data.shape)}")
        steps, pads = each(stride, n, 1, "stride"), each(pad, n, 0, "pad")
        count = _count(data.shape[2:], kernel, steps, pads, pooling_convention)
        include = count_include_pad is None or count_include_pad
        result = _pool(data, Window(kernel, steps, pads, count), pool_type, p_value, include)
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


class _SquareRoot(torch.autograd.Function):
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


def _count(
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    convention: str,
) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    if convention == "same":
        raise NotSupportedError(
            "pooling_convention='same' does not run on MXNet's CPU, so there is no result to "
            "match; use 'valid' or 'full' with pad"
        )
    found = []
    for n, k, s, p in zip(size, kernel, stride, pad, strict=True):
        room = n + 2 * p - k
        if room < 0:
            raise MXNetShapeError(f"kernel {tuple(kernel)} exceeds the input {tuple(size)}")
        found.append(1 - (-room // s) if convention == "full" else 1 + room // s)
    return tuple(found)


def _pool(data: Tensor, window: Window, pool_type: str, p: int | None, include: bool) -> Tensor:
    if pool_type == "max":
        return _max(data, window)
    if pool_type == "avg":
        return _mean(data, window, include)
    return _root(_sum(data**p, window), p) if p is not None and p > 1 else _sum(data, window)


def _around(data: Tensor, window: Window) -> list[int]:
    """The padding as torch wants it: last axis first, before and after."""
    ends = window.ends(data.shape[2:])
    return [x for both in zip(reversed(window.pad), reversed(ends), strict=True) for x in both]


def _max(data: Tensor, window: Window) -> Tensor:
    kernel, stride, pad, count = window
    n = len(kernel)
    gradient = follows(data)
    tiled = n == 2 and kernel == stride and not any(pad) and not any(window.ends(data.shape[2:]))
    if gradient and tiled and data.is_cpu:
        return tiled_max(data, kernel)
    if (gradient or not data.is_cpu) and window.is_torch(data.shape[2:]):
        return MAX[n - 1](data, kernel, stride, pad)
    around = _around(data, window)
    if any(around):
        lowest = max(torch.finfo(torch.float32).min, torch.finfo(data.dtype).min)
        data = F.pad(data, around, value=lowest)
    if gradient or not data.is_cpu:
        return strided(MAX[n - 1](data, kernel, stride), count)
    return max_along_axes(data, kernel, stride, count)


def _sum(data: Tensor, window: Window) -> Tensor:
    around = _around(data, window)
    if any(around):
        data = F.pad(data, around)
    return sum_along_axes(data, window.kernel, window.stride, window.windows)


def _mean(data: Tensor, window: Window, include: bool) -> Tensor:
    if not data.is_cpu and window.is_torch(data.shape[2:]):
        return MEAN[len(window.kernel) - 1](
            data, window.kernel, window.stride, window.pad, False, include
        )
    return _sum(data, window) / _divisor(data, window, include)


def _divisor(data: Tensor, window: Window, include: bool) -> Tensor | int:
    """By how much each window's sum is divided: the elements it has, or has in the padded input."""
    ends = window.ends(data.shape[2:])
    pads = window.pad
    if all(e <= p if include else e == p == 0 for e, p in zip(ends, pads, strict=True)):
        return math.prod(window.kernel)
    divisor = torch.ones((), dtype=data.dtype, device=data.device)
    for k, s, p, m, n in zip(*window, data.shape[2:], strict=True):
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
