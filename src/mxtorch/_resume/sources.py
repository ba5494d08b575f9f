"""The position in the data: how batches are counted, and found again in another process.

A DataLoader finds its place by the sampler alone, no sample is loaded again. MXNet's iterators, and
those of programs with `state_dict()` and `load_state_dict()`, say themselves where they are.
Anything else is read again from its start, with the random states of that start, and what it gives
is compared with what it gave the first time.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.position import load_state, state_of
from mxtorch._front.handle import Handle
from mxtorch._resume import randoms
from mxtorch.gluon.data import DataLoader
from mxtorch.io import DataBatch


class Source(Protocol):
    """Batches of a pass, from any place."""

    # whether iterating begins a new pass, whatever was read of the last one
    restarts: bool

    def begin(self) -> Iterator[Any]:
        """A pass from where the data is now."""

    def find(self, state: Any) -> Iterator[Any]:
        """The rest of the pass in which `state` was taken."""

    def restart(self, state: Any) -> Iterator[Any]:
        """The pass in which `state` was taken, from its start, for another number of processes."""

    def state(self, batches: int) -> Any:
        """Where the data is, `batches` after the pass's start."""


def find_source(data: Any) -> Source:
    """The source for a program's data."""
    if isinstance(data, DataLoader):
        return LoaderSource(data)
    if state_of(data) is not None:
        return StatefulSource(data)
    if not hasattr(data, "__iter__"):
        raise MXNetTypeError(
            f"checkpoint: data is a {type(data).__name__}; it must be a DataLoader, a DataIter or "
            "something else to iterate over"
        )
    return ReplayedSource(data)


class _Pass:
    """What a pass of a sampler began with, and sums of the batches that it gave."""

    def __init__(self, sampler: Any) -> None:
        self.randoms = randoms.get_state()
        self.sampler = state_of(sampler)
        self.sums = [0]

    def add(self, batch: Any) -> None:
        self.sums.append(add_sum(self.sums[-1], batch))


