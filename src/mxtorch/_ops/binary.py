"""Arithmetic and comparisons of two arrays, and of an array with a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Hint
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import rows

TensorFn = Callable[[Any, Any], Tensor]


def divide(a: Any, b: Any) -> Tensor:
    """True division; whole numbers are divided and truncated toward zero."""
    tensor = a if isinstance(a, Tensor) else b
    if tensor.is_floating_point():
        return torch.true_divide(a, b)
    return torch.div(a, b, rounding_mode="trunc")


def modulo(a: Any, b: Any) -> Tensor:
    """The remainder with the divisor's sign; 0 where the divisor is 0."""
    tensor = a if isinstance(a, Tensor) else b
    divisor = b if isinstance(b, Tensor) else torch.full_like(tensor, b)
    zero = divisor == 0
    return torch.remainder(a, divisor.masked_fill(zero, 1)).masked_fill(zero, 0)


def broadcasting(fn: TensorFn) -> Callable[..., Tensor]:
    """A body for two arrays that broadcast against each other."""

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        return fn(lhs, rhs)

    return body


def elementwise(fn: TensorFn) -> Callable[..., Tensor]:
    """A body for two arrays of one shape."""

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.shape != rhs.shape:
            raise MXNetShapeError(
                f"the arrays must have one shape, got {tuple(lhs.shape)} and {tuple(rhs.shape)}; "
                "use the broadcast_ form"
            )
        return fn(lhs, rhs)

    return body


def scalar(fn: TensorFn, swapped: bool = False) -> Callable[..., Tensor]:
    """A body for an array and a number; the number takes the array's type, truncated if whole."""

    def body(data: Tensor, *, scalar: float = 1.0, is_int: Hint[bool] = True) -> Tensor:
        value = scalar if data.is_floating_point() else int(scalar)
        return fn(value, data) if swapped else fn(data, value)

    return body


def compare(fn: TensorFn) -> TensorFn:
    """A comparison with 0 and 1 in the arrays' own type."""

    def compared(a: Any, b: Any) -> Tensor:
        return fn(a, b).to(a.dtype)

    return compared


_ARITHMETIC: tuple[tuple[str, TensorFn], ...] = (
    ("add", torch.add),
    ("sub", torch.sub),
    ("mul", torch.mul),
    ("truediv", divide),
    ("mod", modulo),
    ("pow", torch.pow),
)
_FN = dict(_ARITHMETIC)

rows(
    broadcasting,
    (
        (
            "broadcast_add",
            "broadcast_plus",
            "_sparse_broadcast_add",
            "_sparse_broadcast_plus",
        ),
        _FN["add"],
        {"dunder": ("add",)},
    ),
    (
        (
            "broadcast_sub",
            "broadcast_minus",
            "_sparse_broadcast_sub",
            "_sparse_broadcast_minus",
        ),
        _FN["sub"],
        {"dunder": ("sub",)},
    ),
    (("broadcast_mul", "_sparse_broadcast_mul"), _FN["mul"], {"dunder": ("mul",)}),
    (("broadcast_div", "_sparse_broadcast_div"), _FN["truediv"], {"dunder": ("truediv",)}),
    ("broadcast_mod", _FN["mod"], {"dunder": ("mod",)}),
    ("broadcast_power", _FN["pow"], {"dunder": ("pow",)}),
    ("broadcast_equal", compare(torch.eq), {"dunder": ("eq",)}),
    ("broadcast_not_equal", compare(torch.ne), {"dunder": ("ne",)}),
    ("broadcast_greater", compare(torch.gt), {"dunder": ("gt",)}),
    ("broadcast_greater_equal", compare(torch.ge), {"dunder": ("ge",)}),
    ("broadcast_lesser", compare(torch.lt), {"dunder": ("lt",)}),
    ("broadcast_lesser_equal", compare(torch.le), {"dunder": ("le",)}),
)
rows(
    elementwise,
    (
        ("elemwise_add", "_add", "_plus", "_Plus", "_sparse_elemwise_add"),
        torch.add,
        {"dunder": ("add.symbol",)},
    ),
    (
        ("elemwise_sub", "_sub", "_minus", "_Minus", "_sparse_elemwise_sub"),
        torch.sub,
        {"dunder": ("sub.symbol",)},
    ),
    (
        ("elemwise_mul", "_mul", "_Mul", "_sparse_elemwise_mul"),
        torch.mul,
        {"dunder": ("mul.symbol",)},
    ),
    (
        ("elemwise_div", "_div", "_Div", "_sparse_elemwise_div"),
        divide,
        {"dunder": ("truediv.symbol",)},
    ),
    (("_mod", "_Mod"), modulo, {"dunder": ("mod.symbol",)}),
    (("_power", "_Power"), torch.pow, {"dunder": ("pow.symbol",)}),
    (("_equal", "_Equal"), compare(torch.eq), {"dunder": ("eq.symbol",)}),
    (("_not_equal", "_Not_Equal"), compare(torch.ne), {"dunder": ("ne.symbol",)}),
    (("_greater", "_Greater"), compare(torch.gt), {"dunder": ("gt.symbol",)}),
    (("_greater_equal", "_Greater_Equal"), compare(torch.ge), {"dunder": ("ge.symbol",)}),
    (("_lesser", "_Lesser"), compare(torch.lt), {"dunder": ("lt.symbol",)}),
    (("_lesser_equal", "_Lesser_Equal"), compare(torch.le), {"dunder": ("le.symbol",)}),
)
rows(
    scalar,
    (("_plus_scalar", "_PlusScalar"), torch.add, {"dunder": ("add.scalar",)}),
    (("_minus_scalar", "_MinusScalar"), torch.sub, {"dunder": ("sub.scalar",)}),
    (("_rminus_scalar", "_RMinusScalar"), torch.sub, True, {"dunder": ("rsub.scalar",)}),
    (("_mul_scalar", "_MulScalar"), torch.mul, {"dunder": ("mul.scalar",)}),
    (("_div_scalar", "_DivScalar"), divide, {"dunder": ("truediv.scalar",)}),
    (("_rdiv_scalar", "_RDivScalar"), divide, True, {"dunder": ("rtruediv.scalar",)}),
    (("_mod_scalar", "_ModScalar"), modulo, {"dunder": ("mod.scalar",)}),
    (("_rmod_scalar", "_RModScalar"), modulo, True, {"dunder": ("rmod.scalar",)}),
    (("_power_scalar", "_PowerScalar"), torch.pow, {"dunder": ("pow.scalar",)}),
    (("_rpower_scalar", "_RPowerScalar"), torch.pow, True, {"dunder": ("rpow.scalar",)}),
    (("_equal_scalar", "_EqualScalar"), compare(torch.eq), {"dunder": ("eq.scalar",)}),
    (("_not_equal_scalar", "_NotEqualScalar"), compare(torch.ne), {"dunder": ("ne.scalar",)}),
    (("_greater_scalar", "_GreaterScalar"), compare(torch.gt), {"dunder": ("gt.scalar",)}),
    (
        ("_greater_equal_scalar", "_GreaterEqualScalar"),
        compare(torch.ge),
        {"dunder": ("ge.scalar",)},
    ),
    (("_lesser_scalar", "_LesserScalar"), compare(torch.lt), {"dunder": ("lt.scalar",)}),
    (
        ("_lesser_equal_scalar", "_LesserEqualScalar"),
        compare(torch.le),
        {"dunder": ("le.scalar",)},
    ),
)
