"""Functions of one array, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.attrs import DType
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.op import Attrs, op, rows, with_kernel
from mxtorch._core.pending import Function
from mxtorch._core.whole import cast
from mxtorch._ops._gradients import run_function, single, without_slope
from mxtorch._ops._partial import one_by_one, same
from mxtorch._ops.binary import to_whole

TensorFn = Callable[[Tensor], Tensor]


def check_number(data: Tensor) -> None:
    """MXNet's arithmetic has no booleans."""
    if data.dtype is torch.bool:
        raise MXNetTypeError("not defined for bool arrays; convert with astype first")


def analytic(fn: TensorFn, text: str) -> TensorFn:
    """A body for a function of real numbers; whole numbers are computed in float64, truncated."""

    def body(data: Tensor) -> Tensor:
        if data.is_floating_point():
            return fn(data)
        check_number(data)
        return fn(data.double()).to(data.dtype)

    body.__doc__ = text
    return with_kernel(body, fn)


def arithmetic(fn: TensorFn, text: str) -> TensorFn:
    """A body for a function that stays within its type, whole numbers included."""

    def body(data: Tensor) -> Tensor:
        if data.dtype is torch.bool:
            check_number(data)
        return fn(data)

    body.__doc__ = text
    return with_kernel(body, fn)


def flat(fn: TensorFn, text: str) -> TensorFn:
    """A body for a step function: its gradient is zero; whole numbers stay as they are."""

    def body(data: Tensor) -> Tensor:
        if data.is_floating_point():
            return fn(data)
        check_number(data)
        return data.clone()

    body.__doc__ = text
    return with_kernel(body, fn)


def square(x: Tensor) -> Tensor:
    """The square; MXNet computes that of whole numbers in float32."""
    return torch.square(x) if x.is_floating_point() else to_whole(torch.square(x.float()), x.dtype)


def round_away(x: Tensor) -> Tensor:
    """Round to the nearest whole number, halves away from zero."""
    whole = torch.trunc(x)  # where it is the result, it keeps the sign of zero
    return torch.where((x - whole).abs() >= 0.5, whole + torch.sign(x), whole)


def round_down(x: Tensor) -> Tensor:
    """Round to the nearest whole number, halves down."""
    low, high = torch.floor(x), torch.ceil(x)
    return torch.where(x - low <= high - x, low, high)


class _CubeRoot(Function):
    """The real cube root; torch has none whose gradient is right for negative numbers."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        wide = x.double()
        root = torch.sign(wide) * wide.abs().pow(1 / 3)
        correction = (root * root * root - wide) / (3 * root * root)
        return torch.where(root.isfinite() & (root != 0), root - correction, root).to(x.dtype)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        root: Tensor = ctx.saved_tensors[0]
        return grad / (3 * root * root)


def cbrt(x: Tensor) -> Tensor:
    """The real cube root."""
    return run_function(_CubeRoot, x)


def psi(x: Tensor) -> Tensor:
    """The logarithmic derivative of gamma; infinite at zero and the negative whole numbers."""
    return torch.digamma(x).masked_fill((x <= 0) & (x == torch.floor(x)), math.inf)


def _with_other_sign(slope: Tensor) -> Tensor:
    """The same values, whose derivative is the negative one."""
    turned = 2 * slope.detach() - slope
    return torch.where(slope.isinf(), slope, turned)


class _OfInput(Function):
    """A function whose derivative is worked out from its input."""

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])


class _ArcCosh(_OfInput):
    """arcosh(x), whose second derivative has MXNet's sign: the other one."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.acosh(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad * _with_other_sign(torch.rsqrt(x * x - 1))


class _ArcSinh(_OfInput):
    """arsinh(x), likewise."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.asinh(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad * _with_other_sign(torch.rsqrt(x * x + 1))


class _SoftSign(_OfInput):
    """x / (1 + |x|), whose slope at infinity is 0."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.nn.functional.softsign(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad / torch.square(1 + x.abs())


class _GammaLn(_OfInput):
    """log |gamma(x)|, with MXNet's signs at the poles in its gradient."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.lgamma(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * psi(ctx.saved_tensors[0])


class _Gamma(Function):
    """gamma(x), through its logarithm in float64."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        wide = x.double()
        floor = torch.floor(wide)
        size = torch.exp(torch.lgamma(wide))
        value = torch.where((wide < 0) & (floor % 2 != 0), -size, size)
        return value.masked_fill((wide < 0) & (wide == floor), math.nan).to(x.dtype)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], output)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        x: Tensor = ctx.saved_tensors[0]
        value: Tensor = ctx.saved_tensors[1]
        return grad * value * psi(x)


