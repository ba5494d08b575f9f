"""Puts AMP's casts before operators: in the namespaces and methods of arrays and symbols."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mxtorch import ndarray, symbol
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.op import Op, all_names, all_ops, find_op, python_operator
from mxtorch._front import names
from mxtorch._graph.naming import NameManager
from mxtorch._graph.node import Entry, Node
from mxtorch.contrib.amp._policy import Policy
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

Call = Callable[..., Any]
nd: Any = ndarray
_ARITHMETIC = ("add", "sub", "mul", "truediv", "mod", "pow", "eq", "ne", "gt", "ge", "lt", "le")

# functions of arrays or numbers on either side: their Python operators
_FUNCTIONS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "modulo": "mod",
    "power": "pow",
    "maximum": "maximum",
    "minimum": "minimum",
    "equal": "eq",
    "not_equal": "ne",
    "greater": "gt",
    "greater_equal": "ge",
    "lesser": "lt",
    "lesser_equal": "le",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
}
_SYMBOL_FUNCTIONS = ("hypot", "maximum", "minimum", "pow", "power")


def install(policy: Policy, losses: Sequence[str]) -> None:
    """Wrap every function and method that the policy has something to say about."""
    arrays, symbols = _Arrays(policy), _Symbols(policy)
    for root, wrap in ((ndarray, arrays.wrap), (symbol, symbols.wrap)):
        for space, short, op in _functions(root):
            if policy.touches(op):
                setattr(space, short, wrap(op, getattr(space, short)))
            if root is symbol and {short, op.name} & set(losses):
                setattr(space, short, _warn_of_loss(short, getattr(space, short)))
    for cls, wrap, array_key in ((NDArray, arrays.wrap, ""), (Symbol, symbols.wrap, ".symbol")):
        for op in all_ops():
            for name in op.methods if policy.touches(op) else ():
                if name in vars(cls):
                    setattr(cls, name, wrap(op, getattr(cls, name)))
        for key in _ARITHMETIC:
            method = f"__{key}__"
            scalar, both = python_operator(f"{key}.scalar"), python_operator(key + array_key)
            if policy.touches(scalar) or policy.touches(both):
                setattr(cls, method, _arithmetic(cls, wrap, scalar, both, getattr(cls, method)))
    for name, key in _FUNCTIONS.items():
        scalar, both = python_operator(f"{key}.scalar"), python_operator(key)
        call = _arithmetic(NDArray, arrays.wrap, scalar, both, getattr(ndarray, name))
        setattr(ndarray, name, call)
    for name in _SYMBOL_FUNCTIONS:
        setattr(symbol, name, symbols.wrap(None, getattr(symbol, name)))


def _functions(root: Any) -> Iterator[tuple[Any, str, Op]]:
    """(module, name in it, operator) of every operator in `mx.nd` or `mx.sym`."""
    for name, op in all_names().items():
        if names.is_numpy(name):
            continue
        where, short = names.place(name)
        spaces = [getattr(root, where)] if where else [root, root.op]
        for space in spaces:
            if callable(vars(space).get(short)):
                yield space, short, op


def _arithmetic(cls: type, wrap: Call, scalar: Op, both: Op, plain: Call) -> Call:
    """`a + b` by the rule of one operator, `a + 2` by that of another."""
    with_number, with_array = wrap(scalar, plain), wrap(both, plain)

    @functools.wraps(plain)
    def method(self: Any, other: Any) -> Any:
        return (with_array if isinstance(other, cls) else with_number)(self, other)

    return method


def _warn_of_loss(name: str, call: Call) -> Call:
    @functools.wraps(call)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        logging.warning(
            "%s does not support dynamic loss scaling in symbolic and hybridized execution.", name
        )
        return call(*args, **kwargs)

    return wrapped


class _Arrays:
    """Casts before operators on arrays."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.low = dtype_to_torch(policy.target)
        self.wide = dtype_to_torch("float32")

    def wrap(self, op: Op, call: Call) -> Call:
        """`call`, with its arrays cast as the policy says."""
        policy, cast = self.policy, self._cast

        @functools.wraps(call)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            kind = policy.kind(op, kwargs)
            if kind == "widest":
                kind = "wide" if _has_both(self.low, self.wide, args, kwargs) else None
            if kind is None:
                return call(*args, **kwargs)
            to_low = kind == "low"
            given = {k: v if k == "out" else cast(v, to_low) for k, v in kwargs.items()}
            return call(*(cast(a, to_low) for a in args), **given)

        return wrapped

    def _cast(self, value: Any, to_low: bool) -> Any:
        if isinstance(value, NDArray):
            start, name = (self.wide, self.policy.target) if to_low else (self.low, "float32")
            if dtype_to_torch(value.dtype) is start:
                return nd.amp_cast(value, dtype=name)
        elif isinstance(value, (list, tuple)) and any(isinstance(v, NDArray) for v in value):
            return type(value)(self._cast(v, to_low) for v in value)
        return value


def _has_both(low: Any, wide: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    values = [*args, *(v for k, v in kwargs.items() if k != "out")]
    flat = [v for x in values for v in (x if isinstance(x, (list, tuple)) else (x,))]
    kinds = {dtype_to_torch(v.dtype) for v in flat if isinstance(v, NDArray)}
    return low in kinds and wide in kinds


class _Symbols:
    """Casts before operators in symbols."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def wrap(self, op: Op | None, call: Call) -> Call:
        """`call`, whose node gets casts before it; also before the variables that it makes.

        `op` is the operator of that node, None if it is not known before.
        """
        policy = self.policy

        @functools.wraps(call)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            if not isinstance(result, Symbol):  # of two numbers
                return result
            node: Node = result._outputs[0][0]
            kind = policy.kind(node.operator(), node.attrs)
            if (op is not None and node.op is not op) or kind is None or not node.inputs:
                return result
            if kind == "widest":
                node.inputs = _multicast(node.inputs)
            else:
                name = policy.target if kind == "low" else "float32"
                node.inputs = [_cast(entry, name) for entry in node.inputs]
            return result

        return wrapped


def _cast(entry: Entry, dtype: str) -> Entry:
    op = find_op("amp_cast")
    return Node(op.name, NameManager.current.get(None, op.name), {"dtype": dtype}, [entry]), 0


def _multicast(entries: Sequence[Entry]) -> list[Entry]:
    op = find_op("amp_multicast")
    attrs = {"num_outputs": str(len(entries))}
    node = Node(op.name, NameManager.current.get(None, op.name), attrs, entries)
    return [(node, i) for i in range(len(entries))]
