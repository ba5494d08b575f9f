"""NDArray: MXNet's array over a torch tensor."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import joint, ndfile
from mxtorch._core.device import (
    Context,
    context_to_device,
    device_to_context,
    synchronize,
)
from mxtorch._core.dtypes import BFLOAT16_NUMPY, dtype_to_numpy, dtype_to_torch, numpy_flags
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.ndentry import Entry, from_tensor, to_tensor
from mxtorch._core.one_element import as_number
from mxtorch._core.storage import Compressed, Rows, SparseValue
from mxtorch._core.whole import cast
from mxtorch._core.writes import share
from mxtorch._front import torch_functions
from mxtorch._front.handle import Handle, find_kind, is_sparse, wrap, wrap_value
from mxtorch.ndarray import _indexing, _methods
from mxtorch.ndarray._lent import find, lend
from mxtorch.ndarray._selection import select

__all__ = ["NDArray", "waitall"]

# MXNet's own tables, which programs read that write its files or call its library.
_DTYPE_NP_TO_MX = numpy_flags()
_DTYPE_MX_TO_NP = {flag: dtype for dtype, flag in _DTYPE_NP_TO_MX.items()}
_STORAGE_TYPE_ID_TO_STR = {-1: "undefined", 0: "default", 1: "row_sparse", 2: "csr"}
_STORAGE_TYPE_STR_TO_ID = {name: number for number, name in _STORAGE_TYPE_ID_TO_STR.items()}
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}


class NDArray(Handle):
    """An array of one dtype on one context.

    `NDArray(tensor)` wraps a torch tensor without copying, `NDArray(x.handle)` the memory of an
    array; programs make arrays with `mx.nd.array`, `mx.nd.zeros` and the operators.
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    # methods that stand in rooms further up, which put them in
    attach_grad: ClassVar[Callable[..., None]]
    backward: ClassVar[Callable[..., None]]
    split_v2: ClassVar[Callable[..., Any]]
    tostype: ClassVar[Callable[..., Any]]
    as_np_ndarray: ClassVar[Callable[..., Any]]

    def __new__(cls, handle: Any = None, writable: bool = True) -> NDArray:
        self = object.__new__(cls)
        if handle is not None and not isinstance(handle, (Tensor, Handle)):
            handle = find(handle)
        if isinstance(handle, Handle):
            data = handle.storage()
            self._data, self._hist = data, None
            self._kind = find_kind(cls, data.dtype, handle.context)
        elif handle is not None:
            self._data = handle.detach()
            self._hist = None
            self._kind = find_kind(cls, handle.dtype, device_to_context(handle.device))
        return self

    # facts ---------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        data = self._data
        return tuple(self.storage().shape if data is None else data.shape)

    @property
    def dtype(self) -> Any:
        """The element type as NumPy's scalar type: `x.dtype is np.float32`."""
        return dtype_to_numpy(self._kind.dtype)

    @property
    def context(self) -> Context:
        """The context that the array lives on."""
        return self._kind.ctx

    ctx = context

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.storage().ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.storage().numel()

    @property
    def handle(self) -> NDArray:
        """What `NDArray(…)` makes an array over the same memory of: here, an array."""
        return self.detach()

    @property
    def _as_parameter_(self) -> Any:
        """What `ctypes.cast(x, NDArrayHandle)` makes a handle of."""
        return lend(self)

    @property
    def writable(self) -> bool:
        """Whether the array may be written to: always."""
        return True

    @property
    def stype(self) -> str:
        """The storage type: 'default' for dense arrays."""
        return "default"

    @property
    def T(self) -> NDArray:
        """The array with its axes reversed, as a copy (of a vector: itself)."""
        if self.ndim < 2:
            return self
        tensor = self.live()
        return wrap(self._kind, tensor.permute(*reversed(range(tensor.ndim))).contiguous())

    # out of the array ------------------------------------------------------

    def asnumpy(self) -> np.ndarray:
        """A copy as a NumPy array."""
        data = self.storage()
        if data.dtype is torch.bfloat16:
            return data.cpu().view(torch.uint16).numpy().copy().view(BFLOAT16_NUMPY)
        values = data.cpu().numpy() if data.device.type != "cpu" else data.numpy().copy()
        return as_number(values)

    def asscalar(self) -> Any:
        """The only element as a NumPy scalar; ValueError for any other size."""
        if self.size != 1:
            raise ValueError("The current array is not a scalar")
        values = self.asnumpy()
        return values[0] if values.ndim == 1 else values[()]

    def as_torch(self) -> Tensor:
        """The tensor itself, sharing memory; with its history where it has one."""
        share(self.storage())
        return self.storage() if self._hist is None else self._hist

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        result = self.asnumpy()
        return result if dtype is None else result.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return share(self.storage()).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.storage().__dlpack_device__()

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return torch_functions.call(func, args, kwargs or {})

    def __bool__(self) -> bool:
        if self.size == 0:
            return False
        if self.size == 1:
            return bool(self.asscalar())
        raise ValueError("The truth value of an NDArray with multiple elements is ambiguous.")

    __nonzero__ = __bool__

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        shape = "x".join(str(n) for n in self.shape)
        return f"\n{self.asnumpy()!s}\n<{type(self).__name__} {shape} @{self.context}>"

    def __hash__(self) -> int:
        return id(self) // 16

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (None,), {"handle": bytearray(ndfile.dump_array(to_entry(None, self)))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        read = from_entry(ndfile.load_array(state["handle"], "pickled array"))
        self._take(read)

    def _take(self, read: NDArray) -> None:
        """Become an array that was read from a file."""
        tensor = read.storage()
        self._data = tensor
        self._hist = None
        self._kind = find_kind(type(self), tensor.dtype, read.context)

    def __copy__(self) -> NDArray:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArray:
        return self.copy()

    # moving and converting -------------------------------------------------

    def copy(self) -> NDArray:
        """A copy on the same context."""
        copied: NDArray = self.copyto(self.context)
        return copied

    def copyto(self, other: NDArray | Context) -> Any:
        """Copy into another array (dtype and shape are the target's) or to a context.

        Gives the copy; False, with a warning, for the array itself.
        """
        if isinstance(other, Context):
            device = context_to_device(other)
            tensor = self.live()
            moved = tensor.clone() if tensor.device == device else tensor.to(device)
            return wrap(find_kind(self._kind.cls, tensor.dtype, other), moved)
        if not isinstance(other, NDArray):
            raise TypeError(f"copyto does not support type {type(other)}")
        if other is self:
            text = "You are attempting to copy an array to itself"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
            return False
        if other.shape != self.shape:
            raise MXNetShapeError(f"copyto: shape {self.shape} into {other.shape}")
        if is_sparse(other):
            other.receive(self.live())
        else:
            _indexing.assign(other, slice(None), self)
        return other

    def as_in_context(self, context: Context) -> NDArray:
        """The array itself if it is on `context`, else a copy there."""
        if not isinstance(context, Context):
            raise TypeError(f"copyto does not support type {type(context)}")
        return self if self._kind.ctx == context else self.copyto(context)

    as_in_ctx = as_in_context

    def astype(self, dtype: Any, copy: bool = True) -> NDArray:
        """The array converted to `dtype`; without `copy`, itself if it has that type."""
        wanted = dtype_to_torch(np.float32 if dtype is None else dtype)
        if wanted is self._kind.dtype and not copy:
            return self
        return wrap(self._kind, cast(self.live(), wanted))

    def detach(self) -> NDArray:
        """The array without its history, over the same memory."""
        return wrap(find_kind(self._kind.cls, self._kind.dtype, self._kind.ctx), self.storage())

    def as_nd_ndarray(self) -> NDArray:
        """The array itself: it is MXNet's legacy kind already."""
        return self

    # waiting -----------------------------------------------------------------

    def wait_to_read(self) -> None:
        """Wait until the array is computed (on an accelerator)."""
        synchronize(self.storage().device)

    wait_to_write = wait_to_read

    # views -------------------------------------------------------------------

    _select = staticmethod(select)
    __getitem__ = _indexing.read
    __setitem__ = _indexing.assign

    def _slice(self, start: int, stop: int) -> Any:
        """A view of rows; an old name that programs still use."""
        return self[start:stop]

    def _at(self, idx: int) -> Any:
        """A view of one row, likewise."""
        return self[idx]

    def _sync_copyfrom(self, source_array: Any) -> None:
        """Write a NumPy array of the same shape, likewise."""
        values = np.asarray(source_array, dtype=self.dtype)
        if values.shape != self.shape:
            raise MXNetShapeError(
                f"Shape inconsistent: expected {values.shape} vs got {self.shape}"
            )
        self[:] = values

    reshape = _indexing.reshape

    def slice_assign(self, rhs: NDArray, begin: Any, end: Any, step: Any) -> NDArray:
        """Write `rhs` into the part from `begin` to before `end`; returns the array itself."""
        return _indexing.slice_assign(self, rhs, begin, end, step)

    def slice_assign_scalar(self, value: float, begin: Any, end: Any, step: Any) -> NDArray:
        """Write a number into the part from `begin` to before `end`; returns the array itself."""
        return _indexing.slice_assign_scalar(self, value, begin, end, step)

    def squeeze(self, axis: Any = None, inplace: bool = False) -> NDArray:
        """The array without axes of length 1 (or `axis`): a copy, or a view if `inplace`."""
        return _methods.squeeze(self, axis, inplace)

    def expand_dims(self, axis: int, inplace: bool = False) -> NDArray:
        """The array with a new axis of length 1: a copy, or a view if `inplace`."""
        return _methods.expand_dims(self, axis, inplace)

    def flatten(self, inplace: bool = False) -> NDArray:
        """The array with all axes but the first merged: a copy, or a view if `inplace`."""
        return _methods.flatten(self, inplace)

    def broadcast_to(self, shape: Any) -> NDArray:
        """A copy that repeats axes of length 1 (and new leading ones) up to `shape`."""
        return _methods.broadcast_to(self, shape)

    def broadcast_like(self, other: NDArray) -> NDArray:
        """The same with another array's shape."""
        return self.broadcast_to(other.shape)

    def to_dlpack_for_read(self) -> Any:
        """A DLPack capsule over the array's memory."""
        return self.__dlpack__()

    to_dlpack_for_write = to_dlpack_for_read

    # autograd ------------------------------------------------------------------

    @property
    def grad(self) -> NDArray | None:
        """The gradient buffer (its memory, in a new handle), or None without `attach_grad`."""
        joint.flush()
        buffer = getattr(self, "_grad", None)
        if buffer is None:
            return None
        self._grad_shared = True
        return buffer.detach()

    @property
    def _fresh_grad(self) -> bool:
        return getattr(self, "_fresh", False)

    @_fresh_grad.setter
    def _fresh_grad(self, value: bool) -> None:
        self._fresh = value


def to_entry(name: str | None, array: NDArray) -> Entry:
    """The array as an entry of a file; MXNet writes cpu(0) for every cpu(i), and so do we."""
    ctx, where = array.context, (1, 0)
    if ctx.device_type in ("cpu_pinned", "cpu_shared"):
        where = ctx.device_typeid, ctx.device_id
    value = array.value()
    if isinstance(value, Tensor):
        return Entry.dense(name, from_tensor(array.storage()), where)
    parts = tuple(from_tensor(part) for part in value.parts())
    return Entry(name, from_tensor(value.data), value.shape, value.stype, parts, where)


def from_entry(entry: Entry) -> NDArray:
    """An entry's array on cpu(0): MXNet loads every array there, whatever the file says."""
    data, ctx = to_tensor(entry.data), Context("cpu", 0)
    value: Tensor | SparseValue = data
    parts = [to_tensor(part).to(torch.int64) for part in entry.indices]
    if entry.stype == "row_sparse":
        value = Rows(entry.shape, parts[0], data)
    elif entry.stype == "csr":
        value = Compressed(entry.shape, parts[0], parts[1], data)
    array: NDArray = wrap_value(find_kind(NDArray, data.dtype, ctx), value)
    return array


def waitall() -> None:
    """Wait until everything that was started on accelerators is done."""
    joint.flush()
    synchronize()
