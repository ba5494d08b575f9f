"""Arithmetic and comparisons of two `mx.np` arrays that broadcast, and of an array and a number.

Two arrays of different types: the wider float, else the float, else the wider whole number. A
number takes the array's type, cut to whole if that is; beside booleans the result is int64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Hint
from mxtorch._core.dtypes import dtype_name
from mxtorch._core.errors import MXNetTypeError
from mxtorch._core.op import op, rows, with_kernel
from mxtorch._ops._gradients import constant, with_slopes
from mxtorch._ops.binary import beside_number, modulo, power, typed

TensorFn = Callable[[Any, Any], Tensor]


def promote(lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    """Both in their common type."""
    if lhs.dtype is rhs.dtype:
        return lhs, rhs
    common = torch.promote_types(lhs.dtype, rhs.dtype)
    if common not in (lhs.dtype, rhs.dtype):
        raise unfit(lhs, rhs)
    return lhs.to(common), rhs.to(common)


def unfit(lhs: Tensor, rhs: Tensor) -> MXNetTypeError:
    """The error for two types without a common one."""
    names = f"{dtype_name(lhs.dtype)} and {dtype_name(rhs.dtype)}"
    return MXNetTypeError(f"not defined for arrays of types {names}; convert one with astype")


def _check_bool(lhs: Tensor, rhs: Tensor) -> None:
    if lhs.dtype is torch.bool or rhs.dtype is torch.bool:
        raise MXNetTypeError("not defined for bool arrays; convert with astype first")


def _subtract(a: Any, b: Any) -> Tensor:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        _check_bool(a, b)
    return torch.sub(a, b)


def _mod(a: Any, b: Any) -> Tensor:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        _check_bool(a, b)
    return modulo(a, b)


def _check_pair(fn: TensorFn, lhs: Tensor, rhs: Tensor) -> None:
    """Two types that MXNet does not combine in arrays of one shape, though it broadcasts them."""
    if lhs.is_floating_point() or rhs.is_floating_point():
        return
    if fn is _mod or (fn is _subtract and torch.bool in (lhs.dtype, rhs.dtype)):
        raise unfit(lhs, rhs)


def arrays(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    """A body for two arrays of any types, computed in the common one."""

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is not rhs.dtype:
            if lhs.shape == rhs.shape and lhs.numel():
                _check_pair(fn, lhs, rhs)
            lhs, rhs = promote(lhs, rhs)
        return fn(lhs, rhs)

    body.__doc__ = f"{text}, in the wider type."
    return with_kernel(body, fn)


def number(fn: TensorFn, text: str, swapped: bool = False) -> Callable[..., Tensor]:
    """A body for an array and a number, which takes the array's type."""

    def body(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
        data = beside_number(data, is_int)
        value = typed(scalar, data)
        return fn(value, data) if swapped else fn(data, value)

    names = "A number a and an array b" if swapped else "An array a and a number b"
    body.__doc__ = f"{names}, cut to the array's type if `is_int`: {text}."
    return body if swapped else with_kernel(body, fn)


rows(
    arrays,
    ("_npi_add", torch.add, "The sum", {"dunder": ("np.add",)}),
    ("_npi_subtract", _subtract, "The difference", {"dunder": ("np.sub",)}),
    ("_npi_multiply", torch.mul, "The product", {"dunder": ("np.mul",)}),
    ("_npi_mod", _mod, "The remainder, with the divisor's sign", {"dunder": ("np.mod",)}),
    ("_npi_power", power, "lhs to the power rhs", {"dunder": ("np.pow",)}),
    mixed=True,
)
rows(
    number,
    ("_npi_add_scalar", torch.add, "a + b", {"dunder": ("np.add.scalar", "np.radd.scalar")}),
    ("_npi_subtract_scalar", torch.sub, "a - b", {"dunder": ("np.sub.scalar",)}),
    ("_npi_rsubtract_scalar", torch.sub, "a - b", True, {"dunder": ("np.rsub.scalar",)}),
    ("_npi_multiply_scalar", torch.mul, "a * b", {"dunder": ("np.mul.scalar", "np.rmul.scalar")}),
    ("_npi_mod_scalar", modulo, "a % b", {"dunder": ("np.mod.scalar",)}),
    ("_npi_rmod_scalar", modulo, "a % b", True, {"dunder": ("np.rmod.scalar",)}),
    ("_npi_power_scalar", power, "a ** b", {"dunder": ("np.pow.scalar",)}),
    ("_npi_rpower_scalar", power, "a ** b", True, {"dunder": ("np.rpow.scalar",)}),
    lists_input=False,
)


# true division ----------------------------------------------------------------------------------


def _as_float(data: Tensor) -> Tensor:
    return data if data.is_floating_point() else data.to(torch.float32)


@op(mixed=True, dunder=("np.truediv",), kernel=torch.true_divide)
def _npi_true_divide(lhs: Tensor, rhs: Tensor) -> Tensor:
    """lhs / rhs; float32 of two whole numbers, which must be of one type, as two floats must."""
    if lhs.dtype is not rhs.dtype and lhs.is_floating_point() is rhs.is_floating_point():
        raise unfit(lhs, rhs)
    lhs, rhs = promote(lhs, rhs)
    return torch.true_divide(_as_float(lhs), _as_float(rhs))


@op(dunder=("np.truediv.scalar",), kernel=torch.true_divide, lists_input=False)
def _npi_true_divide_scalar(
    data: Tensor, *, scalar: float = 1.0, is_int: Hint[bool] = True
) -> Tensor:
    """An array divided by a number; float32 of whole numbers."""
    data = _as_float(data)
    return torch.true_divide(data, typed(scalar, data))


@op(dunder=("np.rtruediv.scalar",), lists_input=False)
def _npi_rtrue_divide_scalar(
    data: Tensor, *, scalar: float = 1.0, is_int: Hint[bool] = True
) -> Tensor:
    """A number divided by an array; float32 of whole numbers."""
    data = _as_float(data)
    return torch.true_divide(typed(scalar, data), data)


# comparisons --------------------------------------------------------------------------------------


def _comparison(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        return fn(lhs, rhs)

    body.__doc__ = f"Whether {text}, of two arrays of one type."
    return constant(body)


def _comparison_with_number(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    def body(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
        if not (is_int or data.is_floating_point() or data.dtype is torch.bool):
            return fn(data.double(), scalar)
        return fn(data, typed(scalar, data))

    body.__doc__ = f"Whether {text}, the number cut to the array's type; not so without is_int."
    return constant(body)


_COMPARISONS: tuple[tuple[str, str, TensorFn, str], ...] = (
    ("equal", "eq", torch.eq, "both are equal"),
    ("not_equal", "ne", torch.ne, "both differ"),
    ("greater", "gt", torch.gt, "the first is greater"),
    ("greater_equal", "ge", torch.ge, "the first is not less"),
    ("less", "lt", torch.lt, "the first is less"),
    ("less_equal", "le", torch.le, "the first is not greater"),
)
rows(
    _comparison,
    *(
        (f"_npi_{name}", fn, text, {"dunder": (f"np.{key}",)})
        for name, key, fn, text in _COMPARISONS
    ),
)
rows(
    _comparison_with_number,
    *(
        (f"_npi_{name}_scalar", fn, text, {"dunder": (f"np.{key}.scalar",)})
        for name, key, fn, text in _COMPARISONS
    ),
)


# bits -------------------------------------------------------------------------------------------


def bits_of(data: Tensor) -> Tensor:
    """An array of whole numbers or booleans; without data (shapes are asked for) of any type."""
    if not data.is_floating_point():
        return data
    if data.is_meta:
        return data.int()
    raise MXNetTypeError("bits are those of whole numbers or booleans; convert with astype")


def _bits(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        return fn(bits_of(lhs), bits_of(rhs))

    body.__doc__ = f"{text} of the bits of two arrays of one type."
    return body


def _bits_with_number(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    def body(data: Tensor, *, scalar: float = 1.0, is_int: Hint[bool] = True) -> Tensor:
        data = bits_of(data)
        return fn(data, torch.tensor(typed(scalar, data), dtype=data.dtype, device=data.device))

    body.__doc__ = f"{text} of the bits of an array and a number."
    return body


def _lcm(a: Tensor, b: Tensor) -> Tensor:
    return torch.logical_and(a, b) if a.dtype is torch.bool else torch.lcm(a, b)


_BITS: tuple[tuple[str, str, TensorFn, str], ...] = (
    ("bitwise_and", "and", torch.bitwise_and, "AND"),
    ("bitwise_or", "or", torch.bitwise_or, "OR"),
    ("bitwise_xor", "xor", torch.bitwise_xor, "XOR"),
    ("lcm", "lcm", _lcm, "The least common multiple"),
)
rows(_bits, *((f"_npi_{n}", fn, text, {"dunder": (f"np.{k}",)}) for n, k, fn, text in _BITS))
rows(
    _bits_with_number,
    *((f"_npi_{n}_scalar", fn, text, {"dunder": (f"np.{k}.scalar",)}) for n, k, fn, text in _BITS),
)


# the rest -----------------------------------------------------------------------------------------


def _whole(fn: TensorFn) -> TensorFn:
    """`fn` of floats; whole numbers are computed in float64 and truncated."""

    def computed(a: Any, b: Any) -> Tensor:
        tensor = a if isinstance(a, Tensor) else b
        if tensor.is_floating_point():
            return fn(_tensor(a, tensor), _tensor(b, tensor))
        wide = tensor.double()
        return fn(_tensor(a, wide).double(), _tensor(b, wide).double()).to(tensor.dtype)

    return computed


def _tensor(value: Any, like: Tensor) -> Tensor:
    if isinstance(value, Tensor):
        return value
    return torch.tensor(value, dtype=like.dtype, device=like.device)


def _floats(fn: TensorFn) -> TensorFn:
    """`fn` of floats alone."""

    def computed(a: Tensor, b: Tensor) -> Tensor:
        if not a.is_floating_point():
            raise MXNetTypeError("not defined for whole numbers; convert with astype first")
        return fn(a, b)

    return computed


_copysign = with_slopes(
    torch.copysign,
    lambda a, b, out: (
        torch.where(torch.signbit(a) == torch.signbit(b), 1, -1).to(a.dtype),
        torch.zeros_like(b),
    ),
)
_ldexp = _whole(lambda a, b: a * torch.pow(torch.full_like(b, 2), b))
_arctan2 = _whole(torch.atan2)
# MXNet's gradient by the array of a number's arctan2: that of arctan2(array, number), negative.
_arctan2_of_number = with_slopes(
    _arctan2, lambda a, b, _: (torch.zeros_like(a), -b / (a * a + b * b))
)


def _two(fn: TensorFn, text: str) -> Callable[..., Tensor]:
    def body(x1: Tensor, x2: Tensor) -> Tensor:
        return fn(x1, x2)

    body.__doc__ = text
    return body


rows(
    _two,
    ("_npi_arctan2", _arctan2, "The angle of the point (x2, x1), in radians."),
    ("_npi_hypot", _floats(torch.hypot), "The root of x1² + x2²."),
)
rows(
    arrays,
    ("_npi_copysign", _whole(_copysign), "lhs with the sign of rhs"),
    ("_npi_ldexp", _ldexp, "lhs * 2 ** rhs"),
)
rows(
    number,
    ("_npi_arctan2_scalar", _arctan2, "the angle of the point (b, a)"),
    ("_npi_rarctan2_scalar", _arctan2_of_number, "the angle of the point (b, a)", True),
    ("_npi_copysign_scalar", _whole(_copysign), "a with the sign of b"),
    ("_npi_rcopysign_scalar", _whole(_copysign), "a with the sign of b", True),
    ("_npi_ldexp_scalar", _ldexp, "a * 2 ** b"),
    ("_npi_rldexp_scalar", _ldexp, "a * 2 ** b", True),
    lists_input=False,
)
