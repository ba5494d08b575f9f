"""`mx.np.random`: random numbers."""

from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "np.random")
