"""Draws whose count differs from element to element: every engine at its own element."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import F32, Array, F32Array, I64Array
from mxtorch._core.rng.mt import Bank
from mxtorch._core.rng.mt import N as BLOCK
from mxtorch._core.rng.polar import candidates, factor, taken
from mxtorch._core.rng.streams import split
from mxtorch._core.rng.unit import to_f32, to_f64, words_of


class Lanes:
    """The engines of a request of n elements, each with the index of its current element.

    A sampler works on all unfinished lanes at once, one attempt at a time; a lane that
    succeeds goes on to its next element. `lanes` below are indices of engines.
    """

    def __init__(self, bank: Bank, n: int) -> None:
        self._bank = bank
        self._rows, step = split(n)
        bank.grow(self._rows)
        self.element = np.arange(0, self._rows * step, step)
        self._stop = np.minimum(self.element + step, n)
        self._start = np.arange(0, self._rows * BLOCK, BLOCK)
        self._look()

    def _look(self) -> None:
        self._raw = np.ascontiguousarray(self._bank.peek(0, self._rows, BLOCK)).reshape(-1)
        self._next = self._start.copy()

    def finish(self) -> None:
        """Tell the bank what was used."""
        self._bank.advance(0, self._rows, self._next - self._start)

    def active(self, most: int) -> I64Array:
        """Unfinished lanes; each can then draw up to `most` raw numbers."""
        lanes = np.flatnonzero(self.element < self._stop)
        if len(lanes) and int((self._next - self._start).max()) + most > BLOCK:
            self.finish()
            self._look()
        return lanes

    def advance(self, lanes: I64Array) -> None:
        """Go on to the next element."""
        self.element[lanes] += 1

    def uniform(self, lanes: I64Array, kind: np.dtype[Any] = F32) -> Array:
        """One uniform number of [0, 1] in each of these lanes."""
        at = self._next[lanes]
        if kind == F32:
            self._next[lanes] = at + 1
            return to_f32(self._raw.take(at))
        self._next[lanes] = at + 2
        return to_f64(self._raw.take(at[:, None] + np.arange(2)))[:, 0]

    def normal(self, lanes: I64Array, kind: np.dtype[Any]) -> tuple[I64Array, Array]:
        """One polar pair tried in each lane: the lanes where it is taken, and their values."""
        words = 2 * words_of(kind)
        at = self._next[lanes]
        self._next[lanes] = at + words
        _, y, q = candidates(self._raw.take(at[:, None] + np.arange(words)), kind)
        some = taken(q)
        return lanes[some], y.take(some) * factor(q.take(some))


def pick(table: Array, element: I64Array, n: int) -> Array:
    """The parameter of each element; n elements share the table's entries in equal runs."""
    if len(table) == 1:
        return np.broadcast_to(table, element.shape)
    picked: Array = table[element // (n // len(table))]
    return picked


def via_f64(fn: np.ufunc, x: F32Array) -> F32Array:
    """A float32 function of the C library: evaluated in float64 and rounded once."""
    with np.errstate(all="ignore"):
        result: F32Array = fn(x.astype(np.float64)).astype(F32)
    return result
