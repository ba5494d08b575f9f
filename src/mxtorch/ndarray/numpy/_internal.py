"""`mx.nd.np._internal`: its functions on arrays."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np._internal")
