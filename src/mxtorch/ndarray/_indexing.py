"""Reading and writing parts of an array, and its shape codes.

A basic index that names memory in one piece (`x[0]`, `x[1:3]`, `x[0, 1:3]`) is a view, every other
one a copy. Index arrays may be of any type; numbers are cut to whole ones and negative ones count
from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetIndexError,
    MXNetShapeError,
    MXNetTypeError,
)
from mxtorch._core.modes import modes
from mxtorch._front.handle import Handle, find_kind, wrap
from mxtorch._ops._shapes import flipped, resolve_codes, slice_view

_BASIC = (int, np.integer, slice, type(None), type(Ellipsis))


def read(array: Handle, key: Any) -> Any:
    """`x[key]`."""
    if type(key) is slice and key == slice(None):
        return array
    kind = array._kind
    tensor = array.live()
    result = _take(tensor, key)
    if result.ndim == 0:
        result = result.reshape(1)
    if result.numel() == 0 and tensor.numel() > 0:
        raise MXNetIndexError(
            f"index {key!r} selects nothing from an array of shape {tuple(tensor.shape)}"
        )
    if result._base is not None and not result.is_contiguous():
        result = result.contiguous()
    return wrap(kind, result)


def assign(array: Handle, key: Any, value: Any) -> None:
    """`x[key] = value`."""
    target = array.write_storage()
    source = _source(target, value)
    if _is_full(key) and modes.recording and source.requires_grad:
        copied = source.to(target.dtype, copy=True).expand(target.shape).contiguous()
        kind = array._kind
        array._data, array._hist = None, copied
        array._kind = find_kind(kind.cls, kind.dtype, kind.ctx, plain=False)
        return
    with torch.no_grad():
        _put(target, key, source.detach())


def reshape(array: Handle, shape: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """`x.reshape(…)`: a view."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    elif not shape:
        shape = kwargs.get("shape", ())
        if not shape:
            raise MXNetAssertionError("reshape: shape must be provided")
    unknown = set(kwargs) - {"shape", "reverse"}
    if unknown:
        raise MXNetTypeError(
            f"reshape: there is no argument {sorted(unknown)[0]!r}; it takes shape, reverse"
        )
    tensor = array.live()
    wanted = tuple(int(n) for n in ((shape,) if isinstance(shape, int) else shape))
    target = resolve_codes(tuple(tensor.shape), wanted, bool(kwargs.get("reverse", False)))
    return wrap(array._kind, tensor.reshape(target))


def slice_assign(array: Handle, rhs: Handle, begin: Any, end: Any, step: Any) -> Any:
    """`x.slice_assign(…)`: write an array into a part of `array`, in place."""
    view, flips = slice_view(array.write_storage(), begin, end, step)
    view.copy_(flipped(rhs.storage(), flips))
    return array


def slice_assign_scalar(array: Handle, value: float, begin: Any, end: Any, step: Any) -> Any:
    """`x.slice_assign_scalar(…)`: write a number into a part of `array`, in place."""
    slice_view(array.write_storage(), begin, end, step)[0].fill_(value)
    return array


def _is_full(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, slice) and key == slice(None))


def _take(tensor: Tensor, key: Any) -> Tensor:
    keys = _normalize(tensor, key)
    flips = _negative_steps(keys)
    if flips:
        return _take_flipped(tensor, keys)
    try:
        return tensor[keys]
    except IndexError as error:
        raise MXNetIndexError(f"{error} (shape {tuple(tensor.shape)})") from None


def _put(target: Tensor, key: Any, value: Tensor) -> None:
    keys = _normalize(target, key)
    value = value.to(target.device, target.dtype)
    if _negative_steps(keys):
        view, flipped = _flipped_view(target, keys)
        view.copy_(_fit(value, view.shape).flip(flipped))
        return
    try:
        if any(isinstance(k, Tensor) for k in keys):
            target[keys] = value
        else:
            view = target[keys]
            view.copy_(_fit(value, view.shape))
    except IndexError as error:
        raise MXNetIndexError(f"{error} (shape {tuple(target.shape)})") from None


