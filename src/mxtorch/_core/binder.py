"""A call's arguments → the inputs and attributes of its operator; errors get their context."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mxtorch._core.attrs import BoundedKind, IntKind, _Null, read_values
from mxtorch._core.complaints import call_of, plain, reword
from mxtorch._core.errors import (
    CallbackError,
    MXNetError,
    MXNetTypeError,
    NotAnArrayError,
)
from mxtorch._core.op import Attrs, Op

# What a body may raise on values that do not fit: torch's errors and Python's.
BODY_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, ArithmeticError, MemoryError)
_COUNT = BoundedKind(IntKind(), 1)
_NONE_AS_DTYPE = {"dtype": "float64"}
# Keywords that every generated function takes besides the operator's own.
_CONTROL = frozenset({"out", "name", "attr", "ctx"})


@dataclass
class Bound:
    """A call taken apart: arrays in the operator's order, attributes read, the rest."""

    inputs: list[Any]
    attrs: dict[str, Any]
    raw: dict[str, Any]
    control: dict[str, Any]


# What a function of arrays takes by position after its attributes; one of symbols takes others.
AFTER = ("out", "name")


def bind(
    op: Op,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    is_array: Callable[[Any], bool],
    after: Sequence[str] = AFTER,
) -> Bound:
    """Take a call apart by the operator's signature; raises MXNetError for what does not fit."""
    raw: dict[str, Any] = {}
    control: dict[str, Any] = {}
    named: dict[str, Any] = {}
    ignored: dict[str, Any] = {}
    inputs = list(args)
    input_names = {i.name for i in op.inputs}
    if op.variadic:
        inputs = _variadic(op, inputs, kwargs, is_array)
    else:
        inputs = _positional(op, inputs, raw, control, is_array, after)
    for key, value in kwargs.items():
        if key in op.attrs:
            if key in raw:
                raise MXNetTypeError(f"{op.name}: {key} was given twice")
            if value is not _Null:
                raw[key] = value
        elif key in input_names or (op.variadic and is_array(value) and key != "out"):
            if not _fits(value, is_array):
                raise _not_an_array(op, key, value)
            named[key] = value
        elif op.free and key not in ("out", "name", "attr") and not is_hidden(key):
            raw[key] = str(value)
        elif key in _CONTROL or key == op.count or is_hidden(key):
            control[key] = value
        elif not (op.attrs or op.count) and key not in input_names:
            # MXNet takes, and ignores, any attribute of an operator that has none
            ignored[key] = value
        else:
            raise unknown_argument(op, key)
    attrs = read_attrs(op, raw)
    if op.variadic and control.get(op.count or "") is not None:
        named_inputs = op.needs(op.complete(attrs)) if op.needs else ()
        _check_count(op, 0 if named_inputs else len(inputs), control[op.count or ""])
    raw |= ignored
    if not op.variadic:
        inputs = _place_named(op, inputs, named)
        if op.needs:
            inputs = inputs if named else _place_wanted(op, inputs, attrs)
            _refuse_surplus(op, inputs, attrs)
    elif named and op.names_inputs and op.needs:
        inputs = _place_free(op, inputs, named, op.needs(op.complete(attrs)))
    elif any(is_array(value) for value in named.values()):
        inputs = _place_counted(op, inputs, named, attrs)
    return Bound(inputs, attrs, raw, control)


def with_dtype(kwargs: dict[str, Any], is_np: bool) -> dict[str, Any]:
    """The keywords of a call with what `dtype=None` means: the default to functions of mx.np and
    mx.npx, and to others what it is to NumPy, which MXNet asks."""
    if kwargs.get("dtype", "") is not None:
        return kwargs
    return {k: v for k, v in kwargs.items() if k != "dtype"} | ({} if is_np else _NONE_AS_DTYPE)


