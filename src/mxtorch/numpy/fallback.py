"""Functions that `mx.np` takes from NumPy: arrays go through `__array_function__` to it and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp

# Those that the installed NumPy no longer has are left out.
_NAMES = """
allclose alltrue apply_along_axis apply_over_axes argpartition argwhere array_equal array_equiv
choose compress corrcoef correlate count_nonzero cov digitize divmod extract flatnonzero
float_power frexp heaviside histogram2d histogram_bin_edges histogramdd i0 in1d interp intersect1d
isclose isin ix_ lexsort min_scalar_type mirr modf msort nanargmax nanargmin nancumprod nancumsum
nanmax nanmedian nanmin nanpercentile nanprod nanquantile ndim npv packbits partition piecewise
poly polyadd polydiv polyfit polyint polymul polysub positive ppmt promote_types ptp pv rate real
result_type rollaxis roots searchsorted select setdiff1d setxor1d signbit size spacing
take_along_axis trapz tril_indices_from trim_zeros triu_indices_from union1d unpackbits unwrap
vander shape
""".split()

__all__ = [name for name in _NAMES if hasattr(onp, name)]


def functions() -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    return {name: getattr(onp, name) for name in __all__}
