"""Reading and writing parts of an array, and its other shapes.

A basic index that names memory in one piece (`x[0]`, `x[1:3]`, `x[0, 1:3]`) is a view, every other
one a copy. Index arrays may be of any type; numbers are cut to whole ones and negative ones count
from the end. The keys that programs use most go to torch as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetShapeError,
    MXNetTypeError,
)
from mxtorch._core.modes import modes
from mxtorch._front.handle import Handle, wrap, written_while_recording
from mxtorch._ops._shapes import flipped, resolve_codes, slice_view
from mxtorch.ndarray._selection import fit

# In a tuple of these torch has MXNet's own rules (but for negative steps, which it refuses).
_SIMPLE = frozenset({int, slice})
_ALL = slice(None)
_REFUSALS = (IndexError, ValueError, TypeError)


def read(array: Handle, key: Any) -> Any:
    """`x[key]`."""
    kind = array._kind
    data: Any = array._data if kind.plain else array.live()
    wrap_as = kind.wrap if kind.plain else partial(wrap, kind)
    kind_of_key = type(key)
    try:
        if kind_of_key is int:
            result = data[key]
            return wrap_as(result if result.ndim or modes.np_shape else result.reshape(1))
        if kind_of_key is slice:
            if key.step is None:
                if key.start is key.stop is None:
                    return array
                result = data[key]
                if result.numel():
                    return wrap_as(result)
        elif kind_of_key is tuple and _SIMPLE.issuperset(map(type, key)):
            result = data[key]
            if result.numel() and (result.is_contiguous() or data.is_contiguous()):
                result = result.contiguous()
                return wrap_as(result if result.ndim or modes.np_shape else result.reshape(1))
    except _REFUSALS:
        pass  # once more below, for the error in MXNet's words and for negative steps
    return _read_any(array, data, key)


def _read_any(array: Handle, data: Tensor, key: Any) -> Any:
    selection = array._select(data, key)
    result = selection.take(data)
    if result.numel() == 0 and data.numel() and not (modes.np_shape or _may_be_empty(data, key)):
        raise MXNetShapeError(f"{key} selects nothing from an array of shape {tuple(data.shape)}")
    is_view = selection.is_basic and not selection.flips
    if is_view and not result.is_contiguous() and not _is_block(data, selection.keys):
        result = result.contiguous()
    whole = result.ndim or modes.np_shape
    return wrap(array._kind, result if whole else result.reshape(1))


def _may_be_empty(data: Tensor, key: Any) -> bool:
    """MXNet gives empty parts of the first axis only, and not for `x[2:1]`."""
    if not isinstance(key, slice):
        return False
    start, stop, step = key.indices(data.shape[0])
    return step > 0 and start <= stop


def _is_block(data: Tensor, keys: Sequence[Any]) -> bool:
    """Whether the elements would lie in one piece if the array did."""
    axes = [key for key in keys if key is not None]
    is_part = [
        not isinstance(key, int) and len(range(*key.indices(n))) != n
        for key, n in zip(axes, data.shape, strict=True)
    ]
    first = next((i for i, key in enumerate(axes) if not isinstance(key, int)), len(axes))
    rest = axes[first + 1 :]
    steps_by_one = first == len(axes) or axes[first].step == 1 or not is_part[first]
    return steps_by_one and not any(is_part[first + 1 :]) and int not in map(type, rest)


def assign(array: Handle, key: Any, value: Any) -> None:
    """`x[key] = value`; what a graph computed makes the whole of an array part of that graph."""
    target = array.write_storage()
    if modes.recording and isinstance(value, Handle) and not value._kind.plain:
        source = value.live()
        if _is_whole(key) and source.requires_grad:
            target.copy_(fit(source.detach(), target.shape))  # views of it see the values too
            array._data = None
            array.set_history(fit(source.to(target.dtype, copy=True), target.shape).contiguous())
            return
        selection = array._select(target, key)
        if not (selection.is_basic and selection.take(target).is_contiguous()):
            raise written_while_recording()
    kind_of_value = type(value)
    try:
        if type(key) in _SIMPLE or (type(key) is tuple and _SIMPLE.issuperset(map(type, key))):
            view = target if key == _ALL else target[key]
            if kind_of_value is float or kind_of_value is int:
                view.fill_(value)
                return
            if isinstance(value, Handle):
                source = value.storage()
                view.copy_(source if source.shape == view.shape else fit(source, view.shape))
                return
    except (*_REFUSALS, RuntimeError):
        pass  # once more below
    whole = isinstance(key, bool)  # in MXNet x[True] = 5 and x[False] = 5 fill all of x
    _put(array, target, _ALL if whole else key, _source(target, value))


def _put(array: Handle, target: Tensor, key: Any, source: Tensor) -> None:
    """Write into a selection; its new axes count only if the value has more than the others."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(part is None for part in parts):
        plain = array._select(target, tuple(part for part in parts if part is not None))
        if source.ndim <= plain.take(target).ndim:
            plain.put(target, source)
            return
    array._select(target, key).put(target, source)


