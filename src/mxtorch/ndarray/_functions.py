"""Functions of arrays or numbers on either side, and others that MXNet writes in Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from mxtorch._core.errors import MXNetError, MXNetIndexError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import find_op, python_operator
from mxtorch._front.eager import make_function
from mxtorch._front.handle import Handle, wrap_new
from mxtorch._front.methods import NUMBERS, number
from mxtorch._ops._shapes import split_attrs
from mxtorch.ndarray.ndarray import NDArray

PythonFn = Callable[[Any, Any], Any]


def _two_sided(name: str, key: str, plain: PythonFn, mirrored: str | None = None) -> PythonFn:
    """`mx.nd.add` and its like: arrays that broadcast, or an array and a number, or two numbers.

    `mirrored`: the scalar operator for a number on the left.
    """
    arrays = make_function(python_operator(key), NDArray)
    right = make_function(python_operator(f"{key}.scalar"), NDArray)
    left = make_function(python_operator(f"{mirrored or key}.scalar"), NDArray)

    def function(lhs: Any, rhs: Any) -> Any:
        if isinstance(rhs, Handle):
            if isinstance(lhs, Handle):
                return arrays(lhs, rhs)
            if isinstance(lhs, NUMBERS):
                return left(rhs, scalar=number(lhs))
        elif isinstance(rhs, NUMBERS):
            if isinstance(lhs, Handle):
                return right(lhs, scalar=number(rhs))
            if isinstance(lhs, NUMBERS):
                return plain(lhs, rhs)
        raise MXNetTypeError(
            f"{name}: takes arrays or numbers, got {type(lhs).__name__} and {type(rhs).__name__}"
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = python_operator(key).doc
    return function


add = _two_sided("add", "add", operator.add)
subtract = _two_sided("subtract", "sub", operator.sub, "rsub")
multiply = _two_sided("multiply", "mul", operator.mul)
divide = _two_sided("divide", "truediv", operator.truediv, "rtruediv")
true_divide = divide
modulo = _two_sided("modulo", "mod", operator.mod, "rmod")
_power = _two_sided("power", "pow", operator.pow, "rpow")
maximum = _two_sided("maximum", "maximum", max)
minimum = _two_sided("minimum", "minimum", min)
equal = _two_sided("equal", "eq", lambda a, b: int(a == b))
not_equal = _two_sided("not_equal", "ne", lambda a, b: int(a != b))
greater = _two_sided("greater", "gt", lambda a, b: int(a > b), "lt")
greater_equal = _two_sided("greater_equal", "ge", lambda a, b: int(a >= b), "le")
lesser = _two_sided("lesser", "lt", lambda a, b: int(a < b), "gt")
lesser_equal = _two_sided("lesser_equal", "le", lambda a, b: int(a <= b), "ge")
logical_and = _two_sided("logical_and", "logical_and", lambda a, b: int(bool(a) and bool(b)))
logical_or = _two_sided("logical_or", "logical_or", lambda a, b: int(bool(a) or bool(b)))
logical_xor = _two_sided("logical_xor", "logical_xor", lambda a, b: int(bool(a) ^ bool(b)))


def power(base: Any, exp: Any) -> Any:
    """`base` to the power `exp`."""
    return _power(base, exp)


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Call the operator of that name."""
    return make_function(find_op(name), NDArray)(*args, **kwargs)


def split_v2(
    ary: NDArray, indices_or_sections: Any, axis: int = 0, squeeze_axis: bool = False
) -> list[NDArray] | NDArray:
    """Pieces along `axis`: that many equal ones, or those between the given indices."""
    if not -ary.ndim <= axis < ary.ndim:
        raise MXNetIndexError(f"split_v2: axis={axis} of an array of shape {ary.shape}")
    length = ary.shape[axis]
    if not isinstance(indices_or_sections, (int, tuple)):
        raise MXNetValueError("indices_or_sections must either int or tuple of ints")
    if isinstance(indices_or_sections, int) and length % indices_or_sections:
        raise MXNetValueError("split_v2: array split does not result in an equal division")
    parts = split_attrs(indices_or_sections)
    return _call("_split_v2", ary, axis=axis, squeeze_axis=squeeze_axis, **parts)


def onehot_encode(indices: NDArray, out: NDArray) -> NDArray:
    """Write the one-hot rows of `indices` into `out`, of shape (number of indices, classes)."""
    return _call("_onehot_encode", indices, out, out=out)


def imdecode(
    str_img: Any,
    clip_rect: tuple[int, int, int, int] = (0, 0, 0, 0),
    out: NDArray | None = None,
    index: int = 0,
    channels: int = 3,
    mean: NDArray | None = None,
) -> NDArray:
    """MXNetError, as whatever it is given in MXNet 1.9.1: `mx.image.imdecode` is the one to use."""
    raise MXNetError("mx.nd.imdecode does not work in MXNet 1.9.1; use mx.image.imdecode")


def histogram(
    a: NDArray, bins: NDArray | int = 10, range: tuple[float, float] | None = None
) -> Sequence[NDArray]:
    """How many elements lie in each bin, and the bins' edges.

    `bins`: their number, or an array of their edges. The counts are int64; float32 where NumPy
    finds the edges, as it does for a number of bins without `range`.
    """
    if isinstance(bins, NDArray):
        return _call("_histogram", a, bins=bins)
    if not isinstance(bins, int):
        raise MXNetValueError("histogram: bins must be an int or an array of edges")
    if range is not None:
        return _call("_histogram", a, bin_cnt=bins, range=range)
    counts, edges = (
        torch.from_numpy(v.astype(np.float32))
        for v in np.histogram(a.asnumpy().astype(np.float64), bins)
    )
    return wrap_new(NDArray, counts, a.context), wrap_new(NDArray, edges, a.context)


NDArray.split_v2 = split_v2
