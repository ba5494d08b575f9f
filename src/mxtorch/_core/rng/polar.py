"""Normal numbers by the polar method, from pairs of uniform numbers.

A pair (x, y) of (-1, 1) is taken if 0 < x*x + y*y <= 1, else the next pair is tried.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import F32, I64, Array, F32Array, I64Array, U32Array
from mxtorch._core.rng.logf import log_normal_range, tables
from mxtorch._core.rng.mt import Bank
from mxtorch._core.rng.mt import N as BLOCK
from mxtorch._core.rng.scratch import scratch
from mxtorch._core.rng.unit import words_of

_HALF32, _SQUARE32 = F32.type(2.0**31), F32.type(2.0**62)
_BASE = tables(62)[1]  # for the logarithm of a square that is 2**62 times too large
_PER_PAIR = 4 / math.pi  # pairs tried for one taken


@functools.lru_cache(maxsize=1024)
def pairs_for(count: int) -> int:
    """Pairs that nearly always hold so many taken ones, for each of some rows."""
    return int(count * _PER_PAIR + 2.6 * math.sqrt(count)) + 4


@functools.lru_cache(maxsize=256)
def _multiples(count: int, step: int = 1) -> I64Array:
    """0, step, 2 * step, …; not to be written to."""
    return np.arange(0, count * step, step)


def words_for(count: int, kind: np.dtype[Any]) -> int:
    """Raw numbers looked at for so many normal numbers."""
    return 2 * words_of(kind) * pairs_for(count)


def candidates(raw: U32Array, kind: np.dtype[Any]) -> tuple[Array, Array, Array]:
    """x, y and x*x + y*y of the pairs, each of shape (..., pairs).

    x and y are 2**31 (float64: 2**63) times what the method says, their squares accordingly:
    a power of two changes no rounding and saves two steps.
    """
    words = words_of(kind)
    shape = (*raw.shape[:-1], raw.shape[-1] // (2 * words))
    x, y, q = (scratch(name, shape, kind) for name in ("polar.x", "polar.y", "polar.q"))
    if kind == F32:
        for i, out in enumerate((x, y)):
            np.copyto(out, raw[..., i::2], casting="unsafe")
            np.subtract(out, _HALF32, out=out)
    else:
        for i, out in enumerate((x, y)):
            np.multiply(raw[..., 2 * i + 1 :: 4], 2.0**32, out=out)
            np.add(out, raw[..., 2 * i :: 4], out=out)
            np.subtract(out, 2.0**63, out=out)
    np.multiply(x, x, out=q)
    squares = scratch("polar.squares", shape, kind)
    np.multiply(y, y, out=squares)
    np.add(q, squares, out=q)
    return x, y, q


def taken(q: Array) -> I64Array:
    """Flat indices of the pairs that are taken."""
    inside = q <= (_SQUARE32 if q.dtype == F32 else 2.0**126)
    if np.minimum.reduce(q, axis=None, initial=1) == 0:
        inside &= q != 0
    return np.flatnonzero(inside)


def factor(q: Array) -> Array:
    """sqrt(-2 * log(q) / q) for x and y as `candidates` gives them; in a scratch array."""
    m = scratch("polar.m", q.shape, q.dtype)
    if q.dtype == F32:
        log_normal_range(q, m, _BASE)
    else:
        np.log(q * 2.0**-126, out=m)
    np.multiply(m, q.dtype.type(-2), out=m)
    np.divide(m, q, out=m)
    np.sqrt(m, out=m)
    return m


def fill_rows(bank: Bank, a: int, b: int, table: Array, last: int) -> None:
    """Fill rows a..b-1 of the table, one engine each; of row b-1 only `last` elements count.

    Every element begins a new pair and throws the pair's x away.
    """
    rows, step, kind = b - a, table.shape[1], table.dtype
    per_pair = 2 * words_of(kind)
    done = 0
    while done < step:
        pairs = min(pairs_for(step - done), BLOCK // per_pair)
        starts = _multiples(rows + 1, pairs)
        _, y, q = candidates(bank.peek(a, b, pairs * per_pair), kind)
        found = taken(q)
        first = found.searchsorted(starts)
        counts = first[1:] - first[:-1]
        # As many from each row, so that the results are a rectangle.
        k = min(step - done, int(np.minimum.reduce(counts)))
        if k == 0:
            bank.advance(a, b, np.where(counts == 0, pairs * per_pair, 0))
            continue
        chosen = scratch("polar.chosen", (rows, k), I64)
        np.add(first[:-1, None], _multiples(k), out=chosen)
        found.take(chosen, out=chosen, mode="clip")
        _numbers(y, q, chosen, table[a:b, done : done + k])
        used = chosen[:, -1] + 1 - starts[:-1]
        if last < done + k:
            used[-1] = chosen[-1, last - done - 1] + 1 - starts[-2] if last > done else 0
        bank.advance(a, b, used * per_pair)
        done += k


def _numbers(y: Array, q: Array, chosen: I64Array, out: Array) -> None:
    """The normal numbers of the chosen pairs."""
    values = scratch("polar.values", chosen.shape, q.dtype)
    m = factor(q.take(chosen, out=values, mode="clip"))
    y.take(chosen, out=values, mode="clip")
    np.multiply(values, m, out=out)


def requests_ahead(bank: Bank, rows: int, step: int, last: int) -> tuple[Array, I64Array]:
    """Several equal float32 requests drawn at once, with each request's use of the rows.

    Nothing is used up. Shapes (requests, rows * step) and (requests, rows); no request if
    a row has too few numbers in sight.
    """
    pairs = BLOCK // 2
    starts = _multiples(rows + 1, pairs)
    _, y, q = candidates(bank.peek(0, rows, BLOCK), F32)
    found = taken(q)
    first = found.searchsorted(starts)
    count = int(np.minimum.reduce(first[1:] - first[:-1])) // step
    order = first[:-1, None] + _multiples(count * step)
    request, element = np.divmod(_multiples(count * step), step)
    order[-1] = first[-2] + request * last + np.minimum(element, last - 1)
    chosen = found.take(order)
    table = np.empty((count, rows, step), F32)
    numbers = np.empty((rows, count * step), F32)
    _numbers(y, q, chosen, numbers)
    np.copyto(table, numbers.reshape(rows, count, step).transpose(1, 0, 2))
    ends = chosen.reshape(rows, count, step)[:, :, -1] + 1 - starts[:-1, None]
    used = np.diff(ends, axis=1, prepend=0).T * 2
    return table.reshape(count, rows * step), np.ascontiguousarray(used)


class Repeats:
    """Normal numbers for the same small request again and again, without its overhead.

    The second time in a row, requests are drawn ahead; any other use of the bank drops them.
    """

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._request, self._uses = (0, 0, 0), -1
        self._left: Iterator[tuple[F32Array, I64Array]] = iter(())

    def draw(self, rows: int, step: int, last: int) -> F32Array:
        """rows * step numbers, of which the last row's count only up to `last`."""
        request, bank = (rows, step, last), self._bank
        if request == self._request and self._uses == bank.uses:
            drawn = next(self._left, None)
            if drawn is None:
                self._left = zip(*requests_ahead(bank, *request), strict=True)
                drawn = next(self._left, None)
        else:
            self._request, self._left, drawn = request, iter(()), None
        if drawn is None:
            numbers = np.empty(rows * step, F32)
            fill_rows(bank, 0, rows, numbers.reshape(rows, step), last)
        else:
            numbers, used = drawn
            bank.advance(0, rows, used)
        self._uses = bank.uses
        return numbers
