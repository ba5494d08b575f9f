"""Samplers on `one`: shuffle, multinomial, image draws, RNN-layer dropout."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mxtorch._core.rng import polar
from mxtorch._core.rng.arrays import (
    F32,
    F64,
    I64,
    Array,
    F32Array,
    I64Array,
    Shape,
    size_of,
)
from mxtorch._core.rng.logf import logf
from mxtorch._core.rng.streams import Streams
from mxtorch._core.rng.unit import to_f32, to_f64, words_of

_MAX_RAW = 0xFFFFFFFF
_PIECE = 1 << 14  # numbers worked on at a time


class SingleSamplers(Streams):
    """The draws that MXNet makes one after another from a single engine."""

    def one_unit(self, n: int, kind: np.dtype[Any] = F32) -> Array:
        """n uniform numbers of [0, 1], float32 or float64."""
        raw = self.one.take(n * words_of(kind))
        return to_f32(raw) if kind == F32 else to_f64(raw)

    def one_gauss(self, n: int, kind: np.dtype[Any] = F32) -> Array:
        """n standard normal numbers; each polar pair gives two, a last odd one is lost."""
        per_pair, need = 2 * words_of(kind), (n + 1) // 2
        out, done = np.empty((need, 2), kind), 0
        while done < need:
            pairs = min(polar.pairs_for(need - done), _PIECE)
            x, y, q = polar.candidates(self.one.peek(pairs * per_pair), kind)
            found = polar.taken(q)[: need - done]
            complete = done + len(found) == need
            self.one.advance((int(found[-1]) + 1 if complete else pairs) * per_pair)
            m = polar.factor(q.take(found))
            part = out[done : done + len(found)]
            np.multiply(y.take(found), m, out=part[:, 0])
            np.multiply(x.take(found), m, out=part[:, 1])
            done += len(found)
        return out.reshape(-1)[:n]

    def below(self, bounds: I64Array) -> I64Array:
        """A whole number of [0, bound) for each bound, in order."""
        scale = _MAX_RAW // bounds
        limit = bounds * scale
        out, done = np.empty(len(bounds), I64), 0
        while done < len(bounds):
            part = slice(done, min(len(bounds), done + _PIECE))
            raw = self.one.peek(part.stop - done).astype(I64)
            refused = np.flatnonzero(raw >= limit[part])
            good = int(refused[0]) if len(refused) else len(raw)
            part = slice(done, done + good)
            out[part] = raw[:good] // scale[part]
            self.one.advance(good + (1 if len(refused) else 0))
            done += good
        return out

    def shuffle_index(self, n: int, ndim: int = 1) -> I64Array:
        """The order into which shuffle brings n rows of an array with `ndim` axes."""
        order = list(range(n))
        if ndim > 1:  # from the end
            places = range(n - 1, 0, -1)
            others = self.below(np.arange(n, 1, -1, dtype=I64))
        else:  # from the front
            places = range(1, n)
            others = self.below(np.arange(2, n + 1, dtype=I64))
        for i, j in zip(places, others.tolist(), strict=True):
            order[i], order[j] = order[j], order[i]
        return np.array(order, I64)

    def multinomial(self, data: Array, shape: Shape = (), dtype: npt.DTypeLike = np.int32) -> Array:
        """Classes drawn by the probabilities in the last axis of `data`.

        `shape` is that of the draws of one row; () is one draw. A row whose sum stays
        below a draw gives the number of classes, one more than the last class.
        """
        rows = data.reshape(-1, data.shape[-1])
        draws = size_of(shape)
        u = self.one_unit(len(rows) * draws).reshape(len(rows), draws).astype(data.dtype)
        table = np.cumsum(rows, axis=1, dtype=F64).astype(F32).astype(data.dtype)
        out = np.empty((len(rows), draws), I64)
        for i in range(len(rows)):
            out[i] = table[i].searchsorted(u[i], side="left")
        lead = data.shape[:-1] if data.ndim > 1 or shape else (1,)
        return out.astype(dtype).reshape(lead + shape)

    @staticmethod
    def log_probability(data: Array, drawn: Array) -> Array:
        """Logarithms of the probabilities of what `multinomial` drew, in data's dtype."""
        classes = data.shape[-1]
        rows = data.reshape(-1, classes)
        index = np.minimum(drawn.astype(I64).reshape(len(rows), -1), classes - 1)
        p = np.take_along_axis(rows, index, 1).astype(F32)
        return logf(p).astype(data.dtype).reshape(drawn.shape)

    def flip(self) -> bool:
        """Whether a random image flip flips."""
        return bool(self.one_unit(1, F64)[0] >= 0.5)

    def between(self, low: float, high: float) -> float:
        """One float32 uniform number, as the random image adjustments draw it."""
        lo, hi = F32.type(low), F32.type(high)
        return float(self.one_unit(1)[0] * (hi - lo) + lo)

    def color_jitter(
        self, brightness: float, contrast: float, saturation: float, hue: float
    ) -> list[tuple[str, float]]:
        """Effects in random order with their strengths; those of strength 0 are left out."""
        names = ("brightness", "contrast", "saturation", "hue")
        widths = (brightness, contrast, saturation, hue)
        drawn = []
        for i in self.shuffle_index(4).tolist():
            if widths[i] > 0:
                width = F32.type(widths[i])
                alpha = self.one_unit(1)[0] * (width + width) - width
                drawn.append((names[i], float(alpha if i == 3 else F32.type(1) + alpha)))
        return drawn

    def lighting(self, alpha_std: float) -> F32Array:
        """Three float32 strengths for random_lighting."""
        alpha: F32Array = self.one_gauss(3) * F32.type(alpha_std)
        return alpha

    def rnn_dropout_keep(self, shape: Shape, p: float) -> npt.NDArray[np.bool_]:
        """Which values between two layers of a float64 RNN layer are kept.

        In (time, batch, channel) order; those kept are divided by float32(1) - float32(p).
        """
        keep: npt.NDArray[np.bool_] = self.one_unit(size_of(shape)) >= F32.type(p)
        return keep.reshape(shape)