def _is_whole(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, slice) and key == _ALL)


def _source(target: Tensor, value: Any) -> Tensor:
    """The value as a tensor of the target's dtype and device."""
    if isinstance(value, Handle):
        tensor = value.storage()
    elif value is None and (target.is_floating_point() or target.dtype is torch.bool):
        tensor = torch.tensor(float("nan") if target.is_floating_point() else False)
    elif value is None or isinstance(value, (str, bytes, dict)):
        raise MXNetTypeError(
            f"NDArray does not support assignment with non-array-like object {value!r} "
            f"of type {type(value).__name__}"
        )
    else:
        try:
            tensor = tensor_of(np.asarray(value))
        except (ValueError, TypeError) as error:
            raise MXNetTypeError(f"an array cannot be filled with {value!r}") from error
    return tensor.to(target.device, target.dtype)


def tensor_of(values: np.ndarray) -> Tensor:
    """A copy in torch: numbers in the byte order of this machine, the real part of complex ones.

    Raises what NumPy raises for what are no numbers.
    """
    if values.dtype.kind == "c":
        values = values.real
    if values.dtype.kind not in "biuf":
        values = values.astype(np.float32)
    return torch.from_numpy(np.array(values, values.dtype.newbyteorder("="), order="C"))


# The arguments of `reshape` that name a shape without codes, which means the same to torch.
_codeless: dict[tuple[Any, ...], tuple[int, ...]] = {}


def reshape(array: Handle, *shape: Any, **kwargs: Any) -> Any:
    """A view with another shape; 0, -1, -2, -3 and -4 are MXNet's shape codes."""
    kind = array._kind
    try:
        known = _codeless.get(shape)
        if known and kind.plain and not kwargs:
            return kind.wrap(array._data.reshape(*known))  # type: ignore[union-attr]
        if kind.plain and shape and not kwargs:
            data: Any = array._data
            wanted = _wanted(shape)
            result = data.reshape(resolve_codes(data.shape, wanted))
            if 0 not in wanted and min(wanted, default=-2) >= -1 and len(_codeless) < 4096:
                _codeless[shape] = wanted
            return kind.wrap(result)
    except (RuntimeError, TypeError):
        pass  # once more below: a list, or an error in MXNet's words
    return _reshape_any(array, _wanted(shape) if shape else kwargs.get("shape"), kwargs)


def _wanted(shape: tuple[Any, ...]) -> Any:
    return shape[0] if len(shape) == 1 and type(shape[0]) is not int else shape


def _reshape_any(array: Handle, wanted: Any, kwargs: dict[str, Any]) -> Any:
    unknown = sorted(set(kwargs) - {"shape", "reverse"})
    if unknown:
        raise MXNetTypeError(
            f"reshape: there is no argument {unknown[0]!r}; it takes shape, reverse"
        )
    if wanted is None:
        raise MXNetAssertionError("reshape: shape must be provided")
    codes = (wanted,) if isinstance(wanted, (int, np.integer)) else tuple(wanted)
    if any(isinstance(n, float) for n in codes):
        raise MXNetTypeError(f"reshape: a shape is made of whole numbers, got {wanted!r}")
    codes = tuple(map(int, codes))
    reverse = bool(kwargs.get("reverse", False))
    data = array.live()
    return wrap(array._kind, data.reshape(resolve_codes(data.shape, codes, reverse)))


def slice_assign(array: Handle, rhs: Handle, begin: Any, end: Any, step: Any) -> Any:
    """`x.slice_assign(…)`: write an array into a part of `array`, in place."""
    view, flips = slice_view(array.write_storage(), begin, end, step)
    view.copy_(flipped(rhs.storage(), flips))
    return array


def slice_assign_scalar(array: Handle, value: float, begin: Any, end: Any, step: Any) -> Any:
    """`x.slice_assign_scalar(…)`: write a number into a part of `array`, in place."""
    slice_view(array.write_storage(), begin, end, step)[0].fill_(value)
    return array
