"""Processes that do not agree, die, or never come: an error that names them, and no hang."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.child import environment, python
from tests.dist import start

# Long enough for a loaded machine to give a sign of life now and then.
QUICK = {"MXTORCH_DIST_TIMEOUT": "8"}


def test_what_processes_do_not_agree_on():
    done = start.launch(2, "refused.py")
    text = done.stdout
    assert "parameters: kvstore: parameters: " in text
    assert "is default float32 (3, 2) on rank 0 and default float32 (3, 3) on rank 1" in text
    assert "batch: Trainer.step: batch_size is 4 on rank 0 and 5 on rank 1" in text
    assert "rate: kvstore: optimizer: learning_rate is 0.1 on rank 0 and 0.2 on rank 1" in text
    assert "order: kvstore: push: b is default float32 (3,) on rank 0 and nothing on rank 1" in text
    assert "servers: dist_sync: command 7 has no servers to go to" in text
    assert "in step again: [3. 3.]" in text
    assert "key a was given default float32 (2,) before and default float32 (3,) now" in text
    assert "key a was given default float32 (2,) before and default float64 (2,) now" in text
    assert done.returncode == 1
    assert "mxtorch: error: rank 1 (process " in done.stderr


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("SIGKILL", "rank 1 of 2 has died"),
        pytest.param(
            "SIGSTOP", "rank 1 of 3 has given no sign of life for 8 s", marks=pytest.mark.full
        ),
        pytest.param(
            "raise",
            "rank 1 of 3 has stopped with ValueError: no such picture",
            marks=pytest.mark.full,
        ),
        pytest.param("end", "rank 1 of 3 has ended its program", marks=pytest.mark.full),
    ],
)
def test_lost_worker_is_named(way, said):
    port = start.free_port()
    scheduler, *workers = (
        start.start(
            "worker" if rank else "scheduler",
            3 if way != "SIGKILL" else 2,
            "lost.py",
            way,
            port=port,
            servers=0,
            DMLC_WORKER_ID=rank,
            **QUICK,
        )
        for rank in (["", "0", "1"] if way == "SIGKILL" else ["", "0", "1", "2"])
    )
    if way != "SIGSTOP":
        start.finish(workers[1])
    began = time.monotonic()
    results = [start.finish(worker) for worker in workers if worker is not workers[1]]
    if way == "SIGSTOP":
        workers[1].kill()
        start.finish(workers[1])
    else:
        assert time.monotonic() - began < 60
    for code, output in results:
        assert code == 1, output
        assert "LostRankError: " in output
        assert said in output
    is_dead = way.startswith("SIG")
    code, output = start.finish(scheduler)
    assert code == int(is_dead)
    assert ("worker 1 has died" in output) is is_dead


@pytest.mark.full
def test_launch_says_which_rank_was_killed():
    done = start.launch(2, "lost.py", "SIGKILL")
    assert done.returncode == 128 + 9
    assert "mxtorch: error: rank 1 (process " in done.stderr
    assert "was killed by signal 9; the other processes were stopped" in done.stderr


def test_interrupt_leaves_no_process():
    program = str(start.PROGRAMS / "lost.py")
    process = subprocess.Popen(
        [sys.executable, "-m", "mxtorch", "launch", "-n", "2", program, "SIGINT-not-sent"],
        env=environment(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    pids = []
    assert process.stdout is not None
    while len(pids) < 2:
        line = process.stdout.readline()
        assert line, "the program has ended"
        if line.startswith("ready"):
            pids.append(int(line.split()[1]))
    os.kill(process.pid, signal.SIGINT)
    code, _ = start.finish(process)
    assert code == 130
    assert not [pid for pid in pids if start.is_alive(pid)]


def test_port_in_use():
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, output = start.finish(start.start("scheduler", 1, "lost.py", "end", port=port))
    assert code == 1
    assert f"scheduler: port {port} of this host cannot be listened on" in output


@pytest.mark.parametrize("role", ["worker", pytest.param("server", marks=pytest.mark.full)])
def test_no_scheduler(role):
    port = start.free_port()
    process = start.start(role, 1, "lost.py", "end", port=port, MXTORCH_START_TIMEOUT="2")
    code, output = start.finish(process)
    assert code == 1
    assert f"127.0.0.1:{port}" in output


@pytest.mark.full
def test_other_version_is_refused():
    code = (
        "import mxtorch._dist.group as group, os\n"
        "if os.environ['RANK'] == '1': group.__version__ = '0.0.1'\n"
        "import mxtorch as mx; mx.kv.create('dist_sync')\n"
    )
    done = python("-m", "mxtorch", "launch", "-n", "2", "-c", code)
    assert done.returncode == 1
    assert "and rank 1 (on " in done.stderr
    assert "mxtorch 0.0.1; install the same version everywhere" in done.stderr


def test_without_a_launcher():
    done = python("-c", "import mxtorch as mx; mx.kv.create('dist_sync')")
    assert "kvstore 'dist_sync': nothing says which of how many processes this is" in done.stderr


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"RANK": "0", "WORLD_SIZE": "2"}, "MASTER_ADDR, MASTER_PORT is not set"),
        ({"RANK": "3", "WORLD_SIZE": "2"}, "RANK=3 with WORLD_SIZE=2"),
        (
            {"DMLC_ROLE": "worker"},
            "DMLC_PS_ROOT_URI, DMLC_PS_ROOT_PORT, DMLC_NUM_WORKER is not set",
        ),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, "set MASTER_ADDR"),
    ],
)
def test_environment_that_is_not_complete(variables, said, monkeypatch):
    from mxtorch._dist.place import find_place

    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(ValueError, match=said):
        find_place()
