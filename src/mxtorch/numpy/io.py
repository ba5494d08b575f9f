"""`np.genfromtxt`."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch.ndarray.numpy._array import array

__all__ = ["genfromtxt"]


def genfromtxt(*args: Any, **kwargs: Any) -> Any:
    """A table from a text file, as NumPy reads it; `ctx` says where the array goes."""
    ctx = kwargs.pop("ctx", None)
    values = onp.genfromtxt(*args, **kwargs)
    return array(values, dtype=values.dtype, ctx=ctx)
