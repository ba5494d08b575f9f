"""`mx.np.linalg`: linear algebra."""

from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.numpy.fallback_linalg import functions

fill(globals(), "np.linalg")
globals().update(functions())
