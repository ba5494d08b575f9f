"""`np.random` and `npx.random`."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._front.dialect import Dialect, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np.creation import at
from mxtorch._front.np_methods import given

_SPACE = "np.random"


def _draw(np: Dialect, op_name: str, params: dict[str, Any], **attrs: Any) -> Any:
    """Numbers as attributes, arrays as inputs; `size` () means none was given, as None does."""
    arrays = [v for v in params.values() if np.is_array(v)]
    numbers = {k: None if np.is_array(v) else v for k, v in params.items()}
    for name, value in numbers.items():
        if value is not None and not isinstance(value, NUMBERS):
            raise MXNetTypeError(f"{name} must be a number or an array, got {type(value).__name__}")
    if _is_scalar(attrs.get("size")):
        attrs["size"] = None
    return np[op_name](*arrays, **numbers, **attrs)


def _is_scalar(size: Any) -> bool:
    return size is None or (isinstance(size, tuple) and not size)


def _typed(dtype: Any) -> Any:
    return onp.float32 if dtype is None else dtype


@public(namespace=_SPACE)
def uniform(
    np: Dialect,
    low: Any = 0.0,
    high: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Uniform numbers of [low, high)."""
    params = {"low": low, "high": high}
    return _draw(
        np, "_npi_uniform", params, size=size, ctx=at(ctx), dtype=_typed(dtype), **given(out=out)
    )


