"""Arithmetic and comparisons of two arrays, and of an array with a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import Hint
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, Dims, op, rows, with_kernel
from mxtorch._ops._gradients import with_slopes, without_slope
from mxtorch._ops._partial import same

TensorFn = Callable[[Any, Any], Tensor]


def divide(a: Any, b: Any) -> Tensor:
    """Division; whole numbers are divided and truncated toward zero."""
    tensor = a if isinstance(a, Tensor) else b
    if tensor.is_floating_point():
        return torch.true_divide(a, b)
    return torch.div(a, b, rounding_mode="trunc")


def _remainder(a: Any, b: Any) -> Tensor:
    if not isinstance(b, Tensor):
        b = torch.full((), b, dtype=a.dtype, device=a.device)
    zero = b == 0
    return torch.remainder(a, b.masked_fill(zero, 1)).masked_fill(zero, 0)


def _power(a: Any, b: Any) -> Tensor:
    tensor = a if isinstance(a, Tensor) else b
    if tensor.is_floating_point():
        return torch.pow(a, b)
    base = a.to(torch.float64) if isinstance(a, Tensor) else a
    return torch.pow(base, b.to(torch.float64) if isinstance(b, Tensor) else b).to(tensor.dtype)


def _hypot(a: Any, b: Any) -> Tensor:
    tensor = a if isinstance(a, Tensor) else b
    if not tensor.is_floating_point():
        return torch.sqrt(a * a + b * b).to(tensor.dtype)
    return torch.hypot(a, b if isinstance(b, Tensor) else torch.full_like(a, b))


_remainder_of_arrays = with_slopes(
    _remainder, lambda a, b, _: (torch.ones_like(a), -torch.floor(a / b))
)
_power_of_arrays = with_slopes(
    _power, lambda a, b, out: (b * torch.pow(a, b - 1), out * torch.log(a))
)
# At ties the gradient goes to the left; where one of the two is nan, to neither.
_larger = with_slopes(torch.maximum, lambda a, b, _: (a >= b, a < b))
_smaller = with_slopes(torch.minimum, lambda a, b, _: (a <= b, a > b))


def modulo(a: Any, b: Any) -> Tensor:
    """The remainder with the divisor's sign; 0 where the divisor is 0."""
    if isinstance(b, Tensor) or b == 0:
        return _remainder_of_arrays(a, b)
    return torch.remainder(a, b)


def power(a: Any, b: Any) -> Tensor:
    """a to the power b; whole numbers are computed in float64 and truncated.

    The gradient is nan where 0 / 0 or log(0)·0 is part of it.
    """
    number = a if isinstance(b, Tensor) else b
    if isinstance(number, Tensor) or number == 0:
        return _power_of_arrays(a, b)
    return _power(a, b)


def maximum(a: Any, b: Any) -> Tensor:
    """The larger of the two; nan wins."""
    return _larger(a, b) if isinstance(b, Tensor) else torch.clamp_min(a, b)


def minimum(a: Any, b: Any) -> Tensor:
    """The smaller of the two; nan wins."""
    return _smaller(a, b) if isinstance(b, Tensor) else torch.clamp_max(a, b)


def logical(fn: TensorFn) -> TensorFn:
    """A logical operation on "is not 0", with 0 and 1 in the arrays' own type."""

    def combined(a: Tensor, b: Any) -> Tensor:
        other = b != 0 if isinstance(b, Tensor) else torch.full((), b != 0, device=a.device)
        return without_slope(fn(a != 0, other).to(a.dtype), a, b)

    return combined


def compare(fn: TensorFn) -> TensorFn:
    """A comparison with 0 and 1 in the arrays' own type."""

    def compared(a: Any, b: Any) -> Tensor:
        return without_slope(fn(a, b).to(a.dtype), a, b)

    return with_kernel(compared, lambda a, b: fn(a, b).to(a.dtype))


def broadcasting(fn: TensorFn) -> Callable[..., Tensor]:
    """A body for two arrays that broadcast against each other."""

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        return fn(lhs, rhs)

    return with_kernel(body, fn)


