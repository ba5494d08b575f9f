"""Products of `mx.np` arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import op
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows, run_function

Dims = tuple[int, ...]


def _check(a: Tensor, b: Tensor) -> None:
    if not a.is_floating_point():
        raise MXNetTypeError("products are those of floating point types; convert with astype")


def _inner_error(a: Tensor, b: Tensor) -> MXNetShapeError:
    return MXNetShapeError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} are not aligned")


@op()
def _np_dot(a: Tensor, b: Tensor) -> Tensor:
    """NumPy's dot: over the last axis of a and the last but one of b; with a scalar the product."""
    _check(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim <= 2 and b.ndim <= 2:
        if a.shape[-1] != b.shape[-2 if b.ndim == 2 else 0]:
            raise _inner_error(a, b)
        return torch.matmul(a, b)
    axis = b.ndim - 2 if b.ndim > 1 else 0
    if a.shape[-1] != b.shape[axis]:
        raise _inner_error(a, b)
    return _summed(a, b, [a.ndim - 1], [axis])


@op(output_names=("out",))
def _npi_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Products of the matrices in the last two axes; the others broadcast."""
    _check(a, b)
    if a.ndim == 0 or b.ndim == 0:
        raise MXNetShapeError("multiplication by scalars is not a matrix product; use *")
    if follows(a, b) and min(a.ndim, b.ndim) > 2 and a.shape[:-2] != b.shape[:-2]:
        return run_function(_Stacked, a, b)
    return torch.matmul(a, b)


class _Stacked(Function):
    """Products of stacks that broadcast.

    MXNet 1.9.1 sums the gradient of an array that was repeated as if only its leading axes were.
    """

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, b)
        return torch.matmul(a, b)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        a, b = ctx.saved_tensors
        by_a, by_b = torch.matmul(gradient, b.mT), torch.matmul(a.mT, gradient)
        return by_a.reshape(-1, *a.shape).sum(0), by_b.reshape(-1, *b.shape).sum(0)


@op()
def _npi_tensordot(a: Tensor, b: Tensor, *, a_axes_summed: Shape, b_axes_summed: Shape) -> Tensor:
    """The sum of products over pairs of axes."""
    _check(a, b)
    if len(a_axes_summed) != len(b_axes_summed):
        raise MXNetShapeError(f"axes {a_axes_summed} and {b_axes_summed} are no pairs")
    return _summed(a, b, a_axes_summed, b_axes_summed)


def _summed(a: Tensor, b: Tensor, a_axes: Sequence[int], b_axes: Sequence[int]) -> Tensor:
    if any(a.shape[i] != b.shape[j] for i, j in zip(a_axes, b_axes, strict=True)):
        raise _inner_error(a, b)
    result: Tensor = torch.tensordot(a, b, dims=(list(a_axes), list(b_axes)))
    return result


@op()
def _npi_tensordot_int_axes(a: Tensor, b: Tensor, *, axes: int) -> Tensor:
    """The sum of products over the last `axes` axes of a and the first of b."""
    _check(a, b)
    if not 0 <= axes <= min(a.ndim, b.ndim):
        raise MXNetShapeError(f"axes={axes} is more than the arrays have")
    return _summed(a, b, range(a.ndim - axes, a.ndim), range(axes))


@op()
def _npi_einsum(*data: Tensor, subscripts: str = "", optimize: Hint[int] = 0) -> Tensor:
    """Products and sums as Einstein's convention writes them."""
    if not data:
        raise MXNetValueError("einsum needs at least one array")
    return torch.einsum(subscripts, *data)
