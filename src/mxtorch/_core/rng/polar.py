"""Normal numbers by the polar method, from pairs of uniform numbers.

A pair (x, y) of (-1, 1) is taken if 0 < x*x + y*y <= 1, else the next pair is tried.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import F32, I64, Array, U32Array
from mxtorch._core.rng.logf import log_normal_range
from mxtorch._core.rng.mt import Bank
from mxtorch._core.rng.mt import N as BLOCK
from mxtorch._core.rng.scratch import scratch
from mxtorch._core.rng.unit import to_f64, words_of

_PER_PAIR = 4 / math.pi  # pairs tried for one taken


def pairs_for(count: int) -> int:
    """Pairs that nearly always hold so many taken ones, for each of some rows."""
    return int(count * _PER_PAIR + 2.6 * math.sqrt(count)) + 4


def words_for(count: int, kind: np.dtype[Any]) -> int:
    """Raw numbers looked at for so many normal numbers."""
    return 2 * words_of(kind) * pairs_for(count)


def candidates(raw: U32Array, kind: np.dtype[Any]) -> tuple[Array, Array]:
    """Coordinates, shape (..., 2 * pairs), and squared radii, shape (..., pairs)."""
    if kind == F32:
        xy = scratch("polar.xy", raw.shape, F32)
        np.copyto(xy, raw, casting="unsafe")
        np.multiply(xy, F32.type(2.0**-31), out=xy)  # 2u, exactly
    else:
        xy = scratch("polar.xy", (*raw.shape[:-1], raw.shape[-1] // 2), kind)
        to_f64(raw, xy)
        np.multiply(xy, 2.0, out=xy)
    np.subtract(xy, kind.type(1), out=xy)
    squares = scratch("polar.squares", xy.shape, kind)
    np.multiply(xy, xy, out=squares)
    q = scratch("polar.q", (*xy.shape[:-1], xy.shape[-1] // 2), kind)
    np.add(squares[..., 0::2], squares[..., 1::2], out=q)
    return xy, q


def taken(q: Array) -> Array:
    """Flat indices of the pairs that are taken."""
    inside = q <= 1
    if not q.all():
        inside &= q != 0
    return np.flatnonzero(inside)


def factor(q: Array) -> Array:
    """sqrt(-2 * log(q) / q); overwrites nothing."""
    m = scratch("polar.m", q.shape, q.dtype)
    if q.dtype == F32:
        log_normal_range(q, m)
    else:
        np.log(q, out=m)
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
        xy, q = candidates(bank.peek(a, b, pairs * per_pair), kind)
        found = taken(q)
        first = found.searchsorted(np.arange(0, (rows + 1) * pairs, pairs))
        counts = first[1:] - first[:-1]
        # As many from each row, so that the results are a rectangle.
        k = min(step - done, int(counts.min()))
        if k == 0:
            bank.advance(a, b, np.where(counts == 0, pairs * per_pair, 0))
            continue
        chosen = scratch("polar.chosen", (rows, k), I64)
        order = scratch("polar.order", (rows, k), I64)
        np.add(first[:-1, None], np.arange(k), out=order)
        found.take(order, out=chosen, mode="clip")
        some_q = scratch("polar.some_q", (rows, k), kind)
        m = factor(q.reshape(-1).take(chosen, out=some_q, mode="clip"))
        used = chosen[:, -1] + (1 - np.arange(0, rows * pairs, pairs))
        if last < done + k:
            used[-1] = chosen[-1, last - done - 1] + 1 - (rows - 1) * pairs if last > done else 0
        bank.advance(a, b, used * per_pair)
        np.left_shift(chosen, 1, out=order)
        np.add(order, 1, out=order)
        y = xy.reshape(-1).take(order, out=some_q, mode="clip")
        np.multiply(y, m, out=table[a:b, done : done + k])
        done += k
