"""`np.broadcast_arrays`."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch.ndarray.numpy import _protocol
from mxtorch.ndarray.numpy._array import np

__all__ = ["broadcast_arrays"]


def broadcast_arrays(*args: Any) -> list[Any]:
    """The arrays broadcast against one another."""
    shape = onp.broadcast_shapes(*(a.shape for a in args))
    return [np["_npi_broadcast_to"](a, shape=shape) for a in args]


_protocol.functions["broadcast_arrays"] = broadcast_arrays
