"""Functions that make constant symbols, and others that MXNet writes by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mxtorch._ops._shapes import split_attrs
from mxtorch.symbol._namespace import compose
from mxtorch.symbol.symbol import Symbol

__all__ = ["arange", "eye", "full", "histogram", "linspace", "ones", "split_v2", "zeros"]

Shape = int | Sequence[int]


def zeros(shape: Shape, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Zeros, float32 by default; a length of 0 is worked out from what the symbol is used for."""
    return compose("_zeros", shape=shape, dtype=np.float32 if dtype is None else dtype, **kwargs)


def ones(shape: Shape, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Ones, float32 by default; a length of 0 is worked out from what the symbol is used for."""
    return compose("_ones", shape=shape, dtype=np.float32 if dtype is None else dtype, **kwargs)


def full(shape: Shape, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """`val` everywhere, float32 by default."""
    dtype = np.float32 if dtype is None else dtype
    return compose("_full", shape=shape, dtype=dtype, value=float(val), **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Evenly spaced values from `start` (0 if alone) to before `stop`, each `repeat` times."""
    return compose(
        "_arange",
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        infer_range=infer_range,
        name=name,
        dtype=np.float32 if dtype is None else dtype,
    )


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """`num` evenly spaced values from `start` to `stop`."""
    return compose(
        "_linspace",
        start=start,
        stop=stop,
        num=num,
        endpoint=endpoint,
        name=name,
        dtype=np.float32 if dtype is None else dtype,
    )


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Ones on the k-th diagonal of an N × M array (M = 0: N × N), float32 by default."""
    return compose("_eye", N=N, M=M, k=k, dtype=np.float32 if dtype is None else dtype, **kwargs)


def split_v2(
    ary: Symbol, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False
) -> Symbol:
    """Pieces along `axis`: that many equal ones, or those between the given indices."""
    parts = split_attrs(indices_or_sections)
    parts["indices"] = list(parts["indices"])  # which is how MXNet writes it into files
    return compose("_split_v2", ary, axis=axis, squeeze_axis=squeeze_axis, **parts)


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> Symbol:
    """How many elements lie in each bin, and the bins' edges.

    `bins`: a symbol of edges, or how many there are in `range`.
    """
    if isinstance(bins, Symbol):
        return compose("_histogram", a, bins, **kwargs)
    if isinstance(bins, int):
        if range is None:
            raise ValueError("null range is not supported in symbol mode")
        return compose("_histogram", a, bin_cnt=bins, range=range, **kwargs)
    raise ValueError(f"bins must be a symbol or an int, got {type(bins).__name__}")
