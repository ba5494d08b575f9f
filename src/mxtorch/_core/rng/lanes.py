"""Draws whose count differs from element to element: every engine at its own element."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import F32, F64, Array, F32Array, I64Array
from mxtorch._core.rng.mt import Bank
from mxtorch._core.rng.mt import N as BLOCK
from mxtorch._core.rng.polar import candidates, factor, taken
from mxtorch._core.rng.streams import split
from mxtorch._core.rng.unit import to_f32, words_of


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
        # How far to look: enough for most elements; whole pairs of float64 numbers.
        self._width = min(BLOCK, 6 * step + 96) // 4 * 4
        self._start = np.arange(0, self._rows * self._width, self._width)
        self._look()

    def _look(self) -> None:
        raw = self._bank.peek(0, self._rows, self._width)
        self._raw = np.ascontiguousarray(raw)
        self._next = self._start.copy()
        self._unit: dict[np.dtype[Any], Array] = {}
        self._normal: dict[np.dtype[Any], tuple[Array, I64Array]] = {}

    def finish(self) -> None:
        """Tell the bank what was used."""
        self._bank.advance(0, self._rows, self._next - self._start)

    def _look_further(self) -> None:
        self.finish()
        self._look()

    def active(self) -> I64Array:
        """Lanes that have elements left."""
        return np.flatnonzero(self.element < self._stop)

    def advance(self, lanes: I64Array) -> None:
        """Go on to the next element."""
        self.element[lanes] += 1

    def _at(self, lanes: I64Array, words: int) -> I64Array:
        """Where these lanes are, with so many words in sight."""
        at = self._next[lanes]
        if len(at) and int((at - self._start[lanes]).max()) + words > self._width:
            self._look_further()
            at = self._next[lanes]
        return at

    def _units(self, kind: np.dtype[Any]) -> Array:
        """The uniform number that begins at each word."""
        if kind not in self._unit:
            flat = self._raw.reshape(-1)
            if kind == F64:
                high = flat[1:].astype(F64) * 2.0**32
                self._unit[kind] = np.append((flat[:-1] + high) * 2.0**-64, 0.0)
            else:
                self._unit[kind] = to_f32(flat)
        return self._unit[kind]

    def uniform(self, lanes: I64Array, kind: np.dtype[Any] = F32) -> Array:
        """One uniform number of [0, 1] in each of these lanes."""
        words = words_of(kind)
        at = self._at(lanes, words)
        self._next[lanes] = at + words
        return self._units(kind).take(at)

    def uniforms(self, lanes: I64Array, count: int) -> F32Array:
        """The next `count` float32 uniform numbers of each lane, shape (lanes, count); not used."""
        at = self._at(lanes, count)
        return self._units(F32).take(at[:, None] + np.arange(count))

    def skip(self, lanes: I64Array, words: I64Array) -> None:
        """Use up raw numbers."""
        self._next[lanes] += words

    def normal(self, lanes: I64Array, kind: np.dtype[Any]) -> Array:
        """One standard normal number in each of these lanes."""
        words = 2 * words_of(kind)
        at = self._at(lanes, words)
        values, end = self._normals(kind)
        after = end.take(at)
        if len(after) and int(after.max()) > self._raw.size:
            self._look_further()
            values, end = self._normals(kind)
            after = end.take(self._next[lanes])
        self._next[lanes] = after
        return values.take(after - words)

    def _normals(self, kind: np.dtype[Any]) -> tuple[Array, I64Array]:
        """The value of the pair at each word, and where the first pair taken from there ends.

        The end lies beyond all numbers if none is in sight.
        """
        if kind not in self._normal:
            words = 2 * words_of(kind)
            phases = [self._phase(i, kind) for i in range(words)]
            values = np.stack([v for v, _ in phases], axis=-1)
            ends = np.stack([e for _, e in phases], axis=-1)
            self._normal[kind] = values.reshape(-1), ends.reshape(-1)
        return self._normal[kind]

    def _phase(self, first: int, kind: np.dtype[Any]) -> tuple[Array, I64Array]:
        """The same for the pairs that begin at words first, first + words of a pair, …"""
        words = 2 * words_of(kind)
        raw = np.roll(self._raw, -first, axis=1)
        _, y, q = candidates(raw, kind)
        if first:
            q[:, -1] = 0  # it would go on in the next engine
        some = taken(q)
        values = np.zeros(q.size, kind)
        values[some] = y.take(some) * factor(q.take(some))
        ends = np.full(q.size, 2 * self._raw.size)
        ends[some] = some * words + (first + words)
        ends = np.minimum.accumulate(ends.reshape(q.shape)[:, ::-1], axis=1)[:, ::-1]
        return values.reshape(q.shape), ends


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
