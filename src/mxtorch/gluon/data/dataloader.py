"""DataLoader: batches of a dataset, made here or by workers."""

from __future__ import annotations

import io
import multiprocessing
import multiprocessing.pool
import pickle
import signal
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
import torch.multiprocessing  # tensors travel between processes through shared memory

from mxtorch._core.device import Context
from mxtorch._core.modes import modes
from mxtorch._front.handle import wrap_new
from mxtorch.gluon.data import sampler as _sampler
from mxtorch.gluon.data._batchify import default_batchify_fn, default_mp_batchify_fn
from mxtorch.gluon.data._queues import (  # noqa: F401 - MXNet's names
    ConnectionWrapper,
    Queue,
    SimpleQueue,
    fetcher_loop_v1,
    worker_loop_v1,
)
from mxtorch.gluon.data._queues import as_in_context as _as_in_context
from mxtorch.ndarray import numpy
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.util import np_array, np_shape

__all__ = ["DataLoader"]


def rebuild_ndarray(cls: type[NDArray], tensor: torch.Tensor) -> NDArray:
    """An array over memory that another process shares."""
    return wrap_new(cls, tensor, Context("cpu_shared", 0))


def reduce_ndarray(data: NDArray) -> Any:
    """How an array travels to another process: its memory becomes shared."""
    return rebuild_ndarray, (type(data), data.storage().cpu())


rebuild_np_ndarray = rebuild_ndarray
reduce_np_ndarray = reduce_ndarray
# as in MXNet, arrays go through shared memory in every queue of this program
ForkingPickler.register(NDArray, reduce_ndarray)
ForkingPickler.register(numpy.ndarray, reduce_np_ndarray)


# what a worker process has, set once when it starts
_worker_dataset: Any = None
_worker_batchify: Any = None


class _BatchPickler(ForkingPickler):
    """Pickles batches; arrays and tensors go through shared memory."""

    def reducer_override(self, obj: Any) -> Any:
        return reduce_ndarray(obj) if isinstance(obj, NDArray) else NotImplemented


def _worker_initializer(dataset: Any, batchify_fn: Callable[..., Any]) -> None:
    global _worker_dataset, _worker_batchify
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)  # a forked process has lost the threads of its parent
    _worker_dataset, _worker_batchify = dataset, batchify_fn


def _worker_fn(samples: list[Any]) -> bytes:
    batch = _worker_batchify([_worker_dataset[i] for i in samples])
    buffer = io.BytesIO()
    _BatchPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(batch)
    return buffer.getvalue()


def _thread_worker_fn(
    samples: list[Any],
    batchify_fn: Callable[..., Any],
    dataset: Any,
    numpy: tuple[bool, bool] = (False, False),
) -> Any:
    """`numpy`: the switches of the thread that wants the batch; a new thread has them off."""
    with np_shape(numpy[0]), np_array(numpy[1]):
        return batchify_fn([dataset[i] for i in samples])


def _start_processes(count: int, dataset: Any, batchify_fn: Callable[..., Any]) -> Any:
    # Programs have lambdas in their datasets: only a forked process can be given those.
    method = "fork" if sys.platform.startswith("linux") else None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        context = multiprocessing.get_context(method)
        return context.Pool(count, _worker_initializer, (dataset, batchify_fn))