class _WatchedSampler:
    """A loader's batch sampler, whose passes are remembered; one may begin further on."""

    def __init__(self, sampler: Any) -> None:
        self.sampler = sampler
        self.last: _Pass | None = None
        self.ready: Iterator[Any] | None = None  # what the next pass is

    def __len__(self) -> int:
        return len(self.sampler)

    def __iter__(self) -> Iterator[Any]:
        ready, self.ready = self.ready, None
        return ready or self.start(0, 0)

    def start(self, skip: int, total: int) -> Iterator[Any]:
        """A pass without its first `skip` batches, whose sum must be `total`."""
        self.last = now = _Pass(self.sampler)
        batches = iter(self.sampler)
        for done in range(skip):
            batch = next(batches, None)
            if batch is None:
                raise _shorter(skip, done)
            now.add(batch)
        if now.sums[-1] != total:
            raise _other_order("the DataLoader's sampler")
        return self._rest(now, batches)

    def _rest(self, now: _Pass, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            now.add(batch)
            yield batch


class LoaderSource:
    """A Gluon DataLoader."""

    restarts = True

    def __init__(self, loader: DataLoader) -> None:
        self.loader = loader
        if not isinstance(loader._batch_sampler, _WatchedSampler):
            pending = loader._iter is not None
            loader.clean()
            loader._batch_sampler = _WatchedSampler(loader._batch_sampler)
            if pending:
                loader.refresh()

    @property
    def sampler(self) -> _WatchedSampler:
        watched: _WatchedSampler = self.loader._batch_sampler
        return watched

    def begin(self) -> Iterator[Any]:
        return iter(self.loader)

    def find(self, state: Any) -> Iterator[Any]:
        self.loader.clean()
        if state["sampler"] is not None:
            load_state(self.sampler.sampler, state["sampler"])
        if state["began"] is None:
            return self.begin()
        randoms.set_state(state["began"])
        self.sampler.ready = self.sampler.start(int(state["batches"]), int(state["sum"]))
        if self.loader._num_workers:  # they had been sent further batches
            self.loader.refresh()
        return iter(self.loader)

    def restart(self, state: Any) -> Iterator[Any]:
        return self.find({"began": None, "sampler": state["sampler"]})

    def state(self, batches: int) -> Any:
        last = self.sampler.last
        ahead = self.loader._iter is not None  # auto_reload has begun the next pass
        if last is None or (batches == 0 and not ahead):
            return {"began": None, "sampler": state_of(self.sampler.sampler)}
        return {
            "began": last.randoms,
            "sampler": last.sampler,
            "batches": batches,
            "sum": last.sums[batches],
        }


class StatefulSource:
    """Data that says where it is."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.restarts = not hasattr(data, "reset")

    def begin(self) -> Iterator[Any]:
        return iter(self.data)

    def find(self, state: Any) -> Iterator[Any]:
        load_state(self.data, state["data"])
        return iter(self.data)

    def restart(self, state: Any) -> Iterator[Any]:
        if hasattr(self.data, "reset"):
            self.data.reset()
        return self.begin()

    def state(self, batches: int) -> Any:
        return {"data": state_of(self.data)}


class ReplayedSource:
    """Anything to iterate over: read again from the start of the pass.

    A pass's first batch is read when the pass begins, so that there is something to compare.
    """

    restarts = True

    def __init__(self, data: Any) -> None:
        self.data = data
        self.began: Any = None
        self.sums = (0, 0)  # of the batches given, and with the one that is ahead

    def begin(self) -> Iterator[Any]:
        self.began = randoms.get_state()
        rest = iter(self.data)
        first = list(itertools.islice(rest, 1))
        self.sums = 0, add_sum(0, first)
        return self._batches(first, rest)

    def _batches(self, first: list[Any], rest: Iterator[Any]) -> Iterator[Any]:
        for batch in itertools.chain(first, rest):
            total = add_sum(self.sums[0], [batch])
            self.sums = total, total
            yield batch

    def find(self, state: Any) -> Iterator[Any]:
        if hasattr(self.data, "reset"):
            self.data.reset()
        if state["began"] is None:
            return self.begin()
        randoms.set_state(state["began"])
        batches, count = self.begin(), int(state["batches"])
        for done in range(count):
            if next(batches, None) is None:
                raise _shorter(count, done)
        if self.sums[count == 0] != state["sum"]:
            raise _other_order(f"{type(self.data).__name__}")
        return batches

    def restart(self, state: Any) -> Iterator[Any]:
        return self.find({"began": None})

    def state(self, batches: int) -> Any:
        return {"began": self.began, "batches": batches, "sum": self.sums[batches == 0]}


def _shorter(count: int, found: int) -> MXNetError:
    return MXNetError(
        f"checkpoint: {count} batches had been read when it was written, but the data has only "
        f"{found} now"
    )


def _other_order(what: str) -> MXNetError:
    return MXNetError(
        f"checkpoint: {what} gives other batches than when the checkpoint was written. Is the data "
        "the same? An order that depends on more than the generators of MXNet, NumPy, Python and "
        "torch must come from an object with state_dict() and load_state_dict()."
    )


def add_sum(before: int, value: Any) -> int:
    """The CRC-32 of the numbers and arrays in nested containers, after another one."""
    if isinstance(value, DataBatch):
        value = [value.data, value.label, value.pad]
    if isinstance(value, (list, tuple)):
        for part in value:
            before = add_sum(before, part)
        return before
    if isinstance(value, dict):
        return add_sum(before, list(value.values()))
    if isinstance(value, Handle):
        value = value.asnumpy()
    if isinstance(value, Tensor):
        value = value.detach().cpu().numpy()
    if isinstance(value, (int, float, np.ndarray, np.generic)):
        return zlib.crc32(np.ascontiguousarray(value).tobytes(), before)
    return zlib.crc32(str(value).encode() if isinstance(value, (str, bytes)) else b"", before)
