"""Random arrays of any storage type."""

from __future__ import annotations

from typing import Any

from mxtorch._core.device import Context
from mxtorch._core.errors import NotSupportedError
from mxtorch._testing.arrays import random_arrays
from mxtorch._testing.tolerance import default_dtype
from mxtorch.ndarray import NDArray, array


def rand_ndarray(
    shape: Any,
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Any = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """An array of standard normal numbers, of storage type `stype`.

    The other arguments are for sparse arrays, which raise: there are none yet.
    """
    if stype != "default":
        raise NotSupportedError(
            f"rand_ndarray: {stype} arrays are not supported yet; use stype='default'"
        )
    return array(random_arrays(shape), ctx, default_dtype() if dtype is None else dtype)