def one_shape(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    """An input without a shape has that of the others."""
    known = next((s for s in shapes if s is not None), None)
    return [known if s is None else s for s in shapes]


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

    return body if swapped else with_kernel(body, fn)


rows(
    broadcasting,
    (
        (
            "broadcast_add",
            "broadcast_plus",
            "_sparse_broadcast_add",
            "_sparse_broadcast_plus",
        ),
        torch.add,
        {"dunder": ("add",)},
    ),
    (
        (
            "broadcast_sub",
            "broadcast_minus",
            "_sparse_broadcast_sub",
            "_sparse_broadcast_minus",
        ),
        torch.sub,
        {"dunder": ("sub",)},
    ),
    (("broadcast_mul", "_sparse_broadcast_mul"), torch.mul, {"dunder": ("mul",)}),
    (("broadcast_div", "_sparse_broadcast_div"), divide, {"dunder": ("truediv",)}),
    ("broadcast_mod", modulo, {"dunder": ("mod",)}),
    ("broadcast_power", power, {"dunder": ("pow",)}),
    (("broadcast_maximum", "_npi_maximum"), maximum, {"dunder": ("maximum",)}),
    (("broadcast_minimum", "_npi_minimum"), minimum, {"dunder": ("minimum",)}),
    ("broadcast_hypot", _hypot),
    ("broadcast_equal", compare(torch.eq), {"dunder": ("eq",)}),
    ("broadcast_not_equal", compare(torch.ne), {"dunder": ("ne",)}),
    ("broadcast_greater", compare(torch.gt), {"dunder": ("gt",)}),
    ("broadcast_greater_equal", compare(torch.ge), {"dunder": ("ge",)}),
    ("broadcast_lesser", compare(torch.lt), {"dunder": ("lt",)}),
    ("broadcast_lesser_equal", compare(torch.le), {"dunder": ("le",)}),
    ("broadcast_logical_and", logical(torch.logical_and), {"dunder": ("logical_and",)}),
    ("broadcast_logical_or", logical(torch.logical_or), {"dunder": ("logical_or",)}),
    ("broadcast_logical_xor", logical(torch.logical_xor), {"dunder": ("logical_xor",)}),
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
    ("_grad_add", torch.add),
    ("_scatter_elemwise_div", divide),
    (("_mod", "_Mod"), modulo, {"dunder": ("mod.symbol",)}),
    (("_power", "_Power"), power, {"dunder": ("pow.symbol",)}),
    (("_maximum", "_Maximum"), maximum, {"dunder": ("maximum.symbol",)}),
    (("_minimum", "_Minimum"), minimum, {"dunder": ("minimum.symbol",)}),
    (("_hypot", "_Hypot"), _hypot, {"dunder": ("hypot.symbol",)}),
    (("_equal", "_Equal"), compare(torch.eq), {"dunder": ("eq.symbol",)}),
    (("_not_equal", "_Not_Equal"), compare(torch.ne), {"dunder": ("ne.symbol",)}),
    (("_greater", "_Greater"), compare(torch.gt), {"dunder": ("gt.symbol",)}),
    (("_greater_equal", "_Greater_Equal"), compare(torch.ge), {"dunder": ("ge.symbol",)}),
    (("_lesser", "_Lesser"), compare(torch.lt), {"dunder": ("lt.symbol",)}),
    (("_lesser_equal", "_Lesser_Equal"), compare(torch.le), {"dunder": ("le.symbol",)}),
    (("_logical_and", "_Logical_And"), logical(torch.logical_and)),
    (("_logical_or", "_Logical_Or"), logical(torch.logical_or)),
    (("_logical_xor", "_Logical_Xor"), logical(torch.logical_xor)),
    fill=one_shape,
    infer=same,
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
    (("_power_scalar", "_PowerScalar"), power, {"dunder": ("pow.scalar",)}),
    (("_rpower_scalar", "_RPowerScalar"), power, True, {"dunder": ("rpow.scalar",)}),
    (
        ("_maximum_scalar", "_MaximumScalar", "_npi_maximum_scalar"),
        maximum,
        {"dunder": ("maximum.scalar",)},
    ),
    (
        ("_minimum_scalar", "_MinimumScalar", "_npi_minimum_scalar"),
        minimum,
        {"dunder": ("minimum.scalar",)},
    ),
    (("_hypot_scalar", "_HypotScalar", "_npi_hypot_scalar"), _hypot, {"dunder": ("hypot.scalar",)}),
    ("_scatter_plus_scalar", torch.add),
    ("_scatter_minus_scalar", torch.sub),
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
    (
        ("_logical_and_scalar", "_LogicalAndScalar"),
        logical(torch.logical_and),
        {"dunder": ("logical_and.scalar",)},
    ),
    (
        ("_logical_or_scalar", "_LogicalOrScalar"),
        logical(torch.logical_or),
        {"dunder": ("logical_or.scalar",)},
    ),
    (
        ("_logical_xor_scalar", "_LogicalXorScalar"),
        logical(torch.logical_xor),
        {"dunder": ("logical_xor.scalar",)},
    ),
    infer=same,
)


@op(
    "ElementWiseSum",
    "_sparse_add_n",
    "_sparse_ElementWiseSum",
    view=True,
    fill=one_shape,
    infer=same,
)
def add_n(*args: Tensor) -> Tensor:
    """The sum of arrays of one shape."""
    if any(x.shape != args[0].shape for x in args):
        raise MXNetShapeError("the arrays must have one shape")
    total = args[0]
    for x in args[1:]:
        total = total + x
    return total
