"""Random numbers as MXNet's iterators over record files draw them: C++'s mt19937 and distributions.

One image after the other takes its numbers from one stream, or each has a stream of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

STREAM = 111  # what MXNet seeds its (first) thread with


def words(seed: int) -> Iterator[int]:
    """The 32-bit numbers of mt19937 with a seed."""
    # the seed is set below; the 0 only spares NumPy the search for entropy
    bits = np.random.MT19937(0)
    bits._legacy_seeding(seed & 0xFFFFFFFF)
    while True:
        yield int(bits.random_raw())


class Chance:
    """C++'s distributions over a stream of 32-bit numbers."""

    def __init__(self, source: Iterator[int]) -> None:
        self._source = source

    def integers(self, low: int, high: int) -> int:
        """A whole number from `low` to before `high`."""
        count = high - low
        scale = 0xFFFFFFFF // count
        while True:
            found = next(self._source) // scale
            if found < count:
                return low + found

    def uniform(self, low: float, high: float) -> float:
        """A float32 between the two."""
        part = min(np.float32(next(self._source)) / np.float32(2**32), np.float32(1 - 2**-24))
        return float(part * np.float32(high - low) + np.float32(low))

    def coin(self) -> bool:
        """True or false, as likely."""
        low = next(self._source)
        return (low + next(self._source) * 2**32) / 2**64 < 0.5

    def normal(self, scale: float, count: int) -> list[float]:
        """Normally distributed numbers around 0."""
        found: list[float] = []
        while len(found) < count:
            x, y = self.uniform(-1, 1), self.uniform(-1, 1)
            square = x * x + y * y
            if 0 < square <= 1:
                factor = math.sqrt(-2 * math.log(square) / square) * scale
                found += [y * factor, x * factor]
        return found[:count]

    def order(self, count: int) -> list[int]:
        """The numbers below `count` in some order."""
        found = list(range(count))
        for last in range(1, count):
            other = self.integers(0, last + 1)
            found[last], found[other] = found[other], found[last]
        return found


class Stream:
    """The numbers that images share: each has `share` of them, and more of its own if it needs."""

    def __init__(self, share: int) -> None:
        self._share = share
        self._restart()

    def _restart(self) -> None:
        self._words, self._at = words(STREAM), 0

    def chance(self, count: int) -> Chance:
        """What the image after `count` others draws from."""
        if count < self._at:
            self._restart()
        for _ in range((count - self._at) * self._share):
            next(self._words)
        self._at = count + 1
        own = [next(self._words) for _ in range(self._share)]
        return Chance(chain(own, words(count)))