@public(namespace=_SPACE)
def normal(
    np: Dialect,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Normal numbers."""
    params = {"loc": loc, "scale": scale}
    return _draw(
        np, "_npi_normal", params, size=size, ctx=at(ctx), dtype=_typed(dtype), **given(out=out)
    )


@public(namespace=_SPACE)
def lognormal(
    np: Dialect,
    mean: Any = 0.0,
    sigma: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """exp of normal numbers."""
    drawn = normal(np, mean, sigma, size, dtype, ctx)
    return np["_npi_exp"](drawn, **given(out=out))


@public(namespace=_SPACE)
def logistic(
    np: Dialect,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Logistic numbers."""
    params = {"loc": loc, "scale": scale}
    return _draw(np, "_npi_logistic", params, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def gumbel(
    np: Dialect,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Gumbel numbers."""
    params = {"loc": loc, "scale": scale}
    return _draw(np, "_npi_gumbel", params, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def exponential(
    np: Dialect, scale: Any = 1.0, size: Any = None, ctx: Context | None = None, out: Any = None
) -> Any:
    """Exponential numbers of mean `scale`."""
    return _draw(np, "_npi_exponential", {"scale": scale}, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def rayleigh(
    np: Dialect, scale: Any = 1.0, size: Any = None, ctx: Context | None = None, out: Any = None
) -> Any:
    """Rayleigh numbers."""
    return _draw(np, "_npi_rayleigh", {"scale": scale}, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def pareto(
    np: Dialect, a: Any, size: Any = None, ctx: Context | None = None, out: Any = None
) -> Any:
    """Pareto (Lomax) numbers."""
    return _draw(np, "_npi_pareto", {"a": a}, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def weibull(
    np: Dialect, a: Any, size: Any = None, ctx: Context | None = None, out: Any = None
) -> Any:
    """Weibull numbers."""
    return _draw(np, "_npi_weibull", {"a": a}, size=size, ctx=at(ctx), **given(out=out))


@public(namespace=_SPACE)
def power(np: Dialect, a: Any, size: Any = None) -> Any:
    """Numbers of density a * x ** (a - 1)."""
    return _draw(np, "_npi_powerd", {"a": a}, size=size)


@public(namespace=_SPACE)
def gamma(
    np: Dialect,
    shape: Any,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Gamma numbers."""
    params = {"shape": shape, "scale": scale}
    return _draw(
        np, "_npi_gamma", params, size=size, ctx=at(ctx), dtype=_typed(dtype), **given(out=out)
    )


@public(namespace=_SPACE)
def beta(
    np: Dialect, a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Context | None = None
) -> Any:
    """Beta numbers, from two gamma numbers each."""
    x = gamma(np, a, 1, size, "float64", ctx)
    y = gamma(np, b, 1, size, "float64", ctx)
    return (x / (x + y)).astype(_typed(dtype))


@public(namespace=_SPACE)
def chisquare(
    np: Dialect, df: Any, size: Any = None, dtype: Any = None, ctx: Context | None = None
) -> Any:
    """gamma(df / 2, 1 / 2): so it is in MXNet."""
    return gamma(np, df / 2, 1 / 2, size, dtype, ctx)


@public(namespace=_SPACE)
def rand(np: Dialect, *size: int, **kwargs: Any) -> Any:
    """Uniform numbers of [0, 1) of this shape."""
    return uniform(np, 0, 1, size, **kwargs)


@public(namespace=_SPACE)
def randn(np: Dialect, *size: int, **kwargs: Any) -> Any:
    """Normal numbers of mean 0 and deviation 1 of this shape."""
    return normal(np, 0, 1, size, **kwargs)


@public(namespace=_SPACE)
def randint(
    np: Dialect,
    low: int,
    high: int | None = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Whole numbers of [low, high), or of [0, low), int64 by default."""
    if high is None:
        low, high = 0, low
    kind = "int64" if dtype is None else dtype
    scalar = _is_scalar(size)
    call = np["_npi_random_randint"]
    if out is None and scalar:
        drawn = call(low=low, high=high, shape=1, ctx=at(ctx), dtype=kind)
        return np["_npi_reshape"](drawn, newshape=())
    extra = given(shape=None if scalar else size, out=out)
    return call(low=low, high=high, ctx=at(ctx), dtype=kind, **extra)


@public(namespace=_SPACE)
def multinomial(np: Dialect, n: int, pvals: Any, size: Any = None, **kwargs: Any) -> Any:
    """How often each class comes up in n draws."""
    if np.is_array(pvals):
        return np["_npi_multinomial"](pvals, n=n, pvals=None, size=size, **kwargs)
    if isinstance(pvals, onp.ndarray):
        raise ValueError("numpy ndarray is not supported!")
    if sum(pvals) > 1.0 + 1e-12:
        raise MXNetValueError("multinomial: sum(pvals[:-1]) > 1.0")
    return np["_npi_multinomial"](n=n, pvals=tuple(pvals), size=size, **kwargs)


@public(namespace=_SPACE)
def choice(
    np: Dialect,
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """Elements of a vector, or whole numbers below `a`, with or without replacement."""
    arrays = [t for t in (a, p) if np.is_array(t)]
    return np["_npi_choice"](
        *arrays,
        a=None if np.is_array(a) else a,
        size=size,
        ctx=at(ctx),
        replace=replace,
        weighted=p is not None,
        **given(out=out),
    )


@public(namespace=_SPACE)
def shuffle(np: Dialect, x: Any) -> None:
    """The rows in random order, in place."""
    np["_npi_shuffle"](x, out=x)


@public(namespace="npx.random")
def bernoulli(
    np: Dialect,
    prob: Any = None,
    logit: Any = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
    out: Any = None,
) -> Any:
    """1 with a probability, given itself or as its logit, else 0."""
    if (prob is None) == (logit is None):
        raise ValueError(
            "Either `prob` or `logit` must be specified, but not both. "
            f"Received prob={prob}, logit={logit}"
        )
    value = logit if prob is None else prob
    arrays = [value] if np.is_array(value) else []
    number = None if arrays else value
    return np["_npi_bernoulli"](
        *arrays,
        prob=number if logit is None else None,
        logit=number if prob is None else None,
        is_logit=prob is None,
        size=None if _is_scalar(size) else size,
        ctx=at(ctx),
        dtype=_typed(dtype),
        **given(out=out),
    )


@public(namespace="npx.random")
def uniform_n(
    np: Dialect,
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
) -> Any:
    """Uniform numbers, `batch_shape` of them for each pair of bounds."""
    params = {"low": low, "high": high}
    return _draw(np, "_npi_uniform_n", params, size=batch_shape, ctx=at(ctx), dtype=_typed(dtype))


@public(namespace="npx.random")
def normal_n(
    np: Dialect,
    loc: Any = 0.0,
    scale: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Context | None = None,
) -> Any:
    """Normal numbers, `batch_shape` of them for each pair of parameters."""
    params = {"loc": loc, "scale": scale}
    return _draw(np, "_npi_normal_n", params, size=batch_shape, ctx=at(ctx), dtype=_typed(dtype))
