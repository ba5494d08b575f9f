"""`mx.nd.np.random`: its functions on arrays."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np.random")
