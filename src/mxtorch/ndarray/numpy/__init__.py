"""`mx.nd.np`: the functions of `mx.np` that are operators, on arrays."""

from mxtorch.ndarray.numpy import _internal, linalg, random
from mxtorch.ndarray.numpy._array import array, empty, ndarray
from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np")
