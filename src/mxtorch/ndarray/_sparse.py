"""The arrays that store only some rows (row_sparse) or elements (csr)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import storage
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetError, MXNetIndexError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.op import find_op
from mxtorch._core.storage import STYPES, Compressed, Rows, SparseValue
from mxtorch._front.eager import make_function
from mxtorch._front.handle import (
    Handle,
    find_kind,
    is_sparse,
    sparse_classes,
    wrap_new,
    wrap_value,
)
from mxtorch._front.methods import NUMBERS
from mxtorch._ops.sparse_elementwise import sliced
from mxtorch.base import NotSupportedForSparseNDArray
from mxtorch.ndarray import _functions
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["BaseSparseNDArray", "CSRNDArray", "RowSparseNDArray"]


def _pairwise(name: str, elementwise: str, broadcasting: Callable[[Any, Any], Any]) -> Any:
    """`mx.nd.sparse.add` and its like: arrays of one shape element by element."""
    function = make_function(find_op(elementwise), NDArray)

    def call(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, Handle) and isinstance(rhs, Handle) and lhs.shape == rhs.shape:
            return function(lhs, rhs)
        return broadcasting(lhs, rhs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = find_op(elementwise).doc
    return call


add = _pairwise("add", "elemwise_add", _functions.add)
subtract = _pairwise("subtract", "elemwise_sub", _functions.subtract)
multiply = _pairwise("multiply", "elemwise_mul", _functions.multiply)
divide = _pairwise("divide", "elemwise_div", _functions.divide)


class BaseSparseNDArray(NDArray):
    """What both have in common. Operators without a sparse way work on a dense copy."""

    __slots__ = ("_value",)
    dense_class: ClassVar[type[Handle] | None] = NDArray
    _value: SparseValue

    @classmethod
    def over(cls, value: SparseValue, ctx: Context) -> BaseSparseNDArray:
        """The array of a sparse value."""
        self: BaseSparseNDArray = object.__new__(cls)
        self._data = self._hist = None
        self._value = value
        self._kind = find_kind(cls, value.data.dtype, ctx, plain=False)
        return self

    # what operators read and write ---------------------------------------------

    def storage(self) -> Tensor:
        return self._value.to_dense().detach()

    def live(self) -> Tensor:
        leaf = self._hist
        if not modes.recording:
            return self.storage()
        if leaf is None:
            return self._value.to_dense()
        if leaf.is_leaf:
            dense = self._value.to_dense()
            if dense.data_ptr() != leaf.data_ptr():
                leaf.data.copy_(dense)
        return leaf

    def history(self) -> Tensor | None:
        if self._hist is None and self._value.data.requires_grad:
            return self._value.to_dense()
        return self._hist

    def value(self) -> Tensor | SparseValue:
        if self._hist is not None and modes.recording:
            return self.live()
        return self._value

    def stored(self) -> Tensor | SparseValue:
        return self._value.with_data(self._value.data.detach())

    def receive(self, value: Tensor | SparseValue) -> None:
        stype = self._value.stype
        if isinstance(value, SparseValue) and value.stype != stype:
            value = value.to_dense()
        result = storage.cast(value.detach() if isinstance(value, Tensor) else value, stype)
        assert isinstance(result, SparseValue)
        self._value = result.with_data(result.data.detach().to(self._kind.dtype)).to(
            context_to_device(self.context)
        )

    def write_storage(self) -> Tensor:
        raise MXNetTypeError(f"a {self.stype} array has no memory of all its elements to write to")

    # facts ---------------------------------------------------------------------

    @property
    def stype(self) -> str:
        """'row_sparse' or 'csr'."""
        return self._value.stype

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, as if the array were dense."""
        return self._value.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._value.shape)

    @property
    def size(self) -> int:
        """Not defined: MXNet does not say whether zeros count."""
        raise NotImplementedError

    @property
    def data(self) -> NDArray:
        """A copy of the stored values."""
        return wrap_new(NDArray, self._value.data.detach().clone(), self.context)

    @property
    def _num_aux(self) -> int:
        return len(self._value.parts())

    def _aux_type(self, i: int) -> Any:
        return self._part(i).dtype

    @property
    def _aux_types(self) -> list[Any]:
        return [self._aux_type(i) for i in range(self._num_aux)]

    def _part(self, i: int) -> NDArray:
        return wrap_new(NDArray, self._value.parts()[i].clone(), self.context)

    def __repr__(self) -> str:
        shape = "x".join(str(n) for n in self.shape)
        return f"\n<{type(self).__name__} {shape} @{self.context}>"

    def __bool__(self) -> bool:
        raise ValueError("The truth value of an NDArray with multiple elements is ambiguous.")

    # converting ----------------------------------------------------------------

    def tostype(self, stype: str) -> Any:
        """The array in another storage type: its own or 'default'."""
        if stype in STYPES and stype not in ("default", self.stype):
            raise ValueError(f"cast_storage from {self.stype} to {stype} is not supported")
        return make_function(find_op("cast_storage"), NDArray)(self, stype=stype)

    def copy(self) -> Any:
        """A copy on the same context."""
        return self.copyto(self.context)

    def copyto(self, other: Any) -> Any:
        """Copy into another array, dense or of the same storage type, or to a context."""
        if isinstance(other, Context):
            value = self._value.to(context_to_device(other))
            return type(self).over(value.copy(), other)
        if not isinstance(other, NDArray):
            raise TypeError(f"copyto does not support type {type(other)}")
        if other is self:
            text = "You are attempting to copy an array to itself"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
            return False
        if other.stype not in ("default", self.stype):
            raise TypeError(f"copyto does not support destination NDArray stype {other.stype}")
        _check_shape(self, other)
        other.receive(self._value)
        return other

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The array converted to `dtype`; without `copy`, itself if it has that type."""
        wanted = dtype_to_torch(np.float32 if dtype is None else dtype)
        if wanted is self._kind.dtype and not copy:
            return self
        value = self._value
        return type(self).over(value.with_data(value.data.to(wanted, copy=True)), self.context)

    def detach(self) -> Any:
        """The array without its history, over the same memory."""
        value = self._value
        return type(self).over(value.with_data(value.data.detach()), self.context)

    def asnumpy(self) -> np.ndarray:
        """A copy as a NumPy array, dense."""
        return self.tostype("default").asnumpy()

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Not supported for sparse arrays."""
        raise NotSupportedForSparseNDArray(self.reshape, None, *shape)

    def check_format(self, full_check: bool = True) -> None:
        """Raise MXNetError if indices are out of range or out of order."""
        self._check_indices(full_check)

    def _check_indices(self, full_check: bool) -> None:
        raise NotImplementedError

    # arithmetic ----------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return add(self, other)

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other)

    def __mul__(self, other: Any) -> Any:
        return multiply(self, other)

    def __truediv__(self, other: Any) -> Any:
        return _functions.divide(self, other)

    def __iadd__(self, other: Any) -> Any:
        self.receive(_received(self, add(self, other)))
        return self

    def __isub__(self, other: Any) -> Any:
        self.receive(_received(self, subtract(self, other)))
        return self

    def __imul__(self, other: Any) -> Any:
        self.receive(_received(self, multiply(self, other)))
        return self

    def __itruediv__(self, other: Any) -> Any:
        self.receive(_received(self, divide(self, other)))
        return self

    __hash__ = NDArray.__hash__

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, slice):
            raise TypeError(f"{type(self).__name__} only supports [:] for assignment")
        if key != slice(None):
            raise ValueError(f"{type(self).__name__} only supports [:] for assignment, got {key}")
        if isinstance(value, BaseSparseNDArray):
            if value is not self:
                value.copyto(self)
            return
        if isinstance(value, NDArray):
            _check_shape(value, self)
            self.receive(value.live())
            return
        self._fill(value)

    def _fill(self, value: Any) -> None:
        if isinstance(value, NUMBERS):
            raise ValueError(f"Assigning numeric types to {type(self).__name__} is not implemented")
        warnings.warn(
            f"Assigning non-NDArray object to {type(self).__name__} is not efficient",
            RuntimeWarning,
            stacklevel=3,
        )
        array = np.asarray(value)
        if array.shape != self.shape:
            raise MXNetTypeError(f"an array of shape {array.shape} does not fit {self.shape}")
        self.receive(torch.from_numpy(np.array(array)).to(self._kind.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return NDArray.__reduce__(self)

    def _take(self, read: Any) -> None:
        self._data = self._hist = None
        self._value, self._kind = read._value, read._kind


def _check_shape(source: Any, target: Any) -> None:
    if tuple(source.shape) != tuple(target.shape):
        raise MXNetError(f"copyto: shape {tuple(source.shape)} into {tuple(target.shape)}")


def _received(target: BaseSparseNDArray, result: Any) -> Any:
    if tuple(result.shape) != target.shape:
        raise MXNetError(f"a result of shape {tuple(result.shape)} does not fit {target.shape}")
    return result._value if is_sparse(result) else result.live()


class CSRNDArray(BaseSparseNDArray):
    """A matrix by rows of its stored elements: `data`, their columns `indices`, `indptr`."""

    __slots__ = ()
    _value: Compressed

    @property
    def indices(self) -> NDArray:
        """The column of each stored element."""
        return wrap_new(NDArray, self._value.indices.clone(), self.context)

    @property
    def indptr(self) -> NDArray:
        """Where each row begins among the stored elements, and the number of these."""
        return self._part(0)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            first = int(key) + (len(self) if key < 0 else 0)
            key = slice(first, first + 1)
        elif isinstance(key, slice):
            if key.step not in (None, 1):
                raise ValueError("CSRNDArray only supports continuous slicing on axis 0")
            if key.start is None and key.stop is None:
                return self
            key = slice(key.start or 0, key.stop or len(self))  # [0:0] is all, as in MXNet
        elif isinstance(key, tuple):
            raise ValueError("Multi-dimension indexing is not supported")
        else:
            raise ValueError(f"Undefined behaviour for {key}")
        rows = sliced(self._value, key)
        if not rows.shape[0]:
            raise MXNetIndexError(f"there are no rows {key.start}:{key.stop} of {len(self)}")
        return CSRNDArray.over(rows.copy(), self.context)

    def asscipy(self) -> Any:
        """A copy as `scipy.sparse.csr_matrix`."""
        try:
            from scipy import sparse
        except ImportError as error:
            raise ImportError("asscipy needs SciPy: pip install scipy") from error
        value = self._value
        parts = (value.data.detach(), value.indices, value.indptr)
        arrays = tuple(np.array(t.cpu().numpy()) for t in parts)
        return sparse.csr_matrix(arrays, shape=self.shape, dtype=self.dtype)

    def _check_indices(self, full_check: bool) -> None:
        value = self._value
        at, indices = value.indptr, value.indices
        if not full_check:
            return
        if at[0] != 0 or at[-1] != indices.shape[0] or bool((at[1:] < at[:-1]).any()):
            raise MXNetError(
                "IndPtr of csr NDArray should be non-negative, in non-decreasing order, start "
                "with 0, and end with value equal with size of indices."
            )
        if not indices.numel():
            return
        rows = value.rows()
        falling = (indices[1:] <= indices[:-1]) & (rows[1:] == rows[:-1])
        if bool((indices < 0).any() | (indices >= value.shape[1]).any() | falling.any()):
            raise MXNetError(
                "Indices of csr NDArray should be non-negative, in ascending order per row and "
                "less than the number of columns."
            )


class RowSparseNDArray(BaseSparseNDArray):
    """An array of which some rows are stored: `data[i]` is row `indices[i]`."""

    __slots__ = ()
    _value: Rows

    def whole(self) -> Tensor:
        return self._value.fill().detach()

    @property
    def indices(self) -> NDArray:
        """The rows that are stored."""
        return wrap_new(NDArray, self._value.indices.clone(), self.context)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if key != slice(None):
                raise ValueError("RowSparseNDArray only supports [:] for __getitem__")
            return self
        if isinstance(key, int):
            raise TypeError("__getitem__ with int key is not implemented for RowSparseNDArray")
        raise ValueError("RowSparseNDArray only supports [:] for __getitem__")

    def retain(self, *args: Any, **kwargs: Any) -> Any:
        """The given rows only."""
        return make_function(find_op("_sparse_retain"), NDArray)(self, *args, **kwargs)

    def _fill(self, value: Any) -> None:
        if not isinstance(value, NUMBERS):
            super()._fill(value)
            return
        device = context_to_device(self.context)
        self.receive(torch.full(self.shape, float(value), dtype=self._kind.dtype, device=device))

    def _check_indices(self, full_check: bool) -> None:
        indices = self._value.indices
        bad = indices.numel() > 0 and bool(
            (indices < 0).any()
            | (indices >= self.shape[0]).any()
            | (indices[1:] <= indices[:-1]).any()
        )
        if full_check and bad:
            raise MXNetError(
                "Indices of row_sparse NDArray should be non-negative, less than the size of the "
                "first dimension and in ascending order."
            )


sparse_classes["csr"] = CSRNDArray.over
sparse_classes["row_sparse"] = RowSparseNDArray.over


def tostype(self: NDArray, stype: str) -> Any:
    """A copy of a dense array in another storage type: 'row_sparse' or 'csr'."""
    if stype == "default":
        return self.copy()
    if stype == "csr" and self.ndim != 2:
        raise ValueError(f"only a matrix can be csr, got shape {self.shape}")
    if stype not in STYPES:
        return make_function(find_op("cast_storage"), NDArray)(self, stype=stype)  # which raises
    return wrap_value(self._kind, storage.cast(self.live(), stype))


NDArray.tostype = tostype
