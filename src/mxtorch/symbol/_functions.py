"""Functions of two symbols or numbers that MXNet writes by hand."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetError
from mxtorch._front.methods import NUMBERS
from mxtorch.symbol._create import split_v2
from mxtorch.symbol._namespace import compose
from mxtorch.symbol.symbol import Symbol

__all__ = ["hypot", "maximum", "minimum", "pow", "power"]


def _either(
    left: Any, right: Any, alias: str, swapped: str, of_numbers: Callable[[Any, Any], Any]
) -> Any:
    """The operator `alias` of two symbols, its Scalar form with a number, or a plain number."""
    if isinstance(left, Symbol):
        if isinstance(right, Symbol):
            return compose(alias, left, right)
        if isinstance(right, NUMBERS):
            return compose(f"{alias}Scalar", left, scalar=right)
    elif isinstance(left, NUMBERS):
        if isinstance(right, Symbol):
            return compose(f"{swapped}Scalar", right, scalar=left)
        if isinstance(right, NUMBERS):
            return of_numbers(left, right)
    raise TypeError(f"types ({type(left)}, {type(right)}) not supported")


def maximum(left: Any, right: Any) -> Any:
    """The larger of two symbols of one shape, or of a symbol and a number."""
    return _either(left, right, "_Maximum", "_Maximum", max)


def minimum(left: Any, right: Any) -> Any:
    """The smaller of two symbols of one shape, or of a symbol and a number."""
    return _either(left, right, "_Minimum", "_Minimum", min)


def hypot(left: Any, right: Any) -> Any:
    """The root of the sum of squares, of two symbols of one shape or of a symbol and a number."""
    return _either(left, right, "_Hypot", "_Hypot", np.hypot)


def power(base: Any, exp: Any) -> Any:
    """`base` to the `exp`, two symbols of one shape or a symbol and a number."""
    return _either(base, exp, "_Power", "_RPower", operator.pow)


pow = power


def astype(self: Symbol, dtype: Any) -> Symbol:
    """The values in another type."""
    return compose("cast", self, dtype=dtype)


def _split(self: Symbol, *args: Any, **kwargs: Any) -> Symbol:
    """`mx.sym.split_v2` of this symbol."""
    return split_v2(self, *args, **kwargs)


def _same(self: Symbol) -> Symbol:
    """This symbol, which is one of `mx.nd`'s operators already."""
    return self


def _gradient(self: Symbol, wrt: Any) -> Symbol:
    """MXNet has the method and no code behind it: bind and run backward instead."""
    raise MXNetError("Symbol.gradient: not implemented, as in MXNet; bind the symbol, run backward")


def _with_inplace(name: str) -> Callable[..., Symbol]:
    """A method whose `inplace`, which makes a view of an array, says nothing to a symbol."""
    method = getattr(Symbol, name)

    def call(self: Symbol, *args: Any, inplace: bool = False, **kwargs: Any) -> Symbol:
        result: Symbol = method(self, *args, **kwargs)
        return result

    call.__name__, call.__doc__ = name, method.__doc__
    return call


def _with_default(name: str, key: str, value: Any) -> Callable[..., Symbol]:
    """A method that writes an attribute into the graph even where the caller leaves it out."""
    method = getattr(Symbol, name)

    def call(self: Symbol, *args: Any, **kwargs: Any) -> Symbol:
        given = kwargs if args else {key: value, **kwargs}
        return method(self, *args, **given)

    call.__name__, call.__doc__ = name, method.__doc__
    return call


_METHODS = {
    **{name: _with_inplace(name) for name in ("expand_dims", "squeeze", "flatten")},
    "diag": _with_default("diag", "k", 0),
    "astype": astype,
    "split_v2": _split,
    "as_nd_ndarray": _same,
    "gradient": _gradient,
}
for _name, _method in _METHODS.items():
    setattr(Symbol, _name, _method)
Symbol.squeeze = _with_default("squeeze", "axis", None)  # type: ignore[attr-defined]
