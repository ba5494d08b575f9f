"""Optimizers' updates with gradients by rows: the rows that the gradient has, and no others."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError
from mxtorch._core.op import find_op, op
from mxtorch._core.storage import Rows, sparse_kernel
from mxtorch._ops import _steps
from mxtorch._ops.sparse import retained
from mxtorch._ops.update import limit


def rows_at(value: Tensor | Rows, rows: Tensor) -> Tensor:
    """The given rows of an array, in new memory."""
    return retained(value, rows).data if isinstance(value, Rows) else value[rows]


def put_rows(value: Tensor | Rows, rows: Tensor, data: Tensor) -> None:
    """Write rows into an array in place; a row_sparse one stores all rows then, as in MXNet."""
    if isinstance(value, Tensor):
        value.index_copy_(0, rows, data)
        return
    value.fill().index_copy_(0, rows, data)


def _is_lazy(weight: Any, states: tuple[Any, ...]) -> bool:
    """Whether weight and states are of one storage type: else MXNet makes all of them dense."""
    return len({isinstance(value, Rows) for value in (weight, *states)}) == 1


def _by_rows(name: str, weight: Any, grad: Rows, states: tuple[Any, ...], attrs: Any) -> Any:
    rows = grad.indices
    with torch.no_grad():
        parts = [rows_at(value, rows) for value in states]
        new = find_op(name).body(rows_at(weight, rows), grad.data, *parts, **attrs)
        for state, part in zip(states, parts, strict=True):
            put_rows(state, rows, part)
        result = weight.copy() if isinstance(weight, Rows) else weight.detach().clone()
        put_rows(result, rows, new)
    return result


def _lazy(name: str) -> None:
    @sparse_kernel(name)
    def kernel(weight: Any, grad: Any, *states: Any, lazy_update: bool = True, **attrs: Any) -> Any:
        if not lazy_update or not isinstance(grad, Rows) or not _is_lazy(weight, states):
            return None
        return _by_rows(name, weight, grad, states, attrs)


for _name in ("sgd_update", "sgd_mom_update", "adam_update"):
    _lazy(_name)


@sparse_kernel("ftrl_update")
def _ftrl(weight: Any, grad: Any, *states: Any, **attrs: Any) -> Any:
    if not isinstance(grad, Rows) or not all(isinstance(v, Rows) for v in (weight, *states)):
        return None
    return _by_rows("ftrl_update", weight, grad, states, attrs)


def _squared(weight: Tensor, grad: Tensor, rescale: float, clip: float) -> tuple[Tensor, Tensor]:
    (step,) = _steps.rescaled([grad], rescale, limit(clip))
    return weight.detach().clone(), step


@op(name="_sparse_adagrad_update", mutates=("history",))
def adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    *,
    lr: float,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """AdaGrad of the rows of a row_sparse gradient: w - lr * g / sqrt(h + epsilon), h += g**2."""
    if wd:
        raise MXNetError(f"wd={wd}: adagrad_update has no weight decay, as in MXNet; pass wd=0")
    with torch.no_grad():
        new, step = _squared(weight, grad, rescale_grad, clip_gradient)
        history.add_(step * step)
        new.addcdiv_(step, (history + _steps.f32(epsilon)).sqrt(), value=-_steps.f32(lr))
    return new


@sparse_kernel("_sparse_adagrad_update")
def _adagrad(weight: Any, grad: Any, history: Any, **attrs: Any) -> Any:
    if not isinstance(grad, Rows) or not _is_lazy(weight, (history,)):
        raise MXNetError("adagrad_update: weight and history must be of one storage type")
    return _by_rows("_sparse_adagrad_update", weight, grad, (history,), attrs)


@op(name="_contrib_group_adagrad_update", mutates=("history",))
def group_adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    *,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
) -> Tensor:
    """AdaGrad with one history for each row: h += mean(g**2), w - lr * g / sqrt(h + epsilon).

    MXNet's CPU has it for row_sparse gradients only.
    """
    with torch.no_grad():
        new, step = _squared(weight, grad, rescale_grad, clip_gradient)
        square = (step * step).flatten(1).mean(1)
        history.add_(square.reshape(history.shape))
        root = (history + _steps.f32(epsilon)).sqrt().reshape(-1, *[1] * (step.ndim - 1))
        new.sub_(step / root, alpha=_steps.f32(lr))
    return new


@sparse_kernel("_contrib_group_adagrad_update")
def _group_adagrad(weight: Any, grad: Any, history: Any, **attrs: Any) -> Any:
    if not isinstance(grad, Rows) or isinstance(weight, Rows):
        return None
    return _by_rows("_contrib_group_adagrad_update", weight, grad, (history,), attrs)
