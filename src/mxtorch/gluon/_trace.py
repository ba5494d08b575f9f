"""A HybridBlock's computation as a Symbol, and running that Symbol on its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from mxtorch import symbol
from mxtorch._core.device import Context
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.warn import warn
from mxtorch._front import nested
from mxtorch._front.nested import Format, format_of, regroup
from mxtorch.gluon._parameter import Changes, DeferredInitializationError, Parameter
from mxtorch.ndarray import NDArray
from mxtorch.ndarray import numpy as np_array
from mxtorch.ndarray.numpy._array import in_mode
from mxtorch.symbol import Symbol
from mxtorch.symbol import numpy as np_symbol
from mxtorch.symbol.cached import CachedGraph


def flatten(values: Any, role: str) -> tuple[list[Any], Format]:
    """Nested lists of arrays or symbols → one list, and the nesting: 0 an array, -1 None,
    n > 0 a symbol with n outputs, else a list."""

    def refuse(value: Any) -> Exception:
        return MXNetValueError(
            f"When hybridized, the input of HybridBlock {role} must be (nested) list of Symbol or "
            f"NDArray, but got {value} of type {type(value)}"
        )

    return nested.flatten(values, _measure, refuse)


def _measure(value: Any) -> int | None:
    if isinstance(value, NDArray):
        return 0
    if isinstance(value, Symbol):
        return format_of(len(value))
    return -1 if value is None else None


def same_format(one: Format, other: Format) -> bool:
    """Whether two formats agree; `None` at the end of the arguments may be left out."""
    if one == other:
        return True
    return _without_trailing_none(one) == _without_trailing_none(other)


def _without_trailing_none(format_: Format) -> Format:
    if not isinstance(format_, list):
        return format_
    count = len(format_)
    while count and format_[count - 1] == -1:
        count -= 1
    return format_[:count]


def trace(block: Any, args: Sequence[Any]) -> tuple[list[Symbol], Symbol, Format, Format]:
    """(inputs, outputs, format of the inputs, format of the outputs) of one call of the block."""
    flat, in_format = flatten(args, "input")
    inputs = _variables(flat)
    with block.name_scope():
        params = {name: parameter.var() for name, parameter in block._reg_params.items()}
        outputs = block.hybrid_forward(symbol, *regroup(inputs, in_format), **params)
    flat_outputs, out_format = flatten(outputs, "output")
    group = symbol.Group(flat_outputs) if len(flat_outputs) > 1 else flat_outputs[0]
    if not isinstance(group, Symbol):
        raise MXNetTypeError(f"a hybridized block must return symbols, not {group!r}")
    return [i for i in inputs if i is not None], group, in_format, out_format


def _variables(flat: Sequence[Any]) -> list[Any]:
    """A variable for each argument: 'data', or 'data0', 'data1', … if there are several."""
    count = sum(value is not None for value in flat)
    names = iter(["data"] if count == 1 else [f"data{i}" for i in range(count)])
    return [None if value is None else _variable(next(names), value) for value in flat]


def _variable(name: str, value: Any) -> Symbol:
    """A variable of the kind of its argument."""
    variable: Any = symbol.var(name)
    is_np = isinstance(value, (np_array.ndarray, np_symbol._Symbol))
    return variable.as_np_ndarray() if is_np else in_mode(variable)


class CachedCall:
    """A traced block ready to run: which graph input is which argument or parameter."""

    def __init__(
        self, inputs: Sequence[Symbol], outputs: Symbol, parameters: dict[str, Parameter]
    ) -> None:
        self.graph = CachedGraph(outputs)
        position_of = {str(variable.name): i for i, variable in enumerate(inputs)}
        names = self.graph.names
        # where each argument goes; an argument without a use goes nowhere
        self._slots = [(k, position_of[n]) for k, n in enumerate(names) if n in position_of]
        self._parameters = [parameters.get(n) for n in names]
        # a subclass may give other values at each call (gluonnlp drops weights so)
        self._asked = [
            (k, p)
            for k, p in enumerate(self._parameters)
            if p is not None and type(p).data is not Parameter.data
        ]
        missing = [n for n in names if n not in position_of and n not in parameters]
        if missing:
            raise MXNetAssertionError(
                f"the graph needs {', '.join(missing)}, which is neither an argument of the block "
                "nor one of its parameters"
            )
        # MXNet initializes what was deferred in the order in which the graph meets it
        self.deferred = [parameters[n] for n in outputs.list_inputs() if n in parameters]
        self._filled: dict[Context, list[Any]] = {}
        self._changes = -1
        self._warn_unused(position_of, parameters)

    def _warn_unused(self, inputs: dict[str, int], parameters: dict[str, Parameter]) -> None:
        used = set(self.graph.names)
        for name, position in inputs.items():
            if name not in used:
                warn(
                    f"The {position}-th input to HybridBlock is not used by any computation. "
                    "Is this intended?"
                )
        unused = sorted(set(parameters) - used)
        if unused:
            warn(f"Parameter {', '.join(unused)} is not used by any computation. Is this intended?")

    def run(self, arrays: Sequence[NDArray], ctx: Context) -> Any:
        """The outputs for the arguments (flat, without None); needs initialized parameters."""
        if self._changes != Changes.count:
            self._filled.clear()
            self._changes = Changes.count
        filled = self._filled.get(ctx)
        if filled is None:
            filled = self._filled[ctx] = [p and Parameter.data(p, ctx) for p in self._parameters]
        handles = filled.copy()
        for slot, parameter in self._asked:
            handles[slot] = parameter.data(ctx)
        for slot, position in self._slots:
            handles[slot] = arrays[position]
        return self.graph.run(handles)

    def watch(self, callback: Any, monitor_all: bool) -> None:
        """Call `callback(name, operator, array)` for what comes out of operators (and goes in)."""
        self.graph.hook, self.graph.hook_inputs = callback, monitor_all

    def finish_deferred(self) -> None:
        """Initialize the parameters whose shapes are known by now."""
        for parameter in self.deferred:
            parameter._finish_deferred_init()


def infer_parameters(
    kind: str, inputs: Sequence[Symbol], outputs: Symbol, arrays: Sequence[Any], block: Any
) -> None:
    """Set the shapes ('shape') or dtypes ('dtype') of the block's parameters from arrays."""
    given = {str(i.name): getattr(array, kind) for i, array in zip(inputs, arrays, strict=True)}
    infer = outputs.infer_shape if kind == "shape" else outputs.infer_type
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        arguments, _, states = infer(**given)
    if arguments is None:
        raise MXNetValueError(str(caught[-1].message))
    found: dict[str, Any] = dict(zip(outputs.list_arguments(), arguments, strict=True))
    found.update(zip(outputs.list_auxiliary_states(), states, strict=True))
    for name, parameter in block.collect_params().items():
        if found.get(name) is not None:
            setattr(parameter, kind, found[name])


__all__ = ["CachedCall", "DeferredInitializationError", "flatten", "regroup", "trace"]
