"""Signs of life: each process counts up in the common store, and looks who has stopped."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import torch.distributed as dist

from mxtorch._core.errors import LostRankError, MXNetError

_T = TypeVar("_T")
INTERVAL = 0.5  # seconds between two signs
_LOOK = 1.0  # seconds between two looks for the others
# An error from a connection has been seen: who gives no sign for so long is the one that died.
_SHORT = 6 * INTERVAL
# So many looks, a second apart, show the processes waiting in different collectives: they all hang.
_MISMATCHED = 5
_APART = "apart"  # where the processes wait, written by the first that sees it


class Watch(threading.Thread):
    """The thread that gives this process's signs; its other methods are for the main thread.

    store: a connection of this object's own, for another thread may wait in its calls.
    """

    def __init__(self, store: dist.Store, rank: int, size: int, timeout: float) -> None:
        super().__init__(name="mxtorch-watch", daemon=True)
        self._store, self.rank, self.size, self.timeout = store, rank, size, timeout
        self._stop_wanted = threading.Event()
        self._seen: dict[int, tuple[bytes, float]] = {}
        self._waits: dict[int, str] = {}
        self._same_waits = 0
        self._is_waiting = False
        self._gpu_work: tuple[str, Any] | None = None
        self._stuck = 0
        self.is_store_gone = False
        store.set(f"beat/{rank}", "0")

    def run(self) -> None:
        """Give signs until `leave`."""
        count = 0
        while not self._stop_wanted.wait(INTERVAL):
            count += 1
            try:
                self._store.set(f"beat/{self.rank}", str(count))
                self._look_after_gpu()
            except RuntimeError:
                self.is_store_gone = True
                return

    def guard(self, what: str, work: Any) -> None:
        """Look after a collective of GPUs: its caller does not wait for it, but for the stream that
        it holds up, and NCCL waits there for a dead process as long as for a slow one.
        """
        self._gpu_work = what, work

    def _look_after_gpu(self) -> None:
        """End this process if its GPU waits for one that is lost, and nothing else has ended it."""
        guarded = self._gpu_work
        if guarded is None or guarded[1].is_completed():
            if guarded is self._gpu_work:
                self._gpu_work = None
            self._stuck = 0
            return
        named = self._named()
        if named is None and (silent := self.silent_ranks(self.timeout)):
            named = silent[0], f"has given no sign of life for {self.timeout:g} s"
        self._stuck = 0 if named is None else self._stuck + 1
        if named is not None and self._stuck * INTERVAL > 2 * _SHORT:
            rank, text = named
            end_process(
                f"mxtorch: error: LostRankError: {guarded[0]}: rank {rank} of {self.size} {text}; "
                f"the GPU of rank {self.rank} waits for it, so this process ends. Start all "
                "processes again, from the last checkpoint if there is one.\n"
            )

    def leave(self, reason: str) -> None:
        """Say to the others that this process ends; `reason`: the error that ends it, or ''."""
        self._stop_wanted.set()
        try:
            self._store.set(f"left/{self.rank}", reason)
        except RuntimeError:
            self.is_store_gone = True

    def silent_ranks(self, seconds: float) -> list[int]:
        """The ranks that gave no sign for so long, as far as this process has looked."""
        ranks = [rank for rank in range(self.size) if rank != self.rank]
        signs = self._store.multi_get([f"beat/{rank}" for rank in ranks])
        now = time.monotonic()
        for rank, sign in zip(ranks, signs, strict=True):
            if rank not in self._seen or self._seen[rank][0] != sign:
                self._seen[rank] = (sign, now)
        return [rank for rank in ranks if now - self._seen[rank][1] > seconds]

    def check(self, what: str, number: int) -> None:
        """Raise LostRankError if a process has died while this one waits in `what`, its `number`th
        collective; also if all wait in different ones for each other.
        """
        try:
            self._check_waits(what, number)
            named = self._named()
            if named is None and (silent := self.silent_ranks(self.timeout)):
                named = silent[0], f"has given no sign of life for {self.timeout:g} s"
        except LostRankError:
            raise
        except RuntimeError as error:
            self._raise_store_gone(what, error)
        if named is not None:
            self._raise_lost(what, *named)

    def _check_waits(self, what: str, number: int) -> None:
        self._raise_if_apart(what)  # another one may have seen it first
        self._is_waiting = True
        self._store.set(f"wait/{self.rank}", f"{what}, its collective {number}")
        keys = [f"wait/{rank}" for rank in range(self.size)]
        if not self._store.check(keys):
            return
        texts = [text.decode() for text in self._store.multi_get(keys)]
        waits = dict(enumerate(texts))
        is_same = waits == self._waits and len(set(texts)) > 1 and all(texts)
        self._same_waits = self._same_waits + 1 if is_same else 0
        self._waits = waits
        if self._same_waits > _MISMATCHED:
            where = "; ".join(f"rank {rank} in {text}" for rank, text in waits.items())
            self._store.set(_APART, where)
            self._raise_apart(what, where)

    def _raise_if_apart(self, what: str) -> None:
        if self._store.check([_APART]):
            self._raise_apart(what, self._store.get(_APART).decode())

    def _raise_apart(self, what: str, where: str) -> NoReturn:
        raise LostRankError(
            f"{what}: the processes wait for each other in different places: {where}. All must "
            "make the same calls in the same order: are there as many batches for each?"
        )

    def wait_is_over(self) -> None:
        """Say that this process does not wait any more, if it has said that it does."""
        if self._is_waiting:
            self._is_waiting = False
            self._store.set(f"wait/{self.rank}", "")

    def say(self, what: str) -> None:
        """Write a word for all to see; it is there when this returns."""
        try:
            self._store.add(f"said/{what}", 1)
        except RuntimeError as error:
            self._raise_store_gone(what, error)

    def is_said(self, what: str) -> bool:
        """Whether a process has written it."""
        try:
            return self._store.check([f"said/{what}"])
        except RuntimeError as error:
            self._raise_store_gone(what, error)

    def run_call(self, what: str, call: Callable[[], _T]) -> _T:
        """A call in which torch waits for all processes, and knows no limit: LostRankError if one
        has died. The call itself is given up then, with its thread.
        """
        results: list[_T] = []
        errors: list[BaseException] = []

        def work() -> None:
            try:
                results.append(call())
            except Exception as error:  # noqa: BLE001 - it is raised again in the caller's thread
                errors.append(error)

        thread = threading.Thread(target=work, name="mxtorch-call", daemon=True)
        thread.start()
        while not (results or errors):
            thread.join(_LOOK)
            if thread.is_alive():
                self.check(what, 0)
        self.wait_is_over()
        if errors and isinstance(errors[0], RuntimeError) and not isinstance(errors[0], MXNetError):
            self.explain(what, errors[0])
        if errors:
            raise errors[0]
        return results[0]

    def explain(self, what: str, error: Exception) -> NoReturn:
        """Raise LostRankError for an error of a connection in `what`."""
        try:
            self._raise_if_apart(what)  # it may have ended for that
            self.silent_ranks(_SHORT)
            deadline = time.monotonic() + 2 * _SHORT
            while time.monotonic() < deadline:
                named = self._named()
                if named is None and (silent := self.silent_ranks(_SHORT)):
                    named = silent[0], "has died"
                if named is not None:
                    self._raise_lost(what, *named, error)
                time.sleep(INTERVAL / 2)
        except RuntimeError as store_error:
            if isinstance(store_error, LostRankError):
                raise
            self._raise_store_gone(what, store_error)
        raise LostRankError(
            f"{what}: the connection broke although every process is alive: {_first_line(error)}"
        ) from error

    def _named(self) -> tuple[int, str] | None:
        """(rank, what has happened to it), from what the others have written."""
        if self._store.check(["lost"]):
            number, _, text = self._store.get("lost").decode().partition(" ")
            return int(number), text
        for rank in range(self.size):
            key = f"left/{rank}"
            if rank != self.rank and self._store.check([key]):
                reason = self._store.get(key).decode()
                if not reason:
                    return rank, "has ended its program, with fewer steps than this rank"
                return rank, f"has stopped with {reason}"
        return None

    def _raise_lost(
        self, what: str, rank: int, text: str, error: Exception | None = None
    ) -> NoReturn:
        try:
            self._raise_if_apart(what)  # written before the process that saw it left
            self._store.set("lost", f"{rank} {text}")
        except LostRankError:
            raise
        except RuntimeError:
            self.is_store_gone = True
        raise LostRankError(
            f"{what}: rank {rank} of {self.size} {text}; rank {self.rank} cannot go on without it. "
            "Start all processes again, from the last checkpoint if there is one.",
            rank,
        ) from error

    def _raise_store_gone(self, what: str, error: Exception) -> NoReturn:
        self.is_store_gone = True
        raise LostRankError(
            f"{what}: the process that hosts the rendezvous (rank 0, the launcher or the "
            f"scheduler) is gone: {_first_line(error)}. Start all processes again."
        ) from error


def end_process(text: str) -> None:
    """End the process from another thread than the main one, which a GPU holds up."""
    sys.stderr.write(text)
    sys.stderr.flush()
    os._exit(1)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:300]
