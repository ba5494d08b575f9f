"""Linear algebra of `mx.np.linalg`, on stacks of matrices."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import Axes, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, NotSupportedError
from mxtorch._core.op import op
from mxtorch._ops._gradients import without_slope
from mxtorch._ops._shapes import wrap_axis
from mxtorch._ops.linalg import leading_sign
from mxtorch._ops.np_reduce import axes_of


def _wide(data: Tensor) -> Tensor:
    """Whole numbers as float32."""
    if data.dtype is torch.float16:
        raise MXNetTypeError("float16 is not supported; convert with astype('float32')")
    return data if data.is_floating_point() else data.to(torch.float32)


def _double(data: Tensor) -> Tensor:
    """Whole numbers as float64."""
    return _wide(data if data.is_floating_point() else data.double())


def _check_square(data: Tensor) -> Tensor:
    data = _double(data)
    if data.ndim < 2 or data.shape[-1] != data.shape[-2]:
        raise MXNetShapeError(f"the matrices must be square, got shape {tuple(data.shape)}")
    return data


@op(outputs=3)
def _npi_svd(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(ut, l, v) with A = ut diag(l) v; A must not have more rows than columns."""
    data = _wide(A)
    if data.ndim < 2 or data.shape[-2] > data.shape[-1]:
        raise MXNetShapeError(
            f"A must be a matrix without more rows than columns, got {tuple(data.shape)}"
        )
    left, values, right = torch.linalg.svd(data, full_matrices=False)
    if not right.numel():
        return left, values, right
    sign = leading_sign(right)
    return left * sign.mT, values, right * sign


@op()
def _npi_cholesky(A: Tensor, *, lower: bool = True) -> Tensor:
    """The lower triangular L with L Lᵀ = A; without `lower`, Lᵀ."""
    result: Tensor = torch.linalg.cholesky(_check_square(A))
    return (result if lower else result.mT).contiguous()


def _alike(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Two float types as float64."""
    return (a, b) if a.dtype is b.dtype else (a.double(), b.double())


@op(mixed=True)
def _npi_solve(A: Tensor, B: Tensor) -> Tensor:
    """x with A x = B."""
    a, b = _alike(_check_square(A), _double(B))
    is_vector = b.ndim == a.ndim - 1
    result: Tensor = torch.linalg.solve(a, b.unsqueeze(-1) if is_vector else b)
    return result.squeeze(-1) if is_vector else result.contiguous()


@op()
def _npi_tensorinv(a: Tensor, *, ind: int = 2) -> Tensor:
    """The inverse for tensordot over the first `ind` axes."""
    result: Tensor = torch.linalg.tensorinv(_wide(a), ind)
    return result.contiguous()


@op(mixed=True)
def _npi_tensorsolve(a: Tensor, b: Tensor, *, a_axes: Shape = ()) -> Tensor:
    """x with tensordot(a, x) = b."""
    matrix, right = _alike(_double(a), _double(b))
    result: Tensor = torch.linalg.tensorsolve(matrix, right, dims=tuple(a_axes) or None)
    return result


def _real(values: Tensor) -> Tensor:
    if bool((values.imag != 0).any()):
        raise NotSupportedError("complex eigenvalues; MXNet has no complex arrays")
    return values.real.contiguous()


@op(outputs=2, view=True)
def _npi_eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Real eigenvalues and the eigenvectors in columns; their gradient is zero."""
    data = _check_square(A).detach()
    if data.device.type == "meta":
        return torch.empty(data.shape[:-1], device="meta"), torch.empty_like(data)
    values, vectors = torch.linalg.eig(data)
    return without_slope(_real(values), A), without_slope(vectors.real.contiguous(), A)


@op()
def _npi_eigvals(A: Tensor) -> Tensor:
    """Real eigenvalues; their gradient is zero."""
    data = _check_square(A).detach()
    if data.device.type == "meta":
        return torch.empty(data.shape[:-1], device="meta")
    return without_slope(_real(torch.linalg.eigvals(data)), A)


@op(outputs=2)
def _npi_eigh(A: Tensor, *, UPLO: Literal["L", "U"] = "L") -> tuple[Tensor, Tensor]:
    """Eigenvalues of symmetric matrices, ascending, and the eigenvectors in columns."""
    values, vectors = torch.linalg.eigh(_check_square(A).detach(), UPLO)
    if vectors.numel():
        vectors = vectors * leading_sign(vectors.mT).mT
    return without_slope(values, A), without_slope(vectors, A)


@op()
def _npi_eigvalsh(A: Tensor, *, UPLO: Literal["L", "U"] = "L") -> Tensor:
    """Eigenvalues of symmetric matrices, ascending."""
    result: Tensor = torch.linalg.eigvalsh(_check_square(A).detach(), UPLO)
    return without_slope(result, A)


@op()
def _npi_pinv(A: Tensor, rcond: Tensor, *, hermitian: bool = False) -> Tensor:
    """The pseudo-inverse; singular values up to rcond times the largest count as 0."""
    result: Tensor = torch.linalg.pinv(_wide(A).detach(), rtol=rcond, hermitian=hermitian)
    return without_slope(result, A)


@op()
def _npi_pinv_scalar_rcond(A: Tensor, *, rcond: float = 1e-15, hermitian: bool = False) -> Tensor:
    """The same with a number."""
    result: Tensor = torch.linalg.pinv(_wide(A).detach(), rtol=rcond, hermitian=hermitian)
    return without_slope(result, A)


def _vector_norm(data: Tensor, order: float, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    result: Tensor = torch.linalg.vector_norm(data, order, axes, keepdims)
    return result


@op(outputs=4, visible=1, lists_input=False)
def _npi_norm(
    data: Tensor,
    *,
    ord: float = 2.0,
    axis: Axes | None = None,
    keepdims: bool = False,
    flag: int = -1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A norm over `axis`; `flag`: -2 of all elements, -1 `ord`, 1 Frobenius, 2 nuclear.

    Without `axis` it is that of a vector, or of the matrices in the last two axes. Of whole
    numbers it is cut to one.
    """
    wide = data.double() if not data.is_floating_point() else data
    wide = wide.float() if data.dtype is torch.float16 else wide
    if flag == -2:
        result = _vector_norm(wide, 2.0, axes_of(None, data.ndim), keepdims)
    else:
        result = _norm_over(wide, ord, _norm_axes(axis, data.ndim), keepdims, flag)
    blank = torch.empty(0, dtype=data.dtype, device=data.device)
    return result.to(data.dtype), blank, blank.clone(), blank.clone()


def _norm_axes(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """In the order that was asked for: rows before columns."""
    if axis is None:
        return tuple(range(max(ndim - 2, 0), ndim))
    axes_of(axis, ndim)  # raises for what does not fit
    return tuple(wrap_axis(a, ndim) for a in ((axis,) if isinstance(axis, int) else axis))


def _norm_over(
    wide: Tensor, order: float, axes: tuple[int, ...], keepdims: bool, flag: int
) -> Tensor:
    if flag == 1:
        return _vector_norm(wide, 2.0, axes, keepdims)
    if flag == 2:
        nuclear: Tensor = torch.linalg.matrix_norm(wide, "nuc", axes, keepdims)
        return nuclear
    if len(axes) != 2:
        return _vector_norm(wide, order, axes, keepdims)
    if abs(order) not in (1, 2):  # MXNet takes every other order of a matrix for an infinite one
        order = float("inf") if order > 0 else -float("inf")
    result: Tensor = torch.linalg.matrix_norm(wide, order, axes, keepdims)
    return result
