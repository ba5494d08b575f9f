"""Arithmetic and comparisons of two arrays, and of an array with a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxtorch._core import torch_compat
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op, rows, with_kernel
from mxtorch._ops._gradients import follows, with_slopes, without_slope
from mxtorch._ops._partial import same

TensorFn = Callable[[Any, Any], Tensor]


class Operation(NamedTuple):
    """What is computed of two values, and how to say it."""

    fn: TensorFn
    text: str


def divide(a: Any, b: Any) -> Tensor:
    """Division; whole numbers are divided and truncated toward zero.

    A number by whole numbers is divided in float32, and there x / 0 is infinite.
    """
    tensor = a if isinstance(a, Tensor) else b
    if tensor.is_floating_point():
        return torch.true_divide(a, b)
    if not isinstance(a, Tensor):
        return to_whole(torch.true_divide(a, tensor.float()), tensor.dtype)
    return torch.div(a, b, rounding_mode="trunc")


def typed(value: Any, data: Tensor) -> Any:
    """A number as an array of data's type would hold it."""
    if data.dtype is torch.bool:
        return value != 0
    if not data.is_floating_point():
        return _whole_number(value, data.dtype)
    if data.dtype is torch.float16:  # torch would compute with the number in float32
        return torch.tensor(value, dtype=torch.float16).item()
    return value


def _whole_number(value: Any, dtype: torch.dtype) -> int:
    """A number cut to whole as a processor does: beyond the 64 bits the lowest number."""
    bits = 64 if dtype is torch.int64 else 32
    low = -(1 << (bits - 1))
    whole = int(value) if math.isfinite(value) else low
    if not low <= whole < -low:
        whole = low
    size = 1 << torch.iinfo(dtype).bits
    whole %= size
    return whole - size if dtype.is_signed and whole >= size // 2 else whole


def beside_number(data: Tensor, is_int: bool) -> Tensor:
    """An array as it is computed with a number: whole numbers in float64 if that is none."""
    if data.is_floating_point():
        return data
    if not is_int:
        return data.double()
    return data.to(torch.int64) if data.dtype is torch.bool else data


