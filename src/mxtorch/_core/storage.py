"""Sparse arrays as tensors: what their handles hold and what operators' sparse kernels take.

A kernel is entered with `@sparse_kernel("dot")` for an operator that has more to do with sparse
arrays than make them dense. It gets the call's inputs (dense ones as tensors) and attributes, and
returns a tensor, a sparse value, or None: then the call is made with dense arrays, as MXNet falls
back to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError

Dims = tuple[int, ...]
STYPES = ("default", "row_sparse", "csr")  # by MXNet's number
V = TypeVar("V", bound="SparseValue")


class SparseValue:
    """Base of the two forms. `data` holds the stored elements; the others are zero."""

    __slots__ = ("data", "shape")
    stype = ""

    def __init__(self, shape: Sequence[int], data: Tensor) -> None:
        self.shape: Dims = tuple(shape)
        self.data = data

    def to_dense(self) -> Tensor:
        """All elements; of the same memory where every element is stored, in order."""
        raise NotImplementedError

    def with_data(self: V, data: Tensor) -> V:
        """The same places with other values."""
        raise NotImplementedError

    def to(self: V, device: torch.device) -> V:
        """The same on another device."""
        raise NotImplementedError

    def parts(self) -> tuple[Tensor, ...]:
        """The index arrays, as files have them."""
        raise NotImplementedError

    def copy(self: V) -> V:
        """The same values in memory of their own."""
        return self.with_data(self.data.clone())


class Tracked(NamedTuple):
    """A sparse value whose gradient is wanted: that of `dense`."""

    value: SparseValue
    dense: Tensor


class Rows(SparseValue):
    """row_sparse: some rows of an array, `data[i]` being row `indices[i]`."""

    __slots__ = ("indices",)
    stype = "row_sparse"

    def __init__(self, shape: Sequence[int], indices: Tensor, data: Tensor) -> None:
        super().__init__(shape, data)
        self.indices = indices

    @property
    def is_full(self) -> bool:
        """Whether every row is stored, hence `data` is the dense array."""
        return self.indices.shape[0] == self.shape[0]

    def to_dense(self) -> Tensor:
        if self.is_full and _counts_up(self.indices):
            return self.data
        zeros = self.data.new_zeros(self.shape)
        return zeros.index_copy(0, self.indices, self.data) if self.indices.numel() else zeros

    def with_data(self, data: Tensor) -> Rows:
        return Rows((self.shape[0], *data.shape[1:]), self.indices, data)

    def to(self, device: torch.device) -> Rows:
        return Rows(self.shape, self.indices.to(device), self.data.to(device))

    def parts(self) -> tuple[Tensor, ...]:
        return (self.indices,)

    def fill(self) -> Tensor:
        """Store every row from now on; the memory of them."""
        self.data = self.to_dense()
        self.indices = torch.arange(self.shape[0], device=self.data.device)
        return self.data

    def sorted(self) -> Rows:
        """The rows in ascending order; of a row that comes twice the values are added."""
        indices, place = torch.unique(self.indices, return_inverse=True)
        data = self.data.new_zeros((indices.shape[0], *self.data.shape[1:]))
        return Rows(self.shape, indices, data.index_add(0, place, self.data))


class Compressed(SparseValue):
    """csr: a matrix by rows; those of row i lie from `indptr[i]` to before `indptr[i + 1]`."""

    __slots__ = ("indices", "indptr")
    stype = "csr"

    def __init__(self, shape: Sequence[int], indptr: Tensor, indices: Tensor, data: Tensor) -> None:
        super().__init__(shape, data)
        self.indptr, self.indices = indptr, indices

    def rows(self) -> Tensor:
        """The row of each stored element."""
        lengths = self.indptr[1:] - self.indptr[:-1]
        every = torch.arange(lengths.shape[0], device=lengths.device)
        return torch.repeat_interleave(every, lengths)

    def to_dense(self) -> Tensor:
        zeros = self.data.new_zeros(prod(self.shape))
        if not self.data.numel():
            return zeros.reshape(self.shape)
        place = self.rows() * self.shape[1] + self.indices
        return zeros.index_put((place,), self.data).reshape(self.shape)

    def with_data(self, data: Tensor) -> Compressed:
        return Compressed(self.shape, self.indptr, self.indices, data)

    def to(self, device: torch.device) -> Compressed:
        moved = (t.to(device) for t in (self.indptr, self.indices, self.data))
        return Compressed(self.shape, *moved)

    def parts(self) -> tuple[Tensor, ...]:
        return (self.indptr, self.indices)


def _counts_up(indices: Tensor) -> bool:
    return bool((indices == torch.arange(indices.shape[0], device=indices.device)).all())


def rows_of(dense: Tensor) -> Rows:
    """The rows of an array that are not all zero."""
    if dense.ndim == 0:
        raise MXNetError("an array of shape () has no rows and cannot be row_sparse")
    used = (dense != 0).reshape(dense.shape[0], -1).any(1)
    indices = used.nonzero().reshape(-1)
    return Rows(dense.shape, indices, dense[indices])


def compressed(dense: Tensor) -> Compressed:
    """The elements of a matrix that are not zero."""
    if dense.ndim != 2:
        raise MXNetError(f"only a matrix can be csr, got shape {tuple(dense.shape)}")
    rows, columns = (dense != 0).nonzero(as_tuple=True)
    return Compressed(dense.shape, pointers(rows, dense.shape[0]), columns, dense[rows, columns])


def pointers(rows: Tensor, count: int) -> Tensor:
    """Where each of `count` rows begins among elements whose (ascending) rows these are."""
    lengths = torch.bincount(rows, minlength=count)
    return torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])


def cast(value: Tensor | SparseValue, stype: str) -> Tensor | SparseValue:
    """A value in another storage type."""
    if isinstance(value, SparseValue):
        if stype == value.stype:
            return value.copy()
        if stype == "default":
            dense = value.to_dense()
            return dense.clone() if dense is value.data else dense
        raise MXNetError(f"cast_storage from {value.stype} to {stype} is not supported")
    if stype == "default":
        return value.clone()
    return rows_of(value) if stype == "row_sparse" else compressed(value)


def empty_value(
    stype: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device
) -> SparseValue:
    """An array without stored elements."""
    none = torch.zeros(0, dtype=torch.int64, device=device)
    if stype == "row_sparse":
        data = torch.zeros((0, *shape[1:]), dtype=dtype, device=device)
        return Rows(shape, none, data)
    start = torch.zeros(shape[0] + 1, dtype=torch.int64, device=device)
    return Compressed(shape, start, none, torch.zeros(0, dtype=dtype, device=device))


def empty_like(value: Any) -> Any:
    """An array without stored elements, of the form and shape of another."""
    return empty_value(value.stype, value.shape, value.data.dtype, value.data.device)


# kernels -----------------------------------------------------------------------------------

Value = Any  # a tensor, a sparse value, or None
Kernel = Callable[..., Value]
_kernels: dict[str, Kernel] = {}
_for_dense: set[str] = set()


def sparse_kernel(*names: str, dense_too: bool = False) -> Callable[[Kernel], Kernel]:
    """Enter what operators do with sparse inputs, by the operators' names.

    `dense_too`: it is asked for dense inputs as well, for its result may be sparse.
    """

    def enter(kernel: Kernel) -> Kernel:
        for name in names:
            if name in _kernels:
                raise MXNetError(f"operator {name!r} has two sparse kernels")
            _kernels[name] = kernel
            if dense_too:
                _for_dense.add(name)
        return kernel

    return enter


def find_kernel(name: str) -> Kernel | None:
    """What the operator of that name does with sparse inputs, if it is more than the fallback."""
    return _kernels.get(name)


def is_for_dense(name: str) -> bool:
    """Whether the kernel of that operator is asked for dense inputs as well."""
    return name in _for_dense


# gradients ---------------------------------------------------------------------------------


# Storage types of an operator's inputs ('' if not known), its attributes → the positions of the
# inputs whose gradients are by rows.
GradientRule = Callable[[Sequence[str], Any], Sequence[int]]
_gradient_rules: dict[str, GradientRule] = {}


def gradients_by_rows(*names: str) -> Callable[[GradientRule], GradientRule]:
    """Enter which gradients of operators are by rows, by the operators' names."""

    def enter(rule: GradientRule) -> GradientRule:
        _gradient_rules.update(dict.fromkeys(names, rule))
        return rule

    return enter


def gradient_rule(name: str) -> GradientRule | None:
    """The rule of the operator of that name, if it has one."""
    return _gradient_rules.get(name)


def mark_rows(leaf: Tensor) -> None:
    """The array wants its gradient by rows: operators that touch few rows give just those."""
    leaf._mxtorch_rows = True  # type: ignore[attr-defined] # tensors take attributes


def wants_rows(tensor: Tensor) -> bool:
    """Whether `mark_rows` was called on it."""
    return getattr(tensor, "_mxtorch_rows", False)


def rows_gradient(rows: Rows) -> Tensor:
    """Rows as a gradient that torch's autograd takes and adds up."""
    return torch.sparse_coo_tensor(
        rows.indices.unsqueeze(0), rows.data, rows.shape, check_invariants=False
    )


def gradient_rows(gradient: Tensor) -> Rows:
    """Such a gradient (or a dense one) as rows in ascending order."""
    if not gradient.is_sparse:
        return rows_of(gradient)
    gradient = gradient.coalesce()
    return Rows(gradient.shape, gradient.indices()[0], gradient.values())