def without_absent(op: Op, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments by position without Nones at the end that stand for arrays left out."""
    while args and args[-1] is None and (op.variadic or len(args) <= len(op.inputs)):
        args = args[:-1]
    return args


def read_attrs(op: Op, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as the body wants them; missing required ones raise."""
    return read_values(op.name, op.attrs, raw)


def unknown_argument(op: Op, key: str, node: str = "") -> MXNetError:
    """The error for a keyword that the operator does not have."""
    known = ", ".join([*(i.name for i in op.inputs), *op.attrs])
    return MXNetTypeError(f"{op.name}{node}: there is no argument {key!r}; it takes {known}")


def body_error(
    op: Op, error: Exception, tensors: Sequence[Any], attrs: Attrs, node: str = ""
) -> MXNetError:
    """An error raised in a body, with operator, node and what came in.

    What torch or Python said is said in the operator's words. What a user's own code raised goes
    on as it is.
    """
    if isinstance(error, CallbackError):
        raise error
    where = f"{op.name} {node!r}" if node else op.name
    call = call_of(op, tensors, attrs)
    if isinstance(error, MXNetError):
        return type(error)(f"{where}: {plain(op, str(error))} {call}")
    cls, text = reword(call, error)
    return cls(f"{where}: {text} {call}")


def _positional(
    op: Op,
    args: list[Any],
    raw: dict[str, Any],
    control: dict[str, Any],
    is_array: Callable[[Any], bool],
    after: Sequence[str],
) -> list[Any]:
    """Leading arguments are inputs, what follows them attributes, in the order of the signature."""
    count = len(op.inputs)
    inputs, rest = args[:count], args[count:]
    while inputs and op.inputs[len(inputs) - 1].optional and not _fits(inputs[-1], is_array):
        rest.insert(0, inputs.pop())
    for spec, value in zip(op.inputs, inputs, strict=False):
        if not _fits(value, is_array):
            raise _not_an_array(op, spec.name, value)
    names = list(op.attrs)
    more = rest[len(names) :]
    is_out = after[0] == "out" and more and not isinstance(more[0], (list, tuple))
    if len(more) > len(after) or (is_out and not _fits(more[0], is_array)):
        raise MXNetTypeError(
            f"{op.name}: takes {count + len(names)} arguments, {len(args)} were given"
        )
    control.update(zip(after, more, strict=False))
    for name, value in zip(names, rest, strict=False):
        if value is not _Null:
            raw[name] = value
    return inputs


def _fits(value: Any, is_array: Callable[[Any], bool]) -> bool:
    return value is None or is_array(value)


def _variadic(
    op: Op, args: list[Any], kwargs: Mapping[str, Any], is_array: Callable[[Any], bool]
) -> list[Any]:
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = list(args[0])
    if not args and isinstance(kwargs.get(op.inputs[0].name), (list, tuple)):
        args = list(kwargs[op.inputs[0].name])
    for value in args:
        if not is_array(value):
            raise NotAnArrayError(
                f"{op.name}: its positional arguments must be arrays, got {type(value).__name__}"
            )
    return args


def _not_an_array(op: Op, name: str, value: Any) -> NotAnArrayError:
    mixed = hasattr(value, "asnumpy") or hasattr(value, "tojson")
    hint = "mx.nd takes arrays, mx.sym symbols" if mixed else "wrap it in mx.nd.array(…)"
    return NotAnArrayError(
        f"{op.name}: argument {name} must be an array, got {type(value).__name__}; {hint}"
    )


def _place_named(op: Op, inputs: list[Any], named: dict[str, Any]) -> list[Any]:
    inputs = inputs + [None] * (len(op.inputs) - len(inputs))
    for position, spec in enumerate(op.inputs):
        if spec.name not in named:
            continue
        if inputs[position] is not None:
            raise MXNetTypeError(f"{op.name}: {spec.name} was given twice")
        inputs[position] = named[spec.name]
    return inputs


def _place_free(
    op: Op, inputs: list[Any], named: dict[str, Any], names: Sequence[str]
) -> list[Any]:
    """Arrays by position, then those by name, where the names of the inputs are the call's own."""
    unknown = [key for key in named if key not in names]
    if unknown or len(inputs) > len(names):
        raise MXNetTypeError(
            f"{op.name}: takes the arrays {', '.join(names)}; "
            + (f"there is no {unknown[0]}" if unknown else f"{len(inputs)} were given")
        )
    by_name = dict(zip(names, inputs, strict=False))
    twice = [key for key in named if by_name.get(key) is not None]
    if twice:
        raise MXNetTypeError(f"{op.name}: {twice[0]} was given twice")
    by_name.update(named)
    return [by_name.get(name) for name in names]


def _check_count(op: Op, given: int, count: Any) -> None:
    """More arrays than the call says; of symbols there may be fewer, variables take their place."""
    try:
        fits = _COUNT.read(count) >= max(given, 1)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise MXNetTypeError(f"{op.name}: {op.count}={count!r}, and {given} arrays were given")


def _refuse_surplus(op: Op, inputs: list[Any], attrs: dict[str, Any]) -> None:
    """An array that a call with these attributes does not have is not left aside."""
    if all(value is None or not i.optional for i, value in zip(op.inputs, inputs, strict=False)):
        return
    wanted = op.input_names(attrs)
    for spec, value in zip(op.inputs, inputs, strict=False):
        if value is not None and spec.name not in wanted:
            raise MXNetTypeError(
                f"{op.name}: takes the arrays {', '.join(wanted)} with these attributes; "
                f"{spec.name} was given as well"
            )


def _place_counted(
    op: Op, inputs: list[Any], named: dict[str, Any], attrs: dict[str, Any]
) -> list[Any]:
    """Arrays by name of an operator that counts them: `arg0`, `arg1` …, or names of its own."""
    if inputs:
        raise MXNetTypeError(
            f"{op.name}: takes arrays by position or by name, not both; {min(named)} was given"
        )
    names = op.needs(op.complete(attrs)) if op.needs else ()
    names = names or tuple(f"arg{i}" for i in range(len(named)))
    return _place_free(op, inputs, named, names)


def is_hidden(key: str) -> bool:
    """Whether it is an attribute of a symbol's node that the operator does not read."""
    return key.startswith("__") and key.endswith("__")


def _place_wanted(op: Op, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Move inputs given by position to those that the call has: it may lack one in between."""
    wanted = op.input_names(attrs)
    present = [value for value in inputs if value is not None]
    if len(present) != len(wanted):
        return inputs
    places = dict(zip(wanted, present, strict=True))
    return [places.get(spec.name) for spec in op.inputs]
