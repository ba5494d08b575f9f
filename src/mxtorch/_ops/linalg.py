"""Linear algebra on stacks of matrices: the last two axes are a matrix."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetIndexError, MXNetShapeError, MXNetTypeError
from mxtorch._core.op import op
from mxtorch._ops._partial import unchanged
from mxtorch._ops._shapes import at_least_1d_unless_np


def check_matrices(*matrices: Tensor) -> None:
    """All of this room is for float32 and float64 alone."""
    for matrix in matrices:
        if matrix.dtype not in (torch.float32, torch.float64):
            name = str(matrix.dtype).removeprefix("torch.")
            raise MXNetTypeError(f"only float32 and float64, not {name}; convert first")


def _check_square(A: Tensor) -> None:
    check_matrices(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise MXNetShapeError(f"square matrices are needed, got shape {tuple(A.shape)}")


@op("linalg_gemm", name="_linalg_gemm")
def gemm(
    A: Tensor,
    B: Tensor,
    C: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """alpha·A·B + beta·C; `axis` is where the matrices' rows are."""
    product = gemm2(A, B, transpose_a=transpose_a, transpose_b=transpose_b, alpha=alpha, axis=axis)
    if C.shape != product.shape:
        raise MXNetShapeError(f"C has shape {tuple(C.shape)}, the product {tuple(product.shape)}")
    return product + beta * C


