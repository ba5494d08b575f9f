"""Comparisons, choices and copies of one's own shape in PyTorch source."""

from __future__ import annotations

import ast
from collections.abc import Callable

import torch

from mxtorch.convert.calls import Row, cut, expression, number
from mxtorch.convert.syntax import Layer, Place, attribute, call, lift, method

_TO = {torch.float32: "float", torch.float64: "double", torch.float16: "half"}
_COMPARED: dict[str, type[ast.cmpop]] = {
    "equal": ast.Eq,
    "not_equal": ast.NotEq,
    "greater": ast.Gt,
    "greater_equal": ast.GtE,
    "lesser": ast.Lt,
    "lesser_equal": ast.LtE,
}
_COMBINED: dict[str, type[ast.operator]] = {
    "and": ast.BitAnd,
    "or": ast.BitOr,
    "xor": ast.BitXor,
}


def _typed(x: ast.expr, dtype: torch.dtype) -> ast.expr:
    """Truth as 0 and 1 of a type."""
    return method(x, _TO[dtype])


def _comparison(sign: type[ast.cmpop]) -> Row:
    """0 and 1 in the type of the first array."""

    def make(place: Place) -> Layer | None:
        first, second = place.dtypes
        if first not in _TO or first != second:
            return None
        return expression(lambda a, b: _typed(ast.Compare(a, [sign()], [b]), first))

    return make


def _with_scalar(sign: type[ast.cmpop]) -> Row:
    def make(place: Place) -> Layer | None:
        (dtype,) = place.dtypes
        place.attrs.told("is_int")
        if dtype not in _TO:
            return None
        value = place.attrs["scalar"]
        if dtype is torch.float16:
            value = torch.tensor(value, dtype=dtype).item()
        other = lift(number(value))
        return expression(lambda x: _typed(ast.Compare(x, [sign()], [other]), dtype))

    return make


def _logical(sign: type[ast.operator]) -> Row:
    """0 and 1 in the type of the first array, from what is not 0."""

    def make(place: Place) -> Layer | None:
        first, second = place.dtypes
        if first not in _TO or first != second:
            return None

        def build(*inputs: ast.expr) -> ast.expr:
            a, b = (ast.Compare(x, [ast.NotEq()], [lift(0)]) for x in inputs)
            return _typed(ast.BinOp(a, sign(), b), first)

        return expression(build)

    return make


def _logical_not(place: Place) -> Layer | None:
    (dtype,) = place.dtypes
    if dtype not in _TO:
        return None
    return expression(lambda x: _typed(ast.Compare(x, [ast.Eq()], [lift(0)]), dtype))


def _where(place: Place) -> Layer | None:
    condition, *chosen = place.shapes
    if condition is None or condition != chosen[0] or condition != chosen[1]:
        return None
    return expression(lambda c, a, b: call("torch.where", method(c, "bool"), a, b))


def _expand(place: Place, wanted: dict[int, int]) -> Layer | None:
    """Axes repeated; -1 stands for one that stays."""
    shape = place.shapes[0]
    if shape is None:
        return None
    every = [wanted.get(axis, -1) for axis in range(len(shape))]
    return expression(lambda x: method(x, "expand", *every))


def _broadcast_axis(place: Place) -> Layer | None:
    axes, sizes = place.attrs["axis"] or (), place.attrs["size"] or ()
    return _expand(place, dict(zip(axes, sizes, strict=True)))


def _broadcast_to(place: Place) -> Layer | None:
    shape = place.attrs["shape"] or ()
    return _expand(place, {axis: n for axis, n in enumerate(shape) if n})


def _broadcast_like(place: Place) -> Layer | None:
    if place.attrs["lhs_axes"] is not None or place.attrs["rhs_axes"] is not None:
        return None
    return expression(lambda x, like: method(x, "expand_as", like))


