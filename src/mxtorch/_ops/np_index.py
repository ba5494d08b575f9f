"""Choosing elements of `mx.np` arrays."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._core.op import op, rows
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import constant, run_function
from mxtorch._ops.binary import typed
from mxtorch._ops.unary import analytic


@op(mixed=True)
def _npi_where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """x where the condition is not 0, else y; all broadcast."""
    if x.dtype is not y.dtype:
        raise MXNetError(f"x and y must have one type, got {x.dtype} and {y.dtype}")
    return torch.where(condition != 0, x, y)


class _OneSided(Function):
    """An array where `chosen`, else a number; MXNet 1.9.1 hands the gradient on elsewhere.

    `right`: not so if the array is broadcast.
    """

    @staticmethod
    def forward(ctx: Any, chosen: Tensor, data: Tensor, value: float, right: bool) -> Tensor:
        ctx.save_for_backward(chosen)
        ctx.shape, ctx.right = data.shape, right
        return torch.where(chosen, data, torch.full_like(data, value))

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        (off,) = ctx.saved_tensors
        if ctx.right and ctx.shape != gradient.shape:
            off = ~off
        return None, gradient.masked_fill(off, 0).sum_to_size(ctx.shape), None, None


_SWAPPED = "goes to the elements that the number replaces, as in MXNet 1.9.1"


@op(mixed=True, gradient=_SWAPPED)
def _npi_where_lscalar(condition: Tensor, x: Tensor, *, scalar: float = 0.0) -> Tensor:
    """x where the condition is 0, else the number."""
    return run_function(_OneSided, condition == 0, x, typed(scalar, x), False)


@op(mixed=True, gradient=_SWAPPED)
def _npi_where_rscalar(condition: Tensor, y: Tensor, *, scalar: float = 0.0) -> Tensor:
    """y where the condition is not 0, else the number."""
    return run_function(_OneSided, condition != 0, y, typed(scalar, y), True)


@op()
def _npi_where_scalar2(condition: Tensor, *, x: float = 0.0, y: float = 0.0) -> Tensor:
    """One number where the condition is not 0, else the other, float32."""
    values = torch.tensor([y, x], dtype=torch.float32, device=condition.device)
    return torch.where(condition != 0, values[1], values[0])


@op("_npi_nonzero")
@constant
def _npx_nonzero(x: Tensor) -> Tensor:
    """A row of indices for each element that is not 0, int64."""
    return torch.nonzero(x if x.ndim else x.reshape(1))


@op()
def _npi_diag_indices_from(data: Tensor) -> Tensor:
    """The indices of the main diagonal, a row an axis."""
    if data.ndim < 2 or len(set(data.shape)) != 1:
        raise MXNetShapeError(f"the axes must be two or more of one length, got {data.shape}")
    return torch.arange(data.shape[0], device=data.device).expand(data.ndim, -1).clone()


def _masked(data: Tensor, mask: Tensor, start_axis: int) -> Tensor:
    inner = data.ndim - start_axis - mask.ndim
    if inner < 0 or data.shape[start_axis : start_axis + mask.ndim] != mask.shape:
        raise MXNetShapeError(f"a mask of shape {mask.shape} does not fit {data.shape}")
    return mask.reshape((1,) * start_axis + tuple(mask.shape) + (1,) * inner).bool()


@op(mixed=True)
def _npi_boolean_mask_assign_scalar(
    data: Tensor, mask: Tensor, *, value: float = 0.0, start_axis: int = 0
) -> Tensor:
    """The array with a number where the mask is true."""
    return data.masked_fill(_masked(data, mask, start_axis), typed(value, data))


@op(mixed=True)
def _npi_boolean_mask_assign_tensor(
    data: Tensor, mask: Tensor, value: Tensor, *, start_axis: int = 0
) -> Tensor:
    """The array with an array's values where the mask is true."""
    _masked(data, mask, start_axis)
    result = data.clone()
    result[(slice(None),) * start_axis + (mask.bool(),)] = value.to(data.dtype)
    return result


@op(lists_input=False)
def _npx_relu(data: Tensor) -> Tensor:
    """The values above zero, else zero."""
    return torch.relu(data)


rows(analytic, ("_npx_sigmoid", torch.sigmoid, "1 / (1 + exp(-data))."), lists_input=False)


@op()
def _npx_constraint_check(input: Tensor, *, msg: str = "Constraint violated.") -> Tensor:
    """True if all elements are; else an error with this text."""
    if input.dtype is not torch.bool:
        raise MXNetError("constraint_check takes booleans")
    if input.device.type != "meta" and not bool(input.all()):
        raise MXNetValueError(msg)
    return input.all()
