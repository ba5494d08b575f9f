"""`mx.np.random`: random numbers."""

from __future__ import annotations

from typing import Any

from mxtorch._core import rng
from mxtorch._core.errors import MXNetShapeError, NotAnArrayError
from mxtorch.ndarray.numpy._array import array, ndarray, np
from mxtorch.ndarray.numpy._namespace import fill

__all__ = ["multivariate_normal"]


def multivariate_normal(
    mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None
) -> ndarray:
    """Vectors of normal numbers with these means and covariances; stacks of both broadcast.

    As in MXNet no seed reaches the generator that they come from, which is this function's own.
    """
    for name, value in (("mean", mean), ("cov", cov)):
        if not isinstance(value, ndarray):
            raise NotAnArrayError(
                f"multivariate_normal: {name} must be an mx.np array, got {type(value).__name__}"
            )
    if not mean.ndim or cov.ndim < 2 or not mean.shape[-1] == cov.shape[-1] == cov.shape[-2]:
        raise MXNetShapeError(
            f"multivariate_normal: mean {mean.shape} and cov {cov.shape} do not fit together"
        )
    length = mean.shape[-1]
    stack = np["_np_reshape"](mean, newshape=(*mean.shape, 1)) + 0 * cov
    own = stack.shape[:-1]
    batch = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    noise = array(rng.worker().np_normal(size=(*batch, *own)), dtype=cov.dtype, ctx=mean.ctx)
    row = np["_np_reshape"](noise, newshape=(*noise.shape[:-1], 1, length))
    factor = np["_npi_cholesky"](cov)
    spread = np["_npi_matmul"](row, factor)  # MXNet's order: the covariance is not quite `cov`
    return mean + np["_np_reshape"](spread, newshape=noise.shape)


fill(globals(), "np.random")
