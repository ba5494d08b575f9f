"""ONNX operators that give values other shapes and places."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch._core.errors import NotSupportedError
from mxtorch.contrib.onnx.onnx2mx.calls import axes_of, flattened, npi, refused
from mxtorch.symbol import Symbol

sym: Any = symbol


def reshape(call: Any) -> Symbol:
    shape = call.numbers("shape") or call.lengths(1)
    if shape is None:
        shape = call.array(1, "the shape")
    if call.attrs.get("allowzero") and 0 in list(shape):
        raise refused(call, "a length of 0")
    return sym.reshape(call.symbol(0), shape=_with_codes(call, list(shape)))


def _with_codes(call: Any, shape: list[Any]) -> tuple[int, ...]:
    """A shape of which one length may be left to be worked out, others be as before."""
    dims = call.dims(0) or []
    named = [i for i, n in enumerate(shape) if not isinstance(n, int)]
    codes = list(shape)
    for i in named:
        if isinstance(shape[i], str) and dims[i : i + 1] == [shape[i]]:
            codes[i] = 0
    left = [i for i in named if codes[i] != 0]
    if len(left) == 1 and -1 not in codes:
        codes[left[0]] = -1
    elif left:
        raise NotSupportedError(
            f"Reshape {call.outputs[0]!r}: the lengths {shape} are computed by the graph; export "
            "it with fixed shapes, which leaves numbers"
        )
    return tuple(int(n) for n in codes)


def flatten(call: Any) -> Symbol:
    axis = call.axis(0, call.attrs.get("axis", 1))
    if axis < 0:
        raise refused(call, f"axis={axis}")
    return flattened(call.symbol(0), axis)


def squeeze(call: Any) -> Symbol:
    axes = axes_of(call)
    return sym.squeeze(call.symbol(0), **({} if axes is None else {"axis": axes}))


def unsqueeze(call: Any) -> Symbol:
    result = call.symbol(0)
    # from the outside in: an axis counted from one end does not move what is nearer to it
    axes = axes_of(call) or ()
    ordered = sorted(n for n in axes if n >= 0) + sorted((n for n in axes if n < 0), reverse=True)
    for axis in ordered:
        result = sym.expand_dims(result, axis=axis)
    return result


def split(call: Any) -> Any:
    axis, count = call.attrs.get("axis", 0), len(call.outputs)
    sizes = call.numbers("split")
    if sizes is None and call.has(1):
        sizes = tuple(int(n) for n in call.array(1, "the lengths"))
    if sizes is None and call.dims(0) is not None:
        length = call.size(0, call.axis(0, axis))
        part = -(-length // count)
        sizes = tuple(min(part, length - i * part) for i in range(count))
    if sizes is None or len(set(sizes)) == 1:
        made = sym.split(call.symbol(0), num_outputs=count, axis=axis)
        return [made[i] for i in range(count)] if count > 1 else made
    ends = np.cumsum(sizes)
    starts = [0, *ends[:-1]]
    return [
        sym.slice_axis(call.symbol(0), axis=axis, begin=int(a), end=int(b))
        for a, b in zip(starts, ends, strict=True)
    ]


def cut(call: Any) -> Symbol:
    if "starts" in call.attrs:
        starts, ends = call.numbers("starts"), call.numbers("ends")
        axes, steps = call.numbers("axes", tuple(range(len(starts)))), (1,) * len(starts)
    else:
        starts, ends = call.array(1, "the starts"), call.array(2, "the ends")
        axes = call.array(3, "the axes") if call.has(3) else range(len(starts))
        steps = call.array(4, "the steps") if call.has(4) else (1,) * len(starts)
    result = call.symbol(0)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        place = int(axis)
        # ends beyond the data stand for its end
        first = None if step < 0 and start > 2**30 else int(start)
        last = None if abs(int(end)) > 2**30 else int(end)
        if step == 1:
            result = sym.slice_axis(result, axis=place, begin=first, end=last)
            continue
        place = call.axis(0, place)
        if place < 0:
            raise refused(call, f"a step of {step} on axis {place}")
        if step < 0 and first == -1:
            first = None
        around = (None,) * place
        result = sym.slice(
            result, begin=(*around, first), end=(*around, last), step=(*around, int(step))
        )
    return result


def pad(call: Any) -> Symbol:
    pads = call.numbers("pads")
    if pads is None:
        pads = tuple(int(n) for n in call.array(1, "the padding"))
    value = call.attrs.get("value", 0.0)
    if call.has(2):
        value = float(call.array(2, "the value").reshape(-1)[0])
    half = len(pads) // 2
    pairs = list(zip(pads[:half], pads[half:], strict=True))
    if call.has(3):
        axes = [int(n) for n in call.array(3, "the axes")]
        rank = call.rank(0)
        if rank is None:
            raise refused(
                call, "padding of some axes of a value whose axes the file does not count"
            )
        every = [(0, 0)] * rank
        for axis, pair in zip(axes, pairs, strict=True):
            every[axis] = pair
        pairs = every
    data = call.symbol(0)
    for axis, (before, after) in enumerate(pairs):
        if before < 0 or after < 0:
            end = min(after, 0) or None
            data = sym.slice_axis(data, axis=axis, begin=max(-before, 0), end=end)
    pairs = [(max(a, 0), max(b, 0)) for a, b in pairs]
    if not any(map(any, pairs)):
        return data
    mode = call.attrs.get("mode", "constant")
    if mode not in ("constant", "edge", "reflect"):
        raise refused(call, f"mode {mode}")
    if len(pairs) in (4, 5) and not any(map(any, pairs[:2])):
        width = tuple(n for pair in pairs for n in pair)
        return sym.pad(data, mode=mode, pad_width=width, constant_value=value)
    return npi("_npi_pad", data, pad_width=tuple(pairs), mode=mode, constant_value=value)


def gather(call: Any) -> Symbol:
    axis, index = call.attrs.get("axis", 0), call.known(1)
    if index is not None and index.ndim == 0:
        place = int(index)
        row = sym.slice_axis(
            call.symbol(0), axis=axis, begin=place, end=None if place == -1 else place + 1
        )
        return sym.squeeze(row, axis=axis)
    return sym.take(call.symbol(0), call.symbol(1), axis=axis, mode="wrap")


def gather_elements(call: Any) -> Symbol:
    """Along one axis, each element its own; MXNet picks by the places on every axis."""
    axis = call.axis(0, call.attrs.get("axis", 0))
    shape = [call.size(1, i) for i in range(call.rank(1) or 0)]
    places = []
    for i, length in enumerate(shape):
        if i == axis:
            index = sym.Cast(call.symbol(1), dtype="int64")
            places.append(sym.where(index < 0, index + call.size(0, axis), index))
            continue
        line = np.arange(length).reshape([length if j == i else 1 for j in range(len(shape))])
        values = np.ascontiguousarray(np.broadcast_to(line, shape))
        places.append(call.importer.as_weight(f"{call.outputs[0]}_place{i}", values))
    return sym.gather_nd(call.symbol(0), sym.stack(*places, axis=0))


def _places_first(call: Any, position: int) -> Symbol:
    """Indices as MXNet has them: the axis that says where comes first."""
    rank = call.rank(position)
    if rank is None:
        raise refused(call, "indices whose axes the file does not count")
    order = (rank - 1, *range(rank - 1))
    return sym.transpose(sym.Cast(call.symbol(position), dtype="int64"), axes=order)


def gather_nd(call: Any) -> Symbol:
    if call.attrs.get("batch_dims"):
        raise refused(call, "batch_dims")
    return sym.gather_nd(call.symbol(0), _places_first(call, 1))


def scatter_nd(call: Any) -> Symbol:
    if call.attrs.get("reduction", "none") != "none":
        raise refused(call, f"reduction={call.attrs['reduction']}")
    shape = tuple(call.size(0, i) for i in range(call.rank(0) or 0))
    inputs = call.symbol(0), call.symbol(2), _places_first(call, 1)
    return sym._internal._scatter_set_nd(*inputs, shape=shape)


def expand(call: Any) -> Symbol:
    shape, dims = call.lengths(1), call.dims(0)
    if shape is None:
        shape = [int(n) for n in call.array(1, "the shape")]
    if all(isinstance(n, int) for n in shape):
        ones = sym.ones(shape=tuple(shape))
        return npi("_npi_where", ones, call.symbol(0), call.symbol(0))
    if dims is None or len(dims) > len(shape):
        raise refused(call, f"the shape {shape} of a value whose own the file does not say")
    data = call.symbol(0)
    own = [1] * (len(shape) - len(dims)) + dims
    for _ in range(len(shape) - len(dims)):
        data = sym.expand_dims(data, axis=0)
    codes = []
    for length, before in zip(shape, own, strict=True):
        if length in (1, before):
            codes.append(0)  # as it is
        elif isinstance(length, int):
            codes.append(length)
        else:
            raise refused(call, f"the length {length or 'that the graph computes'}")
    return sym.broadcast_to(data, shape=tuple(codes))


def filled(call: Any) -> Symbol:
    """ConstantOfShape of a shape that is known in part: the others are worked out."""
    shape = call.lengths(0)
    if shape is None:
        raise refused(call, "a shape that the graph computes")
    value = np.asarray(call.attrs.get("value", np.zeros(1, np.float32))).reshape(-1)[0]
    codes = tuple(n if isinstance(n, int) else 0 for n in shape)
    return sym.full(codes, val=float(value), dtype=str(value.dtype))


def one_hot(call: Any) -> Symbol:
    if call.attrs.get("axis", -1) != -1:
        raise refused(call, f"axis={call.attrs['axis']}")
    off, on = (call.array(2, "the values")[i] for i in (0, 1))
    depth = int(call.array(1, "the depth").reshape(-1)[0])
    index = sym.Cast(call.symbol(0), dtype="float32")
    index = sym.where(index < 0, index + depth, index)
    found = sym.one_hot(index, depth=depth, on_value=float(on), off_value=float(off))
    return sym.Cast(found, dtype=str(off.dtype))


def tile(call: Any) -> Symbol:
    return sym.tile(call.symbol(0), reps=tuple(int(n) for n in call.array(1, "the repeats")))


def triangle(call: Any) -> Symbol:
    data = call.symbol(0)
    k = int(call.array(1, "k").reshape(-1)[0]) if call.has(1) else 0
    upper = call.attrs.get("upper", 1)
    low = npi("_npi_tril", sym.ones_like(data), k=k - 1 if upper else k)
    zeros = sym.zeros_like(data)
    return sym.where(low, zeros, data) if upper else sym.where(low, data, zeros)


def depth_to_space(call: Any) -> Symbol:
    size = call.attrs["blocksize"]
    if call.attrs.get("mode", "DCR") == "DCR":
        return sym.depth_to_space(call.symbol(0), block_size=size)
    data = sym.reshape(call.symbol(0), shape=(0, -4, -1, size * size, 0, 0))
    data = sym.reshape(data, shape=(0, 0, -4, size, size, 0, 0))
    data = sym.transpose(data, axes=(0, 1, 4, 2, 5, 3))
    return sym.reshape(data, shape=(0, 0, -3, -3))


def cumulative(call: Any) -> Symbol:
    axis = int(call.array(1, "the axis").reshape(-1)[0])
    data = call.symbol(0)
    backward = bool(call.attrs.get("reverse"))
    data = sym.reverse(data, axis=axis) if backward else data
    total = sym.cumsum(data, axis=axis)
    total = total - data if call.attrs.get("exclusive") else total
    return sym.reverse(total, axis=axis) if backward else total
