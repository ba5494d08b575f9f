"""`nd.random.uniform` and its kin, for arrays and symbols alike.

Each takes numbers or arrays as parameters and calls the operator for that form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core.attrs import _Null
from mxtorch._core.errors import MXNetValueError
from mxtorch._core.op import Op, find_op

NUMBERS = (int, float, np.generic)


class RandomFunctions:
    """The functions of one `random` namespace; `make` gives an operator's function there.

    `default_shape` is that of number parameters without `shape` and `out`.
    """

    def __init__(
        self, make: Callable[[Op], Callable[..., Any]], array: type, default_shape: Any
    ) -> None:
        self._make = make
        self._array = array
        self._default_shape = default_shape
        self._made: dict[str, Callable[..., Any]] = {}

    def _call(self, name: str) -> Callable[..., Any]:
        if name not in self._made:
            self._made[name] = self._make(find_op(name))
        return self._made[name]

    def _draw(
        self,
        distribution: str,
        params: dict[str, Any],
        names: tuple[str, ...],
        shape: Any,
        dtype: Any,
        ctx: Any,
        out: Any,
        kwargs: dict[str, Any],
    ) -> Any:
        """Numbers for number parameters, or for arrays of them; `names` are those of the arrays."""
        values = list(params.values())
        if dtype is None:
            dtype = "float64"  # np.dtype(None), which MXNet makes of it
        if isinstance(values[0], self._array):
            self._check(values, self._array)
            arrays = dict(zip(names, values, strict=True))
            return self._call(f"_sample_{distribution}")(
                **arrays, shape=shape, dtype=dtype, out=out, **kwargs
            )
        if not isinstance(values[0], NUMBERS):
            raise MXNetValueError(
                "Distribution parameters must be either "
                f"{self._array.__name__} or numbers, but got {type(values[0])}."
            )
        self._check(values, NUMBERS)
        if shape is _Null and out is None:
            shape = self._default_shape
        if ctx is not None:
            kwargs["ctx"] = ctx
        return self._call(f"_random_{distribution}")(
            **params, shape=shape, dtype=dtype, out=out, **kwargs
        )

    @staticmethod
    def _check(values: list[Any], kind: Any) -> None:
        for value in values[1:]:
            assert isinstance(value, kind), (
                "Distribution parameters must all have the same type, but got both "
                f"{type(values[0])} and {type(value)}."
            )

    def uniform(
        self,
        low: Any = 0,
        high: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Uniform numbers of [low, high]; arrays as bounds give `shape` numbers for each pair."""
        params = {"low": low, "high": high}
        return self._draw("uniform", params, ("low", "high"), shape, dtype, ctx, out, kwargs)

    def normal(
        self,
        loc: Any = 0,
        scale: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Normal numbers of mean `loc` and standard deviation `scale`."""
        params = {"loc": loc, "scale": scale}
        return self._draw("normal", params, ("mu", "sigma"), shape, dtype, ctx, out, kwargs)

    def randn(self, *shape: int, **kwargs: Any) -> Any:
        """Normal numbers of this shape; `loc`, `scale`, `dtype`, `ctx` and `out` by keyword."""
        loc, scale = kwargs.pop("loc", 0), kwargs.pop("scale", 1)
        dtype, ctx = kwargs.pop("dtype", _Null), kwargs.pop("ctx", None)
        out = kwargs.pop("out", None)
        params = {"loc": loc, "scale": scale}
        return self._draw("normal", params, ("mu", "sigma"), shape, dtype, ctx, out, kwargs)

    def exponential(
        self,
        scale: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Exponential numbers of mean `scale`."""
        params = {"lam": 1.0 / scale}
        return self._draw("exponential", params, ("lam",), shape, dtype, ctx, out, kwargs)

    def gamma(
        self,
        alpha: Any = 1,
        beta: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Gamma numbers of shape `alpha` and scale `beta` (mean alpha * beta)."""
        params = {"alpha": alpha, "beta": beta}
        return self._draw("gamma", params, ("alpha", "beta"), shape, dtype, ctx, out, kwargs)

    def poisson(
        self,
        lam: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Poisson numbers of mean `lam`, as floats."""
        return self._draw("poisson", {"lam": lam}, ("lam",), shape, dtype, ctx, out, kwargs)

    def negative_binomial(
        self,
        k: Any = 1,
        p: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Failures before `k` successes of probability `p`, as floats."""
        params = {"k": k, "p": p}
        return self._draw("negative_binomial", params, ("k", "p"), shape, dtype, ctx, out, kwargs)

    def generalized_negative_binomial(
        self,
        mu: Any = 1,
        alpha: Any = 1,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Negative binomial numbers of mean `mu` and dispersion `alpha`, as floats."""
        name, params = "generalized_negative_binomial", {"mu": mu, "alpha": alpha}
        return self._draw(name, params, ("mu", "alpha"), shape, dtype, ctx, out, kwargs)

    def randint(
        self,
        low: Any,
        high: Any,
        shape: Any = _Null,
        dtype: Any = _Null,
        ctx: Any = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Whole numbers of [low, high), int32 by default."""
        params = {"low": low, "high": high}
        return self._draw("randint", params, (), shape, dtype, ctx, out, kwargs)

    def multinomial(
        self,
        data: Any,
        shape: Any = _Null,
        get_prob: bool = False,
        out: Any = None,
        dtype: Any = "int32",
        **kwargs: Any,
    ) -> Any:
        """Classes drawn from rows of probabilities; with `get_prob` also the log probabilities."""
        sample = self._call("_sample_multinomial")
        return sample(data, shape, get_prob, out=out, dtype=dtype, **kwargs)

    def shuffle(self, data: Any, **kwargs: Any) -> Any:
        """The rows (of a vector: the elements) in random order, in a new array."""
        return self._call("_shuffle")(data, **kwargs)