# MXNet's factors are float32, also for float64 arrays
_DEGREES = 57.2957763671875
_RADIANS = 0.01745329238474369


def logical_not(x: Tensor) -> Tensor:
    """1 where zero, else 0, in the array's own type."""
    return without_slope((x == 0).to(x.dtype), x)


def _sparse(name: str) -> tuple[str, str]:
    return name, f"_sparse_{name}"


_METHOD = {"method": True}

rows(
    analytic,
    (_sparse("exp"), torch.exp, "The exponential.", _METHOD),
    (_sparse("log"), torch.log, "The natural logarithm.", _METHOD),
    (_sparse("sqrt"), torch.sqrt, "The square root.", _METHOD),
    (_sparse("rsqrt"), torch.rsqrt, "The inverse of the square root.", _METHOD),
    (_sparse("cbrt"), cbrt, "The real cube root.", _METHOD),
    ("rcbrt", lambda x: cbrt(x).reciprocal(), "The inverse of the cube root.", _METHOD),
    ("reciprocal", torch.reciprocal, "The inverse.", _METHOD),
    (_sparse("log1p"), torch.log1p, "The logarithm of 1 + data.", _METHOD),
    (_sparse("expm1"), torch.expm1, "The exponential less 1.", _METHOD),
    (_sparse("log2"), torch.log2, "The logarithm to base 2.", _METHOD),
    (_sparse("log10"), torch.log10, "The logarithm to base 10.", _METHOD),
    (_sparse("sin"), torch.sin, "The sine.", _METHOD),
    (_sparse("cos"), torch.cos, "The cosine.", _METHOD),
    (_sparse("tan"), torch.tan, "The tangent.", _METHOD),
    (_sparse("arcsin"), torch.asin, "The inverse sine, in radians.", _METHOD),
    (_sparse("arccos"), torch.acos, "The inverse cosine, in radians.", _METHOD),
    (_sparse("arctan"), torch.atan, "The inverse tangent, in radians.", _METHOD),
    (_sparse("sinh"), torch.sinh, "The hyperbolic sine.", _METHOD),
    (_sparse("cosh"), torch.cosh, "The hyperbolic cosine.", _METHOD),
    (_sparse("tanh"), torch.tanh, "The hyperbolic tangent.", _METHOD),
    (_sparse("arcsinh"), partial(run_function, _ArcSinh), "The inverse hyperbolic sine.", _METHOD),
    (
        _sparse("arccosh"),
        partial(run_function, _ArcCosh),
        "The inverse hyperbolic cosine.",
        _METHOD,
    ),
    (_sparse("arctanh"), torch.atanh, "The inverse hyperbolic tangent.", _METHOD),
    (_sparse("degrees"), lambda x: x * _DEGREES, "Radians to degrees.", _METHOD),
    (_sparse("radians"), lambda x: x * _RADIANS, "Degrees to radians.", _METHOD),
    (
        ("gamma", "_npx_gamma", "_sparse_gamma"),
        partial(run_function, _Gamma),
        "The gamma function.",
    ),
    (
        ("gammaln", "_npx_gammaln", "_sparse_gammaln"),
        partial(run_function, _GammaLn),
        "The logarithm of the gamma function's absolute value.",
    ),
    (("erf", "_npx_erf"), torch.erf, "The error function."),
    (("erfinv", "_npx_erfinv"), torch.erfinv, "The inverse error function."),
    (_sparse("sigmoid"), torch.sigmoid, "1 / (1 + exp(-data)).", _METHOD),
    ("softsign", partial(run_function, _SoftSign), "data / (1 + |data|)."),
    infer=same,
)
rows(
    arithmetic,
    (_sparse("square"), square, "The square.", _METHOD),
    (_sparse("abs"), torch.abs, "The absolute value; its gradient at 0 is 0.", _METHOD),
    (_sparse("sign"), torch.sign, "-1, 0 or 1.", _METHOD),
    (_sparse("negative"), torch.neg, "The values with the other sign."),
    ("logical_not", logical_not, "1 where zero, else 0, in the array's own type."),
    (_sparse("relu"), torch.relu, "The values above zero, else zero.", _METHOD),
    infer=same,
)
rows(
    flat,
    (_sparse("round"), round_away, "The nearest whole number, halves away from zero.", _METHOD),
    (_sparse("rint"), round_down, "The nearest whole number, halves down.", _METHOD),
    (_sparse("fix"), torch.trunc, "The whole number next in the direction of zero.", _METHOD),
    (_sparse("floor"), torch.floor, "The whole number next below.", _METHOD),
    (_sparse("ceil"), torch.ceil, "The whole number next above.", _METHOD),
    (_sparse("trunc"), torch.trunc, "The whole number next in the direction of zero.", _METHOD),
    infer=same,
)


