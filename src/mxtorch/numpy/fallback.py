"""Functions that `mx.np` takes from NumPy; arrays go there and back by `__array_function__`."""

from __future__ import annotations

from typing import Any

import numpy as onp

# Those that the installed NumPy no longer has are left out.
_NAMES = frozenset(
    """
allclose alltrue apply_along_axis apply_over_axes argpartition argwhere array_equal array_equiv
choose compress corrcoef correlate count_nonzero cov digitize divmod extract flatnonzero
float_power frexp heaviside histogram2d histogram_bin_edges histogramdd i0 in1d interp intersect1d
isclose isin ix_ lexsort min_scalar_type mirr modf msort nanargmax nanargmin nancumprod nancumsum
nanmax nanmedian nanmin nanpercentile nanprod nanquantile ndim npv packbits partition piecewise
poly polyadd polydiv polyfit polyint polymul polysub positive ppmt promote_types ptp pv rate real
result_type rollaxis roots searchsorted select setdiff1d setxor1d signbit size spacing
take_along_axis trapz tril_indices_from trim_zeros triu_indices_from union1d unpackbits unwrap
vander shape
""".split()  # noqa: SIM905 - a hundred names, a line each otherwise
)

__all__ = [name for name in sorted(_NAMES) if hasattr(onp, name)]


def fill(target: dict[str, Any]) -> None:
    """Put the functions into a module's globals."""
    target.update({name: getattr(onp, name) for name in __all__})
