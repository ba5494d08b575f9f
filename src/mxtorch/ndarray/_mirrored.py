"""MXNet's file `ndarray.py` holds all functions that are not operators."""

from mxtorch._front.names import mirror
from mxtorch.ndarray import _any, _create, _functions, ndarray

mirror(ndarray, _create, _functions, _any)
