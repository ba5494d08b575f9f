"""Random arrays of any storage type, from NumPy's global generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch import ndarray
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetAssertionError, NotSupportedError
from mxtorch._testing.arrays import assign_each, random_arrays
from mxtorch._testing.tolerance import default_dtype
from mxtorch.ndarray import NDArray, array

nd: Any = ndarray  # its operators come from the table, where a type checker sees none
Modifier = Callable[[Any], Any] | None


def shuffle_csr_column_indices(csr: Any) -> None:
    """Shuffle the column indices of each row of a matrix of SciPy; the values stay in place."""
    for row in range(len(csr.indptr) - 1):
        np.random.shuffle(csr.indices[csr.indptr[row] : csr.indptr[row + 1]])


def _random_matrix(shape: Any, density: float, dtype: Any) -> Any:
    try:
        from scipy import sparse
    except ImportError as error:
        raise ImportError("random csr matrices need SciPy: pip install scipy") from error
    return sparse.random(*shape, density, dtype=dtype, format="csr", random_state=None)


def _rand_csr(
    shape: Any,
    density: float,
    dtype: Any,
    data_init: Any,
    modifier_func: Modifier,
    shuffle: bool,
    distribution: str | None,
    ctx: Context | None,
) -> tuple[Any, Any]:
    if distribution == "powerlaw":
        raise NotSupportedError(
            "rand_sparse_ndarray: distribution='powerlaw' is not supported; use 'uniform'"
        )
    if distribution not in (None, "uniform"):
        raise MXNetAssertionError(f"Distribution not supported: {distribution}")
    matrix = _random_matrix(shape, density, dtype)
    if data_init is not None:
        matrix.data.fill(data_init)
    if shuffle:
        shuffle_csr_column_indices(matrix)
    result = nd.sparse.csr_matrix(
        (matrix.data, matrix.indices, matrix.indptr), shape=shape, dtype=dtype, ctx=ctx
    )
    return result, (result.indptr, result.indices, result.data)


def _rand_rows(
    shape: Any,
    density: float,
    dtype: Any,
    data_init: Any,
    rsp_indices: Any,
    modifier_func: Modifier,
    distribution: str | None,
    ctx: Context | None,
) -> tuple[Any, Any]:
    if distribution not in (None, "uniform"):
        raise MXNetAssertionError(f"Distribution {distribution} not supported for row_sparse")
    if rsp_indices is not None:
        indices = np.asarray(rsp_indices)
        if len(indices) > shape[0]:
            raise MXNetAssertionError(f"{len(indices)} indices for {shape[0]} rows")
    else:
        indices = np.flatnonzero(np.random.rand(shape[0]) < density)
    if not len(indices):
        empty = nd.zeros(shape, stype="row_sparse", dtype=dtype, ctx=ctx)
        return empty, (np.array([], dtype=dtype), np.array([]))
    values = np.random.rand(len(indices), *shape[1:]).astype(dtype)
    if data_init is not None:
        values.fill(data_init)
    if modifier_func is not None:
        values = assign_each(values, modifier_func)
    result = nd.sparse.row_sparse_array((values, indices), shape=shape, dtype=dtype, ctx=ctx)
    return result, (values, indices)


def rand_sparse_ndarray(
    shape: Any,
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: Any = None,
    rsp_indices: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[Any, Any]:
    """A random sparse array of density `density` (random too), and what it is made of.

    Of csr (indptr, indices, data), of row_sparse (data, indices). csr matrices need SciPy.
    """
    density = float(np.random.rand()) if density is None else density
    dtype = default_dtype() if dtype is None else dtype
    if stype == "row_sparse":
        facts = (data_init, rsp_indices, modifier_func, distribution, ctx)
        return _rand_rows(shape, density, dtype, *facts)
    if stype == "csr":
        if len(shape) != 2:
            raise MXNetAssertionError(f"a csr matrix has two axes, not {len(shape)}")
        rest = (data_init, modifier_func, shuffle_csr_indices, distribution, ctx)
        return _rand_csr(shape, density, dtype, *rest)
    raise MXNetAssertionError("unknown storage type")


def rand_ndarray(
    shape: Any,
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """An array of standard normal numbers, or a sparse one (see `rand_sparse_ndarray`)."""
    found: NDArray
    if stype == "default":
        found = array(random_arrays(shape), ctx, default_dtype() if dtype is None else dtype)
        return found
    found, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
        distribution=distribution,
        ctx=ctx,
    )
    return found


def create_sparse_array(
    shape: Any,
    stype: str,
    data_init: Any = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """A random sparse array, with `data_init` as its values, or with the rows `rsp_indices`."""
    if stype not in ("row_sparse", "csr"):
        raise MXNetAssertionError(f"Unknown storage type: {stype}")
    found, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        data_init=data_init,
        rsp_indices=rsp_indices if stype == "row_sparse" else None,
        dtype=dtype,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )
    return found


def create_sparse_array_zd(
    shape: Any,
    stype: str,
    density: float,
    data_init: Any = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """The same; a row_sparse array has the rows `rsp_indices` and no others."""
    if stype == "row_sparse":
        density = 0.0
    return create_sparse_array(
        shape,
        stype,
        data_init=data_init,
        rsp_indices=rsp_indices,
        dtype=dtype,
        modifier_func=modifier_func,
        density=density,
        shuffle_csr_indices=shuffle_csr_indices,
    )
