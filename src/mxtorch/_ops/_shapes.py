"""Axes, shape codes and slices: what operators on shapes and array indexing share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetIndexError, MXNetShapeError, MXNetValueError
from mxtorch._core.modes import modes

Dims = tuple[int, ...]


def wrap_axis(axis: int, ndim: int) -> int:
    """An axis counted from the front; raises where the array does not have it."""
    if not -ndim <= axis < ndim:
        raise MXNetIndexError(f"axis {axis} is out of range for {ndim} dimensions")
    return axis % ndim


def wrap_axes(axis: int | Dims, ndim: int) -> Dims:
    """The same for one axis or several, in order and each once."""
    axes = (axis,) if isinstance(axis, int) else axis
    return tuple(sorted({wrap_axis(a, ndim) for a in axes}))


def require(fits: bool, *tensors: Tensor, needs: str) -> None:
    """Refuse tensors whose shapes do not fit; `needs` says which would."""
    if not fits:
        came = ", ".join(str(tuple(tensor.shape)) for tensor in tensors)
        raise MXNetShapeError(f"got shapes {came}; needs {needs}")


def at_least_1d(tensor: Tensor) -> Tensor:
    """Legacy reductions have no shape (): one element has shape (1,)."""
    return tensor.reshape(1) if tensor.ndim == 0 else tensor


def at_least_1d_unless_np(tensor: Tensor) -> Tensor:
    """The same for operators that do have it under NumPy's shapes."""
    return tensor if modes.np_shape else at_least_1d(tensor)


def resolve_codes(source: Dims, codes: Dims, reverse: bool = False) -> Dims:
    """The shape that MXNet's shape codes name: 0 keeps an axis, -1 is worked out, -2 keeps all
    that are left, -3 merges two, -4 splits one into the next two numbers. With `reverse` source and
    codes are read from the right, so a -4 stands behind its numbers."""
    if torch.compiler.is_compiling():  # lengths may be symbols, which cannot be remembered
        return _resolve(source, codes, reverse)
    return _resolved(source, codes, reverse)


def _resolve(source: Dims, codes: Dims, reverse: bool) -> Dims:
    if reverse:
        return resolve_codes(source[::-1], codes[::-1])[::-1]
    result: list[int] = []
    left = list(source)
    todo = list(codes)
    while todo:
        code = todo.pop(0)
        if code > 0:
            result.append(code)
            del left[:1]
        elif code == 0:
            result.append(_next(left, source, codes))
        elif code == -1:
            result.append(-1)
            del left[:1]
        elif code == -2:
            result += left
            left = []
        elif code == -3:
            result.append(_next(left, source, codes) * _next(left, source, codes))
        elif code == -4:
            result += _split(_next(left, source, codes), todo, codes)
        else:
            raise MXNetValueError(f"reshape: {code} is not a shape code (0, -1, -2, -3, -4)")
    return _fill_unknown(source, result, codes)


_resolved = lru_cache(4096)(_resolve)


def _next(left: list[int], source: Sequence[int], codes: Sequence[int]) -> int:
    if not left:
        raise MXNetShapeError(f"reshape: {codes} asks for more axes than {source} has")
    return left.pop(0)


def _split(length: int, todo: list[int], codes: Sequence[int]) -> list[int]:
    if len(todo) < 2:
        raise MXNetValueError(f"reshape: -4 in {codes} must be followed by two numbers")
    first, second = todo.pop(0), todo.pop(0)
    if first == -1 and second == -1:
        raise MXNetValueError(f"reshape: only one of the numbers after -4 may be -1, got {codes}")
    first = length // second if first == -1 else first
    second = length // first if second == -1 else second
    if first * second != length:
        raise MXNetShapeError(f"reshape: an axis of {length} does not split into {first}, {second}")
    return [first, second]


def _fill_unknown(source: Sequence[int], result: list[int], codes: Sequence[int]) -> Dims:
    total = prod(source)
    if result.count(-1) > 1:
        raise MXNetValueError(f"reshape: only one axis of {codes} may be -1")
    if -1 in result:
        known = prod(n for n in result if n != -1)
        result[result.index(-1)] = total // known if known else 0
    if prod(result) != total:
        raise MXNetShapeError(
            f"reshape: {tuple(source)} has {total} elements and cannot become {tuple(result)}"
        )
    return tuple(result)


def slice_view(
    data: Tensor,
    begin: Sequence[int | None],
    end: Sequence[int | None],
    step: Sequence[int | None] = (),
) -> tuple[Tensor, list[int]]:
    """A view with positive steps of a part of `data`, and the axes of it that are to be flipped."""
    steps = len(step) or len(begin)
    if len(begin) != len(end) or len(begin) > data.ndim or steps != len(begin):
        raise MXNetShapeError(
            f"begin={tuple(begin)}, end={tuple(end)}, step={tuple(step)} must have one number an "
            f"axis, for at most {data.ndim} axes"
        )
    keys: list[slice] = []
    flips = []
    for axis, (first, last) in enumerate(zip(begin, end, strict=True)):
        stride = step[axis] if axis < len(step) else None
        if stride == 0:
            raise MXNetShapeError(f"step={tuple(step)}: a step cannot be 0")
        stride = stride or 1
        picked = range(*slice(first, last, stride).indices(data.shape[axis]))
        if stride < 0 and picked:
            flips.append(axis)
            picked = picked[::-1]
        keys.append(slice(picked.start, picked.stop, picked.step) if picked else slice(0, 0))
    return data[tuple(keys)], flips


def split_attrs(indices_or_sections: Any) -> dict[str, Any]:
    """`split_v2`'s argument as the attributes of `_split_v2`."""
    if isinstance(indices_or_sections, int):
        return {"indices": (), "sections": int(indices_or_sections)}
    if isinstance(indices_or_sections, (tuple, list, set)):
        return {"indices": (0, *indices_or_sections), "sections": 0}
    raise MXNetValueError("split_v2: indices_or_sections must be an int or a tuple of ints")


def even_sizes(length: int, count: int) -> list[int]:
    """The lengths of `count` pieces as equal as they can be, the longer ones first."""
    short, longer = divmod(length, count)
    return [short + 1] * longer + [short] * (count - longer)


def flipped(data: Tensor, axes: Sequence[int]) -> Tensor:
    """`data` with some axes reversed; itself where there are none."""
    return torch.flip(data, tuple(axes)) if axes else data
