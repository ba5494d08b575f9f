"""The first autograd interface; `mx.autograd` took its place. Recording is training here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from mxtorch import autograd
from mxtorch._core.errors import MXNetAssertionError
from mxtorch.autograd import backward, mark_variables
from mxtorch.ndarray import (  # type: ignore[attr-defined] # an operator, filled in
    NDArray,
    zeros,
    zeros_like,
)

__all__ = [
    "TrainingStateScope",
    "backward",
    "compute_gradient",
    "grad",
    "grad_and_loss",
    "mark_variables",
    "set_is_training",
    "test_section",
    "train_section",
    "zeros_like",
]


def set_is_training(is_train: bool) -> bool:
    """Switch recording and training mode together; returns whether training was on."""
    before = autograd.set_training(is_train)
    autograd.set_recording(is_train)
    return before


class TrainingStateScope:
    """A scope with both switches set."""

    def __init__(self, enter_state: bool) -> None:
        self._enter_state = enter_state
        self._prev: tuple[bool, Any] | None = None

    def __enter__(self) -> None:
        scope = autograd.record() if self._enter_state else autograd.pause()
        self._prev = autograd.is_training(), scope
        scope.__enter__()

    def __exit__(
        self,
        ptype: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._prev is not None
        self._prev[1].__exit__(ptype, value, trace)


def train_section() -> TrainingStateScope:
    """A scope in which operators are recorded, in training mode."""
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """A scope in which nothing is recorded, in prediction mode."""
    return TrainingStateScope(False)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """Backward from the outputs into the marked variables."""
    backward(outputs)


def grad_and_loss(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., tuple[list[NDArray], Any]]:
    """A function that returns `func`'s gradients (by the arguments `argnum`) and its result."""

    def wrapped(*args: Any) -> tuple[list[NDArray], Any]:
        numbers = [argnum] if isinstance(argnum, int) else argnum
        variables = list(args) if numbers is None else [args[i] for i in numbers]
        for variable in variables:
            if not isinstance(variable, NDArray):
                raise MXNetAssertionError("type of autograd input should NDArray.")
        gradients = [
            zeros(variable.shape, variable.context, variable.dtype) for variable in variables
        ]
        mark_variables(variables, gradients)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return gradients, outputs

    return wrapped


def grad(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., list[NDArray]]:
    """A function that returns `func`'s gradients by the arguments `argnum`."""
    both = grad_and_loss(func, argnum)

    def wrapped(*args: Any) -> list[NDArray]:
        return both(*args)[0]

    return wrapped
