"""`mx.np.ndarray`: NumPy's array over a torch tensor."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as onp
import torch

from mxtorch._core.device import Context, context_to_device
from mxtorch._core.dtypes import dtype_to_numpy, dtype_to_torch
from mxtorch._core.errors import MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._front import eager, np_methods
from mxtorch._front.dialect import Dialect
from mxtorch._front.handle import Handle, find_kind, wrap_new
from mxtorch._front.methods import arithmetic, in_place, reflected
from mxtorch.ndarray import _indexing
from mxtorch.ndarray._create import array as nd_array
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.ndarray.numpy import _indexing as np_indexing
from mxtorch.ndarray.numpy import _protocol

__all__ = ["ndarray"]


class ndarray(NDArray):
    """An array with NumPy's semantics: axes may be missing or empty, comparisons are booleans.

    Programs make it with `mx.np.array`, `mx.np.zeros` and the other functions of `mx.np`.
    """

    _strict: ClassVar[bool] = True
    _np: ClassVar[Dialect]

    # facts -------------------------------------------------------------------

    @property
    def dtype(self) -> Any:
        """The element type as `numpy.dtype`."""
        return onp.dtype(dtype_to_numpy(self._kind.dtype))

    @property
    def T(self) -> Any:
        """A copy with the axes reversed."""
        return self.transpose()

    def __repr__(self) -> str:
        """As NumPy writes it; float32 and the CPU go unsaid."""
        values, tail = self.asnumpy(), ""
        if values.dtype != onp.float32 and (values.dtype != onp.bool_ or not values.size):
            tail = f", dtype={values.dtype.name}"
        if self.context.device_type not in ("cpu", "cpu_shared", "cpu_pinned"):
            tail += f", ctx={self.context}"
        if values.size == 0:
            shape = "" if values.ndim == 1 else f", shape={values.shape}"
            return f"array([]{shape}{tail})"
        text = onp.array2string(values, separator=", ", prefix="array(", suffix=")")
        return f"array({text}{tail})"

    def __str__(self) -> str:
        return str(self.asnumpy())

    def __format__(self, fmt: str) -> str:
        if self.ndim == 0:
            return self.item().__format__(fmt)
        return object.__format__(self, fmt) if fmt else str(self)

    def __hash__(self) -> int:
        raise NotImplementedError("an mx.np array has no hash")

    # out of the array ------------------------------------------------------------

    def item(self, *args: Any) -> Any:
        """One element as a Python number: the only one, the i-th of all, or by index."""
        if self.size != 1 and not args:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.asnumpy().item(*args)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self.asnumpy().tolist()

    def __bool__(self) -> bool:
        if self.size == 0:
            return False
        if self.size == 1:
            return bool(self.item())
        raise ValueError("The truth value of an ndarray with multiple elements is ambiguous.")

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def _only(self) -> Any:
        if self.size != 1:
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return self.item()

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __round__(self, n: int = 0) -> Any:
        return self.round(decimals=n)

    def __floor__(self) -> Any:
        return self._np["_npi_floor"](self)

    def __ceil__(self) -> Any:
        return self._np["_npi_ceil"](self)

    def __trunc__(self) -> Any:
        return self._np["_npi_trunc"](self)

    __array_ufunc__ = _protocol.array_ufunc
    __array_function__ = _protocol.array_function

    # moving and converting -------------------------------------------------------

    def astype(  # type: ignore[override] # NumPy's signature
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """The array converted to `dtype`; without `copy`, itself if it has that type."""
        if order is not None and order not in ("K", "C"):
            raise ValueError("order must be either 'K' or 'C'")
        if casting != "unsafe":
            raise ValueError("casting must be equal to 'unsafe'")
        if not subok:
            raise ValueError("subok must be equal to True")
        return super().astype(dtype, copy)

    def copy(self, order: str = "C") -> Any:
        """A copy on the same context."""
        if order != "C":
            raise NotImplementedError(
                f"ndarray.copy only supports order='C', while received {order}"
            )
        return super().copy()

    def copyto(self, other: Any) -> Any:
        """Copy into another mx.np array or to a context."""
        if isinstance(other, ndarray):
            if other is not self:
                _indexing.assign(other, slice(None) if other.ndim else Ellipsis, self)
            return other
        if isinstance(other, Context):
            return super().copyto(other)
        raise TypeError(f"copyto does not support type {type(other)}")

    def as_np_ndarray(self) -> Any:
        """The array itself."""
        return self

    def as_nd_ndarray(self) -> NDArray:
        """A legacy array over the same memory and history."""
        return as_class(self, NDArray)

    # parts -----------------------------------------------------------------------

    _select = staticmethod(np_indexing.select)
    __getitem__ = np_indexing.read
    __setitem__ = np_indexing.assign

    def nonzero(self) -> Any:
        """The indices of the elements that are not 0: an array an axis."""
        found = self._np["_npx_nonzero"](self)
        return tuple(found[:, i] for i in range(found.shape[1]))

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Not there: MXNet fails too; use `mx.np.sort`."""
        raise NotImplementedError("sort in place is not supported; use mx.np.sort(x)")

    def attach_grad(self, grad_req: str = "write") -> None:
        """Give the array a gradient buffer of zeros and make it a leaf."""
        super().attach_grad(grad_req)

    def as_in_ctx(self, ctx: Context) -> Any:
        """The array itself if it is on `ctx`, else a copy there."""
        return self.as_in_context(ctx)

    def reshape_view(self, *shape: Any, **kwargs: Any) -> Any:
        """A view with another shape; 0 and below are the codes of `mx.nd`'s reshape."""
        return _indexing.reshape(self, *shape, **kwargs)


