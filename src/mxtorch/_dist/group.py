"""The group of processes that this one trains with."""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple, NoReturn

import torch
import torch.distributed as dist
from torch import Tensor

from mxtorch._core import env, torch_compat
from mxtorch._core.device import accelerator_type, wire_device
from mxtorch._core.errors import LostRankError, MXNetError, first_line
from mxtorch._core.peers import peers
from mxtorch._dist.place import Place, find_place
from mxtorch._dist.store import connect
from mxtorch._dist.watch import Watch
from mxtorch.version import __version__

_POLL = timedelta(seconds=1)
# Seconds until a process ends that has lost another, whatever torch still waits for.
_LEAVE = 3
# torch's own limit of a collective; who has died is found out long before, by `Watch`.
_LONGEST = timedelta(hours=12)


class Begun(NamedTuple):
    """A collective that has been started."""

    name: str
    number: int
    work: Any
    is_cuda: bool


class Group:
    """This process among `size` ones that run the same program.

    counts: how often each collective was called, and its bytes under (name, 'bytes').
    """

    def __init__(self, rank: int = 0, size: int = 1, watch: Watch | None = None) -> None:
        self.rank, self.size = rank, size
        self.local_rank, self.local_size = rank, size
        self.counts: Counter[Any] = Counter()
        self._watch = watch
        self._calls = 0
        self._is_broken = False
        # torch's groups beside the default one; nobody else holds them, or they outlive `leave`
        self._apart: list[Any] = []

    def run(self, name: str, tensors: list[Tensor], start: Callable[[Tensor], Any]) -> None:
        """Start a collective for each tensor, then wait for all; LostRankError if a rank is lost.

        name: what the collective is called, in `counts` and in errors.
        """
        self._calls += 1
        begun = [self.begin(name, tensor, start, self._calls) for tensor in tensors]
        for each in begun:
            self.end(each)

    def begin(
        self, name: str, tensor: Tensor, start: Callable[[Tensor], Any], number: int
    ) -> Begun:
        """Start a collective, which `end` waits for; LostRankError if a rank is lost.

        number: which of the calls of that name it is, the same on all ranks.
        """
        with self._breaking():
            if self._watch is not None and self._watch.is_store_gone:
                self._watch.check(name, number)  # a killed launcher leaves nobody to stop this one
            try:
                work = start(tensor)
            except RuntimeError as error:
                self._explain(name, error)
        self.counts[name] += 1
        self.counts[name, "bytes"] += tensor.numel() * tensor.element_size()
        return Begun(name, number, work, tensor.is_cuda)

    def end(self, begun: Begun) -> None:
        """Wait for a collective; LostRankError if a rank is lost."""
        with self._breaking():
            self._wait(begun)

    @contextmanager
    def _breaking(self) -> Iterator[None]:
        """Note that a rank is lost: torch may wait for ever then."""
        try:
            yield
        except LostRankError:
            self._is_broken = True
            raise

    def _wait(self, begun: Begun) -> None:
        while True:
            began = time.monotonic()
            try:
                if begun.is_cuda:  # NCCL: the stream waits, not this thread
                    begun.work.wait()
                    if self._watch is not None:
                        self._watch.guard(begun.name, begun.work)
                else:
                    begun.work.wait(_POLL)
                    if self._watch is not None:
                        self._watch.wait_is_over()
                return
            except RuntimeError as error:
                if time.monotonic() - began < _POLL.total_seconds() * 0.9:
                    self._explain(begun.name, error)
            if self._watch is not None:
                self._watch.check(begun.name, begun.number)

    def _explain(self, name: str, error: Exception) -> NoReturn:
        if self._watch is not None:
            self._watch.explain(name, error)
        raise LostRankError(f"{name}: {error}") from error

    def sum(self, tensors: list[Tensor]) -> None:
        """Sum tensors over all processes, in place, a call each."""
        staged = [tensor.to(wire_device(tensor.device)) for tensor in tensors]
        self.run("sum", staged, lambda t: dist.all_reduce(t, async_op=True))
        for tensor, total in zip(tensors, staged, strict=True):
            if total is not tensor:
                tensor.copy_(total)

    def start_torch(self, store: dist.Store) -> None:
        """Make torch's default group; LostRankError if a process dies meanwhile."""
        options: dict[str, Any] = {"store": store, "rank": self.rank, "world_size": self.size}
        options["timeout"] = _LONGEST
        try:
            torch_compat.import_before_groups()
            self._watched("start", lambda: dist.init_process_group(_backend(), **options))
            self.make_control()
        except LostRankError:
            atexit.register(_end_soon)
            raise

    def make_control(self) -> None:
        """Make the group of barriers and texts.

        It is of gloo: where one process waits there and another in a sum of gradients, gloo would
        end them for their messages' sizes; so they wait, and are told.
        """
        control = self._watched("start", lambda: dist.new_group(None, _LONGEST, "gloo"))
        self._apart.insert(0, control)

    @property
    def control(self) -> Any:
        """The group of barriers and texts, for the length of a call; None in one process."""
        return self._apart[0] if self._apart else None

    def beside(self) -> Callable[[], Any]:
        """Gives another group of torch's, of the same processes; each must call this.

        What runs there meets only its like: its order among other collectives does not matter.
        """
        with self._breaking():
            made = self._watched("new_group", lambda: dist.new_group(timeout=_LONGEST))
        self._apart.append(made)
        place = len(self._apart) - 1
        return lambda: self._apart[place]

    def _watched(self, what: str, call: Callable[[], Any]) -> Any:
        return call() if self._watch is None else self._watch.run_call(what, call)

    @property
    def can_say(self) -> bool:
        """Whether `say` reaches the others."""
        return self._watch is not None

    def say(self, what: str) -> None:
        """Tell the others something, in a word; before the next collective for all of them."""
        assert self._watch is not None
        with self._breaking():
            self._watch.say(what)

    def is_said(self, what: str) -> bool:
        """Whether anybody has said it, if that was before a collective that is over."""
        assert self._watch is not None
        with self._breaking():
            return self._watch.is_said(what)

    def barrier(self) -> None:
        """Wait until every process is here."""
        if self.size > 1:
            row, apart = [torch.zeros(1)], self.control
            self.run("barrier", row, lambda t: dist.all_reduce(t, group=apart, async_op=True))

    def gather_text(self, text: str) -> list[str]:
        """Every rank's text, by rank."""
        if self.size == 1:
            return [text]
        own = torch.frombuffer(bytearray(text.encode() or b" "), dtype=torch.uint8)
        sizes = [torch.zeros(1, dtype=torch.int64) for _ in range(self.size)]
        self._gather(sizes, torch.tensor([own.numel()]))
        longest = max(int(size) for size in sizes)
        padded = torch.zeros(longest, dtype=torch.uint8)
        padded[: own.numel()] = own
        rows = [torch.zeros(longest, dtype=torch.uint8) for _ in range(self.size)]
        self._gather(rows, padded)
        texts = [bytes(r[: int(n)].tolist()).decode() for r, n in zip(rows, sizes, strict=True)]
        return ["" if text == " " else text for text in texts]

    def _gather(self, rows: list[Tensor], own: Tensor) -> None:
        apart = self.control
        self.run(
            "gather_text", [own], lambda t: dist.all_gather(rows, t, group=apart, async_op=True)
        )

    def check_same(self, what: str, value: Any, advice: str) -> None:
        """Raise MXNetError on every rank if `value` (of JSON's types) is not the same on all.

        The error has `what`, both values, the rank that differs, and `advice`.
        """
        own = json.dumps(value)
        texts = self.gather_text(own)
        for rank, text in enumerate(texts):
            if text != texts[0]:
                raise MXNetError(
                    f"{what}: {_difference(json.loads(texts[0]), json.loads(text), rank)}. {advice}"
                )

    def leave(self) -> None:
        """Say to the others that this process ends, and why."""
        error = getattr(sys, "last_value", None)
        if self._watch is not None:
            reason = f"{type(error).__name__}: {error}"[:300] if error is not None else ""
            self._watch.leave(reason)
        if not dist.is_initialized():
            return
        if self._is_broken:
            _end_soon()
        elif error is None:
            self._apart.clear()
            dist.destroy_process_group()


