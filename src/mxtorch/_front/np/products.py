"""Products of arrays, and linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch._core.errors import MXNetValueError
from mxtorch._front.dialect import Dialect, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np_methods import given
from mxtorch.util import check_ufunc_options


@public()
def matmul(np: Dialect, a: Any, b: Any, out: Any = None, **kwargs: Any) -> Any:
    """Products of the matrices in the last two axes; the others broadcast."""
    check_ufunc_options("matmul", kwargs)
    return np["_npi_matmul"](a, b, **given(out=out))


@public()
def tensordot(np: Dialect, a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products over the last and first axes (a number), or over pairs of axes."""
    if onp.isscalar(axes):
        return np["_npi_tensordot_int_axes"](a, b, axes=axes)
    if len(axes) != 2:
        raise MXNetValueError("Axes must consist of two arrays.")
    first, second = ((x,) if onp.isscalar(x) else tuple(x) for x in axes)
    if len(first) != len(second):
        raise MXNetValueError("Axes length mismatch")
    return np["_npi_tensordot"](a, b, a_axes_summed=first, b_axes_summed=second)


@public()
def inner(np: Dialect, a: Any, b: Any) -> Any:
    """The sum of products over the last axes."""
    return tensordot(np, a, b, [-1, -1])


@public()
def outer(np: Dialect, a: Any, b: Any) -> Any:
    """All products of an element of a and one of b."""
    return tensordot(np, _flat(np, a), _flat(np, b), 0)


@public()
def vdot(np: Dialect, a: Any, b: Any) -> Any:
    """The sum of products of all elements."""
    return tensordot(np, _flat(np, a), _flat(np, b), 1)


def _flat(np: Dialect, array: Any) -> Any:
    """All elements in one row."""
    return np["_np_reshape"](array, newshape=(-1,), order="C")


@public()
def einsum(np: Dialect, *operands: Any, **kwargs: Any) -> Any:
    """Products and sums as Einstein's convention writes them: `einsum('ij,jk->ik', a, b)`."""
    optimize = kwargs.pop("optimize", False)
    out = kwargs.pop("out", None)
    if kwargs:
        raise TypeError(f"einsum() got an unexpected keyword argument {min(kwargs)!r}")
    subscripts, *arrays = operands
    return np["_npi_einsum"](
        *arrays, subscripts=subscripts, optimize=int(optimize), **given(out=out)
    )


# linear algebra -------------------------------------------------------------------------------


@public(namespace="np.linalg")
def norm(np: Dialect, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """A norm of a vector or matrix, or of those along `axis`."""
    return np["_npi_norm"](x, **norm_attrs(x, ord, axis, keepdims))


def norm_attrs(x: Any, ord: Any, axis: Any, keepdims: bool) -> dict[str, Any]:
    """The attributes of `_npi_norm`; `flag` says which norm `ord` is."""
    attrs: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if axis is None and ord is None:
        return {**attrs, "ord": 2, "flag": -2}
    if isinstance(axis, int):
        attrs["axis"] = axis = (axis,)
    if axis is not None and len(axis) > 2:
        raise MXNetValueError("Improper number of dimensions to norm.")
    if isinstance(ord, str):
        if ord not in ("fro", "nuc"):
            raise MXNetValueError(f"there is no norm ord={ord!r}")
        return {**attrs, "ord": 2, "flag": 1 if ord == "fro" else 2}
    return {**attrs, "ord": 2 if ord is None else ord, "flag": 1 if ord is None else -1}


@public(namespace="np.linalg")
def svd(np: Dialect, a: Any) -> Any:
    """(ut, l, v) with a = ut diag(l) v."""
    return tuple(np["_npi_svd"](a))


@public(namespace="np.linalg")
def inv(np: Dialect, a: Any) -> Any:
    """The inverse."""
    return np["_npi_inv"](a)


@public(namespace="np.linalg")
def det(np: Dialect, a: Any) -> Any:
    """The determinant."""
    return np["_npi_det"](a)


@public(namespace="np.linalg")
def slogdet(np: Dialect, a: Any) -> Any:
    """[sign, logarithm of the absolute value] of the determinant."""
    return np["_npi_slogdet"](a)


@public(namespace="np.linalg")
def cholesky(np: Dialect, a: Any) -> Any:
    """The lower triangular L with L Lᵀ = a."""
    return np["_npi_cholesky"](a)


@public(namespace="np.linalg")
def solve(np: Dialect, a: Any, b: Any) -> Any:
    """x with a x = b."""
    return np["_npi_solve"](a, b)


@public(namespace="np.linalg")
def tensorinv(np: Dialect, a: Any, ind: int = 2) -> Any:
    """The inverse for tensordot over the first `ind` axes."""
    return np["_npi_tensorinv"](a, ind=ind)


@public(namespace="np.linalg")
def tensorsolve(np: Dialect, a: Any, b: Any, axes: Any = None) -> Any:
    """x with tensordot(a, x) = b."""
    return np["_npi_tensorsolve"](a, b, a_axes=() if axes is None else axes)


@public(namespace="np.linalg")
def eigh(np: Dialect, a: Any, UPLO: str = "L") -> Any:
    """(eigenvalues, eigenvectors in columns) of symmetric matrices."""
    return tuple(np["_npi_eigh"](a, UPLO=UPLO))


@public(namespace="np.linalg")
def eigvalsh(np: Dialect, a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues of symmetric matrices."""
    return np["_npi_eigvalsh"](a, UPLO=UPLO)


@public(namespace="np.linalg")
def eig(np: Dialect, a: Any) -> Any:
    """(eigenvalues, eigenvectors in columns); they must be real."""
    return tuple(np["_npi_eig"](a))


@public(namespace="np.linalg")
def eigvals(np: Dialect, a: Any) -> Any:
    """Eigenvalues; they must be real."""
    return np["_npi_eigvals"](a)


@public(namespace="np.linalg")
def pinv(np: Dialect, a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> Any:
    """The pseudo-inverse."""
    if hermitian:
        raise NotImplementedError("hermitian is not supported yet...")
    if isinstance(rcond, NUMBERS):
        return np["_npi_pinv_scalar_rcond"](a, rcond=rcond, hermitian=hermitian)
    return np["_npi_pinv"](a, rcond, hermitian=hermitian)
