"""Operators that are a call, an index or a formula in PyTorch source."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

import torch

from mxtorch.convert.syntax import Layer, Place, attribute, call, lift, method

Row = Callable[[Place], "Layer | None"]


def expression(build: Callable[..., ast.expr]) -> Layer:
    """A layer without a module."""
    return Layer(lambda own, inputs: build(*inputs))


def _rank(place: Place, position: int = 0) -> int | None:
    shape = place.shapes[position]
    return None if shape is None else len(shape)


def cut(x: ast.expr, slices: list[tuple[Any, Any]]) -> ast.expr:
    """`x[a:b, c:d]`; a side that is None is open."""
    parts: list[ast.expr] = [
        ast.Slice(None if a is None else lift(a), None if b is None else lift(b)) for a, b in slices
    ]
    index = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
    return ast.Subscript(x, index, ast.Load())


def _slice_axis(place: Place) -> Layer | None:
    rank, attrs = _rank(place), place.attrs
    if rank is None:
        return None
    axis = attrs["axis"] % rank
    side = (attrs["begin"] or None, attrs["end"])
    return expression(lambda x: cut(x, [(None, None)] * axis + [side]))


def _slice(place: Place) -> Layer | None:
    steps = place.attrs["step"] or ()
    if any(step not in (None, 1) for step in steps):
        return None
    sides = list(zip(place.attrs["begin"], place.attrs["end"], strict=True))
    return expression(lambda x: cut(x, [(a or None, b) for a, b in sides]))


def _slice_like(place: Place) -> Layer | None:
    rank = _rank(place)
    if rank is None:
        return None
    if place.attrs["axes"] is None:  # given as None: of no axis
        return expression(lambda x, like: x)
    axes = sorted(a % rank for a in place.attrs["axes"]) or range(rank)

    def build(x: ast.expr, like: ast.expr) -> ast.expr:
        sides: list[tuple[Any, Any]] = [(None, None)] * (max(axes) + 1)
        for axis in axes:
            length = ast.Subscript(attribute(like, "shape"), lift(axis), ast.Load())
            sides[axis] = (None, length)
        return cut(x, sides)

    return expression(build)


def _split(place: Place) -> Layer | None:
    shape, attrs = place.shapes[0], place.attrs
    if shape is None:
        return None
    count, axis = attrs["num_outputs"], attrs["axis"]
    if not attrs["squeeze_axis"]:
        layer = expression(lambda x: method(x, "chunk", count, dim=axis))
    elif len(shape) > 1:
        layer = expression(lambda x: method(x, "unbind", dim=axis))
    else:
        return None
    layer.unpacked = True
    return layer


def _squeeze(place: Place) -> Layer | None:
    axis, rank = place.attrs["axis"], _rank(place)
    if axis is None or rank is None or rank == len(axis if isinstance(axis, tuple) else (axis,)):
        return None
    return expression(lambda x: method(x, "squeeze", axis))


def _stack(place: Place) -> Layer:
    place.attrs.told("num_args")
    axis = place.attrs["axis"]
    return Layer(lambda own, inputs: call("torch.stack", ast.List(inputs, ast.Load()), dim=axis))


def _sum_of(place: Place) -> Layer:
    place.attrs.told("num_args")

    def build(*inputs: ast.expr) -> ast.expr:
        total = inputs[0]
        for one in inputs[1:]:
            total = ast.BinOp(total, ast.Add(), one)
        return total

    return expression(build)


def _clip(place: Place) -> Layer | None:
    low, high = (place.attrs[name] for name in ("a_min", "a_max"))
    if low > high:
        return None  # MXNet gives the lower one where it is undercut, torch the upper one always
    return expression(lambda x: method(x, "clamp", number(low), number(high)))


def number(value: float) -> float | int:
    """A whole number without a point."""
    return int(value) if math.isfinite(value) and value == int(value) else value


def _hard_sigmoid(place: Place) -> Layer | None:
    if place.dtypes[0] is not torch.float32:
        return None  # MXNet's numbers are of float32
    alpha, beta = (lift(place.attrs[name]) for name in ("alpha", "beta"))

    def build(x: ast.expr) -> ast.expr:
        line = ast.BinOp(ast.BinOp(x, ast.Mult(), alpha), ast.Add(), beta)
        return call("F.hardtanh", line, 0, 1)

    return expression(build)


def _cast(place: Place) -> Layer:
    dtype = ast.parse(str(place.attrs["dtype"]), mode="eval").body
    return expression(lambda x: method(x, "to", dtype))


def _dot(place: Place) -> Layer | None:
    if _rank(place) != 2 or _rank(place, 1) != 2:
        return None
    return _matmul(place)


def _matmul(place: Place) -> Layer:
    sides = (place.attrs["transpose_a"], place.attrs["transpose_b"])

    def build(*inputs: ast.expr) -> ast.expr:
        a, b = (
            method(x, "transpose", -1, -2) if turned else x
            for x, turned in zip(inputs, sides, strict=True)
        )
        return ast.BinOp(a, ast.MatMult(), b)

    return expression(build)


def over_axes(name: str) -> Row:
    """A reduction along some of the axes; of all of them MXNet keeps one."""

    def make(place: Place) -> Layer | None:
        axis, rank = place.attrs["axis"], _rank(place)
        count = len(axis) if isinstance(axis, tuple) else 1
        keep = place.attrs["keepdims"]
        if axis in (None, ()) or place.attrs["exclude"] or (rank == count and not keep):
            return None
        return expression(lambda x: method(x, name, dim=axis, keepdim=keep or None))

    return make


def _pad(place: Place) -> Layer | None:
    if place.shapes[0] is None:
        return None
    pairs = [place.attrs["pad_width"][i : i + 2] for i in range(4, 2 * len(place.shapes[0]), 2)]
    widths = tuple(n for pair in reversed(pairs) for n in pair)
    mode = {"constant": None, "edge": "replicate", "reflect": "reflect"}[place.attrs["mode"]]
    value = place.attrs["constant_value"] or None
    return expression(lambda x: call("F.pad", x, widths, mode=mode, value=None if mode else value))


def _by_root(place: Place) -> Layer | None:
    shape = place.shapes[0]
    if shape is None:
        return None
    length = shape[-1]
    return expression(lambda x: ast.BinOp(x, ast.Div(), lift(length**0.5)))


def _method(name: str, *attrs: str) -> Row:
    return lambda place: expression(
        lambda x: method(x, name, *(place.attrs[attr] for attr in attrs))
    )


def _unary(name: str) -> Row:
    return lambda place: expression(lambda x: call(name, x))


# Rows that hold for every type of numbers.
CALLS: dict[str, Row] = {
    "Cast": _cast,
    "SliceChannel": _split,
    "SwapAxis": _method("transpose", "dim1", "dim2"),
    "abs": _unary("torch.abs"),
    "add_n": _sum_of,
    "ceil": _unary("torch.ceil"),
    "expand_dims": _method("unsqueeze", "axis"),
    "floor": _unary("torch.floor"),
    "max": over_axes("amax"),
    "min": over_axes("amin"),
    "negative": lambda place: expression(lambda x: ast.UnaryOp(ast.USub(), x)),
    "slice": _slice,
    "slice_axis": _slice_axis,
    "slice_like": _slice_like,
    "squeeze": _squeeze,
    "stack": _stack,
}
_SAME = ("cos", "erf", "expm1", "log10", "log1p", "log2", "rsqrt", "sin")
FLOAT_CALLS: dict[str, Row] = {
    "Pad": _pad,
    "_contrib_div_sqrt_dim": _by_root,
    "batch_dot": _matmul,
    "clip": _clip,
    "dot": _dot,
    "hard_sigmoid": _hard_sigmoid,
    **{name: _unary(f"torch.{name}") for name in _SAME},
}
