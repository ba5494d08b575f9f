"""Functions that make arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from mxtorch._core.complaints import is_memory
from mxtorch._core.device import Context, context_to_device, place
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetShapeError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.modes import modes
from mxtorch._core.spans import timed
from mxtorch._front.handle import Handle, wrap, wrap_new
from mxtorch._ops.binary import typed
from mxtorch._ops.create import progression
from mxtorch.ndarray._indexing import tensor_of
from mxtorch.ndarray.ndarray import NDArray

Shape = int | Sequence[int]


def _shape(shape: Shape) -> tuple[int, ...]:
    try:
        lengths = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        result = tuple(operator.index(n) for n in lengths)
    except TypeError:
        raise MXNetTypeError(f"a shape is whole numbers, got {shape!r}") from None
    if any(n < 0 for n in result):
        raise MXNetShapeError(f"lengths cannot be negative, got shape {result}")
    return result


@contextmanager
def too_large(shape: Sequence[int]) -> Iterator[None]:
    """Says so where torch finds no memory for an array of that shape."""
    try:
        yield
    except RuntimeError as error:
        if isinstance(error, MXNetError) or not is_memory(error):
            raise
        raise MXNetError(f"there is no memory for an array of shape {tuple(shape)}") from error


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """An array with the values of `source_array`.

    float32 unless `dtype` says otherwise or the source is an NDArray.
    """
    ctx = place(ctx)
    if isinstance(source_array, Handle):
        wanted = source_array._kind.dtype if dtype is None else dtype_to_torch(dtype)
        tensor = source_array.storage().to(context_to_device(ctx), wanted, copy=True)
        return wrap_new(NDArray, tensor, ctx)
    wanted = torch.float32 if dtype is None else dtype_to_torch(dtype)
    if isinstance(source_array, torch.Tensor):
        values = source_array.detach()
    else:
        values = _from_python(source_array)
    tensor = values.to(context_to_device(ctx), wanted, copy=True).contiguous()
    return wrap_new(NDArray, tensor, ctx)


def _from_python(source: Any) -> torch.Tensor:
    if isinstance(source, (list, tuple)) and any(isinstance(v, Handle) for v in source):
        raise MXNetTypeError(
            "array: MXNet does not take a list of NDArrays; use mx.nd.stack(*arrays)"
        )
    if isinstance(source, np.ndarray):
        return tensor_of(source)
    try:
        values = np.asarray(source)
        if values.dtype.kind == "c":
            raise TypeError("MXNet has no complex numbers")
        return tensor_of(values)
    except (ValueError, TypeError) as error:
        raise MXNetTypeError("source_array must be array like object") from error


def zeros(shape: Shape, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """A dense array of zeros, float32 by default."""
    return timed("_zeros", _filled, shape, 0, ctx, dtype, kwargs)


def ones(shape: Shape, ctx: Context | None = None, dtype: Any = None, **kwargs: Any) -> NDArray:
    """An array of ones, float32 by default."""
    return timed("_ones", _filled, shape, 1, ctx, dtype, kwargs)


def full(
    shape: Shape,
    val: float,
    ctx: Context | None = None,
    dtype: Any = np.float32,
    out: NDArray | None = None,
) -> NDArray:
    """An array filled with `val`, float32 by default; an array or a list is broadcast."""
    if isinstance(val, (int, float, np.generic)):
        return timed("_full", _filled, shape, val, ctx, dtype, {"out": out})
    target = _filled(shape, 0, ctx, dtype, {"out": out})
    target[:] = val
    return target


def empty(shape: Shape, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """A dense array of any shape, also without axes or elements."""
    return _made(_shape(shape), 0, ctx, dtype)


def _filled(shape: Shape, value: float, ctx: Any, dtype: Any, kwargs: dict[str, Any]) -> NDArray:
    out = kwargs.pop("out", None)
    # attributes of a symbol's node (__layout__) say nothing about an array
    unknown = {k for k in kwargs if k != "name" and not (k.startswith("__") and k.endswith("__"))}
    if unknown:
        raise MXNetTypeError(f"there is no argument {min(unknown)!r}")
    if out is not None:
        out.write_storage().fill_(value)
        return out
    lengths = _shape(shape)
    if not modes.np_shape and 0 in (lengths or (0,)):
        raise MXNetShapeError(
            f"shape {lengths}: a length of 0 (and a shape without axes) is not known yet to "
            "legacy arrays; call mx.util.set_np_shape(True) for arrays without elements"
        )
    return _made(lengths, value, ctx, dtype)


def _made(lengths: tuple[int, ...], value: float, ctx: Context | None, dtype: Any) -> NDArray:
    ctx = place(ctx)
    wanted = torch.float32 if dtype is None else dtype_to_torch(dtype)
    kept = typed(value, torch.empty((), dtype=wanted))
    with too_large(lengths):
        tensor = torch.full(lengths, kept, dtype=wanted, device=context_to_device(ctx))
    return wrap_new(NDArray, tensor, ctx)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | None = None,
    ctx: Context | None = None,
    dtype: Any = np.float32,
) -> NDArray:
    """Evenly spaced values from `start` (0 if alone) to before `stop`, each `repeat` times."""
    bounds = (start, step) if stop is None else (start, stop, step)
    if not all(isinstance(n, (int, float, np.generic)) for n in bounds):
        raise MXNetValueError(f"arange: start, stop and step are numbers, got {bounds}")
    if stop is None:
        start, stop = 0, start
    # infer_range is for symbols, whose surroundings tell the length
    if repeat < 1:
        raise MXNetValueError(f"arange: repeat={repeat} must be 1 or more")
    if step == 0 or (stop - start) / step <= 0:
        raise MXNetValueError(f"arange: no values from {start} to {stop} in steps of {step}")
    wanted = torch.float32 if dtype is None else dtype_to_torch(dtype)
    count, ctx = int(np.ceil((stop - start) / step)), place(ctx)
    device = context_to_device(ctx)
    with too_large((count, repeat)):
        values = progression(count * int(repeat), start, step, int(repeat), wanted, device)
    return wrap_new(NDArray, values, ctx)


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Context | None = None,
    dtype: Any = np.float32,
) -> NDArray:
    """`num` evenly spaced values from `start` to `stop`."""
    ctx = place(ctx)
    if not isinstance(num, (int, np.integer)) or num < 0:
        raise MXNetValueError(f"linspace: num={num!r} must be a whole number, 0 or more")
    values = torch.from_numpy(np.linspace(start, stop, int(num), endpoint=endpoint))
    return wrap_new(NDArray, values.to(context_to_device(ctx), dtype_to_torch(dtype)), ctx)


def eye(
    N: int, M: int = 0, k: int = 0, ctx: Context | None = None, dtype: Any = None, **kwargs: Any
) -> NDArray:
    """Ones on the k-th diagonal of an N × M array (M = 0: N × N), float32 by default."""
    if kwargs:
        raise MXNetTypeError(f"eye: there is no argument {sorted(kwargs)[0]!r}")
    if not all(isinstance(n, (int, np.integer)) for n in (N, M, k)) or N < 0:
        raise MXNetValueError(f"eye: N, M and k are whole numbers, got {N!r}, {M!r}, {k!r}")
    values = np.eye(int(N), int(M) if M > 0 else None, int(k))
    return array(values, ctx, np.float32 if dtype is None else dtype)


def from_numpy(ndarray: np.ndarray, zero_copy: bool = True, array_cls: type = NDArray) -> NDArray:
    """A CPU array of the same dtype over a NumPy array's memory, or a copy without `zero_copy`.

    A shared NumPy array becomes read-only, as in MXNet.
    """
    if zero_copy and ndarray.flags["WRITEABLE"]:
        if not ndarray.flags["C_CONTIGUOUS"]:
            raise MXNetValueError(
                "from_numpy: only C-contiguous arrays can be shared; copy it first"
            )
        shared = ndarray.view()
        ndarray.flags["WRITEABLE"] = False
    else:
        shared = ndarray.copy()
    return wrap_new(array_cls, torch.from_numpy(shared), Context("cpu", 0))


def from_torch(tensor: torch.Tensor) -> NDArray:
    """An array over the memory of a torch tensor."""
    return NDArray(tensor)


def from_dlpack(dlpack: Any) -> NDArray:
    """An array over the memory of a DLPack capsule or of an object that gives one."""
    try:
        return NDArray(torch.from_dlpack(dlpack))
    except (RuntimeError, AttributeError, TypeError) as error:
        raise MXNetAssertionError(
            "Invalid DLPack Tensor. DLTensor capsules can be consumed only once."
        ) from error


def to_dlpack_for_read(data: NDArray) -> Any:
    """A DLPack capsule over the array's memory."""
    return data.__dlpack__()


