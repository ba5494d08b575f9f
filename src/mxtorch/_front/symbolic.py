"""Operators as users call them on symbols: `sym.FullyConnected(data, num_hidden=10)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from mxtorch._core import binder
from mxtorch._core.attrs import attr_text
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.op import Op
from mxtorch._graph.naming import HIDDEN_KEYS, AttrScope, NameManager, hide_keys
from mxtorch._graph.node import VARIABLE, Entry, Node


class Outputs(Protocol):
    """What a symbol is for this room: a list of entries."""

    _outputs: list[Entry]


def make_function(
    op: Op,
    short_name: str,
    make: Callable[[list[Entry], Sequence[Any]], Any],
    is_symbol: Callable[[Any], bool],
) -> Callable[..., Any]:
    """The function that composes a node; its automatic name comes from `short_name`.

    `make` makes the symbol of the outputs; it sees the input symbols too.
    """
    hint = short_name.lower()
    # what is for the optimizer and the like, of any operator that has no argument of that name
    hidden_keys = HIDDEN_KEYS - op.attrs.keys()

    def call(*args: Any, **kwargs: Any) -> Any:
        if not hidden_keys.isdisjoint(kwargs):
            kwargs = {f"__{k}__" if k in hidden_keys else k: v for k, v in kwargs.items()}
        if "dtype" in kwargs:
            kwargs = binder.with_dtype(
                kwargs, op.is_numpy or any(getattr(a, "_strict", False) for a in args)
            )
        bound = binder.bind(
            op, binder.without_absent(op, args), kwargs, is_symbol, ("name", "attr")
        )
        if not isinstance(bound.control.get("name"), (str, type(None))):
            raise MXNetTypeError(f"{op.name}: name={bound.control['name']!r} is not a text")
        name = NameManager.current.get(bound.control.get("name"), hint)
        attrs = {key: attr_text(value) for key, value in bound.raw.items()}
        if op.variadic and op.count:
            given = int(bound.control.get(op.count) or 0)
            bound.inputs += [None] * (given - len(bound.inputs))
            attrs[op.count] = str(len(bound.inputs))
            if not bound.inputs:
                raise MXNetValueError(f"{op.name} {name!r}: needs at least one input")
        scope = hide_keys(AttrScope.current.get(bound.control.get("attr")))
        scope = {key: str(value) for key, value in scope.items()}  # objects too, as in MXNet
        if op.attrs and not op.free:
            for key in scope:
                if not (key in op.attrs or binder.is_hidden(key)):
                    raise binder.unknown_argument(op, key)
        hidden = {
            key: attr_text(value)
            for key, value in bound.control.items()
            if key.startswith("__") and key.endswith("__")
        }
        texts = {**attrs, **scope, **hidden}
        values = binder.read_attrs(op, texts) if op.free else bound.attrs
        return make(compose(op, name, texts, bound.inputs, values), bound.inputs)

    call.__name__ = call.__qualname__ = short_name
    call.__doc__ = op.doc
    call.__signature__ = op.signature  # type: ignore[attr-defined]
    return call


def compose(
    op: Op, name: str, texts: dict[str, str], inputs: Sequence[Any], attrs: dict[str, Any]
) -> list[Entry]:
    """The visible outputs of a new node; inputs that are missing become variables of its own."""
    complete = op.complete(attrs)
    if op.variadic:
        named = op.needs(complete) if op.needs else ()
        slots = [*named, *(f"arg{i}" for i in range(len(named), len(inputs)))]
        if op.names_inputs and len(inputs) > len(named):
            raise MXNetTypeError(
                f"{op.name} {name!r}: takes the arrays {', '.join(named) or 'none'}, "
                f"{len(inputs)} were given"
            )
        inputs = [*inputs, *[None] * (len(named) - len(inputs))]
        wanted: Sequence[str] = slots
    else:
        slots = [spec.name for spec in op.inputs]
        wanted = op.input_names(complete)
    entries = []
    for slot, symbol in zip(slots, inputs, strict=False):
        if symbol is not None:
            entry = _single(op, symbol)
            if entry[0].is_variable:  # how it starts, unless it says so itself
                for key, text in op.variable_attrs.get(slot, {}).items():
                    entry[0].attrs.setdefault(key, text)
            entries.append(entry)
        elif slot in wanted:
            own = {**texts, **op.variable_attrs.get(slot, {})}
            entries.append((Node(VARIABLE, f"{name}_{slot}", own), 0))
    node = Node(op.name, name, texts, entries)
    return [(node, index) for index in range(node.count_visible())]


def _single(op: Op, symbol: Outputs) -> Entry:
    if len(symbol._outputs) != 1:
        raise MXNetTypeError(
            f"{op.name}: an input must have one output, this symbol has {len(symbol._outputs)}; "
            "pick one with symbol[i]"
        )
    return symbol._outputs[0]
