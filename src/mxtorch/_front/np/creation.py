"""Functions that make arrays from numbers and from other arrays."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch._core.device import Context, current_context
from mxtorch._front.dialect import Dialect, family, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np.elementwise import as_scalars
from mxtorch._front.np_methods import given


def check_c_order(order: str) -> None:
    """Memory is in C order throughout."""
    if order != "C":
        raise NotImplementedError(f"order={order!r} is not supported; use 'C'")


def at(ctx: Context | None) -> Context:
    """The context named, or the current one."""
    return current_context() if ctx is None else ctx


def _dtype(dtype: Any) -> Any:
    return onp.float32 if dtype is None else dtype


@public()
def zeros(
    np: Dialect, shape: Any, dtype: Any = None, order: str = "C", ctx: Context | None = None
) -> Any:
    """Zeros, float32 by default."""
    check_c_order(order)
    return np["_npi_zeros"](shape=shape, ctx=at(ctx), dtype=_dtype(dtype))


@public()
def ones(
    np: Dialect, shape: Any, dtype: Any = onp.float32, order: str = "C", ctx: Context | None = None
) -> Any:
    """Ones, float32 by default."""
    check_c_order(order)
    return np["_npi_ones"](shape=shape, ctx=at(ctx), dtype=_dtype(dtype))


@public()
def full(
    np: Dialect,
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """An array filled with a number, or with an array that broadcasts.

    float32 by default; a boolean or an array gives its own type.
    """
    check_c_order(order)
    if np.is_array(fill_value):
        result = np["_npi_broadcast_to"](fill_value, shape=shape)
        return result if dtype is None else result.astype(dtype)
    kind = dtype
    if kind is None:
        kind = onp.bool_ if isinstance(fill_value, (bool, onp.bool_)) else onp.float32
    return np["_npi_full"](
        shape=shape, value=float(fill_value), ctx=at(ctx), dtype=kind, **given(out=out)
    )


@public()
def full_like(
    np: Dialect,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """An array of the same shape, and type unless told otherwise, filled with a number."""
    check_c_order(order)
    if isinstance(fill_value, bool):
        fill_value = int(fill_value)
    call = np["_npi_full_like"]
    return call(a, fill_value=fill_value, ctx=at(ctx), **given(dtype=dtype, out=out))


@public()
def zeros_like(
    np: Dialect,
    a: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Zeros of the same shape, and type unless told otherwise."""
    return full_like(np, a, 0, dtype, order, ctx, out)


@public()
def ones_like(
    np: Dialect,
    a: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Ones of the same shape, and type unless told otherwise."""
    return full_like(np, a, 1, dtype, order, ctx, out)


@public()
def empty_like(
    np: Dialect,
    prototype: Any,
    dtype: Any = None,
    order: str = "C",
    subok: bool = False,
    shape: Any = None,
) -> Any:
    """An array like `prototype` whose values are not set (they are 0 here)."""
    if subok:
        raise NotImplementedError("empty_like: subok=True is not supported")
    if shape is not None:
        raise NotImplementedError("empty_like: shape= is not supported; use np.empty")
    return full_like(np, prototype, 0, dtype, order)


@public()
def arange(
    np: Dialect,
    start: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    ctx: Context | None = None,
) -> Any:
    """Evenly spaced values from `start` (0 if alone) to before `stop`, float32 by default."""
    if step is None:
        step = 1
    if stop is None:
        start, stop = 0, start
    if start is None and stop is None:
        raise ValueError("start and stop cannot be both None")
    if step == 0:
        raise ZeroDivisionError("step cannot be 0")
    start, stop, step = (n.item() if np.is_array(n) else n for n in (start, stop, step))
    call = np["_npi_arange"]
    return call(start=start, stop=stop, step=step, dtype=_dtype(dtype), ctx=at(ctx))


@public()
def linspace(
    np: Dialect,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Any:
    """`num` evenly spaced values from `start` to `stop`; with `retstep` also their distance."""
    _check_ends(start, stop, axis)
    call, kind = np["_npi_linspace"], given(dtype=dtype)
    values = call(start=start, stop=stop, num=num, endpoint=endpoint, ctx=at(ctx), **kind)
    if not retstep:
        return values
    gaps = num - 1 if endpoint else num
    first, last = as_scalars(start, stop)
    return values, (last - first) / gaps if gaps else onp.nan


def _check_ends(start: Any, stop: Any, axis: int) -> None:
    if not isinstance(start, NUMBERS) or not isinstance(stop, NUMBERS):
        raise NotImplementedError("start and stop only support int")
    if axis != 0:
        raise NotImplementedError("the function only support axis 0")


@public()
def logspace(
    np: Dialect,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Any:
    """`base` to evenly spaced powers from `start` to `stop`."""
    _check_ends(start, stop, axis)
    call, kind = np["_npi_logspace"], given(dtype=dtype)
    return call(start=start, stop=stop, num=num, endpoint=endpoint, base=base, ctx=at(ctx), **kind)


@public()
def eye(
    np: Dialect, N: int, M: int | None = None, k: int = 0, dtype: Any = onp.float32, **kwargs: Any
) -> Any:
    """Ones on the k-th diagonal of an N x M matrix."""
    check_c_order(kwargs.pop("order", "C"))
    ctx = kwargs.pop("ctx", None)
    return np["_npi_eye"](N=N, M=M, k=k, ctx=at(ctx), dtype=_dtype(dtype))


@public()
def identity(np: Dialect, n: int, dtype: Any = None, ctx: Context | None = None) -> Any:
    """A square matrix with ones on its diagonal."""
    if not isinstance(n, int):
        raise TypeError("Input 'n' should be an integer")
    if n < 0:
        raise ValueError("Input 'n' cannot be negative")
    return np["_npi_identity"](shape=(n, n), ctx=at(ctx), dtype=_dtype(dtype))


@public()
def indices(
    np: Dialect, dimensions: Any, dtype: Any = onp.int32, ctx: Context | None = None
) -> Any:
    """For each axis the index along it, of an array of that shape."""
    if not isinstance(dimensions, (tuple, list)):
        raise ValueError("The dimensions must be sequence of ints")
    return np["_npi_indices"](dimensions=tuple(dimensions), dtype=dtype, ctx=at(ctx))


def _window(np: Dialect, name: str, text: str) -> Any:
    call = np[f"_npi_{name}"]

    def function(M: int, dtype: Any = onp.float32, ctx: Context | None = None) -> Any:
        return call(M=M, dtype=_dtype(dtype), ctx=at(ctx))

    function.__doc__ = text
    return function


family(
    _window,
    ("hanning", "A Hann window of M points."),
    ("hamming", "A Hamming window of M points."),
    ("blackman", "A Blackman window of M points."),
)
