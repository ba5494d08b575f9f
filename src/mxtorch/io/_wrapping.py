"""Iterators over iterators: of another length, and read ahead in threads."""

from __future__ import annotations

import atexit
import threading
import weakref
from types import TracebackType
from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch._core.position import load_state, state_of
from mxtorch.io._base import DataBatch, DataDesc, DataIter

_UNEQUAL = "Number of entry mismatches between iterators"


class ResizeIter(DataIter):
    """`size` batches an epoch of another iterator, which starts anew as often as that takes.

    With `reset_internal=False`, `reset()` lets the other iterator go on where it is. `data_iter`
    must have `provide_data` and `provide_label`.
    """

    def __init__(self, data_iter: Any, size: int, reset_internal: bool = True) -> None:
        super().__init__()
        self.data_iter = data_iter
        self.size = size
        self.reset_internal = reset_internal
        self.cur = 0
        self.current_batch: Any = None
        self.provide_data = data_iter.provide_data
        self.provide_label = data_iter.provide_label
        self.batch_size = data_iter.batch_size
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key

    def reset(self) -> None:
        """Start a new epoch."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def _state_dict(self) -> dict[str, Any] | None:
        """The place, for `mxtorch.checkpoint`; None where the other iterator cannot say its own."""
        inner = state_of(self.data_iter)
        return None if inner is None else {"cur": self.cur, "data_iter": inner}

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave."""
        self.cur = state["cur"]
        load_state(self.data_iter, state["data_iter"])

    def iter_next(self) -> bool:
        """Go to the next batch; False after `size` of them."""
        if self.cur == self.size:
            return False
        try:
            batch = self.data_iter.next()
        except StopIteration:
            batch = None
        if batch is None:
            self.data_iter.reset()
            batch = self.data_iter.next()
        self.current_batch = batch
        self.cur += 1
        return True

    def getdata(self) -> Any:
        """The arrays of the current batch."""
        return self.current_batch.data

    def getlabel(self) -> Any:
        """The labels of the current batch."""
        return self.current_batch.label

    def getindex(self) -> Any:
        """The numbers of the samples in the current batch."""
        return self.current_batch.index

    def getpad(self) -> Any:
        """How many samples of the current batch are padding."""
        return self.current_batch.pad


class _Outcome:
    """A block's exception, kept instead of raised; StopIteration counts as a plain end."""

    def __init__(self) -> None:
        self.batch: Any = None
        self.error: BaseException | None = None

    def __enter__(self) -> _Outcome:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is not None and not isinstance(error, StopIteration):
            self.error = error
        return True


_slots: weakref.WeakSet[_Slot] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """No thread may be inside of torch while the interpreter goes down."""
    running = list(_slots)
    for slot in running:
        slot.stop()
    for slot in running:
        slot.thread.join()