def _end_soon() -> None:
    """End the process, though torch may wait for collectives that others never joined."""
    nowhere = open(os.devnull, "w")  # noqa: SIM115 - the process ends with it
    faulthandler.dump_traceback_later(_LEAVE, exit=True, file=nowhere)


def _difference(first: Any, other: Any, rank: int) -> str:
    """Where two values part: for lists and dicts their first entry that differs."""
    if isinstance(first, dict) and isinstance(other, dict):
        for key in [*first, *(key for key in other if key not in first)]:
            if key not in first or key not in other or first[key] != other[key]:
                absent = "nothing"
                return (
                    f"{key} is {first.get(key, absent)} on rank 0 and {other.get(key, absent)} on "
                    f"rank {rank}"
                )
    return f"{first} on rank 0 and {other} on rank {rank}"


_group: Group | None = None
_lock = threading.Lock()


def joined() -> Group | None:
    """The group that this process has joined, or None."""
    return _group


def join(need_launcher: str = "") -> Group:
    """Join the processes that the launcher started with this one; once, then the same group.

    Without a launcher it is a group of one; with `need_launcher` (who asks) MXNetError instead.
    MXNetError if the environment is not complete, if the others do not come within
    MXTORCH_START_TIMEOUT, or if one of them runs another mxtorch.
    """
    global _group
    with _lock:
        if _group is None:
            place = find_place()
            if place is None and need_launcher and not dist.is_initialized():
                raise MXNetError(
                    f"{need_launcher}: nothing says which of how many processes this is. Start the "
                    "program with `mxtorch launch -n 2 train.py`, torchrun or MXNet's launcher; in "
                    "one process use 'device'."
                )
            _group = _join(place)
            peers.count = _group.size
            peers.sum = _group.sum if _group.size > 1 else None
            atexit.register(_group.leave)
        return _group


