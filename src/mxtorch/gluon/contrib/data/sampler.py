"""`mx.gluon.contrib.data.sampler`."""

from __future__ import annotations

from collections.abc import Iterator

from mxtorch.gluon.data import sampler

__all__ = ["IntervalSampler"]


class IntervalSampler(sampler.Sampler):
    """Every `interval`-th number below `length`; with `rollover` then those that were skipped."""

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        assert interval <= length, (
            f"Interval {interval} must be smaller than or equal to length {length}"
        )
        self._length = length
        self._interval = interval
        self._rollover = rollover

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length
