"""Signs of life, and what a process does whose GPU waits for one that gives none: without a GPU."""

import pytest
import torch
import torch.distributed as dist

from mxtorch._core.errors import LostRankError
from mxtorch._dist import watch as watch_module
from mxtorch._dist.group import Begun, Group
from mxtorch._dist.watch import Watch


class Work:
    """A collective of GPUs."""

    def __init__(self, error=None):
        self.is_done, self.waits, self.error = False, [], error

    def is_completed(self):
        return self.is_done

    def wait(self, *limits):
        self.waits.append(limits)
        if self.error is not None:
            raise self.error


@pytest.fixture
def ended(monkeypatch):
    found = []
    monkeypatch.setattr(watch_module, "end_process", found.append)
    return found


@pytest.fixture
def watch():
    store = dist.HashStore()
    for rank in range(3):
        store.set(f"beat/{rank}", "0")
    return Watch(store, 0, 3, timeout=60)


def look(watch, times):
    for _ in range(times):
        watch._look_after_gpu()


def group_of(watch, work, is_cuda=True):
    group = Group(0, 3, watch)
    group.end(Begun("all_reduce", 1, work, is_cuda))
    return group


def test_the_stream_waits_and_not_the_thread(watch, ended):
    work = Work()
    group_of(watch, work)
    assert work.waits == [()]  # without a limit: it does not block
    look(watch, 100)
    assert not ended  # all are alive: however slow they are


def test_a_gpu_that_waits_for_a_lost_process(watch, ended):
    group_of(watch, Work())
    watch._store.set("left/2", "ValueError: no picture")
    look(watch, 5)
    assert not ended  # the main thread may find it out by itself
    look(watch, 20)
    assert "all_reduce: rank 2 of 3 has stopped with ValueError: no picture" in ended[0]
    assert "the GPU of rank 0 waits for it" in ended[0]


def test_a_gpu_that_waits_for_a_silent_process(watch, ended):
    watch.timeout = 0
    group_of(watch, Work())
    look(watch, 20)
    assert "has given no sign of life for 0 s" in ended[0]


def test_a_gpu_that_does_not_wait(watch, ended):
    work = Work()
    group_of(watch, work)
    work.is_done = True
    watch._store.set("left/2", "")
    look(watch, 30)
    assert not ended


def test_an_error_of_the_connection(watch):
    watch._store.set("left/1", "")
    with pytest.raises(LostRankError, match="all_reduce: rank 1 of 3 has ended its program"):
        group_of(watch, Work(RuntimeError("NCCL: remote process exited")))


def test_a_lost_process_breaks_the_group(watch):
    watch._store.set("left/1", "")
    group = Group(0, 3, watch)
    with pytest.raises(LostRankError):
        group.end(Begun("broadcast", 1, Work(RuntimeError("closed")), is_cuda=False))
    assert group._is_broken


def test_calls_without_a_limit(watch):
    assert watch.run_call("start", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        watch.run_call("start", lambda: 1 / 0)
    watch._store.set("left/2", "")
    with pytest.raises(LostRankError, match="start: rank 2 of 3 has ended"):
        watch.run_call("start", lambda: _fail("connection closed"))


def _fail(text):
    raise RuntimeError(text)


def test_words(watch):
    assert not watch.is_said("changed/1")
    watch.say("changed/1")
    assert watch.is_said("changed/1")


def test_where_processes_wait(watch):
    """The first that sees it tells the others."""
    watch._store.set("wait/1", "barrier, its collective 4")
    watch._store.set("wait/2", "")
    watch.check("all_reduce", 4)
    watch._store.set("wait/2", "barrier, its collective 4")
    with pytest.raises(LostRankError, match=r"rank 0 in all_reduce, .*; rank 1 in barrier"):
        for _ in range(10):
            watch.check("all_reduce", 4)
    other = Watch(watch._store, 1, 3, 60)
    with pytest.raises(LostRankError, match="barrier: the processes wait for each other"):
        other.check("barrier", 4)


def test_who_ends_for_that_is_not_blamed(watch, monkeypatch):
    """The other process writes both between two looks of this one."""
    look = watch._named

    def named():
        watch._store.set("apart", "rank 0 in all_reduce; rank 1 in barrier")
        watch._store.set("left/1", "")
        return look()

    monkeypatch.setattr(watch, "_named", named)
    with pytest.raises(LostRankError, match="all_reduce: the processes wait for each other"):
        watch.check("all_reduce", 4)


def test_sums_between_gpus(monkeypatch):
    """Rows that are each on a GPU of its own, in buckets; here on the CPU, and NCCL left out."""
    from mxtorch.kvstore import _sums

    calls = []
    monkeypatch.setattr(_sums, "sum_between_gpus", lambda rows: calls.append(len(rows)))
    monkeypatch.setattr(_sums, "_are_on_gpus", lambda rows: True)
    monkeypatch.setenv("MXTORCH_BUCKET_BYTES", "40")
    total = _sums._reduce([torch.zeros(25), torch.zeros(25)])
    assert calls == [2, 2, 2]
    assert total.shape == (25,)
