"""NumPy arrays of one element that are numbers whatever their axes, as they were before NumPy 2.4.

`float(x)`, `int(x)` and `'%f' % x` of such an array warn since NumPy 1.25 and raise since 2.4.
Programs for MXNet do it with what `asnumpy` gives and with rows of it, `net(x).asnumpy()[0]`, so
that is put back for programs that run as old ones; see `run`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mxtorch._core.warn import note

_NOTICE = (
    "NumPy 2.4 makes no number of an array with axes (float(x), '%f' % x); "
    "asnumpy() gives arrays of one element that still are: write x.item()"
)


class OneElement(np.ndarray):
    """What `asnumpy` gives for one element, or a column of them, where old programs run."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """A scalar, one element again, or a plain array, of what was computed."""
        plain = np.asarray(array).view(np.ndarray)
        return plain[()] if return_scalar else as_number(plain)

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def _number(self) -> Any:
        if self.size != 1:  # joined with others
            raise TypeError("only length-1 arrays can be converted to Python scalars")
        if self.ndim and not switch.is_quiet:
            note(_NOTICE)
        return self.item()

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __reduce__(self) -> Any:
        """Pickled as a plain array."""
        return self.view(np.ndarray).__reduce__()


# as programs print it
OneElement.__name__ = OneElement.__qualname__ = "ndarray"
OneElement.__module__ = "numpy"


class Switch:
    """Whether `asnumpy` gives them, and whether that is said when one is used."""

    is_on = False
    is_quiet = False


switch = Switch()


def is_refused() -> bool:
    """Whether this NumPy makes no number of an array of one element."""
    major, minor = np.__version__.split(".")[:2]
    return (int(major), int(minor)) >= (2, 4)


def as_number(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array; as a OneElement if it or its rows are that, and that is on."""
    if not switch.is_on or not array.ndim or (array.size != 1 and array.shape[-1] != 1):
        return array
    return array.view(OneElement)
