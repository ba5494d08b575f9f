"""Rules for shapes that are known in part: an unknown length is 0, an unknown shape None.

A rule takes the shapes of a call's inputs and outputs and its attributes, and gives both lists
back with what follows from one another filled in. Shapes that do not fit are left as they are:
running the operator says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod

from mxtorch._core.op import Attrs

Dims = tuple[int, ...]
Known = Sequence[Dims | None]
Found = tuple[list[Dims | None], list[Dims | None]]


def merge(one: Dims | None, other: Dims | None) -> Dims | None:
    """What two sources know about one shape."""
    if one is None or other is None:
        return one or other
    if len(one) != len(other):
        return one
    return tuple(a or b for a, b in zip(one, other, strict=True))


def same(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """All inputs and outputs have one shape."""
    shape = reduce(merge, [*inputs, *outputs])
    return [shape] * len(inputs), [shape] * len(outputs)


same.is_elementwise = True  # type: ignore[attr-defined] # what the graph's inference asks for


def unchanged(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The same, of an operator that refuses some shapes: it has to run."""
    return same(inputs, outputs, attrs)


def one_by_one(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """Each output has the shape of the input at its place."""
    shapes = [merge(one, other) for one, other in zip(inputs, outputs, strict=True)]
    return shapes, list(shapes)


def dense(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The outputs have the data's leading axes, or its first one with `flatten`."""
    data, out = inputs[0], outputs[0]
    units = attrs["num_hidden"]
    if data is None:
        return list(inputs), list(outputs)
    lead = data[:1] if attrs["flatten"] else data[:-1]
    out = merge(out, (*lead, units))
    assert out is not None
    data = (*(a or b for a, b in zip(lead, out, strict=False)), *data[len(lead) :])
    width = prod(data[1:]) if attrs["flatten"] else data[-1]
    return [data, merge(inputs[1], (units, width)), *([(units,)] if inputs[2:] else [])], [out]


def split(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """Equal pieces along an axis, which `squeeze_axis` takes away."""
    data, piece = inputs[0], reduce(merge, outputs)
    count, axis, squeeze = attrs["num_outputs"], attrs["axis"], attrs["squeeze_axis"]
    if piece is not None:
        ndim = len(piece) + squeeze
        at = axis % ndim
        length = count if squeeze else piece[at] * count
        rest = piece if squeeze else (*piece[:at], *piece[at + 1 :])
        data = merge(data, (*rest[:at], length, *rest[at:]))
    if data is None:
        return list(inputs), list(outputs)
    at = axis % len(data)
    middle = () if squeeze else (data[at] // count,)
    piece = merge(piece, (*data[:at], *middle, *data[at + 1 :]))
    return [data], [piece] * len(outputs)


def concat(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The other axes agree; what is left along `dim` is shared by the inputs that lack it."""
    out = outputs[0]
    ndim = next((len(s) for s in (*inputs, out) if s is not None), None)
    if ndim is None:
        return list(inputs), list(outputs)
    at = attrs["dim"] % ndim
    lengths = [0 if s is None else s[at] for s in inputs]
    whole = 0 if out is None else out[at]
    missing = lengths.count(0)
    if whole and missing:
        lengths = [n or (whole - sum(lengths)) // missing for n in lengths]
    elif not missing:
        whole = sum(lengths)
    blank = [None if s is None else (*s[:at], 0, *s[at + 1 :]) for s in (*inputs, out)]
    rest = reduce(merge, blank)
    assert rest is not None

    def shape(length: int) -> Dims:
        return (*rest[:at], length, *rest[at + 1 :])

    return [shape(n) for n in lengths], [shape(whole)]


def stack(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The output has one axis more than the inputs, which MXNet does not infer from one another."""
    one, out = reduce(merge, inputs), outputs[0]
    if one is not None:
        at = attrs["axis"] % (len(one) + 1)
        out = merge(out, (*one[:at], len(inputs), *one[at:]))
    return list(inputs), [out]


def chosen(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """What is chosen from and the output have one shape; MXNet waits for the condition's."""
    condition, *sources = inputs
    if condition is None or 0 in condition:
        return list(inputs), list(outputs)
    shape = reduce(merge, [*sources, *outputs])
    return [condition, shape, shape], [shape]


def reshaped(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """A single missing length follows from the number of elements."""
    data, out = inputs[0], outputs[0]
    if data is not None and 0 not in data and attrs["shape"] == (-1,):
        return [data], [(prod(data),)]
    if data is not None and data.count(0) == 1 and out is not None and 0 not in out:
        length = prod(out) // prod(n for n in data if n)
        data = tuple(n or length for n in data)
    return [data], [out]


def transposed(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The output has the data's lengths in the order `axes`, or reversed."""
    data, out = inputs[0], outputs[0]
    if data is None:
        return list(inputs), list(outputs)
    axes = attrs["axes"] or tuple(range(len(data)))[::-1]
    if sorted(axes) != list(range(len(data))):
        return list(inputs), list(outputs)
    out = merge(tuple(data[a] for a in axes), out)
    assert out is not None
    return [merge(data, tuple(out[axes.index(a)] for a in range(len(data))))], [out]


def expanded(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The output has one axis more, of length 1."""
    data, out, axis = inputs[0], outputs[0], attrs["axis"]
    ndim = len(data) + 1 if data is not None else len(out or ())
    if not -ndim <= axis < ndim:
        return list(inputs), list(outputs)
    at = axis % ndim
    if data is not None:
        out = merge((*data[:at], 1, *data[at:]), out)
    if out is None or out[at] != 1:
        return list(inputs), list(outputs)
    return [(*out[:at], *out[at + 1 :])], [out]