@op("identity", view=True, infer=same)
def _copy(data: Tensor) -> Tensor:
    """The same values in an array of their own."""
    return data


@op("stop_gradient", "_sparse_stop_gradient", infer=same, gradient="zero")
def BlockGrad(data: Tensor) -> Tensor:
    """The same values; gradients stop here."""
    return without_slope(data.detach().clone(), data)


class _Ones(Function):
    """Identity whose gradient is one, whatever comes from above."""

    @staticmethod
    def forward(data: Tensor) -> Tensor:
        return data.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.headless = True

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return torch.ones_like(grad)


@op(
    "_sparse_make_loss",
    infer=same,
    output_names=("loss",),
    gradient="one, whatever gradient comes from above",
)
def make_loss(data: Tensor) -> Tensor:
    """The same values as the head of a graph."""
    return run_function(_Ones, data)


@op("_sparse_zeros_like", method=True, infer=same)
def zeros_like(data: Tensor) -> Tensor:
    """Zeros of the same shape and type."""
    return without_slope(torch.zeros_like(data), data)


@op(method=True, infer=same)
def ones_like(data: Tensor) -> Tensor:
    """Ones of the same shape and type."""
    return without_slope(torch.ones_like(data), data)


@op("cast", "_npi_cast", "_npx_cast", method=("cast",), infer=same)
def Cast(data: Tensor, *, dtype: DType) -> Tensor:
    """The values in another type; toward zero where it is whole."""
    return cast(data, dtype)


@op(amp=True, infer=same)
def amp_cast(data: Tensor, *, dtype: DType) -> Tensor:
    """As Cast; whole numbers stay as they are."""
    return data.to(dtype, copy=True) if data.is_floating_point() else data.clone()


_AMP_TYPES = (torch.float16, torch.bfloat16, torch.float32)  # narrow first


def _multicast_count(attrs: Attrs) -> int:
    return int(attrs["num_outputs"])


@op(outputs=_multicast_count, count="num_outputs", mixed=True, amp=True, infer=one_by_one)
def amp_multicast(*data: Tensor, num_outputs: int, cast_narrow: bool = False) -> tuple[Tensor, ...]:
    """Arrays of 16 and 32 bits in the wider of their types, or the narrower; others stay."""
    if len(data) != num_outputs:
        raise MXNetValueError(f"num_outputs={num_outputs}, but {len(data)} arrays were given")
    kinds = {x.dtype for x in data if x.dtype in _AMP_TYPES}
    pick = min if cast_narrow else max
    dtype = pick(kinds, key=_AMP_TYPES.index, default=torch.float32)
    return tuple(x.to(dtype, copy=True) if x.dtype in kinds else x.clone() for x in data)


@op("_npi_clip", "_sparse_clip", method=True, infer=same)
def clip(data: Tensor, *, a_min: float, a_max: float) -> Tensor:
    """Values below `a_min` become it, values above `a_max` that."""
    if not data.is_floating_point():
        check_number(data)
        # the limits are compared as they are, and cut where they are taken
        low, high = (torch.as_tensor(n, device=data.device).to(data.dtype) for n in (a_min, a_max))
        wide = data.to(torch.int64)
        return torch.where(wide > a_max, high, torch.where(wide < a_min, low, data))
    if data.dtype is torch.float64:
        a_min, a_max = single(a_min, data), single(a_max, data)
    if a_min <= a_max and not data.requires_grad:
        return torch.clamp(data, a_min, a_max)
    inner = torch.where(data < a_min, a_min, data)
    return torch.where(data > a_max, a_max, inner)


@op("_npx_smooth_l1", infer=same)
def smooth_l1(data: Tensor, *, scalar: float = 1.0) -> Tensor:
    """Half the square of `scalar * data` near zero, the distance less a constant elsewhere."""
    if not data.is_floating_point():
        return smooth_l1(data.double(), scalar=float(int(scalar))).to(data.dtype)
    if data.dtype is torch.float16 and data.is_cpu:  # torch 2.6 has no gradient of it there
        return smooth_l1(data.float(), scalar=scalar).half()
    square = scalar * scalar
    if not square:
        return data * data * 0.0
    return torch.nn.functional.smooth_l1_loss(
        data, torch.zeros_like(data), beta=1 / square, reduction="none"
    )
