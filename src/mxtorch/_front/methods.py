"""Operators as methods and as Python operators of arrays and symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from mxtorch._core import freed
from mxtorch._core.binder import BODY_ERRORS
from mxtorch._core.errors import MXNetAssertionError
from mxtorch._core.modes import modes
from mxtorch._core.op import Op, all_ops, find_op, python_operator
from mxtorch._core.spans import spans
from mxtorch._core.writes import watched
from mxtorch._front.eager import make_function
from mxtorch._front.handle import Handle, wrap, written_while_recording

NUMBERS = (int, float, bool, np.generic)
_PLAIN_NUMBERS = frozenset({int, float})


def number(value: Any) -> Any:
    """A number beside an array, as the operators' attribute takes it: True is 1.0."""
    return float(value) if isinstance(value, (bool, np.bool_)) else value


def install_methods(cls: type, make: Callable[[Op], Callable[..., Any]]) -> None:
    """Give `cls` a method for each operator that has one; methods written by hand are kept."""
    for op in all_ops():
        for name in op.methods:
            if name not in cls.__dict__:
                setattr(cls, name, make(op))


def arithmetic(key: str, cls: type[Handle]) -> Callable[[Any, Any], Any]:
    """`__add__` and its like: array with array, array with number.

    Two float arrays of one kind, or a float array and a number, go straight to torch's function.
    """
    array_op, scalar_op = python_operator(key), python_operator(f"{key}.scalar")
    array_call, scalar_call = make_function(array_op, cls), make_function(scalar_op, cls)
    array_kernel, scalar_kernel = array_op.kernel, scalar_op.kernel
    array_tracked, scalar_tracked = array_op.tracked, scalar_op.tracked

    def method(self: Any, other: Any) -> Any:
        kind = self._kind
        if type(other) in _PLAIN_NUMBERS:
            if scalar_kernel is not None and kind.is_wide and spans.report is None:
                if kind.plain:
                    return kind.wrap(scalar_kernel(self._data, other))
                if scalar_tracked is not None and modes.recording:
                    return wrap(kind, scalar_tracked(self.live(), other))
            return scalar_call(self, scalar=other)
        try:
            theirs = other._kind
        except AttributeError:
            theirs = None
        if theirs is None:
            if not isinstance(other, NUMBERS):
                return _unsupported(other)
            return scalar_call(self, scalar=number(other))
        if kind is theirs and array_kernel is not None and kind.is_float and spans.report is None:
            try:
                if kind.plain:
                    return kind.wrap(array_kernel(self._data, other._data))
                if array_tracked is not None and modes.recording:
                    if self._freed is other._freed is freed.count:
                        return kind.wrap(array_tracked(self._hist, other._hist))
                    return wrap(kind, array_tracked(self.live(), other.live()))
            except (AttributeError, *BODY_ERRORS):
                pass  # once more below: nothing is known of a graph, or for the error's context
        return array_call(self, other)

    method.__name__ = f"__{key}__"
    return method


def unary(name: str, cls: type[Handle]) -> Callable[[Any], Any]:
    """`__abs__`: the operator of that name."""
    call = make_function(find_op(name), cls)
    return lambda self: call(self)


def negation(cls: type[Handle]) -> Callable[[Any], Any]:
    """`__neg__`; the negative of a boolean array is one of whole numbers."""
    call, times = make_function(find_op("negative"), cls), arithmetic("mul", cls)
    return lambda self: times(self, -1) if self._kind.dtype is torch.bool else call(self)


def _unsupported(other: Any) -> Any:
    raise TypeError(f"type {type(other)} not supported")


def reflected(key: str, cls: type[Handle]) -> Callable[[Any, Any], Any]:
    """`__rsub__` and its like, for numbers on the left."""
    scalar_call = make_function(python_operator(f"{key}.scalar"), cls)
    is_ordered = key.startswith("r")

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, NUMBERS):
            if is_ordered:  # as in MXNet, which tells these from sums and products
                raise MXNetAssertionError(f"Argument lhs must have NDArray type, but got {other}")
            return _unsupported(other)
        return scalar_call(self, scalar=number(other))

    method.__name__ = f"__{key}__"
    return method


def in_place(key: str, cls: type[Handle]) -> Callable[[Any, Any], Any]:
    """`__iadd__` and its like: the result is written into the array's own memory."""
    array_op, scalar_op = python_operator(key), python_operator(f"{key}.scalar")
    array_call, scalar_call = make_function(array_op, cls), make_function(scalar_op, cls)
    array_kernel, scalar_kernel = array_op.kernel, scalar_op.kernel

    def method(self: Any, other: Any) -> Any:
        kind = self._kind
        is_short = kind.plain and kind.is_wide and not kind.is_sparse
        if is_short and not (modes.recording or watched) and spans.report is None:
            if scalar_kernel is not None and type(other) in _PLAIN_NUMBERS:
                self._data.data.copy_(scalar_kernel(self._data, other))
                return self
            if array_kernel is not None and getattr(other, "_kind", None) is kind:
                data = self._data
                if other._data.shape == data.shape:
                    data.data.copy_(array_kernel(data, other._data))
                    return self
        self.write_storage()
        if isinstance(other, Handle):
            if modes.recording and not other._kind.plain:
                raise written_while_recording()
            return array_call(self, other, out=self)
        if not isinstance(other, NUMBERS):
            return _unsupported(other)
        return scalar_call(self, scalar=number(other), out=self)

    method.__name__ = f"__i{key}__"
    return method
