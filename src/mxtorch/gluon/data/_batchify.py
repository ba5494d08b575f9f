"""Samples into batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from mxtorch._core.device import Context
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._front.handle import wrap_new
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.ndarray.numpy._array import in_mode


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Stack arrays and numbers; of tuples a list with a batch for each element."""
    return _batchify(data, None)


def default_mp_batchify_fn(data: Sequence[Any]) -> Any:
    """The same on the context cpu_shared(0), where batches of worker processes are."""
    return _batchify(data, Context("cpu_shared", 0))


def _batchify(data: Sequence[Any], ctx: Context | None) -> Any:
    first = data[0]
    if isinstance(first, NDArray):
        try:
            tensor = torch.stack([x.storage() for x in data])
        except RuntimeError as error:
            raise MXNetShapeError(f"the samples of a batch do not fit together: {error}") from None
        return wrap_new(type(first), tensor, ctx or first.context)
    if isinstance(first, tuple):
        return [_batchify(column, ctx) for column in zip(*data, strict=False)]
    return in_mode(wrap_new(NDArray, _from_numbers(data), ctx or Context("cpu", 0)))


def _from_numbers(data: Sequence[Any]) -> torch.Tensor:
    try:
        values = np.asarray(data)
    except ValueError as error:
        raise MXNetTypeError(f"the samples of a batch have different shapes: {error}") from None
    if values.dtype.kind not in "biuf":
        raise MXNetTypeError(
            f"samples of type {type(data[0]).__name__} cannot be put into an array; "
            "pass batchify_fn= to DataLoader"
        )
    return torch.from_numpy(np.ascontiguousarray(values)).to(dtype_to_torch(values.dtype))