def _tile(place: Place) -> Layer | None:
    reps = place.attrs["reps"]
    return expression(lambda x: method(x, "tile", *reps) if reps else x)


def _crop(place: Place) -> Layer | None:
    """Height and width, from an offset on; the middle needs the lengths of both."""
    attrs = place.attrs
    attrs.told("num_args")
    if attrs["center_crop"] or len(place.shapes) > 2:
        return None
    begin, given = attrs["offset"][:2], attrs["h_w"][:2]

    def build(x: ast.expr, like: ast.expr | None = None) -> ast.expr:
        sides: list[tuple[object, object]] = [(None, None)] * 2
        for axis, (first, length) in enumerate(zip(begin, given, strict=True), start=2):
            if like is None:
                sides.append((first or None, first + length))
                continue
            end: ast.expr = ast.Subscript(attribute(like, "shape"), lift(axis), ast.Load())
            if first:
                end = ast.BinOp(lift(first), ast.Add(), end)
            sides.append((first or None, end))
        return cut(x, sides)

    return expression(build)


def _of_sequences(build: Callable[[ast.expr, int], ast.expr]) -> Row:
    """What has no lengths: all the sequences are as long as the array."""

    def make(place: Place) -> Layer | None:
        if place.attrs["use_sequence_length"] or len(place.node.inputs) != 1:
            return None
        place.attrs.told("value")
        axis = place.attrs["axis"]
        return expression(lambda x: build(x, axis))

    return make


def _sequence_mask(place: Place) -> Layer | None:
    """The places from each sequence's length on, filled."""
    attrs, shape = place.attrs, place.shapes[0]
    if not attrs["use_sequence_length"] or len(place.node.inputs) != 2 or shape is None:
        return None
    if place.dtypes[0] not in (torch.float32, torch.float64):
        return None
    axis, value, rank = attrs["axis"], attrs["value"], len(shape)

    def index(x: ast.expr, more: int) -> ast.expr:
        parts: list[ast.expr] = [ast.Slice(), *[lift(None)] * more]
        return ast.Subscript(x, ast.Tuple(parts, ast.Load()), ast.Load()) if more else x

    def build(x: ast.expr, count: ast.expr) -> ast.expr:
        length = ast.Subscript(attribute(x, "shape"), lift(axis), ast.Load())
        steps = index(call("torch.arange", length, device=attribute(x, "device")), rank - 1 - axis)
        ends = index(method(count, "long"), rank - 2 + axis)
        return method(x, "masked_fill", ast.Compare(steps, [ast.GtE()], [ends]), value)

    return expression(build)


def _stopped(place: Place) -> Layer:
    return expression(lambda x: method(x, "detach"))


def _like(name: str) -> Row:
    return lambda place: expression(lambda x: call(name, x))


CHOICES: dict[str, Row] = {
    "BlockGrad": _stopped,
    "Crop": _crop,
    "SequenceLast": _of_sequences(lambda x, axis: method(x, "select", axis, -1)),
    "SequenceMask": _sequence_mask,
    "SequenceReverse": _of_sequences(lambda x, axis: method(x, "flip", axis)),
    "broadcast_axis": _broadcast_axis,
    "broadcast_like": _broadcast_like,
    "broadcast_to": _broadcast_to,
    "logical_not": _logical_not,
    "ones_like": _like("torch.ones_like"),
    "tile": _tile,
    "where": _where,
    "zeros_like": _like("torch.zeros_like"),
    **{f"broadcast_logical_{name}": _logical(sign) for name, sign in _COMBINED.items()},
    **{f"_logical_{name}": _logical(sign) for name, sign in _COMBINED.items()},
    **{f"broadcast_{name}": _comparison(sign) for name, sign in _COMPARED.items()},
    **{f"_{name}": _comparison(sign) for name, sign in _COMPARED.items()},
    **{f"_{name}_scalar": _with_scalar(sign) for name, sign in _COMPARED.items()},
}
