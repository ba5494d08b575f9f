"""Queues between processes, and the loops of MXNet's first DataLoader that read and fill them."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.queues
import pickle
from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from typing import Any

from mxtorch._core.device import Context
from mxtorch.ndarray.ndarray import NDArray


class ConnectionWrapper:
    """A connection whose objects are pickled as batches are."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def send(self, obj: Any) -> None:
        """Pickle an object and send it."""
        self.send_bytes(ForkingPickler.dumps(obj))

    def recv(self) -> Any:
        """The next object; it comes from a process of this program."""
        return pickle.loads(self.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_conn"], name)


class Queue(multiprocessing.queues.Queue):
    """A queue of batches between processes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


class SimpleQueue(multiprocessing.queues.SimpleQueue):
    """The same without a thread of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


def as_in_context(data: Any, ctx: Context) -> Any:
    """The arrays of a batch in another context."""
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [as_in_context(part, ctx) for part in data]
    return data


def worker_loop_v1(
    dataset: Any, key_queue: Any, data_queue: Any, batchify_fn: Callable[..., Any]
) -> None:
    """Make the batches that `key_queue` names, as (number, indices), until the number is None."""
    while True:
        number, samples = key_queue.get()
        if number is None:
            return
        data_queue.put((number, batchify_fn([dataset[i] for i in samples])))


def fetcher_loop_v1(
    data_queue: Any,
    data_buffer: dict[int, Any],
    pin_memory: bool = False,
    pin_device_id: int = 0,
    data_buffer_lock: Any = None,
) -> None:
    """Move batches, as (number, batch), from the queue to a dict until the number is None."""
    ctx = Context("cpu_pinned", pin_device_id) if pin_memory else Context("cpu", 0)
    while True:
        number, batch = data_queue.get()
        if number is None:
            return
        batch = as_in_context(batch, ctx)
        with data_buffer_lock or contextlib.nullcontext():
            data_buffer[number] = batch