ndarray.__module__ = "mxtorch.numpy"


def as_class(array: Handle, cls: type) -> Any:
    """The same array in another class: its memory, its history, its gradient buffer."""
    kind = array._kind
    twin: Any = object.__new__(cls)
    twin._data, twin._hist = array._data, array._hist
    twin._kind = find_kind(cls, kind.dtype, kind.ctx, kind.plain)
    for name in ("_grad", "_grad_req", "_grad_shared", "_fresh"):
        if hasattr(array, name):
            setattr(twin, name, getattr(array, name))
    return twin


def as_np_ndarray(self: NDArray) -> ndarray:
    """An mx.np array over the same memory and history."""
    result: ndarray = as_class(self, ndarray)
    return result


def in_mode(value: Any) -> Any:
    """A new array (or symbol) as the mode wants it: of `mx.np` after `npx.set_np()`."""
    return value.as_np_ndarray() if modes.np_array else value


def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """An array with the values of `object`: float32 unless it is an array or `dtype` says so."""
    if isinstance(object, Handle) and not isinstance(object, ndarray):
        raise ValueError(
            "If you're trying to create a mxnet.numpy.ndarray from mx.nd.NDArray, please use the "
            "zero-copy as_np_ndarray function."
        )
    from_array = isinstance(object, (ndarray, onp.ndarray, onp.generic, torch.Tensor))
    wanted = None if dtype is None else dtype_to_torch(dtype)
    if isinstance(object, ndarray):
        values = object.live()
    elif isinstance(object, torch.Tensor):
        values = object.detach()
    else:
        values = _from_python(object, from_array)
    if wanted is None:
        wanted = values.dtype if from_array else torch.float32
    where = np_indexing.at(ctx)
    tensor = values.to(context_to_device(where), wanted, copy=True).contiguous()
    result: ndarray = wrap_new(ndarray, tensor, where)
    return result


def _from_python(source: Any, is_array: bool) -> torch.Tensor:
    try:
        if not is_array:
            source = _plain(source)
        values = onp.asarray(source)
        if values.dtype.kind not in "biuf":
            if is_array:
                raise MXNetTypeError(f"an array of {values.dtype} cannot be an mx.np array")
            values = onp.asarray(source, onp.float32)
    except (ValueError, TypeError) as error:
        raise MXNetTypeError(str(error)) from error
    return torch.from_numpy(onp.array(values, order="C"))  # a copy that torch may own


def _plain(source: Any) -> Any:
    """Lists of arrays as lists of what is in them."""
    if isinstance(source, ndarray):
        return source.asnumpy()
    if isinstance(source, (list, tuple)):
        return [_plain(value) for value in source]
    return source


def array_of_mode(source: Any, ctx: Context | None = None) -> NDArray:
    """An array of the kind that the mode wants: `mx.np.array` after `npx.set_np()`."""
    return array(source, ctx=ctx) if modes.np_array else nd_array(source, ctx)


def empty(
    shape: Any, dtype: Any = onp.float32, order: str = "C", ctx: Context | None = None
) -> ndarray:
    """An array whose values are not set (they are 0 here)."""
    if order != "C":
        raise NotImplementedError("`empty` only supports order equal to `C`")
    result: ndarray = np["_npi_zeros"](
        shape=shape, ctx=np_indexing.at(ctx), dtype=onp.float32 if dtype is None else dtype
    )
    return result


np = Dialect(ndarray, lambda op, short: eager.make_function(op, ndarray))


def _install() -> None:
    cls: Any = ndarray
    np_methods.install(cls, np)
    for key in ("add", "sub", "mul", "truediv", "mod", "pow"):
        setattr(cls, f"__{key}__", arithmetic(f"np.{key}", cls))
        setattr(cls, f"__r{key}__", reflected(f"np.r{key}", cls))
    for key in ("and", "or", "xor"):
        setattr(cls, f"__{key}__", arithmetic(f"np.{key}", cls))
    for key in (
        "add",
        "sub",
        "mul",
        "truediv",
        "mod",
        "and",
        "or",
        "xor",
    ):  # `a **= b` binds a anew
        setattr(cls, f"__i{key}__", in_place(f"np.{key}", cls))
    for key in ("eq", "ne", "gt", "ge", "lt", "le"):
        setattr(cls, f"__{key}__", arithmetic(f"np.{key}", cls))
    cls.__neg__ = lambda self: self.__mul__(-1.0)
    cls.__pos__ = lambda self: self
    cls.__abs__ = lambda self: np["_npi_absolute"](self)
    cls.__invert__ = lambda self: np["_npi_bitwise_not"](self)
    cls.__matmul__ = lambda self, other: np["_npi_matmul"](self, _array(other))
    cls.__rmatmul__ = lambda self, other: np["_npi_matmul"](_array(other), self)
    cls.__imatmul__ = lambda self, other: np["_npi_matmul"](self, _array(other), out=self)
    NDArray.as_np_ndarray = as_np_ndarray


def _array(value: Any) -> Any:
    if not isinstance(value, ndarray):
        raise TypeError(f"type {type(value)} not supported")
    return value


_install()
