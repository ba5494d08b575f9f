"""Gradients that are MXNet's and not torch's: at ties, at zeros, and where they are all zero."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import torch_compat, whole
from mxtorch._core.errors import MXNetError
from mxtorch._core.modes import modes
from mxtorch._core.pending import Function

Body = TypeVar("Body", bound=Callable[..., Any])
BinaryFn = Callable[[Any, Any], Tensor]
# Two tensors and their result → the derivatives by either of them.
Slopes = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


def follows(*values: Any) -> bool:
    """Whether autograd follows one of the values now."""
    for value in values:
        if isinstance(value, Tensor) and value.requires_grad:
            return torch.is_grad_enabled()
    return False


class _Slopes(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, fn: BinaryFn, slopes: Slopes) -> Tensor:
        result = fn(a, b)
        ctx.slopes = slopes
        ctx.save_for_backward(a, b, result)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        a, b, result = ctx.saved_tensors
        by_a, by_b = ctx.slopes(a, b, result)
        left = (gradient * by_a).sum_to_size(a.shape) if ctx.needs_input_grad[0] else None
        right = (gradient * by_b).sum_to_size(b.shape) if ctx.needs_input_grad[1] else None
        return left, right, None, None


def with_slopes(fn: BinaryFn, slopes: Slopes) -> BinaryFn:
    """`fn` of tensors that broadcast, or a tensor and a number, with the given derivatives."""

    def differentiable(a: Any, b: Any) -> Tensor:
        if not follows(a, b):
            return fn(a, b)
        if not isinstance(a, Tensor):
            a = torch.full((), a, dtype=b.dtype, device=b.device)
        if not isinstance(b, Tensor):
            b = torch.full((), b, dtype=a.dtype, device=a.device)
        result: Tensor = _Slopes.apply(a, b, fn, slopes)
        return result

    return differentiable


class _Zero(Function):
    """A result that stays in the graph and hands no gradient on: nothing below it is computed."""

    @staticmethod
    def forward(ctx: Any, result: Tensor, *inputs: Any) -> Tensor:
        ctx.set_materialize_grads(False)
        ctx.headless = True
        ctx.count = 1 + len(inputs)
        ctx.zeros = (
            []
            if torch_compat.tells_leaves()
            else [torch.empty_like(t, device="meta") for t in inputs]
        )
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        if ctx.zeros:
            return None, *[torch_compat.zeros(t, gradient.device) for t in ctx.zeros]
        count: int = ctx.count
        return (None,) * count


def without_slope(result: Tensor, *inputs: Any) -> Tensor:
    """A result whose gradient by the inputs is zero.

    In MXNet it is part of the graph all the same: the leaves below it get zeros. Of whole numbers
    and booleans torch keeps no history; a twin of zeros does, which takes no memory.
    """
    if not follows(*inputs):
        return result
    if result.is_floating_point():
        zero: Tensor = _Zero.apply(result, *inputs)
        return zero
    twin = torch.zeros((), dtype=torch.float64, device=result.device).expand(result.shape)
    whole.pair_up(result, _Zero.apply(twin, *inputs), modes.recording)
    return result


def _apart(body: Body, mark: Callable[..., Tensor]) -> Body:
    """A body that computes without history where autograd follows its inputs; `mark` puts each
    result, beside the inputs, back into the graph."""

    @wraps(body)
    def run(*tensors: Any, **attrs: Any) -> Any:
        if not follows(*tensors):
            return body(*tensors, **attrs)
        with torch.no_grad():
            results = body(*tensors, **attrs)
        if isinstance(results, Tensor):
            return mark(results, *tensors)
        return tuple(mark(result, *tensors) for result in results)

    return run  # type: ignore[return-value]


def constant(body: Body) -> Body:
    """A body whose results have the gradient zero by every array, whatever it computes with."""
    return _apart(body, without_slope)


class _Refused(Function):
    @staticmethod
    def forward(ctx: Any, indices: Tensor, name: str) -> Tensor:
        ctx.name = name
        return indices.view_as(indices)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        raise MXNetError(
            f"there is no gradient with respect to {ctx.name}; MXNet refuses it too. Attach no "
            "gradient to the array, or give it grad_req='null'"
        )


class _Beside(Function):
    @staticmethod
    def forward(ctx: Any, result: Tensor, refused: Tensor) -> Tensor:
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return gradient, None


def refusing(result: Tensor, indices: Tensor, name: str) -> Tensor:
    """A result for which backward raises if the gradient by `indices` is asked for, as in MXNet."""
    if result.is_floating_point() and follows(indices) and needs_head(indices):
        beside: Tensor = _Beside.apply(result, _Refused.apply(indices, name))
        return beside
    return result


class _NoGradient(Function):
    @staticmethod
    def forward(ctx: Any, result: Tensor, name: str, *inputs: Any) -> Tensor:
        ctx.name = name
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        raise MXNetError(
            f"{ctx.name} has no gradient; MXNet refuses it too. Compute it outside record(), or of "
            "arrays that went through BlockGrad"
        )


def without_gradient(body: Body) -> Body:
    """A body whose results backward refuses to go through."""

    def refuse(result: Tensor, *inputs: Any) -> Tensor:
        if not result.is_floating_point():
            return result
        stopped: Tensor = _NoGradient.apply(result, body.__name__, *inputs)
        return stopped

    return _apart(body, refuse)


class _Straight(Function):
    @staticmethod
    def forward(ctx: Any, result: Tensor, data: Tensor) -> Tensor:
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return None, gradient


def straight(result: Tensor, data: Tensor) -> Tensor:
    """A result of data's shape whose gradient goes to `data` as it is."""
    if result.is_floating_point() and follows(data):
        passed: Tensor = _Straight.apply(result.detach(), data)
        return passed
    return result


def needs_head(tensor: Tensor) -> bool:
    """Whether gradients below a tensor depend on the gradient that comes from above.

    A function whose own gradient does not says so with `ctx.headless = True`.
    """
    stack, seen = [tensor.grad_fn], set()
    if tensor.grad_fn is None:
        return tensor.requires_grad
    while stack:
        function = stack.pop()
        if function is None or function in seen or getattr(function, "headless", False):
            continue
        seen.add(function)
        if hasattr(function, "variable"):  # a leaf
            return True
        stack += [child for child, _ in function.next_functions]
    return False


def run_function(function: type[Function], *arguments: Any) -> Tensor:
    """The one result of an autograd function."""
    result: Tensor = function.apply(*arguments)
    return result


def single(value: float, data: Tensor) -> float:
    """An attribute's value for `data`: MXNet keeps it in float32, which float64 arrays can see."""
    return float(np.float32(value)) if data.dtype is torch.float64 else value
