"""Functions that `mx.np` takes from NumPy; arrays go there and back by `__array_function__`."""

from __future__ import annotations

import functools
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


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element of `ar1`, in one row, is in `ar2`."""
    return onp.isin(onp.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def msort(a: Any) -> Any:
    """A copy sorted along the first axis."""
    return onp.sort(a, axis=0)


# What NumPy 2 calls otherwise, or no longer has.
_RENAMED: dict[str, Any] = {
    "alltrue": onp.all,
    "in1d": in1d,
    "msort": msort,
    "trapz": getattr(onp, "trapezoid", None) or getattr(onp, "trapz", None),
}
# Keywords of NumPy 1 by what they are called now; None: they have no effect any more.
_KEYWORDS: dict[str, dict[str, str | None]] = {
    "nanquantile": {"interpolation": "method"},
    "nanpercentile": {"interpolation": "method"},
    "histogram2d": {"normed": "density"},
    "histogramdd": {"normed": "density"},
    "corrcoef": {"bias": None, "ddof": None},
}


def _with_keywords(function: Any, keywords: dict[str, str | None]) -> Any:
    """The function, which takes NumPy 1's keywords too."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for old, new in keywords.items():
            value = kwargs.pop(old, None)
            if new is not None and value is not None:
                kwargs[new] = value
        return function(*args, **kwargs)

    return call


_FUNCTIONS = {name: getattr(onp, name) for name in sorted(_NAMES) if hasattr(onp, name)}
_FUNCTIONS = _RENAMED | _FUNCTIONS
_FUNCTIONS |= {
    name: _with_keywords(_FUNCTIONS[name], keywords) for name, keywords in _KEYWORDS.items()
}

__all__ = sorted(_FUNCTIONS)


def fill(target: dict[str, Any]) -> None:
    """Put the functions into a module's globals."""
    target.update(_FUNCTIONS)
