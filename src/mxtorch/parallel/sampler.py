"""A sampler that gives each process its part of a data set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mxtorch._core.errors import MXNetValueError
from mxtorch._dist import group
from mxtorch.gluon.data import Sampler


class SplitSampler(Sampler):
    """The indices of this process's part of a data set of `length` samples.

    num_parts, part_index: by default the number of processes and this one's rank. All parts are of
    one length, since processes must take the same steps: `last` says what becomes of samples that
    are left over, 'repeat' (some come twice) or 'discard'. With `shuffle` each epoch has another
    order, which `seed` and the number of the epoch decide, the same for all processes.
    """

    def __init__(
        self,
        length: int,
        num_parts: int | None = None,
        part_index: int | None = None,
        shuffle: bool = False,
        last: str = "repeat",
        seed: int = 0,
    ) -> None:
        here = group.join() if num_parts is None or part_index is None else None
        self._parts = here.size if num_parts is None and here is not None else int(num_parts or 0)
        self._index = here.rank if part_index is None and here is not None else int(part_index or 0)
        if not 0 <= self._index < self._parts:
            raise MXNetValueError(
                f"SplitSampler: part_index={self._index} of num_parts={self._parts}; parts count "
                "from 0"
            )
        if last not in ("repeat", "discard"):
            raise MXNetValueError(f"SplitSampler: last={last!r}; use 'repeat' or 'discard'")
        if length < 1:
            raise MXNetValueError(f"SplitSampler: length={length}; there is nothing to divide")
        self._length, self._shuffle, self._seed = length, shuffle, seed
        rounded_up = -(-length // self._parts)
        self._own = length // self._parts if last == "discard" else rounded_up
        self.epoch = 0

    def __iter__(self) -> Iterator[int]:
        """The indices of one epoch."""
        order = np.arange(self._length)
        if self._shuffle:
            np.random.RandomState([self._seed, self.epoch]).shuffle(order)
        self.epoch += 1
        own = np.resize(order, self._own * self._parts)[self._index :: self._parts]
        return iter(own.tolist())

    def state_dict(self) -> dict[str, int]:
        """Which epoch is the next, for `mxtorch.checkpoint`."""
        return {"epoch": self.epoch}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Take over what `state_dict` gave."""
        self.epoch = int(state["epoch"])

    def __len__(self) -> int:
        """How many indices an epoch has for this process."""
        return self._own
