"""Functions of one or two arrays, element by element, and their like in NumPy for numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as onp

from mxtorch._front.dialect import Dialect, family, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np_methods import given
from mxtorch.util import check_ufunc_options


def unsupported(value: Any) -> TypeError:
    """The error for what is neither an array nor a number."""
    return TypeError(f"type {type(value)} not supported")


def _of_number(name: str) -> Callable[..., Any]:
    """NumPy's function for a number; steps of whole ones are floats, as in NumPy 1."""
    function: Callable[..., Any] = getattr(onp, {"fabs": "abs", "fix": "trunc"}.get(name, name))
    if name not in ("ceil", "fix", "floor", "trunc"):
        return function

    def step(x: Any) -> Any:
        return function(onp.asarray(x) * onp.float16(1))

    return step


def unary(np: Dialect, name: str, op_name: str, text: str) -> Callable[..., Any]:
    """A function of an array; a number goes to NumPy."""
    call, of_number, cls = np[op_name], _of_number(name), np.cls

    def function(x: Any, out: Any = None, **kwargs: Any) -> Any:
        if kwargs:
            check_ufunc_options(name, kwargs)
        if isinstance(x, NUMBERS):  # as in MXNet `out` is left alone
            return of_number(x)
        if isinstance(x, cls) or hasattr(x, "_kind") or hasattr(x, "_outputs"):
            return call(x) if out is None else call(x, out=out)
        raise unsupported(x)

    function.__doc__ = f"{text}, element by element; a number gives a NumPy scalar."
    return function


def as_scalars(*numbers: Any) -> Sequence[Any]:
    """Python's numbers in NumPy's types beside NumPy's own: in NumPy 1 those do not decide."""
    if any(isinstance(n, onp.generic) for n in numbers):
        return [onp.asarray(n)[()] for n in numbers]
    return numbers


