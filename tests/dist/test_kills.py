"""Processes that die, hosts that vanish, ports that are taken: what the others do, and how soon.

Nothing hangs, no process is left behind, and a checkpoint's file is whole.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from mxtorch._resume.file import load
from tests import child

PROGRAM = pathlib.Path(__file__).parent / "programs" / "faulty.py"
SOON = 240  # seconds; the limit on signs of life is 5, the rest is for a busy machine
STOPPED = (3, 1)  # the program's own exit; or torch still waited, and the process was ended
LIMITS = {"MXTORCH_DIST_TIMEOUT": "5", "MXTORCH_START_TIMEOUT": "150"}
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes by POSIX signals")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, rank, size, port, **changes):
    place = {"RANK": rank, "WORLD_SIZE": size, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    variables = {**LIMITS, **{name: str(value) for name, value in place.items()}, **changes}
    return subprocess.Popen(
        [sys.executable, str(PROGRAM)],
        cwd=folder,
        env=child.environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ends_of(processes):
    """(exit code, output) of each, none of which may hang."""
    ends = []
    for process in processes:
        try:
            output, _ = process.communicate(timeout=SOON)
        except subprocess.TimeoutExpired:
            for other in processes:
                other.kill()
            pytest.fail(f"a process hangs: {process.communicate()[0]}")
        ends.append((process.returncode, output))
    return ends


def run_all(folder, size=2, **changes):
    port = free_port()
    return ends_of([start(folder, rank, size, port, **changes) for rank in range(size)])


def check_file(folder):
    file = folder / "run.ckpt"
    assert file.exists()
    load(file.read_bytes(), "")


@pytest.mark.parametrize("fault", ["all_reduce", pytest.param("forward", marks=pytest.mark.full)])
def test_a_rank_that_dies(fault, tmp_path):
    ends = run_all(tmp_path, 3, FAULT=fault, FAULT_RANK="1")
    assert ends[1][0] == -signal.SIGKILL
    for rank in (0, 2):
        code, output = ends[rank]
        assert code in STOPPED, output
        assert f"rank {rank} lost 1: " in output
        assert "rank 1 of 3" in output
    if fault == "forward":
        check_file(tmp_path)


@pytest.mark.full
def test_the_writer_dies_while_it_writes(tmp_path):
    """Rank 0 also hosts the rendezvous here: that is what the other one says."""
    ends = run_all(tmp_path, 2, FAULT="write", FAULT_RANK="0")
    assert ends[0][0] == -signal.SIGKILL, ends
    assert ends[1][0] in STOPPED, ends
    assert "rank 1 lost" in ends[1][1]
    check_file(tmp_path)
    ends = run_all(tmp_path, 2)
    assert [code for code, _ in ends] == [0, 0], ends
    assert "goes on from" in ends[0][1] and "rank 1 ends" in ends[1][1]


@pytest.mark.full
def test_the_host_of_the_rendezvous_dies(tmp_path):
    ends = run_all(tmp_path, 3, FAULT="forward", FAULT_RANK="0")
    assert ends[0][0] == -signal.SIGKILL
    for rank in (1, 2):
        assert ends[rank][0] in STOPPED, ends
        assert f"rank {rank} lost" in ends[rank][1]
        assert "rendezvous" in ends[rank][1] or "rank 0" in ends[rank][1]


@pytest.mark.full
def test_a_port_that_is_taken(tmp_path):
    """By a program that accepts connections and says nothing."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        limits = {"MXTORCH_START_TIMEOUT": "5"}
        ends = ends_of([start(tmp_path, rank, 2, port, **limits) for rank in range(2)])
    for code, output in ends:
        assert code == 1
        assert f"127.0.0.1:{port}" in output and "MXNetError" in output


@pytest.mark.full
def test_nobody_at_the_rendezvous(tmp_path):
    process = start(tmp_path, 1, 2, free_port(), MXTORCH_START_TIMEOUT="3")
    ((code, output),) = ends_of([process])
    assert code == 1 and "no rendezvous at 127.0.0.1" in output


def launch(folder, *options, **changes):
    return subprocess.Popen(
        [sys.executable, "-m", "mxtorch", "launch", "-n", "2", *options, str(PROGRAM)],
        cwd=folder,
        env=child.environment(**{**LIMITS, **changes}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(pids):
    deadline = time.monotonic() + SOON
    while left := [pid for pid in pids if is_there(pid)]:
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"{len(left)} of {len(pids)} processes are left behind")
        time.sleep(0.2)


def pids_in(output):
    found = [int(pid) for pid in re.findall(r"runs as (\d+)", output)]
    assert len(found) == 2, output
    return found


@pytest.mark.full
def test_launched_processes_after_a_fault(tmp_path):
    process = launch(tmp_path, FAULT="forward")
    ((code, output),) = ends_of([process])
    assert code == 128 + signal.SIGKILL, output
    assert "rank 1" in output and "was killed by signal 9" in output
    wait_until_gone(pids_in(output))
    check_file(tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=lambda n: n.name)
def test_the_launcher_itself_dies(number, tmp_path):
    """Killed, it cannot stop its processes: they see that its rendezvous is gone, and end."""
    process = launch(tmp_path, EPOCHS="100000")
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "".join(lines).count("runs as") == 2:
            break
    pids = pids_in("".join(lines))
    os.kill(process.pid, number)
    wait_until_gone(pids)
    output, _ = process.communicate(timeout=SOON)
    assert "ends" not in output


@pytest.mark.full
def test_a_launchers_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        options = ("--nnodes=1", "--master-addr=127.0.0.1", f"--master-port={port}")
        process = launch(tmp_path, *options, MXTORCH_START_TIMEOUT="5")
        ((code, output),) = ends_of([process])
    assert code != 0
    assert str(port) in output