def _join(place: Place | None) -> Group:
    if dist.is_initialized():
        return _adopt(place)
    if place is None or (place.size == 1 and not place.has_scheduler):
        return Group()
    limit = timedelta(seconds=env.START_TIMEOUT.get())
    try:
        is_host = not place.has_scheduler and place.rank == 0 and not torch_compat.has_agent_store()
        if is_host:
            store = dist.TCPStore(place.host, place.port, None, True, limit, wait_for_workers=False)
        else:
            store = connect(place.host, place.port, limit)
        rank = _take_rank(store, place)
        watch_store = connect(place.host, place.port, limit)
    except RuntimeError as error:
        raise MXNetError(
            f"no rendezvous at {place.host}:{place.port}: {first_line(error)}. Is the "
            "process that hosts it (rank 0, or the scheduler) up, is the port free and open to "
            "this host?"
        ) from error
    prefix = "" if place.has_scheduler else torch_compat.attempt()
    watch = Watch(_prefixed(watch_store, prefix), rank, place.size, env.DIST_TIMEOUT.get())
    common = _prefixed(store, prefix)
    facts = _exchange(common, rank, place.size)
    watch.start()
    group = Group(rank, place.size, watch)
    if place.size > 1:
        group.start_torch(common)
    _set_local(group, place, [fact["host"] for fact in facts])
    return group


