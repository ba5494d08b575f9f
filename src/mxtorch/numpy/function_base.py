"""`np.meshgrid`."""

from __future__ import annotations

from typing import Any

from mxtorch.ndarray.numpy import _protocol
from mxtorch.ndarray.numpy._array import np

__all__ = ["meshgrid"]


def meshgrid(*xi: Any, **kwargs: Any) -> list[Any]:
    """Coordinates of a grid, an array for each vector; `indexing`: 'xy' (default) or 'ij'."""
    indexing = kwargs.pop("indexing", "xy")
    sparse, copy = kwargs.pop("sparse", False), kwargs.pop("copy", True)
    if kwargs:
        raise TypeError(f"meshgrid() got an unexpected keyword argument '{min(kwargs)}'")
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    count = len(xi)
    axes = list(range(count))
    if indexing == "xy" and count > 1:
        axes[:2] = 1, 0
    grids = []
    for axis, vector in zip(axes, xi, strict=True):
        shape = [1] * count
        shape[axis] = -1
        grids.append(np["_np_reshape"](vector, newshape=tuple(shape)))
    if not sparse:
        lengths = [0] * count
        for axis, vector in zip(axes, xi, strict=True):
            lengths[axis] = vector.size
        grids = [np["_npi_broadcast_to"](g, shape=tuple(lengths)) for g in grids]
    return [g.copy() for g in grids] if copy else grids


_protocol.functions["meshgrid"] = meshgrid
