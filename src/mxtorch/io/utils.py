"""`mx.io.utils`: data given as arrays, in the one form that iterators use."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetAssertionError, MXNetTypeError
from mxtorch.ndarray import NDArray, array
from mxtorch.ndarray.sparse import CSRNDArray, csr_matrix

Named = list[tuple[str, Any]]
_KINDS = "NDArray, numpy.ndarray or h5py.Dataset"


def _is_hdf5(data: Any) -> bool:
    """Whether it is a data set of h5py: a program that has one has imported h5py."""
    h5py = sys.modules.get("h5py")
    return h5py is not None and isinstance(data, h5py.Dataset)


def _init_data(data: Any, allow_empty: bool, default_name: str) -> Named:
    """(name, array) pairs, sorted by name, of an array, a list or a dict of arrays.

    TypeError for anything else, AssertionError without any array unless `allow_empty`.
    """
    if data is None:
        if not allow_empty:
            raise MXNetAssertionError(f"{default_name}: an iterator needs data, got None")
        data = []
    if isinstance(data, (np.ndarray, NDArray)) or _is_hdf5(data):
        data = [data]
    if isinstance(data, list):
        if not data and not allow_empty:
            raise MXNetAssertionError(f"{default_name}: an iterator needs data, got an empty list")
        names = [default_name] if len(data) == 1 else []
        names = names or [f"_{i}_{default_name}" for i in range(len(data))]
        data = dict(zip(names, data, strict=True))
    if not isinstance(data, dict):
        raise MXNetTypeError(
            "Input must be NDArray, numpy.ndarray, h5py.Dataset a list of them or dict with them "
            f"as values, got {type(data).__name__}"
        )
    return sorted(((name, _as_array(name, value)) for name, value in data.items()), key=_name)


def _name(pair: tuple[str, Any]) -> str:
    return pair[0]


def _as_array(name: str, value: Any) -> Any:
    if isinstance(value, NDArray):
        return value
    try:
        return array(value)
    except (TypeError, ValueError):
        raise MXNetTypeError(
            f"Invalid type '{type(value)}' for {name}, should be {_KINDS}"
        ) from None


def _has_instance(data: Named, dtype: type) -> bool:
    """Whether one of the arrays in (name, array) pairs is a `dtype`."""
    return any(isinstance(value, dtype) for _, value in data)


def _getdata_by_idx(data: Named, idx: Any) -> Named:
    """(name, array) pairs with the rows `idx` only, as float32 on the arrays' contexts."""
    return [(name, _taken(value, np.asarray(idx))) for name, value in data]


def _taken(value: Any, idx: np.ndarray) -> Any:
    if not isinstance(value, CSRNDArray):
        return array(value.asnumpy()[idx], value.context)
    starts = value.indptr.asnumpy()
    counts = (starts[1:] - starts[:-1])[idx]
    pointers = np.concatenate([[0], np.cumsum(counts)])
    places = np.repeat(starts[idx] - pointers[:-1], counts) + np.arange(pointers[-1])
    parts = value.data.asnumpy()[places], value.indices.asnumpy()[places], pointers
    return csr_matrix(parts, (len(idx), value.shape[1]), value.context)


def _slice_along_batch_axis(data: Any, s: slice, batch_axis: int) -> Any:
    """The part `s` of an array along its batch axis."""
    return data.slice_axis(axis=batch_axis, begin=s.start, end=s.stop)
