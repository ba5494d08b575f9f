"""Random arrays of any storage type, from NumPy's global generator."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetValueError
from mxtorch._testing.arrays import assign_each, random_arrays
from mxtorch._testing.tolerance import default_dtype
from mxtorch.ndarray import NDArray, array
from mxtorch.ndarray.sparse import CSRNDArray, csr_matrix, row_sparse_array, zeros

Modifier = Callable[[Any], Any] | None


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
    """An array of storage type `stype`: standard normal numbers, or a sparse array.

    The other arguments are those of `rand_sparse_ndarray`.
    """
    if stype == "default":
        dense: NDArray = array(random_arrays(shape), ctx, dtype or default_dtype())
        return dense
    made: NDArray = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        modifier_func=modifier_func,
        dtype=dtype,
        shuffle_csr_indices=shuffle_csr_indices,
        distribution=distribution,
        ctx=ctx,
    )[0]
    return made


def rand_sparse_ndarray(
    shape: Any,
    stype: str,
    density: float | None = None,
    dtype: Any = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[Any, tuple[Any, ...]]:
    """A sparse array and its parts: (values, row numbers), or (pointers, columns, values) of a csr.

    `density` is the share of rows, or of elements of a csr, that are stored; random if None. Their
    values are uniform in [0, 1), or `data_init`. `rsp_indices` are the rows that are stored,
    `modifier_func` changes each of their values. A csr may have `distribution='powerlaw'`: every
    row twice as many elements as the one before, while there are any.
    """
    density = np.random.rand() if density is None else density
    dtype = default_dtype() if dtype is None else dtype
    distribution = distribution or "uniform"
    if stype == "row_sparse":
        text = f"Distribution {distribution} not supported for row_sparse"
        assert distribution == "uniform", text
        return _rows(shape, density, dtype, data_init, rsp_indices, modifier_func, ctx)
    assert stype == "csr", f"unknown storage type {stype!r}: use row_sparse or csr"
    assert len(shape) == 2, f"a csr array has two axes, got shape {tuple(shape)}"
    assert distribution in ("uniform", "powerlaw"), f"Distribution not supported: {distribution}"
    if distribution == "uniform":
        made = _uniform(shape, density, dtype, data_init, shuffle_csr_indices, ctx)
    else:
        made = csr_matrix(_powerlaw(shape, density), tuple(shape), ctx, dtype)
    return made, (made.indptr, made.indices, made.data)


def _rows(
    shape: Any,
    density: float,
    dtype: Any,
    data_init: float | None,
    rsp_indices: Any,
    modifier_func: Modifier,
    ctx: Context | None,
) -> tuple[Any, tuple[Any, ...]]:
    if rsp_indices is None:
        indices = np.flatnonzero(np.random.rand(shape[0]) < density)
    else:
        indices = np.asarray(rsp_indices)
        assert len(indices) <= shape[0], f"{len(indices)} rows of {shape[0]}"
    if not indices.size:
        return zeros("row_sparse", shape, ctx, dtype), (np.array([], dtype), np.array([]))
    values = np.random.rand(len(indices), *shape[1:]).astype(dtype)
    if data_init is not None:
        values.fill(data_init)
    if modifier_func is not None:
        values = assign_each(values, modifier_func)
    made = row_sparse_array((values, indices), tuple(shape), ctx, dtype)
    return made, (values, indices)


def _uniform(
    shape: Any,
    density: float,
    dtype: Any,
    data_init: float | None,
    shuffle: bool,
    ctx: Context | None,
) -> CSRNDArray:
    """A share `density` of the elements, as `scipy.sparse.rand` draws them."""
    if not 0 <= density <= 1:
        raise MXNetValueError(f"density has to be between 0 and 1, got {density}")
    rows, columns = shape
    chosen = np.random.permutation(rows * columns)[: round(density * rows * columns)]
    values = np.random.uniform(size=len(chosen)).astype(dtype)
    across, down = np.divmod(chosen, rows)  # columns are numbered first
    order = np.lexsort((across, down))
    pointers = np.searchsorted(down[order], np.arange(rows + 1))
    values, across = values[order], across[order]
    if data_init is not None:
        values.fill(data_init)
    if shuffle:
        _shuffle(across, pointers)
    return csr_matrix((values, across, pointers), (rows, columns), ctx, dtype)


def _shuffle(columns: np.ndarray, pointers: np.ndarray) -> None:
    for start, end in itertools.pairwise(pointers):
        np.random.shuffle(columns[start:end])


def _powerlaw(shape: Any, density: float) -> Any:
    """The parts of a csr whose rows have 2, 4, 8, … elements, until all are used."""
    rows, columns = shape
    total = int(rows * columns * density)
    if total < 2 * rows:
        raise MXNetValueError(
            f"not supported for this density: {density} for this shape ({rows}, {columns}) "
            "Please keep : num_rows * num_cols * density >= 2 * num_rows"
        )
    dense = np.zeros((rows, columns))
    for row in range(rows):
        dense[row, 0] = 1 + np.random.uniform(0.001, 2)
    unused, width = total - rows, 2
    for row in range(rows):
        if width >= columns and unused > columns:
            dense[row] = 1 + np.random.uniform(0.001, 2)  # one number for the row, as in MXNet
            unused -= columns - 1
            continue
        for column in range(1, min(width, columns)):
            if not unused:
                break
            dense[row, column] = 1 + np.random.uniform(0.001, 2)
            unused -= 1
        width *= 2
    if unused:
        raise MXNetValueError(
            f"not supported for this density: {density} for this shape ({rows},{columns})"
        )
    down, across = np.nonzero(dense)
    pointers = np.searchsorted(down, np.arange(rows + 1))
    return dense[down, across], across, pointers


def shuffle_csr_column_indices(csr: Any) -> None:
    """Shuffle the column numbers within each row of a SciPy csr matrix, in place."""
    _shuffle(csr.indices, csr.indptr)


def create_sparse_array(
    shape: Any,
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> Any:
    """A sparse array as `rand_sparse_ndarray` makes it; `rsp_indices` may be in any order."""
    if stype == "row_sparse":
        rows = None if rsp_indices is None else np.sort(np.asarray(rsp_indices))
        return rand_sparse_ndarray(
            shape,
            stype,
            density=density,
            data_init=data_init,
            rsp_indices=rows,
            dtype=dtype,
            modifier_func=modifier_func,
        )[0]
    if stype != "csr":
        raise MXNetValueError(f"unknown storage type {stype!r}: use row_sparse or csr")
    return rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        data_init=data_init,
        dtype=dtype,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )[0]


def create_sparse_array_zd(
    shape: Any,
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Any = None,
    dtype: Any = None,
    modifier_func: Modifier = None,
    shuffle_csr_indices: bool = False,
) -> Any:
    """The same, where `rsp_indices` must not be more than the rows."""
    if stype == "row_sparse":
        density = 0.0
        if rsp_indices is not None:
            assert len(rsp_indices) <= shape[0], f"{len(rsp_indices)} rows of {shape[0]}"
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