def binary(
    np: Dialect,
    name: str,
    op_name: str,
    text: str,
    left: str | None = None,
    options: bool = True,
) -> Callable[..., Any]:
    """A function of arrays or numbers; `left`: the operator for a number on the left.

    `options`: whether it takes the options of NumPy's ufuncs.
    """
    call, with_number = np[op_name], np[f"{op_name}_scalar"]
    of_left, cls = np[left or f"{op_name}_scalar"], np.cls
    of_numbers = getattr(onp, name)

    def compute(x1: Any, x2: Any, out: Any) -> Any:
        extra = {} if out is None else {"out": out}
        if isinstance(x1, NUMBERS):
            if isinstance(x2, NUMBERS):
                return of_numbers(*as_scalars(x1, x2), out=out)
            if not isinstance(x2, cls):
                raise unsupported(x2)
            return of_left(x2, scalar=float(x1), **np.noted(is_int=False), **extra)
        if not isinstance(x1, cls):
            raise unsupported(x1)
        if isinstance(x2, NUMBERS):
            noted = np.noted(is_int=isinstance(x2, (int, onp.integer)))
            return with_number(x1, scalar=float(x2), **noted, **extra)
        if not isinstance(x2, cls):
            raise unsupported(x2)
        return call(x1, x2, **extra)

    if options:

        def function(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
            if kwargs:
                check_ufunc_options(name, kwargs)
            return compute(x1, x2, out)
    else:

        def function(x1: Any, x2: Any, out: Any = None) -> Any:  # type: ignore[misc]  # no options
            return compute(x1, x2, out)

    function.__doc__ = f"{text}, element by element; two numbers give a NumPy scalar."
    return function


family(
    unary,
    ("exp", "_npi_exp", "The exponential"),
    ("expm1", "_npi_expm1", "The exponential less 1"),
    ("log", "_npi_log", "The natural logarithm"),
    ("log2", "_npi_log2", "The logarithm to base 2"),
    ("log10", "_npi_log10", "The logarithm to base 10"),
    ("log1p", "_npi_log1p", "The logarithm of 1 + x"),
    ("sqrt", "_npi_sqrt", "The square root"),
    ("cbrt", "_npi_cbrt", "The cube root"),
    ("square", "_npi_square", "The square"),
    ("reciprocal", "_npi_reciprocal", "The inverse"),
    ("absolute", "_npi_absolute", "The absolute value"),
    (("abs", "fabs"), "_npi_abs", "The absolute value"),
    ("sign", "_npi_sign", "-1, 0 or 1"),
    ("negative", "_npi_negative", "The values with the other sign"),
    ("sin", "_npi_sin", "The sine"),
    ("cos", "_npi_cos", "The cosine"),
    ("tan", "_npi_tan", "The tangent"),
    ("arcsin", "_npi_arcsin", "The inverse sine"),
    ("arccos", "_npi_arccos", "The inverse cosine"),
    ("arctan", "_npi_arctan", "The inverse tangent"),
    ("sinh", "_npi_sinh", "The hyperbolic sine"),
    ("cosh", "_npi_cosh", "The hyperbolic cosine"),
    ("tanh", "_npi_tanh", "The hyperbolic tangent"),
    ("arcsinh", "_npi_arcsinh", "The inverse hyperbolic sine"),
    ("arccosh", "_npi_arccosh", "The inverse hyperbolic cosine"),
    ("arctanh", "_npi_arctanh", "The inverse hyperbolic tangent"),
    (("degrees", "rad2deg"), "_npi_degrees", "Radians to degrees"),
    (("radians", "deg2rad"), "_npi_radians", "Degrees to radians"),
    ("rint", "_npi_rint", "The nearest whole number, halves down"),
    ("fix", "_npi_fix", "The whole number next in the direction of zero"),
    ("floor", "_npi_floor", "The whole number next below"),
    ("ceil", "_npi_ceil", "The whole number next above"),
    ("trunc", "_npi_trunc", "The whole number next in the direction of zero"),
    ("logical_not", "_npi_logical_not", "Whether it is 0"),
    ("isnan", "_npi_isnan", "Whether it is nan"),
    ("isinf", "_npi_isinf", "Whether it is infinite"),
    ("isfinite", "_npi_isfinite", "Whether it is neither infinite nor nan"),
    ("isposinf", "_npi_isposinf", "Whether it is positive infinity"),
    ("isneginf", "_npi_isneginf", "Whether it is negative infinity"),
    (("bitwise_not", "invert"), "_npi_bitwise_not", "The bits inverted"),
)
family(
    binary,
    ("add", "_npi_add", "x1 + x2"),
    ("subtract", "_npi_subtract", "x1 - x2", "_npi_rsubtract_scalar"),
    ("multiply", "_npi_multiply", "x1 * x2"),
    ("divide", "_npi_true_divide", "x1 / x2", "_npi_rtrue_divide_scalar"),
    ("true_divide", "_npi_true_divide", "x1 / x2", "_npi_rtrue_divide_scalar", False),
    (("mod", "remainder"), "_npi_mod", "x1 % x2", "_npi_rmod_scalar"),
    ("power", "_npi_power", "x1 ** x2", "_npi_rpower_scalar"),
    ("maximum", "_npi_maximum", "The larger of the two"),
    ("minimum", "_npi_minimum", "The smaller of the two"),
    ("hypot", "_npi_hypot", "The root of x1² + x2²"),
    ("arctan2", "_npi_arctan2", "The angle of (x2, x1)", "_npi_rarctan2_scalar"),
    ("copysign", "_npi_copysign", "x1 with the sign of x2", "_npi_rcopysign_scalar"),
    ("ldexp", "_npi_ldexp", "x1 * 2 ** x2", "_npi_rldexp_scalar"),
    ("lcm", "_npi_lcm", "The least common multiple"),
    ("bitwise_and", "_npi_bitwise_and", "AND of the bits"),
    ("bitwise_or", "_npi_bitwise_or", "OR of the bits"),
    ("bitwise_xor", "_npi_bitwise_xor", "XOR of the bits"),
    ("equal", "_npi_equal", "Whether both are equal", None, False),
    ("not_equal", "_npi_not_equal", "Whether both differ", None, False),
    ("greater", "_npi_greater", "Whether x1 > x2", "_npi_less_scalar", False),
    ("greater_equal", "_npi_greater_equal", "Whether x1 >= x2", "_npi_less_equal_scalar", False),
    ("less", "_npi_less", "Whether x1 < x2", "_npi_greater_scalar", False),
    ("less_equal", "_npi_less_equal", "Whether x1 <= x2", "_npi_greater_equal_scalar", False),
)


@public("around", "round", "round_")
def around(np: Dialect, x: Any, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """Rounded to that many decimals, halves to even."""
    check_ufunc_options("around", kwargs)
    if isinstance(x, NUMBERS):
        return onp.around(x, decimals)
    if not np.is_array(x):
        raise unsupported(x)
    return np["_npi_around"](x, decimals=decimals, **given(out=out))


@public()
def nan_to_num(
    np: Dialect,
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    **kwargs: Any,
) -> Any:
    """nan and infinities replaced; in place without `copy`."""
    if isinstance(x, NUMBERS):
        return onp.nan_to_num(x, copy, nan, posinf, neginf)
    if not np.is_array(x):
        raise unsupported(x)
    extra = {} if copy else {"out": x}
    call = np["_npi_nan_to_num"]
    return call(x, copy=copy, nan=nan, posinf=posinf, neginf=neginf, **extra)


@public()
def clip(np: Dialect, a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """Values below `a_min` become it, those above `a_max` that; either may be None."""
    if a_min is None and a_max is None:
        raise ValueError("array_clip: must set either max or min")
    low = -float("inf") if a_min is None else a_min
    high = float("inf") if a_max is None else a_max
    if isinstance(a, NUMBERS):
        return onp.clip(a, a_min, a_max)
    return np["_npi_clip"](a, a_min=low, a_max=high, **given(out=out))
