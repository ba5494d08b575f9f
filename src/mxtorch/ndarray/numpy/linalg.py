"""`mx.nd.np.linalg`: its functions on arrays."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np.linalg")
