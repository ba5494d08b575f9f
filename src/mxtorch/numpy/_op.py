"""MXNet's module of the functions that are operators."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np")