class _MultiWorkerIter:
    """Batches from workers, in the sampler's order, `prefetch` of them under way."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        self._samples = iter(loader._batch_sampler)
        self._under_way: list[Any] = []
        for _ in range(loader._prefetch):
            self._push_next()

    def _push_next(self) -> None:
        samples = next(self._samples, None)
        if samples is not None:
            self._under_way.append(self._loader._submit(samples))

    def __iter__(self) -> _MultiWorkerIter:
        return self

    def __next__(self) -> Any:
        self._push_next()
        if not self._under_way:
            raise StopIteration
        result = self._under_way.pop(0)
        try:
            batch = result.get(self._loader._timeout)
        except multiprocessing.TimeoutError:
            print(
                f"Worker timed out after {self._loader._timeout} seconds. Pass a larger timeout= "
                "for slow transforms, or fewer num_workers if shared memory is short."
            )
            raise
        except BaseException:
            self._loader._worker_pool.terminate()
            raise
        if isinstance(batch, bytes):
            batch = pickle.loads(batch)
        return self._loader._pinned(batch)


class DataLoader:
    """Batches of a dataset.

    `num_workers` processes (or threads, with `thread_pool`) make them ahead; 0 makes them here.
    Give either `batch_size` with `shuffle`, `sampler` and `last_batch`, or `batch_sampler`.
    Shuffling uses NumPy's global generator.
    """

    _worker_pool: Any = None

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[..., Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: int = 120,
        auto_reload: bool = False,
    ) -> None:
        self._dataset = dataset
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._thread_pool = thread_pool
        self._timeout = timeout
        assert timeout > 0, f"timeout must be positive, given {timeout}"
        self._batch_sampler = _batches(
            dataset, batch_size, shuffle, sampler, last_batch, batch_sampler
        )
        self._num_workers = max(num_workers, 0)
        self._prefetch = max(0, 2 * self._num_workers if prefetch is None else int(prefetch))
        if batchify_fn is None:
            batchify_fn = default_mp_batchify_fn if num_workers > 0 else default_batchify_fn
        self._batchify_fn = batchify_fn
        if self._num_workers > 0:
            if thread_pool:
                self._worker_pool = multiprocessing.pool.ThreadPool(self._num_workers)
            else:
                self._worker_pool = _start_processes(self._num_workers, dataset, batchify_fn)
            # not in __del__: of a loader in a cycle the pool may go first, with a warning
            weakref.finalize(self, self._worker_pool.terminate)
        self.auto_reload = auto_reload
        self._iter: _MultiWorkerIter | None = None
        if auto_reload:
            self.refresh()

    def _prefetch_iter(self) -> _MultiWorkerIter | None:
        return _MultiWorkerIter(self) if self._num_workers else None

    def refresh(self) -> None:
        """Start making the next pass's first batches now."""
        self._iter = self._prefetch_iter()

    def clean(self) -> None:
        """Forget batches that were made ahead."""
        self._iter = None

    def __iter__(self) -> Iterator[Any]:
        return self._with_workers() if self._num_workers else self._here()

    def _here(self) -> Iterator[Any]:
        for samples in self._batch_sampler:
            yield self._pinned(self._batchify_fn([self._dataset[i] for i in samples]))

    def _with_workers(self) -> Iterator[Any]:
        batches, self._iter = self._iter, None
        yield from batches or _MultiWorkerIter(self)
        if self.auto_reload and self._iter is None:
            self.refresh()

    def _submit(self, samples: list[Any]) -> Any:
        if self._thread_pool:
            numpy = modes.np_shape, modes.np_array
            arguments = (samples, self._batchify_fn, self._dataset, numpy)
            return self._worker_pool.apply_async(_thread_worker_fn, arguments)
        return self._worker_pool.apply_async(_worker_fn, (samples,))

    def _pinned(self, batch: Any) -> Any:
        if not self._pin_memory:
            return batch
        return _as_in_context(batch, Context("cpu_pinned", self._pin_device_id))

    def __len__(self) -> int:
        return len(self._batch_sampler)


class DataLoaderV1(DataLoader):
    """DataLoader as MXNet 1.3 had it: its workers are processes."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[..., Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
    ) -> None:
        super().__init__(
            dataset,
            batch_size,
            shuffle,
            sampler,
            last_batch,
            batch_sampler,
            batchify_fn,
            num_workers,
            pin_memory,
            pin_device_id,
        )


def _batches(
    dataset: Any,
    batch_size: int | None,
    shuffle: bool,
    sampler: Any,
    last_batch: str | None,
    batch_sampler: Any,
) -> Any:
    if batch_sampler is not None:
        if batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise ValueError(
                "batch_size, shuffle, sampler and last_batch must not be specified if "
                "batch_sampler is specified."
            )
        return batch_sampler
    if batch_size is None:
        raise ValueError("batch_size must be specified unless batch_sampler is specified")
    if sampler is None:
        kind = _sampler.RandomSampler if shuffle else _sampler.SequentialSampler
        sampler = kind(len(dataset))
    elif shuffle:
        raise ValueError("shuffle must not be specified if sampler is specified")
    return _sampler.BatchSampler(sampler, batch_size, last_batch or "keep")
