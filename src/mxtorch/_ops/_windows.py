"""Sums and maxima over windows, an axis at a time.

On the CPU torch's pooling of channels-first images is several times slower than these strided
slices; the order of the axes keeps its rule that the first of equal elements counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.pending import Function
from mxtorch._ops._gradients import run_function


def part(data: Tensor, axis: int, offset: int, stride: int, count: int) -> Tensor:
    """The elements at `offset` of each of `count` windows along an axis."""
    before = [slice(None)] * axis
    return data[(*before, slice(offset, offset + (count - 1) * stride + 1, stride))]


def max_along_axes(
    data: Tensor, kernel: Sequence[int], stride: Sequence[int], count: Sequence[int]
) -> Tensor:
    """The largest element of each window; without a gradient."""
    for axis, (k, s, m) in enumerate(zip(kernel, stride, count, strict=True), start=2):
        best = part(data, axis, 0, s, m)
        for offset in range(1, k):
            best = torch.maximum(best, part(data, axis, offset, s, m))
        data = best
    # windows of one element leave a slice
    return data.clone(memory_format=torch.contiguous_format) if kernel[-1] == 1 else data


class _SumAlong(Function):
    """The sum of each window along one axis."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axis: int, k: int, s: int, m: int) -> Tensor:
        ctx.window, ctx.shape = (axis, k, s, m), data.shape
        if k == 1:
            return part(data, axis, 0, s, m).clone()
        total = part(data, axis, 0, s, m) + part(data, axis, 1, s, m)
        for offset in range(2, k):
            total += part(data, axis, offset, s, m)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        axis, k, s, m = ctx.window
        result = grad.new_zeros(ctx.shape)
        for offset in range(k):
            place = part(result, axis, offset, s, m)
            if k <= s:
                place.copy_(grad)
            else:
                place.add_(grad)
        return result, None, None, None, None


def sum_along_axes(
    data: Tensor, kernel: Sequence[int], stride: Sequence[int], count: Sequence[int]
) -> Tensor:
    """The sum of each window."""
    for axis, (k, s, m) in enumerate(zip(kernel, stride, count, strict=True), start=2):
        data = run_function(_SumAlong, data, axis, k, s, m)
    return data


class TiledMax(Function):
    """The largest of each tile of an image; the first of equal elements takes the gradient."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, kernel: Sequence[int]) -> Tensor:
        count = tuple(n // k for n, k in zip(data.shape[2:], kernel, strict=True))
        best = max_along_axes(data, kernel, kernel, count)
        ctx.save_for_backward(data, best)
        ctx.kernel = kernel
        return best

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        data, best = ctx.saved_tensors
        high, wide = ctx.kernel
        rows, columns = best.shape[2:]
        result = torch.zeros_like(data, memory_format=torch.contiguous_format)
        free = torch.ones_like(best, dtype=torch.bool)
        for i in range(high):
            for j in range(wide):
                place = (..., slice(i, high * rows, high), slice(j, wide * columns, wide))
                chosen = (data[place] == best).logical_and_(free)
                free ^= chosen
                torch.mul(grad, chosen, out=result[place])
        return result, None