def _fit(value: Tensor, shape: torch.Size) -> Tensor:
    """The value ready to be broadcast to `shape`; axes of 1 in front may be too many."""
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return value.expand(shape)
    except RuntimeError:
        if value.numel() == shape.numel():
            return value.reshape(shape)
        raise MXNetShapeError(
            f"cannot write an array of shape {tuple(value.shape)} into {tuple(shape)}"
        ) from None


def _source(target: Tensor, value: Any) -> Tensor:
    if isinstance(value, Handle):
        return value.live()
    if isinstance(value, (int, float, bool, np.generic)):
        return torch.tensor(value, device=target.device).to(target.dtype)
    return torch.from_numpy(np.array(value)).to(target.device)


def _normalize(tensor: Tensor, key: Any) -> tuple[Any, ...]:
    keys = key if isinstance(key, tuple) else (key,)
    keys = tuple(_one_key(k) for k in keys)
    used = sum(1 for k in keys if k is not None and k is not Ellipsis)
    if used > tensor.ndim:
        raise MXNetIndexError(f"too many indices ({used}) for an array of {tensor.ndim} dimensions")
    return _in_range(tensor, keys)


def _one_key(key: Any) -> Any:
    if isinstance(key, (bool, np.bool_)):
        return int(key)
    if isinstance(key, (int, np.integer)):
        return int(key)
    if isinstance(key, slice):
        return slice(*(None if v is None else int(v) for v in (key.start, key.stop, key.step)))
    if key is None or key is Ellipsis:
        return key
    if isinstance(key, Handle):
        return key.storage().to(torch.int64)
    if isinstance(key, (list, tuple, range, np.ndarray)):
        values = (
            [int(k.asscalar()) if isinstance(k, Handle) else k for k in key]
            if not isinstance(key, np.ndarray)
            else key
        )
        return torch.from_numpy(np.asarray(values).astype(np.int64))
    raise MXNetIndexError(f"index of type {type(key).__name__} is not supported")


def _in_range(tensor: Tensor, keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """The keys with index arrays on the array's device and negative numbers counted from 0."""
    axis = 0
    result = []
    used = sum(1 for k in keys if k is not None and k is not Ellipsis)
    for key in keys:
        if key is Ellipsis:
            axis += tensor.ndim - used
        elif key is not None:
            if isinstance(key, Tensor):
                key = _checked(key, tensor.shape[axis], axis).to(tensor.device)
            axis += 1
        result.append(key)
    return tuple(result)


def _checked(index: Tensor, length: int, axis: int) -> Tensor:
    if index.numel() and not (-length <= int(index.min()) and int(index.max()) < length):
        raise MXNetIndexError(
            f"index {int(index.max())} is out of bounds for axis {axis} with size {length}"
        )
    return index


def _negative_steps(keys: tuple[Any, ...]) -> bool:
    return any(isinstance(k, slice) and k.step is not None and k.step < 0 for k in keys)


def _take_flipped(tensor: Tensor, keys: tuple[Any, ...]) -> Tensor:
    """Slices with a negative step: index arrays do what torch's slices cannot."""
    view, flipped = _flipped_view(tensor, keys)
    return view.flip(flipped)


def _flipped_view(tensor: Tensor, keys: tuple[Any, ...]) -> tuple[Tensor, list[int]]:
    """A view with positive steps, and the axes of it that are to be flipped."""
    used = sum(1 for k in keys if k is not None and k is not Ellipsis)
    axis = out_axis = 0
    plain: list[Any] = []
    flipped = []
    for key in keys:
        if key is None:
            out_axis += 1
        elif key is Ellipsis:
            axis += tensor.ndim - used
            out_axis += tensor.ndim - used
        else:
            if isinstance(key, slice):
                picked = range(*key.indices(tensor.shape[axis]))
                if picked.step < 0:
                    flipped.append(out_axis)
                    picked = picked[::-1]
                    key = slice(picked.start, picked.stop, picked.step)
                out_axis += 1
            elif isinstance(key, Tensor):
                raise MXNetIndexError("a negative step together with index arrays is not supported")
            axis += 1
        plain.append(key)
    return tensor[tuple(plain)], flipped
