"""Methods that `mx.np` arrays and symbols share; each finds its class's dialect in `self._np`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp

from mxtorch._front.dialect import Dialect
from mxtorch._front.methods import NUMBERS

# Methods of `mx.nd` arrays and symbols that those of `mx.np` do not have.
REFUSED = """
abs arccos arccosh arcsin arcsinh arctan arctanh argmax_channel asscalar broadcast_axes
broadcast_like cbrt ceil cos cosh degrees depth_to_space diag exp expand_dims expm1 fix
flip floor log log10 log1p log2 log_softmax nanprod nansum norm one_hot ones_like pad pick
radians rcbrt reciprocal relu reshape_like rint rsqrt shape_array sigmoid sign sin sinh
size_array slice slice_axis slice_like softmax softmin space_to_depth split split_v2 sqrt
square tan tanh tile tostype topk trunc zeros_like
""".split()  # noqa: SIM905 - a line each otherwise


def _refused(name: str) -> Callable[..., Any]:
    """No such method, although the base class has it."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise AttributeError(
            f"mxnet.numpy.{type(self).__name__} object has no attribute {name}; "
            f"use mx.np.{name} or mx.npx.{name} where there is one"
        )

    method.__name__ = name
    return method


def reshape(self: Any, *args: Any, **kwargs: Any) -> Any:
    """A copy with another shape, given as one tuple or as numbers; one axis may be -1."""
    order = kwargs.pop("order", "C")
    if order != "C":
        raise NotImplementedError(f"only supports C-order, while received {order}")
    if kwargs:
        raise TypeError(f"function does not support keyword arguments {sorted(kwargs)}")
    if not args:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    shape = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
    return self._np["_np_reshape"](self, newshape=shape, order=order)


def transpose(self: Any, *axes: Any) -> Any:
    """A copy with the axes in another order; without `axes` reversed."""
    wanted: Any = axes
    if not axes:
        wanted = None
    elif len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        wanted = axes[0]
    return self._np["_np_transpose"](self, axes=wanted)


def flatten(self: Any, order: str = "C") -> Any:
    """All elements in one row, a copy."""
    return reshape(self, -1, order=order)


def squeeze(self: Any, axis: Any = None) -> Any:
    """A copy without axes of length 1, or without those named."""
    return self._np["_np_squeeze"](self, axis=axis)


def swapaxes(self: Any, axis1: int, axis2: int) -> Any:
    """A copy with two axes exchanged."""
    return self._np["_npi_swapaxes"](self, dim1=axis1, dim2=axis2)


def broadcast_to(self: Any, shape: Any) -> Any:
    """A copy that repeats axes of length 1 and new leading ones up to `shape`."""
    return self._np["_npi_broadcast_to"](self, shape=shape)


def sum(
    self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """The sum over `axis`."""
    return self._np["_np_sum"](self, axis=axis, keepdims=keepdims, **given(dtype=dtype, out=out))


def mean(
    self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """The mean over `axis`."""
    return self._np["_npi_mean"](self, axis=axis, keepdims=keepdims, **given(dtype=dtype, out=out))


def prod(
    self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """The product over `axis`."""
    return self._np["_np_prod"](self, axis=axis, keepdims=keepdims, **given(dtype=dtype, out=out))


def std(
    self: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """The standard deviation over `axis`."""
    call = self._np["_npi_std"]
    return call(self, axis=axis, ddof=ddof, keepdims=keepdims, **given(dtype=dtype, out=out))


def var(
    self: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """The variance over `axis`."""
    call = self._np["_npi_var"]
    return call(self, axis=axis, ddof=ddof, keepdims=keepdims, **given(dtype=dtype, out=out))


def max(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The largest element over `axis`."""
    return self._np["_np_max"](self, axis=axis, keepdims=keepdims, **given(out=out))


def min(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The smallest element over `axis`."""
    return self._np["_np_min"](self, axis=axis, keepdims=keepdims, **given(out=out))


def all(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements over `axis` are not 0."""
    return self._np["_np_all"](self, axis=axis, keepdims=keepdims, **given(out=out))


def any(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Whether any element over `axis` is not 0."""
    return self._np["_np_any"](self, axis=axis, keepdims=keepdims, **given(out=out))


def argmax(self: Any, axis: int | None = None, out: Any = None) -> Any:
    """Index of the largest element along `axis`, or of all, int64."""
    return self._np["_npi_argmax"](self, axis=axis, keepdims=False, **given(out=out))


def argmin(self: Any, axis: int | None = None, out: Any = None) -> Any:
    """Index of the smallest element along `axis`, or of all, int64."""
    return self._np["_npi_argmin"](self, axis=axis, keepdims=False, **given(out=out))


def cumsum(self: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    """The running sum along `axis`, or of all elements."""
    return self._np["_np_cumsum"](self, axis=axis, **given(dtype=dtype, out=out))


def clip(self: Any, min: Any = None, max: Any = None, out: Any = None) -> Any:
    """Values below `min` become it, those above `max` that."""
    if min is None and max is None:
        raise ValueError("array_clip: must set either max or min")
    low = -float("inf") if min is None else min
    high = float("inf") if max is None else max
    return self._np["_npi_clip"](self, a_min=low, a_max=high, **given(out=out))


def round(self: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """Rounded to that many decimals, halves to even."""
    return self._np["_npi_around"](self, decimals=decimals, **given(out=out))


def argsort(self: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
    """The indices that sort, int64."""
    if order is not None:
        raise NotImplementedError("order not supported here")
    return self._np["_npi_argsort"](self, axis=axis, is_ascend=True, dtype="int64")


def take(self: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """The elements (or slices along `axis`) at the indices."""
    if mode not in ("wrap", "clip", "raise"):
        raise NotImplementedError(f"function take does not support mode '{mode}'")
    data = self
    if axis is None:
        data, axis = self._np["_npi_reshape"](self, newshape=-1), 0
    return self._np["_npi_take"](data, indices, axis=axis, mode=mode)


def repeat(self: Any, repeats: int, axis: int | None = None) -> Any:
    """Each element repeated along `axis`; without one the array is flattened first."""
    return self._np["_np_repeat"](self, repeats=repeats, axis=axis)


def dot(self: Any, b: Any, out: Any = None) -> Any:
    """NumPy's dot with `b`."""
    return self._np["_np_dot"](self, b, **given(out=out))


def given(**values: Any) -> dict[str, Any]:
    """The arguments that are not None: MXNet does not note the others in graphs."""
    return {key: value for key, value in values.items() if value is not None}


_METHODS: tuple[Callable[..., Any], ...] = (
    reshape,
    transpose,
    flatten,
    squeeze,
    swapaxes,
    broadcast_to,
    sum,
    mean,
    prod,
    std,
    var,
    max,
    min,
    all,
    any,
    argmax,
    argmin,
    cumsum,
    clip,
    round,
    argsort,
    take,
    repeat,
    dot,
)


def install(cls: Any, np: Dialect) -> None:
    """Give a class of arrays or symbols the methods; those written by hand are kept."""
    cls._np = np
    for name in REFUSED:
        if name not in cls.__dict__:
            setattr(cls, name, _refused(name))
    for method in _METHODS:
        if method.__name__ not in cls.__dict__:
            setattr(cls, method.__name__, method)


def is_whole(number: Any) -> bool:
    """Whether a number is an int, as MXNet notes it in graphs."""
    return isinstance(number, (int, onp.integer)) and isinstance(number, NUMBERS)
