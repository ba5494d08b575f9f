"""MXNet's module of the array class and of most functions."""

from mxtorch.ndarray.numpy._array import array, empty, ndarray
from mxtorch.ndarray.numpy._namespace import fill

__all__ = ["array", "empty", "ndarray"]

fill(globals(), "np")
