"""Control flow on arrays: plain Python loops, which autograd follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._core.op import find_op
from mxtorch._front.nested import Format, flatten, regroup
from mxtorch.ndarray._namespace import make
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["cond", "foreach", "while_loop"]

_stack = make(find_op("stack"))
_zeros_like = make(find_op("zeros_like"))


def _flatten(values: Any, role: str) -> tuple[list[NDArray], Format]:
    def refuse(value: Any) -> Exception:
        return MXNetAssertionError(
            f"{role} must be (nested) list of NDArray, but got {value} of type {type(value)}"
        )

    return flatten(values, lambda v: 0 if isinstance(v, NDArray) else None, refuse)


def foreach(body: Callable[..., Any], data: Any, init_states: Any) -> Any:
    """`body(slice, states)` → (outputs, states) for each slice of `data` along axis 0.

    Gives the outputs of all steps, stacked along a new axis 0, and the last states. Data, states
    and outputs are arrays or nested lists of them.
    """
    flat, format_ = _flatten(data, "foreach input")
    _flatten(init_states, "foreach states")
    if not flat or not flat[0].shape[0]:
        raise MXNetValueError("foreach: the data must be arrays of length 1 or more")
    states = init_states
    steps: list[list[NDArray]] = []
    out_format: Format = 0
    for i in range(flat[0].shape[0]):
        outputs, states = body(regroup([array[i] for array in flat], format_), states)
        parts, out_format = _flatten(outputs, "foreach output")
        steps.append(parts)
    columns = [_stack(*column, axis=0) for column in zip(*steps, strict=True)]
    return regroup(columns, out_format), states


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
) -> Any:
    """`func(*loop_vars)` → (outputs, loop variables) as long as `cond(*loop_vars)` is true.

    Gives the outputs of all steps, stacked along a new axis 0 of length `max_iterations` (zeros
    where there was no step; MXNet leaves what was there), and the last loop variables.
    """
    limit = check_iterations(max_iterations)
    if not isinstance(loop_vars, NDArray) and len(loop_vars) == 0:
        raise MXNetValueError("loop_vars should contain at least one element")
    flat, format_ = _flatten(loop_vars, "while loop_vars")
    variables = [loop_vars] if isinstance(loop_vars, NDArray) else loop_vars
    steps: list[list[NDArray]] = []
    out_format: Format = []
    result = loop_vars
    while len(steps) < limit and _is_true(cond(*variables)):
        outputs, new = func(*variables)
        parts, out_format = _flatten([] if outputs is None else outputs, "while output")
        flat_new, _ = _flatten([] if new is None else new, "while loop_vars")
        if len(flat_new) != len(flat):
            raise MXNetValueError("The length of loop_vars should be consistent during the loop")
        steps.append(parts)
        result = regroup(flat_new, format_)
        variables = [result] if isinstance(result, NDArray) else result
    columns = []
    for column in zip(*steps, strict=True):
        missing = [_zeros_like(column[0])] * (limit - len(steps))
        columns.append(_stack(*column, *missing, axis=0))
    return regroup(columns, out_format if columns else []), result


def check_iterations(max_iterations: Any) -> int:
    """`max_iterations` as a number."""
    if max_iterations is None:
        raise MXNetValueError("max_iterations should be specified")
    try:
        return int(max_iterations)
    except (TypeError, ValueError):
        raise MXNetValueError("Cannot convert max_iteration to python int") from None


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """What `then_func()` gives if `pred` (an array of one element) is true, else `else_func()`."""
    return then_func() if _is_true(pred) else else_func()


def _is_true(value: Any) -> bool:
    return bool(value.asscalar() if isinstance(value, NDArray) else value)
