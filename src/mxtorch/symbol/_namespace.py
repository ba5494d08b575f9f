"""Fills the namespaces below `mx.sym` from the operator table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from mxtorch._core.op import Op, all_ops, find_op, python_operator
from mxtorch._front import names, symbolic
from mxtorch._front.methods import NUMBERS
from mxtorch._graph.node import Entry
from mxtorch._ops import table
from mxtorch.base import NotImplementedForSymbol
from mxtorch.symbol.symbol import Symbol

FAMILIES = table.FAMILIES


def is_symbol(value: Any) -> bool:
    """Whether a value is a symbol."""
    return isinstance(value, Symbol)


@cache
def make(op: Op, short_name: str) -> Callable[..., Any]:
    """The function for `op` that composes symbols; automatic names come from `short_name`."""
    return symbolic.make_function(op, short_name, _like, is_symbol)


def _like(entries: list[Entry], inputs: Sequence[Any]) -> Symbol:
    """A symbol of the class of the first input."""
    cls = next((type(s) for s in inputs if s is not None), Symbol)
    return cls(entries)


def compose(name: str, /, *inputs: Symbol, **attrs: Any) -> Symbol:
    """A symbol of the operator of that name, which automatic names come from."""
    symbol: Symbol = make(find_op(name), name)(*inputs, **attrs)
    return symbol


def fill(target: dict[str, Any], namespace: str = "") -> None:
    """Put the operators of a namespace into a module's globals; names already there are kept."""
    for short, op in names.members(namespace).items():
        if short not in target:
            target[short] = make(op, short)


# Python operators whose automatic names come from the operator's own name, not from its alias.
_OWN_NAME = frozenset({"eq", "ne", "gt", "ge", "lt", "le", "rpow"})


def _named_after(op: Op, key: str) -> str:
    """The alias from which a Python operator takes its automatic names: '_PlusScalar'."""
    if key in _OWN_NAME:
        return op.name
    return next((a for a in op.names if a[:1] == "_" and a[1:2].isupper()), op.name)


def arithmetic(key: str) -> Callable[[Any, Any], Any]:
    """`__add__` and its like for symbols."""
    array_op, scalar_op = python_operator(f"{key}.symbol"), python_operator(f"{key}.scalar")
    with_symbol = make(array_op, _named_after(array_op, key))
    with_number = make(scalar_op, _named_after(scalar_op, key))

    def method(self: Symbol, other: Any) -> Any:
        if isinstance(other, Symbol):
            return with_symbol(self, other)
        if isinstance(other, NUMBERS):
            return with_number(self, scalar=other)
        raise TypeError(f"type {type(other)} not supported")

    method.__name__ = f"__{key}__"
    return method


def reflected(key: str) -> Callable[[Any, Any], Any]:
    """`__rsub__` and its like for symbols."""
    op = python_operator(f"{key}.scalar")
    with_number = make(op, _named_after(op, key))

    def method(self: Symbol, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            return with_number(self, scalar=other)
        raise TypeError(f"type {type(other)} not supported")

    method.__name__ = f"__{key}__"
    return method


def _refused(name: str) -> Callable[..., Any]:
    """A method that only arrays have: it says so."""

    def method(self: Symbol, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedForSymbol(method, None, *args)

    method.__name__ = name
    return method


def install() -> None:
    """Give Symbol its methods and Python operators."""
    cls: Any = Symbol
    for op in all_ops():
        for name in op.methods:
            if name not in cls.__dict__:
                setattr(cls, name, make(op, name))
    for key in ("add", "sub", "mul", "truediv", "mod", "pow", "eq", "ne", "gt", "ge", "lt", "le"):
        setattr(cls, f"__{key}__", arithmetic(key))
    for key in ("rsub", "rtruediv", "rmod", "rpow"):
        setattr(cls, f"__{key}__", reflected(key))
    for name in ("asnumpy", "asscalar", "as_in_context", "backward", "copy", "detach"):
        setattr(cls, name, _refused(name))
    for name in ("__iadd__", "__isub__", "__imul__", "__itruediv__"):
        setattr(cls, name, _refused(name))
    cls.wait_to_read = _refused("wait_to_read")
    cls.__radd__, cls.__rmul__ = cls.__add__, cls.__mul__
    cls.__neg__ = lambda self: self.__mul__(-1.0)
    cls.__abs__ = lambda self: compose("abs", self)


install()
