"""Reading and writing parts of an mx.np array: as in `mx.nd`, and boolean masks."""

from __future__ import annotations

from typing import Any

import numpy as onp
import torch
from torch import Tensor

from mxtorch._core.device import Context, current_context
from mxtorch._core.errors import MXNetIndexError, MXNetTypeError, MXNetValueError
from mxtorch._front.handle import Handle, wrap
from mxtorch.ndarray import _indexing
from mxtorch.ndarray._selection import Selection, selection

_BOOL = onp.dtype(bool)
_PLAIN = frozenset({int, slice})


def at(ctx: Context | None) -> Context:
    """The context named, or the current one."""
    return current_context() if ctx is None else ctx


def read(array: Handle, key: Any) -> Any:
    """`x[key]`: a view where the key is basic and names memory in one piece, else a copy."""
    if type(key) in _PLAIN:
        _check_axes(array, key)
        return _indexing.read(array, key)
    if isinstance(key, tuple) and not key:
        return array
    key = _truth(key)
    if isinstance(key, bool):
        tensor = array.live().unsqueeze(0)
        return wrap(array._kind, tensor.clone() if key else tensor[:0])
    _check_axes(array, key)
    if key is Ellipsis:
        return wrap(array._kind, array.live()[...])
    return _indexing.read(array, key)


def assign(array: Handle, key: Any, value: Any) -> None:
    """`x[key] = value`."""
    if isinstance(value, Handle) and not value._strict:
        raise MXNetTypeError("Cannot assign mx.nd.NDArray to mxnet.numpy.ndarray")
    key = _truth(key)
    if isinstance(key, bool):
        if not key:
            return
        key = Ellipsis
    elif not (isinstance(key, tuple) and not key):
        _check_axes(array, key)
    elif not array.storage().ndim:
        key = Ellipsis
    if _is_numpys(key):  # NumPy's mask is one for reading alone
        key = _whole(onp.asarray(_numbers(key)))
    _indexing.assign(array, key, value)


def _check_axes(array: Handle, key: Any) -> None:
    if not array.storage().ndim:
        raise MXNetIndexError("scalar tensor can only accept `()` as index")


def _truth(key: Any) -> Any:
    """A mask without axes as a Python boolean; other keys as they are."""
    if isinstance(key, onp.bool_) or (isinstance(key, onp.ndarray) and _is_bare_mask(key)):
        return bool(key)
    if isinstance(key, Handle) and key._kind.dtype is torch.bool and not key.storage().ndim:
        return bool(key.storage())
    return key


def _is_bare_mask(key: onp.ndarray) -> bool:
    return key.dtype == _BOOL and not key.ndim


def _is_numpys(key: Any) -> bool:
    return isinstance(key, (list, onp.ndarray))


def select(tensor: Tensor, key: Any) -> Selection:
    """The key taken apart; a boolean mask stands for the indices where it is true.

    NumPy's booleans (and lists of booleans) are a mask if nothing stands beside them, else the
    numbers 0 and 1.
    """
    if not isinstance(key, tuple):
        return selection(tensor, _checked(tensor, key))
    return selection(tensor, [entry for part in key for entry in _entries(part, alone=False)])


def _checked(tensor: Tensor, key: Any) -> list[Any]:
    shape = getattr(key, "shape", ())
    if getattr(key, "dtype", None) == _BOOL and shape != tensor.shape[: len(shape)]:
        raise MXNetIndexError(f"a mask of shape {shape} for an array of {tuple(tensor.shape)}")
    return _entries(key, alone=True)


def _entries(key: Any, alone: bool) -> list[Any]:
    if key is None or key is Ellipsis or isinstance(key, slice):
        return [key]
    if isinstance(key, (int, onp.integer)) and not isinstance(key, bool):
        return [int(key)]
    if isinstance(key, Handle):
        index = key.storage()
        if not index.ndim and index.dtype is not torch.bool:
            return [int(index)]
    elif isinstance(key, (list, tuple, range, onp.ndarray, onp.bool_, bool)):
        values = onp.asarray(_numbers(key))
        is_mask = values.dtype == bool and (alone or not _is_numpys(key))
        index = torch.from_numpy(onp.array(values if is_mask else _whole(values)))
    else:
        raise MXNetValueError(
            f"NDArray does not support slicing with key {key} of type {type(key)}."
        )
    if index.dtype is torch.bool:
        return list(index.nonzero().unbind(1)) if index.ndim else [None, torch.arange(int(index))]
    return [index.to(torch.int64)]


def _whole(values: onp.ndarray) -> onp.ndarray:
    return values.astype(onp.int64)


def _numbers(key: Any) -> Any:
    """Lists of arrays as lists of what is in them."""
    if isinstance(key, (list, tuple)):
        return [k.asnumpy() if isinstance(k, Handle) else k for k in key]
    return key
