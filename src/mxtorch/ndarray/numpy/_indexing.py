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
    if isinstance(key, (bool, onp.bool_)):
        tensor = array.live()
        return wrap(
            array._kind, tensor.unsqueeze(0) if key else tensor.new_empty((0, *tensor.shape))
        )
    _check_axes(array, key)
    if key is Ellipsis:
        return wrap(array._kind, array.live()[...])
    return _indexing.read(array, key)


def assign(array: Handle, key: Any, value: Any) -> None:
    """`x[key] = value`."""
    if isinstance(value, Handle) and not value._strict:
        raise MXNetTypeError("Cannot assign mx.nd.NDArray to mxnet.numpy.ndarray")
    if not (isinstance(key, tuple) and not key):
        _check_axes(array, key)
    elif not array.storage().ndim:
        key = Ellipsis
    _indexing.assign(array, key, value)


def _check_axes(array: Handle, key: Any) -> None:
    if not array.storage().ndim and not isinstance(key, (bool, onp.bool_)):
        raise MXNetIndexError("scalar tensor can only accept `()` as index")


def select(tensor: Tensor, key: Any) -> Selection:
    """The key taken apart; a boolean mask stands for the indices where it is true."""
    entries: list[Any] = []
    for part in key if isinstance(key, tuple) else (key,):
        entries += _entries(part)
    return selection(tensor, entries)


def _entries(key: Any) -> list[Any]:
    if key is None or key is Ellipsis or isinstance(key, slice):
        return [key]
    if isinstance(key, (int, onp.integer)) and not isinstance(key, bool):
        return [int(key)]
    if isinstance(key, Handle):
        index = key.storage()
    elif isinstance(key, (list, tuple, range, onp.ndarray, onp.bool_, bool)):
        values = onp.asarray(_numbers(key))
        index = torch.from_numpy(onp.array(values if values.size else values.astype(onp.int64)))
    else:
        raise MXNetValueError(
            f"NDArray does not support slicing with key {key} of type {type(key)}."
        )
    if index.dtype is torch.bool:
        return list(index.nonzero().unbind(1)) if index.ndim else [None, torch.arange(int(index))]
    return [index.to(torch.int64)]


def _numbers(key: Any) -> Any:
    """Lists of arrays as lists of what is in them."""
    if isinstance(key, (list, tuple)):
        return [k.asnumpy() if isinstance(k, Handle) else k for k in key]
    return key
