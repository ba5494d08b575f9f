"""Samplers: the order in which a data loader visits a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mxtorch._core.position import load_state, state_of

__all__ = ["BatchSampler", "FilterSampler", "RandomSampler", "Sampler", "SequentialSampler"]


class Sampler:
    """Base class: yields indices of a dataset."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """The numbers from `start` on, `length` of them."""

    def __init__(self, length: int, start: int = 0) -> None:
        self._length = length
        self._start = start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """The numbers below `length` in an order from NumPy's global generator."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __iter__(self) -> Iterator[Any]:
        indices = np.arange(self._length)
        np.random.shuffle(indices)
        return iter(indices)

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """The indices of those elements of a dataset for which `fn` is true."""

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        self._fn = fn
        self._dataset = dataset
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """Lists of `batch_size` indices from another sampler.

    `last_batch` says what becomes of an incomplete one: 'keep', 'discard', or 'rollover' into
    the next pass.
    """

    def __init__(self, sampler: Sampler, batch_size: int, last_batch: str = "keep") -> None:
        self._sampler = sampler
        self._batch_size = batch_size
        self._last_batch = last_batch
        self._prev: list[Any] = []

    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._prev = self._prev, []
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if not batch:
            return
        if self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._prev = batch
        elif self._last_batch != "discard":
            raise self._unknown()

    def __len__(self) -> int:
        count, size = len(self._sampler), self._batch_size
        if self._last_batch == "keep":
            return (count + size - 1) // size
        if self._last_batch == "discard":
            return count // size
        if self._last_batch == "rollover":
            return (len(self._prev) + count) // size
        raise self._unknown()

    def _state_dict(self) -> dict[str, Any]:
        """What the next pass depends on, for `mxtorch.checkpoint`."""
        return {"left_over": list(self._prev), "sampler": state_of(self._sampler)}

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what `_state_dict` gave."""
        self._prev = list(state["left_over"])
        if state["sampler"] is not None:
            load_state(self._sampler, state["sampler"])

    def _unknown(self) -> ValueError:
        return ValueError(
            "last_batch must be one of 'keep', 'discard', or 'rollover', "
            f"but got {self._last_batch}"
        )