@op("linalg_gemm2", name="_linalg_gemm2")
def gemm2(
    A: Tensor,
    B: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """alpha·A·B; `axis` is where the matrices' rows are."""
    check_matrices(A, B)
    if axis in (-1, A.ndim - 1):
        raise MXNetIndexError(f"axis={axis} holds the columns; rows are on an earlier one")
    a, b = A.movedim(axis, -2), B.movedim(axis, -2)
    _check_batch(a, b)
    product = torch.matmul(a.mT if transpose_a else a, b.mT if transpose_b else b)
    return (product * alpha if alpha != 1 else product).movedim(-2, axis).contiguous()


@op("linalg_syrk", name="_linalg_syrk")
def syrk(A: Tensor, *, transpose: bool = False, alpha: float = 1.0) -> Tensor:
    """alpha·A·Aᵀ, or alpha·Aᵀ·A with `transpose`."""
    check_matrices(A)
    return alpha * (A.mT @ A if transpose else A @ A.mT)


def _triangle(A: Tensor, lower: bool, transpose: bool) -> Tensor:
    part = torch.tril(A) if lower else torch.triu(A)
    return part.mT if transpose else part


@op("linalg_trmm", name="_linalg_trmm")
def trmm(
    A: Tensor,
    B: Tensor,
    *,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """alpha·A·B, or alpha·B·A with `rightside`, with triangular A."""
    _check_square(A)
    _check_batch(A, B)
    factor = _triangle(A, lower, transpose)
    return alpha * (B @ factor if rightside else factor @ B)


def _check_batch(A: Tensor, B: Tensor) -> None:
    if A.shape[:-2] != B.shape[:-2]:
        raise MXNetShapeError(
            f"shapes {tuple(A.shape)} and {tuple(B.shape)} must be equal but for the last two axes"
        )


@op("linalg_trsm", name="_linalg_trsm")
def trsm(
    A: Tensor,
    B: Tensor,
    *,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """The X of A·X = alpha·B, or of X·A = alpha·B with `rightside`, with triangular A."""
    _check_batch(A, B)
    factor = A.mT if transpose else A
    upper, left = lower == transpose, not rightside
    solved: Tensor = torch.linalg.solve_triangular(factor, alpha * B, upper=upper, left=left)
    return solved.contiguous()


@op(
    "linalg_potrf",
    name="_linalg_potrf",
    infer=unchanged,
    gradient="as if the matrix stayed symmetric",
)
def potrf(A: Tensor, *, lower: bool = True) -> Tensor:
    """The lower (or upper) Cholesky factor of a symmetric positive definite matrix."""
    factor: Tensor = torch.linalg.cholesky(A)
    return (factor if lower else factor.mT).contiguous()


@op("linalg_potri", name="_linalg_potri", infer=unchanged)
def potri(A: Tensor, *, lower: bool = True) -> Tensor:
    """The inverse of the matrix whose lower (or upper) Cholesky factor is A."""
    inverse: Tensor = torch.linalg.solve_triangular(A, _identity(A), upper=not lower)
    return inverse.mT @ inverse if lower else inverse @ inverse.mT


def _identity(A: Tensor) -> Tensor:
    return torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)


@op("linalg_sumlogdiag", name="_linalg_sumlogdiag")
def sumlogdiag(A: Tensor) -> Tensor:
    """The sum of the logarithms of the diagonal."""
    _check_square(A)
    total = A.diagonal(dim1=-2, dim2=-1).log().sum(-1)
    return total if total.ndim else total.reshape(1)


@op("linalg_extractdiag", name="_linalg_extractdiag", view=True)
def extractdiag(A: Tensor, *, offset: int = 0) -> Tensor:
    """A diagonal of each matrix, as a vector."""
    _check_square(A)
    _check_offset(A, offset)
    return A.diagonal(offset, -2, -1)


def _check_offset(A: Tensor, offset: int) -> None:
    if abs(offset) >= A.shape[-1]:
        raise MXNetIndexError(f"matrices of shape {tuple(A.shape)} have no diagonal {offset}")


@op("linalg_makediag", name="_linalg_makediag")
def makediag(A: Tensor, *, offset: int = 0) -> Tensor:
    """Matrices of zeros with the vectors as a diagonal."""
    check_matrices(A)
    return torch.diag_embed(A, offset)


def _triangle_indices(n: int, offset: int, lower: bool, device: torch.device) -> Tensor:
    """Rows and columns: a lower triangle row by row, an upper one column by column."""
    if offset < 0 or (offset == 0 and lower):
        return torch.tril_indices(n, n, offset, device=device)
    return torch.tril_indices(n, n, -offset, device=device).flip(0)


@op("linalg_extracttrian", name="_linalg_extracttrian")
def extracttrian(A: Tensor, *, offset: int = 0, lower: bool = True) -> Tensor:
    """A triangle of each matrix as a vector: lower by rows, upper by columns."""
    _check_square(A)
    _check_offset(A, offset)
    rows, columns = _triangle_indices(A.shape[-1], offset, lower, A.device)
    return A[..., rows, columns]


@op("linalg_maketrian", name="_linalg_maketrian")
def maketrian(A: Tensor, *, offset: int = 0, lower: bool = True) -> Tensor:
    """Matrices of zeros with the vectors as a triangle: lower by rows, upper by columns."""
    check_matrices(A)
    count, n = A.shape[-1], 0
    while n * (n + 1) // 2 < count:
        n += 1
    n += abs(offset)
    rows, columns = _triangle_indices(n, offset, lower, A.device)
    places = (rows * n + columns).expand(A.shape)
    flat = A.new_zeros(*A.shape[:-1], n * n)
    return flat.scatter(-1, places, A).reshape(*A.shape[:-1], n, n)


@op("linalg_gelqf", name="_linalg_gelqf", outputs=2)
def gelqf(A: Tensor) -> tuple[Tensor, Tensor]:
    """A = L·Q with Q's rows orthonormal; returns (Q, L)."""
    if A.shape[-2] > A.shape[-1]:
        raise MXNetShapeError(f"A has more rows than columns: shape {tuple(A.shape)}")
    q, r = torch.linalg.qr(A.mT)
    return q.mT.contiguous(), r.mT.contiguous()


@op(name="_linalg_syevd", outputs=2, gradient="as if the matrix stayed symmetric")
def syevd(A: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvectors (as rows) and ascending eigenvalues of a symmetric matrix."""
    values, columns = torch.linalg.eigh(A)
    rows = columns.mT
    return rows * leading_sign(rows), values


def leading_sign(rows: Tensor) -> Tensor:
    """For each row the sign of its largest element.

    Of the two signs that a vector may have, MXNet takes the one that makes that positive.
    """
    return torch.sign(rows.gather(-1, rows.abs().argmax(-1, keepdim=True)).detach())


@op("_npi_det", "linalg_det", name="_linalg_det", outputs=3, visible=1)
def det(A: Tensor) -> Tensor:
    """The determinant."""
    result: Tensor = torch.linalg.det(A)
    return at_least_1d_unless_np(result)


@op("_npi_slogdet", "linalg_slogdet", name="_linalg_slogdet", outputs=2)
def slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    """The sign of the determinant, and the logarithm of its absolute value."""
    sign, value = torch.linalg.slogdet(A)
    return at_least_1d_unless_np(sign), at_least_1d_unless_np(value)


@op("_npi_inv", "linalg_inverse", name="_linalg_inverse")
def inverse(A: Tensor) -> Tensor:
    """The inverse."""
    result: Tensor = torch.linalg.inv(A)
    return result.contiguous()
