"""Samplers of `mx.np.random` and `mx.npx.random`, on `one`; `randint` there is on `par`.

Numbers as parameters are held as float32, arrays broadcast; without `size` the result has
the parameters' broadcast shape. Uniform and normal numbers are drawn in float32 whatever
the dtype, and converted at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mxtorch._core.errors import MXNetError
from mxtorch._core.rng.arrays import (
    F16,
    F32,
    F64,
    I64,
    Array,
    F32Array,
    F64Array,
    I64Array,
    Param,
    Shape,
    cast,
    size_of,
)
from mxtorch._core.rng.logf import logf
from mxtorch._core.rng.parameter import constant, mixed
from mxtorch._core.rng.single import SingleSamplers


def _hold(*params: Param) -> list[Array]:
    """Numbers as float32, beside an array in its type, whole ones too; arrays as they are."""
    kind = next((p.dtype for p in params if isinstance(p, np.ndarray)), F32)
    return [p if isinstance(p, np.ndarray) else np.full((1,), p, F32).astype(kind) for p in params]


def _inverse(a: Array) -> Array:
    """1 / a in the type of a: of whole numbers the whole part."""
    if a.dtype.kind in "iu":
        whole: Array = np.floor_divide(a.dtype.type(1), a)
        return whole
    return mixed(np.divide, constant(1.0, a), a)


def _shape(size: Shape | None, *params: Param) -> Shape:
    if size is not None:
        return size
    return np.broadcast_shapes(*(np.shape(p) for p in params))


def _affine(offset: Array, value: Array, factor: Array) -> Array:
    return mixed(np.add, offset, mixed(np.multiply, value, factor))


def _log(x: Array) -> F64Array:
    with np.errstate(divide="ignore"):
        result: F64Array = np.log(x.astype(F64))
    return result


def _powf(base: F32Array, exponent: Array) -> F32Array:
    with np.errstate(all="ignore"):
        result: F32Array = np.power(base.astype(F64), exponent.astype(F64)).astype(F32)
    return result


def _logit(u: F32Array) -> F32Array:
    return (_log(u) - _log(F32.type(1) - u)).astype(F32)


class NumpySamplers(SingleSamplers):
    """Names are those of `mx.np.random` with `np_` before them."""

    def _np_unit(self, shape: Shape) -> F32Array:
        return self.one_unit(size_of(shape)).reshape(shape)

    def np_uniform(
        self,
        low: Param = 0.0,
        high: Param = 1.0,
        size: Shape | None = None,
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Uniform numbers; rounding makes `high` itself possible."""
        shape = _shape(size, low, high)
        lo, hi = _hold(low, high)
        value = _affine(lo, self._np_unit(shape), mixed(np.subtract, hi, lo))
        return cast(value, np.dtype(dtype)).reshape(shape)

    def np_normal(
        self,
        loc: Param = 0.0,
        scale: Param = 1.0,
        size: Shape | None = None,
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Normal numbers."""
        shape = _shape(size, loc, scale)
        mu, sigma = _hold(loc, scale)
        value = _affine(mu, self.one_gauss(size_of(shape)).reshape(shape), sigma)
        return cast(value, np.dtype(dtype)).reshape(shape)

    def np_lognormal(
        self, mean: Param = 0.0, sigma: Param = 1.0, size: Shape | None = None
    ) -> Array:
        """exp of normal numbers."""
        return np.exp(self.np_normal(mean, sigma, size))

    def np_logistic(self, loc: Param = 0.0, scale: Param = 1.0, size: Shape | None = None) -> Array:
        """Logistic numbers."""
        shape = _shape(size, loc, scale)
        mu, s = _hold(loc, scale)
        return cast(_affine(mu, _logit(self._np_unit(shape)), s), F32).reshape(shape)

    def np_gumbel(self, loc: Param = 0.0, scale: Param = 1.0, size: Shape | None = None) -> Array:
        """Gumbel numbers."""
        shape = _shape(size, loc, scale)
        mu, s = _hold(loc, scale)
        noise = (-_log(-_log(self._np_unit(shape)))).astype(F32)
        return cast(_affine(mu, noise, s), F32).reshape(shape)

    def np_exponential(self, scale: Param = 1.0, size: Shape | None = None) -> Array:
        """Exponential numbers; u = 0 gives infinity."""
        shape = _shape(size, scale)
        u = self._np_unit(shape)
        if isinstance(scale, np.ndarray):
            value = mixed(np.multiply, -logf(u).reshape(shape), scale)
        else:
            value = -float(F32.type(scale)) * _log(u)
        return cast(value, F32)

    def np_rayleigh(self, scale: Param = 1.0, size: Shape | None = None) -> Array:
        """Rayleigh numbers."""
        shape = _shape(size, scale)
        (s,) = _hold(scale)
        root = np.sqrt(-2.0 * _log(self._np_unit(shape))).astype(F32)
        return cast(mixed(np.multiply, root, s), F32).reshape(shape)

    def np_pareto(self, a: Param, size: Shape | None = None) -> Array:
        """Pareto (Lomax) numbers."""
        shape = _shape(size, a)
        u = self._np_unit(shape)
        if isinstance(a, np.ndarray):
            exponent = mixed(np.divide, -logf(u).reshape(shape), a)
        else:
            exponent = -_log(u) / float(F32.type(a))
        with np.errstate(over="ignore"):
            power = np.exp(exponent.astype(F64))
            if exponent.dtype == F16:
                return cast(cast(power, F32) - F32.type(1), F16).astype(F32)
            return cast(power - 1.0, F32)

    def np_weibull(self, a: Param, size: Shape | None = None) -> Array:
        """Weibull numbers."""
        shape = _shape(size, a)
        (s,) = _hold(a)
        return _powf(-logf(self._np_unit(shape)), _inverse(s)).reshape(shape)

    def np_power(self, a: Param, size: Shape | None = None) -> Array:
        """Numbers of density a * x**(a - 1); one more number is drawn than is used."""
        shape = _shape(size, a)
        (s,) = _hold(a)
        u = self._np_unit((size_of(shape) + 1,))[:-1].reshape(shape)
        return _powf(F32.type(1) - u, _inverse(s)).reshape(shape)

    def np_gamma(
        self,
        shape: Param,
        scale: Param = 1.0,
        size: Shape | None = None,
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Gamma numbers; all are drawn again until the last one is accepted."""
        extent = _shape(size, shape, scale)
        n = size_of(extent)
        held = _hold(shape, scale)
        if any(p.dtype not in (F32, F64) for p in held):
            raise MXNetError("gamma: parameters must be float32 or float64; convert with astype")
        a, b = (np.broadcast_to(p, extent or (1,)).reshape(n).astype(F64) for p in held)
        d = np.where(a < 1, a + 2.0 / 3.0, a - 1.0 / 3.0)
        out = np.full(n, -1.0)
        open_ = np.arange(n)
        while len(open_):
            u = self.one_unit(2 * n, F64).reshape(n, 2)[open_]
            z = self.one_gauss(2 * n, F64)[::2][open_]
            accepted, value = _gamma_attempt(u, z, d[open_], b[open_])
            with np.errstate(all="ignore"):
                factor = _powf(u[:, 1].astype(F32), (1.0 / a[open_]).astype(F32))
            value = np.where(a[open_] < 1, value * factor, value)
            out[open_[accepted]] = value[accepted]
            open_ = open_[~accepted]
        return cast(out, np.dtype(dtype)).reshape(extent)

    def np_beta(
        self,
        a: Param,
        b: Param,
        size: Shape | None = None,
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """Beta numbers, from two gamma numbers each."""
        x = self.np_gamma(a, 1.0, size, F64)  # without a size each has its own shape
        y = self.np_gamma(b, 1.0, size, F64)
        return cast(x / (x + y), np.dtype(dtype))

    def np_chisquare(
        self, df: Param, size: Shape | None = None, dtype: npt.DTypeLike = F32
    ) -> Array:
        """gamma(df / 2, 1 / 2), a quarter of what the name promises: so it is in MXNet."""
        return self.np_gamma(df / 2, 0.5, size, dtype)

    def np_bernoulli(
        self,
        prob: Param | None = None,
        logit: Param | None = None,
        size: Shape | None = None,
        dtype: npt.DTypeLike = F32,
    ) -> Array:
        """1 with this probability, given itself or as its logit, else 0."""
        if (prob is None) == (logit is None):
            raise ValueError("bernoulli needs either prob or logit")
        given = prob if prob is not None else logit
        assert given is not None
        shape = _shape(size, given)
        (p,) = _hold(given)
        u = self._np_unit(shape)
        value = p > (u if prob is not None else _logit(u))
        return value.astype(dtype).reshape(shape)

    def np_choice(
        self, a: int, size: Shape = (), replace: bool = True, p: Array | None = None
    ) -> I64Array:
        """Indices of [0, a), shape `size`."""
        n = size_of(size)
        if p is None and replace:
            index = self.one.take(n).astype(I64) % a
        elif p is None:
            index = self._choose_some(a, n)
        elif replace:
            index = np.cumsum(p.astype(F32), dtype=F32).searchsorted(self.one_unit(n))
        else:
            key = -logf(-logf(self.one_unit(a))) + logf(p.astype(F32))
            index = np.argsort(-key, kind="stable")[:n]
        return index.astype(I64, copy=False).reshape(size)

    def _choose_some(self, a: int, n: int) -> I64Array:
        swaps = min(n, a - n)
        split = a - swaps
        other = self.one.take(swaps).astype(I64) % (np.arange(swaps) + split + 1)
        index = list(range(a))
        for i, z in enumerate(other.tolist(), start=split):
            if z < split:
                index[z], index[i] = index[i], index[z]
        return np.array(index[a - n :] if 2 * n < a else index[:n], I64)

    def np_multinomial(self, n: int, pvals: Sequence[float] | Array, size: Shape = ()) -> I64Array:
        """How often each class comes up in n draws, shape size + (classes,).

        A list as `pvals` costs one more draw for each class than an array.
        """
        p = np.asarray(pvals)
        draws = size_of(size) * n
        extra = 0 if isinstance(pvals, np.ndarray) else len(p)
        u = self.one_unit(draws + extra, F64)[:draws]
        sums = np.cumsum(p, dtype=p.dtype)
        drawn = np.minimum(sums.searchsorted(u.astype(p.dtype), side="right"), len(p) - 1)
        rows = np.arange(size_of(size)).repeat(n) * len(p)
        counts = np.bincount(rows + drawn, minlength=size_of(size) * len(p))
        return counts.astype(I64, copy=False).reshape(*size, len(p))


def _gamma_attempt(
    u: F64Array, z: F64Array, d: F64Array, b: F64Array
) -> tuple[npt.NDArray[np.bool_], F64Array]:
    """Which gamma numbers are accepted, and their values; u has two columns."""
    c = 1.0 / np.sqrt(9.0 * d)
    v = 1 + c * z
    v = v * v * v
    positive, square = v > 0, z * z
    value = d * v * b
    quick = u[:, 0] <= 1 - 0.0331 * square * square
    # MXNet overwrites u with the value in between, when the quick test succeeds.
    second = np.where(quick & positive, value, u[:, 0])
    log_v = logf(v.astype(F32)).astype(F64)
    bound = 0.5 * square + d * (1 - v + log_v)
    with np.errstate(invalid="ignore"):
        slow = logf(second.astype(F32)).astype(F64) < bound
    return positive & (quick | slow), value
