"""Functions of one `mx.np` array, element by element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from mxtorch._core.op import op, rows, with_kernel
from mxtorch._ops._gradients import constant, without_slope
from mxtorch._ops._partial import same
from mxtorch._ops.np_binary import bits_of
from mxtorch._ops.unary import (
    _DEGREES,
    _RADIANS,
    analytic,
    arithmetic,
    cbrt,
    flat,
    round_down,
    square,
)

TensorFn = Callable[[Tensor], Tensor]


def _of_x(factory: Callable[..., TensorFn], fn: TensorFn, text: str) -> TensorFn:
    """A legacy family's body, whose input is called x here."""
    inner = factory(fn, text)

    def body(x: Tensor) -> Tensor:
        return inner(x)

    body.__doc__ = text
    return with_kernel(body, fn)


def _test(fn: TensorFn, text: str) -> TensorFn:
    """A body whose results are booleans."""

    def body(x: Tensor) -> Tensor:
        return fn(x)

    body.__doc__ = text
    return constant(body)


rows(
    partial(_of_x, analytic),
    ("_npi_exp", torch.exp, "The exponential."),
    ("_npi_expm1", torch.expm1, "The exponential less 1."),
    ("_npi_log", torch.log, "The natural logarithm."),
    ("_npi_log2", torch.log2, "The logarithm to base 2."),
    ("_npi_log10", torch.log10, "The logarithm to base 10."),
    ("_npi_log1p", torch.log1p, "The logarithm of 1 + x."),
    ("_npi_sqrt", torch.sqrt, "The square root."),
    ("_npi_cbrt", cbrt, "The real cube root."),
    ("_npi_reciprocal", torch.reciprocal, "The inverse."),
    ("_npi_sin", torch.sin, "The sine."),
    ("_npi_cos", torch.cos, "The cosine."),
    ("_npi_tan", torch.tan, "The tangent."),
    ("_npi_arcsin", torch.asin, "The inverse sine, in radians."),
    ("_npi_arccos", torch.acos, "The inverse cosine, in radians."),
    ("_npi_arctan", torch.atan, "The inverse tangent, in radians."),
    ("_npi_sinh", torch.sinh, "The hyperbolic sine."),
    ("_npi_cosh", torch.cosh, "The hyperbolic cosine."),
    ("_npi_tanh", torch.tanh, "The hyperbolic tangent."),
    ("_npi_arcsinh", torch.asinh, "The inverse hyperbolic sine."),
    ("_npi_arccosh", torch.acosh, "The inverse hyperbolic cosine."),
    ("_npi_arctanh", torch.atanh, "The inverse hyperbolic tangent."),
    ("_npi_degrees", lambda x: x * _DEGREES, "Radians to degrees."),
    ("_npi_radians", lambda x: x * _RADIANS, "Degrees to radians."),
    infer=same,
)
rows(
    partial(_of_x, arithmetic),
    ("_npi_square", square, "The square."),
    (("_npi_absolute", "_npi_abs"), torch.abs, "The absolute value; its gradient at 0 is 0."),
    ("_npi_sign", torch.sign, "-1, 0 or 1."),
    ("_npi_negative", torch.neg, "The values with the other sign."),
    infer=same,
)
rows(
    partial(_of_x, flat),
    ("_npi_rint", round_down, "The nearest whole number, halves down."),
    ("_npi_fix", torch.trunc, "The whole number next in the direction of zero."),
    ("_npi_floor", torch.floor, "The whole number next below."),
    ("_npi_ceil", torch.ceil, "The whole number next above."),
    ("_npi_trunc", torch.trunc, "The whole number next in the direction of zero."),
    infer=same,
)
rows(
    _test,
    ("_npi_logical_not", torch.logical_not, "Whether the elements are zero."),
    ("_npi_isnan", torch.isnan, "Whether the elements are nan."),
    ("_npi_isinf", torch.isinf, "Whether the elements are infinite."),
    ("_npi_isfinite", torch.isfinite, "Whether the elements are neither infinite nor nan."),
    ("_npi_isposinf", torch.isposinf, "Whether the elements are positive infinity."),
    ("_npi_isneginf", torch.isneginf, "Whether the elements are negative infinity."),
    infer=same,
)


@op(infer=same)
def _npi_bitwise_not(x: Tensor) -> Tensor:
    """The bits inverted; of booleans the contrary."""
    return torch.bitwise_not(bits_of(x))


@op(infer=same)
def _npi_around(x: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounded to that many decimals, halves to even (of whole numbers: toward zero).

    The gradient is zero.
    """
    if x.is_floating_point():
        scaled = x.detach() * 10.0**decimals
        whole = torch.round(scaled).masked_fill(scaled == -0.5, 0)
        return without_slope(whole * 10.0**-decimals, x)
    if decimals >= 0:
        return x.clone()
    unit = 10**-decimals
    return torch.mul(torch.div(x, unit, rounding_mode="trunc"), unit)


@op(name="_npi_nan_to_num", infer=same)
def nan_to_num(
    data: Tensor,
    *,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """nan and infinities replaced; by default by 0 and the largest numbers of the type."""
    if not data.is_floating_point():
        return data.clone()
    return torch.nan_to_num(data, nan, posinf, neginf)
