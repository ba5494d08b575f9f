"""Kinds of operator attributes: how each is read from Python or JSON text, and its torch value.

A body annotates its keyword-only parameters with Python types or with the aliases below; the
binder reads what a caller passed, or the text in a symbol file, through the kind it finds there.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import numpy as np
import torch

from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError

T = TypeVar("T")


class Null:
    """The type of `_Null`: an argument that the caller left out."""

    def __repr__(self) -> str:
        return "_Null"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "_Null"


_Null = Null()


class Kind:
    """One kind of attribute. `fast`: exact types that pass as they are."""

    fast: frozenset[type] = frozenset()
    text = "value"
    # the class of the error for what does not fit
    error: type[MXNetError] = MXNetValueError

    def read(self, value: Any) -> Any:
        """The torch-side value of what a caller passed; raises ValueError for what does not fit."""
        raise NotImplementedError


def _is_bare(value: Any) -> bool:
    """Whether it is an array without axes, which stands for its number."""
    return getattr(value, "shape", None) == () and not isinstance(value, np.generic)


def _number(value: Any) -> Any:
    """What is in an array without axes; ValueError for anything else."""
    if not _is_bare(value):
        raise ValueError
    return value.item()


class BoolKind(Kind):
    fast = frozenset({bool})
    text = "boolean"
    _words = {"true": True, "1": True, "false": False, "0": False}

    def read(self, value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        word = str(value).strip().lower()
        if word not in self._words:
            raise ValueError
        return self._words[word]


class IntKind(Kind):
    fast = frozenset({int})
    text = "int"

    def read(self, value: Any) -> int:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, str):
            return int(value.strip().removesuffix("L"))
        return self.read(_number(value))


class FloatKind(Kind):
    fast = frozenset({float, int})
    text = "float"

    def read(self, value: Any) -> float:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, (int, float, np.integer, np.floating, str)):
            return float(value)
        return self.read(_number(value))


class StringKind(Kind):
    fast = frozenset({str})
    text = "string"

    def read(self, value: Any) -> str:
        return str(value)


def _literal(value: Any) -> Any:
    """A tuple or number from text such as '(1, 2)', '[1,2]', '(32L,)', '3'."""
    if not isinstance(value, str):
        return value
    return ast.literal_eval(value.strip().replace("L", "").replace("None", "None"))


@dataclass(frozen=True)
class TupleKind(Kind):
    """A tuple of numbers; a single number stands for a tuple of one."""

    fast = frozenset({tuple})  # what is in it is torch's affair
    item: Kind
    text: str = "Shape(tuple)"
    optional_items: bool = False

    def read(self, value: Any) -> tuple[Any, ...]:
        value = _literal(value)
        if isinstance(value, (int, float, np.integer, np.floating)) or _is_bare(value):
            value = (value,)
        if not isinstance(value, (Sequence, np.ndarray)):
            raise ValueError
        keep_none = self.optional_items
        return tuple(v if v is None and keep_none else self.item.read(v) for v in value)


@dataclass(frozen=True)
class SizesKind(Kind):
    """Lengths of which none is 0; `count` of them, if that is set."""

    count: int | None = None
    text = "Shape(tuple) without 0"

    def read(self, value: Any) -> tuple[Any, ...]:
        found = TupleKind(IntKind()).read(value)
        if 0 in found or self.count not in (None, len(found)):
            raise ValueError
        return found


class AxesKind(Kind):
    """One axis or several: an int stays an int, anything longer becomes a tuple."""

    fast = frozenset({int, tuple})
    text = "Shape(tuple)"

    def read(self, value: Any) -> int | tuple[int, ...]:
        value = _literal(value)
        if isinstance(value, (int, np.integer)) or _is_bare(value):
            return IntKind().read(value)
        if not isinstance(value, (Sequence, np.ndarray)):
            raise ValueError
        return tuple(IntKind().read(v) for v in value)


class DTypeKind(Kind):
    """A dtype; with `choices`, one of these."""

    error = MXNetTypeError

    def __init__(self, *choices: str) -> None:
        self.choices = frozenset(map(dtype_to_torch, choices))
        self.fast = frozenset() if choices else frozenset({torch.dtype})
        self.text = "{" + ", ".join(map(repr, choices)) + "}" if choices else "dtype"

    def read(self, value: Any) -> torch.dtype:
        digits = isinstance(value, str) and value.isdigit()
        found = dtype_to_torch(int(value) if digits else value)
        if self.choices and found not in self.choices:
            raise ValueError
        return found


@dataclass(frozen=True)
class ChoiceKind(Kind):
    """One of a few words (or numbers)."""

    choices: tuple[Any, ...]

    @property
    def text(self) -> str:  # type: ignore[override] # elsewhere a class attribute
        return "{" + ", ".join(repr(c) for c in sorted(self.choices, key=str)) + "}"

    def read(self, value: Any) -> Any:
        if isinstance(value, (type, np.dtype)):  # one of several dtypes
            value = np.dtype(value).name
        if value in self.choices:
            return value
        for choice in self.choices:
            if str(choice) == str(value):
                return choice
        raise ValueError


@dataclass(frozen=True)
class BoundedKind(Kind):
    """Numbers from `low` to `high`; NaN is one of them, as MXNet compares."""

    inner: Kind
    low: float
    high: float = math.inf

    @property
    def text(self) -> str:  # type: ignore[override] # elsewhere a class attribute
        end = "or more" if self.high == math.inf else f"to {self.high:g}"
        return f"{self.inner.text} of {self.low:g} {end}"

    def read(self, value: Any) -> Any:
        number = self.inner.read(value)
        if number < self.low or number > self.high:
            raise ValueError
        return number


class OptionalKind(Kind):
    """A kind that also takes None (or the text 'None')."""

    def __init__(self, inner: Kind) -> None:
        self.inner = inner
        # as a dtype None is not the default of everyone who calls
        self.fast = inner.fast if isinstance(inner, DTypeKind) else inner.fast | {type(None)}
        self.error = inner.error
        self.fast -= {float}  # it may be infinite
        self.text = f"{inner.text} or None"

    def read(self, value: Any) -> Any:
        if value is None or (isinstance(value, str) and value == "None"):
            return None
        found = self.inner.read(value)
        if isinstance(found, float) and not math.isfinite(found):
            raise ValueError  # what MXNet reads where None is possible are digits
        return found


@dataclass(frozen=True)
class HintMark:
    """Accepted and without effect on the result (`workspace`, `cudnn_tune`)."""


@dataclass(frozen=True)
class RefusedMark:
    """Would change the result and is not supported: raises unless it has its default."""


Shape: TypeAlias = Annotated[tuple[int, ...], TupleKind(IntKind())]
Axes: TypeAlias = Annotated[int | tuple[int, ...], AxesKind()]
Sizes: TypeAlias = Annotated[tuple[int, ...], SizesKind()]
Pair: TypeAlias = Annotated[tuple[int, ...], SizesKind(2)]
Slots: TypeAlias = Annotated[
    tuple[int | None, ...], TupleKind(IntKind(), "Shape(tuple)", optional_items=True)
]
Floats: TypeAlias = Annotated[tuple[float, ...], TupleKind(FloatKind(), "tuple of <float>")]
DType: TypeAlias = Annotated[torch.dtype, DTypeKind()]
FloatDType: TypeAlias = Annotated[
    torch.dtype, DTypeKind("float16", "float32", "float64", "bfloat16")
]
# what positions in an array may be given as
PlaceDType: TypeAlias = Annotated[
    torch.dtype, DTypeKind("float16", "float32", "float64", "uint8", "int32", "int64")
]
# how many of something: 1 or more
Count: TypeAlias = Annotated[int, BoundedKind(IntKind(), 1)]
Natural: TypeAlias = Annotated[int, BoundedKind(IntKind(), 0)]
Factor: TypeAlias = Annotated[float, BoundedKind(FloatKind(), 0)]
Fraction: TypeAlias = Annotated[float, BoundedKind(FloatKind(), 0, 1)]
Hint: TypeAlias = Annotated[T, HintMark()]
Refused: TypeAlias = Annotated[T, RefusedMark()]

_PLAIN: dict[Any, Kind] = {
    bool: BoolKind(),
    int: IntKind(),
    float: FloatKind(),
    str: StringKind(),
}


@functools.cache
def kind_of(annotation: Any) -> tuple[Kind, HintMark | RefusedMark | None]:
    """The kind that an annotation names, and whether it is marked as a hint or as refused."""
    if annotation in _PLAIN:
        return _PLAIN[annotation], None
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *marks = get_args(annotation)
        for mark in marks:
            if isinstance(mark, Kind):
                return mark, None
        kind, _ = kind_of(inner)
        return kind, marks[0]
    if origin is Literal:
        return ChoiceKind(get_args(annotation)), None
    if origin in (Union, types.UnionType):
        inner = [a for a in get_args(annotation) if a is not type(None)]
        if len(inner) == 1:
            kind, mark = kind_of(inner[0])
            return OptionalKind(kind), mark
        if len(inner) < len(get_args(annotation)):
            kind, mark = kind_of(functools.reduce(operator.or_, inner))
            return OptionalKind(kind), mark
    raise MXNetError(f"no attribute kind for the annotation {annotation!r}")


@dataclass(frozen=True)
class Attr:
    """One attribute of an operator."""

    name: str
    kind: Kind
    default: Any
    required: bool
    mark: HintMark | RefusedMark | None = None

    def read(self, value: Any) -> Any:
        """The torch-side value, or an error that says what was expected."""
        try:
            result = self.kind.read(value)
        except (ValueError, TypeError, SyntaxError, KeyError):
            raise self.kind.error(
                f"invalid value for {self.name}: expected {self.kind.text}, got {value!r}"
            ) from None
        if isinstance(self.mark, RefusedMark) and result != self.default:
            raise MXNetError(
                f"{self.name}={value!r} would change the result and mxtorch does not support it; "
                f"leave it at {self.default!r}"
            )
        return result


def attr_of(name: str, annotation: Any, defaults: Mapping[str, Any]) -> Attr:
    """The attribute that a keyword-only parameter declares."""
    kind, mark = kind_of(annotation)
    return Attr(name, kind, defaults.get(name), name not in defaults, mark)


def read_values(owner: str, attrs: Mapping[str, Attr], raw: Mapping[str, Any]) -> dict[str, Any]:
    """What a caller passed, as a body wants it; unknown names stay, missing ones raise."""
    try:
        values = {
            key: attrs[key].read(value) if key in attrs else value for key, value in raw.items()
        }
    except MXNetError as error:
        raise type(error)(f"{owner}: {error}") from None
    for name, attr in attrs.items():
        if attr.required and name not in values:
            raise MXNetTypeError(
                f"{owner}: the required argument {name} ({attr.kind.text}) is missing"
            )
    return values


def attr_text(value: Any) -> str:
    """An attribute as MXNet writes it into a symbol file."""
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, type) and issubclass(value, (np.generic, bool, int, float)):
        return np.dtype(value).name
    if isinstance(value, np.dtype):
        return value.name
    if type(value) in (tuple, list):  # NumPy's numbers in it would write their type as well
        value = type(value)(n.item() if isinstance(n, np.generic) else n for n in value)
    return str(value)