to_dlpack_for_write = to_dlpack_for_read


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """The arrays one after the other along `axis`."""
    if not isinstance(arrays, (list, tuple)) or not arrays:
        raise MXNetAssertionError("concatenate: takes a list of at least one array")
    if len(arrays) == 1 and not always_copy:
        only: NDArray = arrays[0]
        return only
    first = arrays[0]
    moved = [a.as_in_context(first.context) for a in arrays]
    if any(a.dtype != first.dtype for a in moved):
        raise MXNetAssertionError("concatenate: all arrays must have one dtype")
    rest = [(a.shape[:axis], a.shape[axis + 1 :]) for a in moved] if axis >= 0 else [()]
    if any(shape != rest[0] for shape in rest):
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise MXNetAssertionError(f"concatenate: shapes {shapes} differ beside axis {axis}")
    return wrap(first._kind, torch.cat([a.live() for a in moved], dim=axis))


def moveaxis(tensor: NDArray, source: Any, destination: Any) -> NDArray:
    """The array with axes `source` moved to the places `destination`, as a copy."""
    sides = [(axes,) if isinstance(axes, int) else tuple(axes) for axes in (source, destination)]
    try:
        moved = torch.movedim(tensor.live(), *sides)
    except (RuntimeError, IndexError, TypeError) as error:
        raise MXNetValueError(f"moveaxis: {error}") from None
    return wrap(tensor._kind, moved.clone(memory_format=torch.contiguous_format))
