"""Sums and maxima over windows, an axis at a time.

On the CPU torch's pooling of channels-first images is several times slower than these strided
slices; the order of the axes keeps its rule that the first of equal elements counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.pending import Function
from mxtorch._ops._gradients import run_function


def part(data: Tensor, axis: int, offset: int, stride: int, count: int) -> Tensor:
    """The elements at `offset` of each of `count` windows along an axis."""
    before = [slice(None)] * axis
    return data[(*before, slice(offset, offset + (count - 1) * stride + 1, stride))]


def _joined(data: Tensor, axis: int, k: int, s: int, m: int, join: Callable[..., Tensor]) -> Tensor:
    """Each window's elements along one axis, joined one after the other; `k` is over 1.

    Nothing is allocated per element of a window: fresh memory costs more than the arithmetic.
    """
    first, done = part(data, axis, 0, s, m), 1
    if axis == data.ndim - 1 and s == 2 and k > 2:
        # neighbours lie together in memory, every second element does not: all pairs are faster
        count = (m - 1) * s + 1
        pairs = join(data.narrow(axis, 0, count), data.narrow(axis, 1, count))
        first, done = part(pairs, axis, 0, s, m), 2
    total = join(first, part(data, axis, done, s, m))
    for offset in range(done + 1, k):
        join(total, part(data, axis, offset, s, m), out=total)
    return total


def max_along_axes(
    data: Tensor, kernel: Sequence[int], stride: Sequence[int], count: Sequence[int]
) -> Tensor:
    """The largest element of each window; without a gradient."""
    for axis, (k, s, m) in enumerate(zip(kernel, stride, count, strict=True), start=2):
        one = k == 1
        data = part(data, axis, 0, s, m) if one else _joined(data, axis, k, s, m, torch.maximum)
    # windows of one element leave a slice
    return data.clone(memory_format=torch.contiguous_format) if kernel[-1] == 1 else data


class _SumAlong(Function):
    """The sum of each window along one axis."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axis: int, k: int, s: int, m: int) -> Tensor:
        ctx.window, ctx.shape = (axis, k, s, m), data.shape
        if k == 1:
            return part(data, axis, 0, s, m).clone()
        return _joined(data, axis, k, s, m, torch.add)

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


class _MaxOfTiles(Function):
    """The largest of each `k` elements along an axis; its gradient goes to the first of equals."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, axis: int, k: int) -> Tensor:
        count = data.shape[axis] // k
        best, winner = part(data, axis, 0, k, count), None
        for offset in range(1, k):
            candidate = part(data, axis, offset, k, count)
            larger = candidate > best
            place = larger.byte() * offset if k > 2 else larger
            winner = place if winner is None else torch.maximum(winner, place)
            best = torch.maximum(best, candidate)
        ctx.save_for_backward(winner)
        ctx.window, ctx.shape = (axis, k, count), data.shape
        return best

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        (winner,) = ctx.saved_tensors
        axis, k, count = ctx.window
        whole = k * count == ctx.shape[axis]
        result = grad.new_empty(ctx.shape) if whole else grad.new_zeros(ctx.shape)
        rest = grad
        for offset in range(k - 1, 0, -1):
            place = part(result, axis, offset, k, count)
            torch.mul(grad, winner == offset if k > 2 else winner, out=place)
            rest = torch.sub(rest, place, out=part(result, axis, 0, k, count))
        return result, None, None


def max_of_tiles(data: Tensor, kernel: Sequence[int]) -> Tensor:
    """The largest element of each tile, with its gradient; one side is over 1."""
    # The last axis first: then the first of equal elements is the first in the order of memory.
    for axis in range(data.ndim - 1, 1, -1):
        if kernel[axis - 2] > 1:
            data = run_function(_MaxOfTiles, data, axis, kernel[axis - 2])
    return data


class _MaxChannelsLast(Function):
    """torch's maximum over windows of images, forward with the channels last in memory.

    Its gradient has the channels first, as the data: nodes behind it are slow with mixed orders.
    """

    @staticmethod
    def forward(ctx: Any, data: Tensor, *window: Sequence[int]) -> Tensor:
        last = data.contiguous(memory_format=torch.channels_last)
        best: Tensor
        best, places = torch.ops.aten.max_pool2d_with_indices(last, *window)
        ctx.save_for_backward(data, places.contiguous())
        ctx.window = window
        return best.contiguous()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        data, places = ctx.saved_tensors
        result = torch.ops.aten.max_pool2d_with_indices_backward(
            grad.contiguous(), data, *ctx.window, (1, 1), False, places
        )
        return result, None, None, None


def max_channels_last(
    data: Tensor, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int]
) -> Tensor:
    """The largest element of each window of images (N, C, H, W), with its gradient."""
    return run_function(_MaxChannelsLast, data, kernel, stride, pad)
