"""A process that fails at any other moment than those of test_kills, and places that do not fit.

Each of the others ends by itself with an error that says what has happened, none hangs.
"""

import os
import re
import signal
import time

import pytest

from tests.dist import start

LIMITS = {"MXTORCH_DIST_TIMEOUT": "5", "MXTORCH_START_TIMEOUT": "40"}
SOON = 150  # seconds for a busy machine; the limits above are the longest that anybody waits
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(os.name != "posix", reason="ends processes by POSIX signals"),
]


def run(size, *arguments, **changes):
    processes = start.ranks(size, "breaks.py", *arguments, **{**LIMITS, **changes})
    return [start.finish(process, SOON) for process in processes]


def assert_said(end, text):
    code, output = end
    assert code in (1, 3), output  # 1: torch still waited, and the process was ended
    assert text in output


DIED = {
    "init": "start: rank 1 of 2 has given no sign of life for 5 s",
    "broadcast": "broadcast: rank 1 of 2 has died",
    "check": "gather_text: rank 1 of 2 has died",
    "barrier": "barrier: rank 1 of 2 has died",
    "validation": "all_reduce: rank 1 of 2 has died",
}


@pytest.mark.parametrize("fault", DIED)
def test_a_process_is_killed(fault):
    survivor, killed = run(2, fault, 1)
    assert killed[0] == -signal.SIGKILL
    assert_said(survivor, f"says LostRankError: {DIED[fault]}")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("init", "the process that hosts the rendezvous"),
        ("check", "rank 0"),
    ],
)
def test_the_first_process_is_killed(fault, said):
    """It hosts the rendezvous, too."""
    killed, survivor = run(2, fault, 0)
    assert killed[0] == -signal.SIGKILL
    assert_said(survivor, said)


def test_a_process_is_killed_before_it_joins():
    survivor, _ = run(2, "join", 1, MXTORCH_START_TIMEOUT="10")
    assert_said(survivor, "rank 1 of 2 has not come within 10 s (MXTORCH_START_TIMEOUT)")


@pytest.mark.parametrize("fault", ["train", "new_group"])
def test_a_process_is_killed_where_sums_begin_early(fault):
    survivor, _ = run(2, fault, 1, MXTORCH_OVERLAP="1", MXTORCH_BUCKET_BYTES="300")
    assert_said(survivor, "says LostRankError: ")
    assert "rank 1 of 2 has" in survivor[1]


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("SIGINT", -signal.SIGINT, "has stopped with KeyboardInterrupt"),
        ("SIGTERM", -signal.SIGTERM, "has died"),
        ("raise", 1, "has stopped with ValueError: a picture is missing"),
        ("exit", 7, "has died"),
    ],
)
def test_a_process_ends(how, code, said):
    survivor, ended = run(2, "train", 1, how)
    assert ended[0] == code
    assert_said(survivor, f"all_reduce: rank 1 of 2 {said}")


def test_a_long_validation_on_one_process_is_waited_for():
    """Longer than the limit on signs of life, which it gives."""
    for code, output in run(2, "validation", 0, "wait"):
        assert code == 0, output
        assert "ends" in output


@pytest.mark.parametrize("fault", ["uneven", "metric"])
def test_batches_that_are_not_as_many_for_each(fault):
    """One is at the end of its epoch (a barrier, Horovod's sum), the other has one more batch."""
    for end in run(2, fault, 1):
        assert_said(end, "the processes wait for each other in different places: rank 0 in ")
        assert "are there as many batches for each?" in end[1]


def test_workers_of_a_loader_end_with_their_process():
    survivor, killed = run(2, "loader", 1)
    assert_said(survivor, "rank 1 of 2 has died")
    line = re.search(r"children ([\d ]+)", killed[1])
    assert line is not None, killed[1]
    deadline = time.monotonic() + 60
    while left := [pid for pid in map(int, line[1].split()) if start.is_alive(pid)]:
        assert time.monotonic() < deadline, f"{len(left)} workers are left behind"
        time.sleep(0.2)


def test_two_processes_of_one_rank():
    ends = run(2, "none", 9, RANK=("1", "1"), MXTORCH_START_TIMEOUT="10")
    assert [code != 0 for code, _ in ends] == [True, True]
    ends = run(3, "none", 9, RANK=("0", "1", "1"), MXTORCH_START_TIMEOUT="10")
    assert all(code != 0 for code, _ in ends)
    assert any("two processes say that they are rank 1 of 3" in output for _, output in ends)


def test_other_numbers_of_processes():
    ends = run(2, "none", 9, WORLD_SIZE=("2", "3"))
    assert all(code != 0 for code, _ in ends)  # the other may find the rendezvous gone by then
    assert any("rank 0 is one of 2 processes and rank 1 (on " in output for _, output in ends)
