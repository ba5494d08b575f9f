"""`mx.np.linalg`: linear algebra."""

from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.numpy.fallback_linalg import (
    cond,
    lstsq,
    matrix_power,
    matrix_rank,
    multi_dot,
    qr,
)

__all__ = ["cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "qr"]

fill(globals(), "np.linalg")