def to_whole(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Floats cut to whole numbers as a processor does: those of 8 bits by way of 32."""
    small = not values.is_meta and dtype in (torch.int8, torch.uint8)
    return (values.to(torch.int32) if small else values).to(dtype)


def _remainder(a: Any, b: Any) -> Tensor:
    if not isinstance(b, Tensor):
        b = torch.full((), b, dtype=a.dtype, device=a.device)
    zero = b == 0
    return torch.remainder(a, b.masked_fill(zero, 1)).masked_fill(zero, 0)


def _power(a: Any, b: Any) -> Tensor:
    tensor = a if isinstance(a, Tensor) else b
    if tensor.is_floating_point():
        return torch.pow(a, b)
    base, exponent = (
        x.float().double() if isinstance(x, Tensor) else float(x)  # MXNet computes in float32
        for x in (a, b)
    )
    return to_whole(torch.pow(base, exponent).float(), tensor.dtype)  # type: ignore[arg-type]


def _hypot(a: Any, b: Any) -> Tensor:
    tensor = a if isinstance(a, Tensor) else b
    if not tensor.is_floating_point():
        wide = tensor.to(torch.float64)
        other = b if a is tensor else a
        other = other.to(torch.float64) if isinstance(other, Tensor) else float(other)
        return torch.sqrt(wide * wide + other * other).to(tensor.dtype)
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
    """a to the power b; whole numbers are computed in float32 and truncated.

    The gradient is nan where 0 / 0 or log(0)·0 is part of it.
    """
    number = a if isinstance(b, Tensor) else b
    if isinstance(number, Tensor) or number == 0:
        return _power_of_arrays(a, b)
    return _power(a, b)


def _by_slopes(a: Any, b: Any) -> bool:
    return isinstance(b, Tensor) or (follows(a) and not torch_compat.clamp_follows_ties())


def maximum(a: Any, b: Any) -> Tensor:
    """The larger of the two; nan wins."""
    return _larger(a, b) if _by_slopes(a, b) else torch.clamp_min(a, b)


def minimum(a: Any, b: Any) -> Tensor:
    """The smaller of the two; nan wins."""
    return _smaller(a, b) if _by_slopes(a, b) else torch.clamp_max(a, b)


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


_ADD = Operation(torch.add, "a + b")
_SUB = Operation(torch.sub, "a - b")
_MUL = Operation(torch.mul, "a * b")
_DIV = Operation(divide, "a / b; whole numbers are truncated toward zero")
_BY_ZERO = "with scalar=0 that from above, though forward is 0"
_MOD = Operation(modulo, "a % b, with the sign of b, and 0 where b is 0")
_POW = Operation(power, "a ** b")
_MAX = Operation(maximum, "the larger of a and b; nan wins, and a has the gradient at ties")
_MIN = Operation(minimum, "the smaller of a and b; nan wins, and a has the gradient at ties")
_HYPOT = Operation(_hypot, "the root of a² + b²")
_EQ = Operation(compare(torch.eq), "1 where a == b, else 0, in the type of a")
_NE = Operation(compare(torch.ne), "1 where a != b, else 0, in the type of a")
_GT = Operation(compare(torch.gt), "1 where a > b, else 0, in the type of a")
_GE = Operation(compare(torch.ge), "1 where a >= b, else 0, in the type of a")
_LT = Operation(compare(torch.lt), "1 where a < b, else 0, in the type of a")
_LE = Operation(compare(torch.le), "1 where a <= b, else 0, in the type of a")
_AND = Operation(logical(torch.logical_and), "1 where neither a nor b is 0, else 0")
_OR = Operation(logical(torch.logical_or), "1 where a or b is not 0, else 0")
_XOR = Operation(logical(torch.logical_xor), "1 where just one of a and b is 0, else 0")


def _check_no_bool(data: Tensor) -> None:
    # while shapes and types are inferred there is nothing to compute
    if data.dtype is torch.bool and not data.is_meta:
        raise MXNetTypeError("not for arrays of bool; convert them first, e.g. x.astype('int32')")


def broadcasting(operation: Operation) -> Callable[..., Tensor]:
    """A body for two arrays that broadcast against each other."""
    fn = operation.fn

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        _check_no_bool(lhs)
        return fn(lhs, rhs)

    body.__doc__ = f"For arrays a and b that broadcast: {operation.text}."
    return with_kernel(body, fn)


def one_shape(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    """An input without a shape has that of the others."""
    known = next((s for s in shapes if s is not None), None)
    return [known if s is None else s for s in shapes]


def elementwise(operation: Operation) -> Callable[..., Tensor]:
    """A body for two arrays of one shape."""
    fn = operation.fn

    def body(lhs: Tensor, rhs: Tensor) -> Tensor:
        _check_no_bool(lhs)
        if lhs.shape != rhs.shape:
            raise MXNetShapeError(
                f"the arrays must have one shape, got {tuple(lhs.shape)} and {tuple(rhs.shape)}; "
                "use the broadcast_ form"
            )
        return fn(lhs, rhs)

    body.__doc__ = f"For arrays a and b of one shape: {operation.text}."
    return body


def scalar(operation: Operation, swapped: bool = False) -> Callable[..., Tensor]:
    """A body for an array and a number; the number takes the array's type, truncated if whole."""
    fn = operation.fn

    def body(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
        data = beside_number(data, is_int)
        value = typed(scalar, data)
        return fn(value, data) if swapped else fn(data, value)

    names = "a number a and an array b" if swapped else "an array a and a number b"
    body.__doc__ = f"For {names}, cut to the array's type if `is_int`: {operation.text}."
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
        _ADD,
        {"dunder": ("add",)},
    ),
    (
        (
            "broadcast_sub",
            "broadcast_minus",
            "_sparse_broadcast_sub",
            "_sparse_broadcast_minus",
        ),
        _SUB,
        {"dunder": ("sub",)},
    ),
    (("broadcast_mul", "_sparse_broadcast_mul"), _MUL, {"dunder": ("mul",)}),
    (("broadcast_div", "_sparse_broadcast_div"), _DIV, {"dunder": ("truediv",)}),
    ("broadcast_mod", _MOD, {"dunder": ("mod",)}),
    ("broadcast_power", _POW, {"dunder": ("pow",)}),
    (("broadcast_maximum", "_npi_maximum"), _MAX, {"dunder": ("maximum",)}),
    (("broadcast_minimum", "_npi_minimum"), _MIN, {"dunder": ("minimum",)}),
    ("broadcast_hypot", _HYPOT),
    ("broadcast_equal", _EQ, {"dunder": ("eq",)}),
    ("broadcast_not_equal", _NE, {"dunder": ("ne",)}),
    ("broadcast_greater", _GT, {"dunder": ("gt",)}),
    ("broadcast_greater_equal", _GE, {"dunder": ("ge",)}),
    ("broadcast_lesser", _LT, {"dunder": ("lt",)}),
    ("broadcast_lesser_equal", _LE, {"dunder": ("le",)}),
    ("broadcast_logical_and", _AND, {"dunder": ("logical_and",)}),
    ("broadcast_logical_or", _OR, {"dunder": ("logical_or",)}),
    ("broadcast_logical_xor", _XOR, {"dunder": ("logical_xor",)}),
)
rows(
    elementwise,
    (
        ("elemwise_add", "_add", "_plus", "_Plus", "_sparse_elemwise_add"),
        _ADD,
        {"dunder": ("add.symbol",), "output_names": ("output",)},
    ),
    (
        ("elemwise_sub", "_sub", "_minus", "_Minus", "_sparse_elemwise_sub"),
        _SUB,
        {"dunder": ("sub.symbol",)},
    ),
    (
        ("elemwise_mul", "_mul", "_Mul", "_sparse_elemwise_mul"),
        _MUL,
        {"dunder": ("mul.symbol",)},
    ),
    (
        ("elemwise_div", "_div", "_Div", "_sparse_elemwise_div"),
        _DIV,
        {"dunder": ("truediv.symbol",)},
    ),
    ("_grad_add", _ADD),
    ("_scatter_elemwise_div", _DIV),
    (("_mod", "_Mod"), _MOD, {"dunder": ("mod.symbol",)}),
    (("_power", "_Power"), _POW, {"dunder": ("pow.symbol",)}),
    (("_maximum", "_Maximum"), _MAX, {"dunder": ("maximum.symbol",)}),
    (("_minimum", "_Minimum"), _MIN, {"dunder": ("minimum.symbol",)}),
    (("_hypot", "_Hypot"), _HYPOT, {"dunder": ("hypot.symbol",)}),
    (("_equal", "_Equal"), _EQ, {"dunder": ("eq.symbol",)}),
    (("_not_equal", "_Not_Equal"), _NE, {"dunder": ("ne.symbol",)}),
    (("_greater", "_Greater"), _GT, {"dunder": ("gt.symbol",)}),
    (("_greater_equal", "_Greater_Equal"), _GE, {"dunder": ("ge.symbol",)}),
    (("_lesser", "_Lesser"), _LT, {"dunder": ("lt.symbol",)}),
    (("_lesser_equal", "_Lesser_Equal"), _LE, {"dunder": ("le.symbol",)}),
    (("_logical_and", "_Logical_And"), _AND),
    (("_logical_or", "_Logical_Or"), _OR),
    (("_logical_xor", "_Logical_Xor"), _XOR),
    fill=one_shape,
    infer=same,
)
rows(
    scalar,
    (("_plus_scalar", "_PlusScalar"), _ADD, {"dunder": ("add.scalar",)}),
    (("_minus_scalar", "_MinusScalar"), _SUB, {"dunder": ("sub.scalar",)}),
    (("_rminus_scalar", "_RMinusScalar"), _SUB, True, {"dunder": ("rsub.scalar",)}),
    (("_mul_scalar", "_MulScalar"), _MUL, {"dunder": ("mul.scalar",)}),
    (("_div_scalar", "_DivScalar"), _DIV, {"dunder": ("truediv.scalar",)}),
    (("_rdiv_scalar", "_RDivScalar"), _DIV, True, {"dunder": ("rtruediv.scalar",)}),
    (("_mod_scalar", "_ModScalar"), _MOD, {"dunder": ("mod.scalar",), "gradient": _BY_ZERO}),
    (("_rmod_scalar", "_RModScalar"), _MOD, True, {"dunder": ("rmod.scalar",)}),
    (("_power_scalar", "_PowerScalar"), _POW, {"dunder": ("pow.scalar",)}),
    (("_rpower_scalar", "_RPowerScalar"), _POW, True, {"dunder": ("rpow.scalar",)}),
    (
        ("_maximum_scalar", "_MaximumScalar", "_npi_maximum_scalar"),
        _MAX,
        {"dunder": ("maximum.scalar",)},
    ),
    (
        ("_minimum_scalar", "_MinimumScalar", "_npi_minimum_scalar"),
        _MIN,
        {"dunder": ("minimum.scalar",)},
    ),
    (("_hypot_scalar", "_HypotScalar", "_npi_hypot_scalar"), _HYPOT, {"dunder": ("hypot.scalar",)}),
    ("_scatter_plus_scalar", _ADD),
    ("_scatter_minus_scalar", _SUB),
    (("_equal_scalar", "_EqualScalar"), _EQ, {"dunder": ("eq.scalar",)}),
    (("_not_equal_scalar", "_NotEqualScalar"), _NE, {"dunder": ("ne.scalar",)}),
    (("_greater_scalar", "_GreaterScalar"), _GT, {"dunder": ("gt.scalar",)}),
    (
        ("_greater_equal_scalar", "_GreaterEqualScalar"),
        _GE,
        {"dunder": ("ge.scalar",)},
    ),
    (("_lesser_scalar", "_LesserScalar"), _LT, {"dunder": ("lt.scalar",)}),
    (
        ("_lesser_equal_scalar", "_LesserEqualScalar"),
        _LE,
        {"dunder": ("le.scalar",)},
    ),
    (
        ("_logical_and_scalar", "_LogicalAndScalar"),
        _AND,
        {"dunder": ("logical_and.scalar",)},
    ),
    (
        ("_logical_or_scalar", "_LogicalOrScalar"),
        _OR,
        {"dunder": ("logical_or.scalar",)},
    ),
    (
        ("_logical_xor_scalar", "_LogicalXorScalar"),
        _XOR,
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
    if not args:
        raise MXNetValueError("needs at least one array")
    if any(x.shape != args[0].shape for x in args):
        raise MXNetShapeError("the arrays must have one shape")
    _check_no_bool(args[0])
    total = args[0]
    for x in args[1:]:
        total = total + x
    return total