class _Slot:
    """One iterator read ahead by one batch, in a thread of its own."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.ready = threading.Event()
        self.taken = threading.Event()
        self.taken.set()
        self.stopped = False
        self.outcome = _Outcome()
        self.before = state_of(source)  # where the source was before the batch that is ahead
        self.thread = threading.Thread(target=self._run, daemon=True)
        _slots.add(self)

    def _run(self) -> None:
        while True:
            self.taken.wait()
            self.taken.clear()
            if self.stopped:
                return
            self.outcome = _Outcome()
            with self.outcome as outcome:
                outcome.batch = self.source.next()
            self.ready.set()

    def fetch(self) -> None:
        """Let the thread read the next batch."""
        self.before = state_of(self.source)
        self.ready.clear()
        self.taken.set()

    def stop(self) -> None:
        """End the thread, after the batch that it is reading."""
        self.stopped = True
        self.taken.set()


class PrefetchingIter(DataIter):
    """Batches of one or several iterators put together, read ahead by one batch in threads.

    `rename_data` and `rename_label` are dicts, one an iterator, from old names to new ones. An
    exception in a thread is raised by `next`. AssertionError where the iterators' batches differ
    in number or padding.
    """

    def __init__(self, iters: Any, rename_data: Any = None, rename_label: Any = None) -> None:
        super().__init__()
        self._slots: list[_Slot] = []  # first, for `__del__`
        self.iters = iters if isinstance(iters, list) else [iters]
        self.n_iter = len(self.iters)
        if not self.n_iter:
            raise MXNetAssertionError("PrefetchingIter needs at least one iterator")
        self.rename_data = rename_data
        self.rename_label = rename_label
        self.batch_size = self.provide_data[0][1][0]
        self.started = True
        self.current_batch: Any = [None] * self.n_iter
        self._slots = [_Slot(source) for source in self.iters]
        self.data_ready = [slot.ready for slot in self._slots]
        self.data_taken = [slot.taken for slot in self._slots]
        self.prefetch_threads = [slot.thread for slot in self._slots]
        for thread in self.prefetch_threads:
            thread.start()

    def __del__(self) -> None:
        self.started = False
        for slot in self._slots:
            slot.stop()

    @property
    def next_batch(self) -> list[Any]:
        """The batches that the threads have read."""
        return [slot.outcome.batch for slot in self._slots]

    @property
    def provide_data(self) -> list[DataDesc]:
        """The descriptions of all iterators' data, renamed."""
        return _renamed([source.provide_data for source in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """The descriptions of all iterators' labels, renamed."""
        return _renamed([source.provide_label for source in self.iters], self.rename_label)

    def reset(self) -> None:
        """Start all iterators again."""
        self._wait()
        for source in self.iters:
            source.reset()
        self._fetch()

    def _state_dict(self) -> dict[str, Any] | None:
        """The place, for `mxtorch.checkpoint`; None where an iterator cannot say its own."""
        states = [slot.before for slot in self._slots]
        return None if any(state is None for state in states) else {"iters": states}

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave: the batches that are ahead are read again."""
        self._wait()
        for source, inner in zip(self.iters, state["iters"], strict=True):
            load_state(source, inner)
        self._fetch()

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end."""
        self._wait()
        for slot in self._slots:
            if slot.outcome.error is not None:
                raise slot.outcome.error
        batches = self.next_batch
        if all(batch is None for batch in batches):
            return False
        if any(batch is None or batch.pad != batches[0].pad for batch in batches):
            raise MXNetAssertionError(_UNEQUAL)
        first = batches[0]
        self.current_batch = DataBatch(
            [array for batch in batches for array in batch.data],
            [array for batch in batches for array in batch.label],
            first.pad,
            first.index,
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        self._fetch()
        return True

    def _wait(self) -> None:
        for slot in self._slots:
            slot.ready.wait()

    def _fetch(self) -> None:
        for slot in self._slots:
            slot.fetch()

    def next(self) -> DataBatch:
        """The next batch; StopIteration at the end."""
        if not self.iter_next():
            raise StopIteration
        batch: DataBatch = self.current_batch
        return batch

    def getdata(self) -> Any:
        """The arrays of the current batch."""
        return self.current_batch.data

    def getlabel(self) -> Any:
        """The labels of the current batch."""
        return self.current_batch.label

    def getindex(self) -> Any:
        """The numbers of the samples in the first iterator's current batch."""
        return self.current_batch.index

    def getpad(self) -> Any:
        """How many samples of the current batch are padding."""
        return self.current_batch.pad


def _renamed(sources: list[Any], names: Any) -> list[DataDesc]:
    if names is None:
        return [desc for source in sources for desc in source]
    found = []
    for new, source in zip(names, sources, strict=False):
        for desc in source:
            if isinstance(desc, DataDesc):
                found.append(DataDesc(new[desc.name], desc.shape, desc.dtype))
            else:  # a plain tuple keeps its name, as in MXNet
                found.append(DataDesc(*desc))
    return found
