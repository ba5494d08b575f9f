"""Starts a program in several processes, by each of the launchers."""

import os
import pathlib
import socket
import subprocess
import sys

from tests.child import environment
from tests.child import python as _python

PROGRAMS = pathlib.Path(__file__).parent / "programs"
RUN = ["-m", "mxtorch", "run"]


def python(*arguments, **changes):
    """Python with the arguments; a loaded machine takes its time to start several."""
    return _python(*arguments, timeout=300, **changes)


def free_port():
    """A port that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def alone(program, *arguments, **changes):
    """One process, without a launcher."""
    return python(*RUN, PROGRAMS / program, *arguments, **changes)


def launch(count, program, *arguments, options=(), **changes):
    """`mxtorch launch`."""
    options = ["-n", count, *options, PROGRAMS / program]
    return python("-m", "mxtorch", "launch", *options, *arguments, **changes)


def torchrun(count, program, *arguments, **changes):
    """torchrun itself."""
    options = ["--standalone", "--nproc-per-node", count, *RUN, PROGRAMS / program]
    return python("-m", "torch.distributed.run", *options, *arguments, **changes)


def start(role, count, program, *arguments, port, servers=1, **changes):
    """A process as MXNet's launchers start it; it is running when this returns."""
    variables = {
        "DMLC_ROLE": role,
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_NUM_WORKER": str(count),
        "DMLC_NUM_SERVER": str(servers),
    }
    return subprocess.Popen(
        [sys.executable, *RUN, str(PROGRAMS / program), *map(str, arguments)],
        env=environment(**{**variables, **changes}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ranks(size, program, *arguments, **changes):
    """Processes that are told their places one by one, by torchrun's variables; they are running.

    changes: variables; a tuple has one value for each.
    """
    port, processes = free_port(), []
    for rank in range(size):
        own = {name: v[rank] if isinstance(v, tuple) else v for name, v in changes.items()}
        place = {"RANK": rank, "WORLD_SIZE": size, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        variables = {name: str(value) for name, value in {**place, **own}.items()}
        processes.append(
            subprocess.Popen(
                [sys.executable, str(PROGRAMS / program), *map(str, arguments)],
                env=environment(**variables),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    return processes


def dmlc(count, program, *arguments, **changes):
    """A scheduler, a server and workers: the results of all, the workers' last."""
    port = free_port()
    roles = ["scheduler", "server", *["worker"] * count]
    processes = [start(role, count, program, *arguments, port=port, **changes) for role in roles]
    return [finish(process) for process in processes]


def finish(process, timeout=300):
    """Wait for a process; (exit code, output)."""
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        return "timeout", output
    return process.returncode, output


def is_alive(pid):
    """Whether a process runs still."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = pathlib.Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