def _adopt(place: Place | None) -> Group:
    """A group over the default one of torch.distributed, which the program has made itself."""
    rank, size = dist.get_rank(), dist.get_world_size()
    store, limit = torch_compat.default_store_address(), timedelta(seconds=env.START_TIMEOUT.get())
    watch = None
    if store is not None and size > 1:
        own = connect(*store, limit)
        watch = Watch(_prefixed(own, torch_compat.attempt()), rank, size, env.DIST_TIMEOUT.get())
        watch.start()
    group = Group(rank, size, watch)
    if size > 1:
        group.make_control()
    facts = [json.loads(text) for text in group.gather_text(json.dumps(_facts(size)))]
    _check_versions(facts)
    _set_local(group, place, [fact["host"] for fact in facts])
    return group


def _prefixed(store: dist.Store, prefix: str) -> dist.Store:
    return dist.PrefixStore(f"mxtorch{prefix}", store)


def _backend() -> str:
    return "cpu:gloo,cuda:nccl" if accelerator_type() == "cuda" else "gloo"


def _take_rank(store: dist.Store, place: Place) -> int:
    """The rank; where the launcher gave none, that of its arrival."""
    if place.rank is not None:
        rank = place.rank
        if store.add(f"mxtorch/rank/{rank}{torch_compat.attempt()}", 1) > 1:
            raise MXNetError(
                f"two processes say that they are rank {rank} of {place.size}, at "
                f"{place.host}:{place.port}; give each a number of its own"
            )
        return rank
    rank = store.add("mxtorch/arrived", 1) - 1
    if rank >= place.size:
        raise MXNetError(
            f"worker {rank + 1} came to {place.host}:{place.port}, but DMLC_NUM_WORKER="
            f"{place.size}; start as many workers as it says"
        )
    return rank


def _facts(size: int) -> dict[str, Any]:
    return {"mxtorch": __version__, "host": socket.gethostname(), "size": size}


def _exchange(store: dist.Store, rank: int, size: int) -> list[dict[str, Any]]:
    """What every rank says of itself; MXNetError if one does not come, or has another version."""
    store.set(f"facts/{rank}", json.dumps(_facts(size)))
    facts: list[dict[str, Any]] = []
    limit, began = env.START_TIMEOUT.get(), time.monotonic()
    for other in range(size):
        try:
            text = store.get(f"facts/{other}").decode()
        except RuntimeError as error:
            if time.monotonic() - began < limit * 0.9:
                raise LostRankError(
                    "the process that hosts the rendezvous (rank 0, the launcher or the scheduler) "
                    "is gone before all have come. Start all processes again."
                ) from error
            raise LostRankError(
                f"rank {other} of {size} has not come within {limit} s "
                f"({env.START_TIMEOUT.name}); has it failed before it joined?",
                other,
            ) from error
        facts.append(json.loads(text))
        _check_sizes(facts)
    _check_versions(facts)
    return facts


def _check_sizes(facts: list[dict[str, Any]]) -> None:
    """Refuse processes that were told other numbers of processes."""
    rank, fact = len(facts) - 1, facts[-1]
    if fact["size"] != facts[0]["size"]:
        raise MXNetError(
            f"rank 0 is one of {facts[0]['size']} processes and rank {rank} (on {fact['host']}) "
            f"one of {fact['size']}, as their launchers say; start all with the same number"
        )


def _check_versions(facts: list[dict[str, Any]]) -> None:
    for rank, fact in enumerate(facts):
        if fact["mxtorch"] != facts[0]["mxtorch"]:
            raise MXNetError(
                f"rank 0 runs mxtorch {facts[0]['mxtorch']} and rank {rank} (on {fact['host']}) "
                f"mxtorch {fact['mxtorch']}; install the same version everywhere"
            )


def _set_local(group: Group, place: Place | None, hosts: list[str]) -> None:
    """Its number among the processes of its host, and their count."""
    own = hosts[group.rank]
    group.local_rank = hosts[: group.rank].count(own)
    group.local_size = hosts.count(own)
    if place is not None and place.local_rank is not None:
        group.local_rank = place.local_rank
        group.local_size = place.local_size or group.local_size
