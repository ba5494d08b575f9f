"""Arrays and shapes to test with, from NumPy's global generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray
from mxtorch._core.errors import MXNetTypeError
from mxtorch._testing.tolerance import default_dtype
from mxtorch.ndarray import NDArray, array

nd: Any = ndarray  # its operators come from the table, where a type checker sees none
Shape = Sequence[int]


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """A shape with `num_dim` axes of random lengths, at most `dim`."""
    return tuple(np.random.randint(0 if allow_zero_size else 1, dim + 1, size=num_dim).tolist())


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> Any:
    """A shape with two axes of random lengths, at most `dim0` and `dim1`."""
    low = 0 if allow_zero_size else 1
    return int(np.random.randint(low, dim0 + 1)), int(np.random.randint(low, dim1 + 1))


def rand_shape_3d(
    dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False
) -> Any:
    """A shape with three axes of random lengths, at most `dim0`, `dim1` and `dim2`."""
    low = 0 if allow_zero_size else 1
    return tuple(int(np.random.randint(low, dim + 1)) for dim in (dim0, dim1, dim2))


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """A point whose coordinates are at least the low ones and less than the high ones."""
    return int(np.random.randint(x_low, x_high)), int(np.random.randint(y_low, y_high))


def random_arrays(*shapes: Shape) -> Any:
    """NumPy arrays of standard normal float32 numbers; for one shape the array itself."""
    arrays: list[np.ndarray] = [
        np.asarray(np.random.randn(*shape)).astype(default_dtype()) for shape in shapes
    ]
    return arrays if len(arrays) > 1 else arrays[0]


def random_uniform_arrays(*shapes: Shape, **kwargs: Any) -> list[np.ndarray]:
    """NumPy arrays of uniform numbers from `low` (0) to `high` (1), of `dtype` (float32)."""
    low, high = kwargs.pop("low", 0.0), kwargs.pop("high", 1.0)
    dtype = kwargs.pop("dtype", default_dtype())
    if kwargs:
        raise MXNetTypeError(f"Got unexpected argument/s : {', '.join(kwargs)}")
    return [np.random.uniform(low, high, size=shape).astype(dtype) for shape in shapes]


def random_sample(population: Sequence[Any], k: int) -> Any:
    """`k` elements of a list, without repeats, in random order; AssertionError if it has fewer."""
    assert 0 <= k <= len(population), f"{k} of {len(population)} elements are asked for"
    shuffled = population[:]
    np.random.shuffle(shuffled)
    return shuffled[:k]


def assign_each(the_input: np.ndarray, function: Callable[[Any], Any] | None) -> np.ndarray:
    """The array of `function(element)`, float64; without a function a copy."""
    if function is None:
        return np.array(the_input)
    found: np.ndarray = np.vectorize(function, otypes=[np.float64])(the_input)
    return found


def assign_each2(
    input1: np.ndarray, input2: np.ndarray, function: Callable[[Any, Any], Any] | None
) -> np.ndarray:
    """The array of `function(element, element)` of two arrays of one shape, float64; without a
    function a copy of the first. AssertionError if the shapes differ."""
    if function is None:
        return np.array(input1)
    assert input1.shape == input2.shape, f"{input1.shape} and {input2.shape} are not one shape"
    found: np.ndarray = np.vectorize(function, otypes=[np.float64])(input1, input2)
    return found


def create_vector(size: int, dtype: Any = np.int64) -> NDArray:
    """The numbers from 0 to `size - 1`."""
    vector: NDArray = nd.arange(0, size, dtype=dtype)
    return vector


def create_2d_tensor(rows: int, columns: int, dtype: Any = np.int64) -> NDArray:
    """An array (rows, columns) of the row's numbers."""
    column = nd.arange(0, rows, dtype=dtype).reshape((rows, 1))
    result: NDArray = nd.broadcast_to(column, shape=(rows, columns))
    return result


def get_identity_mat(size: int) -> NDArray:
    """The identity matrix, float32."""
    matrix: NDArray = array(np.identity(size))
    return matrix


def get_identity_mat_batch(size: int) -> NDArray:
    """Two identity matrices: (2, size, size), float32."""
    batch: NDArray = array(np.stack([np.identity(size)] * 2))
    return batch


def new_orthonormal_matrix_2d(n: int) -> np.ndarray:
    """A random orthonormal matrix (n, n), float64."""
    return np.linalg.qr(np.random.uniform(-1, 1, (n, n)))[0]


def new_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random matrix (n, n) with real eigenvalues between -10 and 10, far from singular."""
    base = new_orthonormal_matrix_2d(n) + np.eye(n) * 2
    matrix: np.ndarray = base @ np.diag(_eigenvalues(n)) @ np.linalg.inv(base)
    return matrix


def new_matrix_with_real_eigvals_nd(shape: Shape) -> np.ndarray:
    """Matrices with real eigenvalues in the last two axes of `shape`."""
    return _stacked(shape, new_matrix_with_real_eigvals_2d)


def new_sym_matrix_with_real_eigvals_2d(n: int) -> np.ndarray:
    """A random symmetric matrix (n, n) with eigenvalues between -10 and 10, far from singular."""
    base = new_orthonormal_matrix_2d(n)
    matrix: np.ndarray = base.T @ np.diag(_eigenvalues(n)) @ base
    symmetric: np.ndarray = (matrix + matrix.T) / 2
    return symmetric


def new_sym_matrix_with_real_eigvals_nd(shape: Shape) -> np.ndarray:
    """Symmetric matrices in the last two axes of `shape`."""
    return _stacked(shape, new_sym_matrix_with_real_eigvals_2d)


def _eigenvalues(n: int) -> np.ndarray:
    values: np.ndarray = np.random.uniform(0.5, 10, n) * np.random.choice([-1, 1], n)
    return values


def _stacked(shape: Shape, make: Callable[[int], np.ndarray]) -> np.ndarray:
    count = int(np.prod(shape[:-2]))
    matrices = [make(shape[-1]) for _ in range(count)]
    return np.array(matrices).reshape(shape)


def np_reduce(
    dat: np.ndarray, axis: Any, keepdims: bool, numpy_reduce_func: Callable[..., Any]
) -> Any:
    """`numpy_reduce_func` over one axis, several or all (None), one after another."""
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    axes = sorted(one % dat.ndim for one in axes)
    found = dat
    for one in reversed(axes):
        found = numpy_reduce_func(found, axis=one)
    if keepdims:
        found = found.reshape([1 if i in axes else n for i, n in enumerate(dat.shape)])
    return found


def collapse_sum_like(a: np.ndarray, shape: Shape) -> np.ndarray:
    """`a` summed to `shape`, which broadcasts to its own; AssertionError where it does not."""
    assert len(a.shape) >= len(shape), f"shape {tuple(shape)} does not broadcast to {a.shape}"
    if 0 in shape:
        return np.zeros(shape, dtype=a.dtype)
    padded = (1,) * (a.ndim - len(shape)) + tuple(shape)
    fits = all(n in (1, m) for n, m in zip(padded, a.shape, strict=True))
    assert fits, f"shape {tuple(shape)} does not broadcast to {a.shape}"
    axes = tuple(i for i, n in enumerate(padded) if n == 1 and a.shape[i] != 1)
    summed: np.ndarray = np.sum(a, axis=axes, keepdims=True)
    return summed.reshape(shape)
