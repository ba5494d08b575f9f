"""`mxtorch launch`: an MXNet program in several processes, by torchrun."""

from __future__ import annotations

import sys
from typing import Any

import click
from torch.distributed import run as torchrun
from torch.distributed.elastic.multiprocessing.api import SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.elastic.rendezvous import RendezvousError

from mxtorch._core.errors import first_line
from mxtorch.cli.run import RunCommand

_INTERRUPTED = 130


def _processes(context: click.Context, option: click.Parameter, count: str) -> str:
    if count in ("auto", "cpu", "gpu") or (count.isdecimal() and int(count) > 0):
        return count
    raise click.BadParameter(f"{count!r} is neither a number from 1 on nor auto, cpu or gpu")


def _hosts(context: click.Context, option: click.Parameter, count: str | None) -> str | None:
    if count is None or all(n.isdecimal() and int(n) > 0 for n in count.split(":", 1)):
        return count
    raise click.BadParameter(f"{count!r} is neither a number from 1 on nor two with a colon")


@click.command(
    "launch",
    cls=RunCommand,
    no_args_is_help=True,
    short_help="Run an MXNet program in several processes, on one host or many.",
)
@click.option(
    "-n",
    "--nproc-per-node",
    "count",
    default="auto",
    callback=_processes,
    metavar="N",
    help="Processes on this host; `auto`: one a GPU, or one a processor without GPUs.",
)
@click.option(
    "--nnodes", callback=_hosts, metavar="N|MIN:MAX", help="Hosts; MIN:MAX for an elastic number."
)
@click.option(
    "--node-rank", type=click.IntRange(0), help="The number of this host, without a rendezvous."
)
@click.option("--rdzv-backend", metavar="NAME", help="Rendezvous of several hosts: c10d, etcd-v2.")
@click.option("--rdzv-endpoint", metavar="HOST:PORT", help="Where the hosts meet.")
@click.option("--rdzv-id", metavar="TEXT", help="A name of this job, the same on all hosts.")
@click.option("--rdzv-conf", metavar="K=V,...", help="More settings of the rendezvous.")
@click.option("--master-addr", metavar="HOST", help="The first host, without a rendezvous.")
@click.option("--master-port", type=click.IntRange(1, 65535), help="A free port there.")
@click.option("--local-addr", metavar="HOST", help="This host, as the others know it.")
@click.option(
    "--max-restarts",
    type=click.IntRange(0),
    help="How often all processes start again after a fault.",
)
@click.option("--log-dir", metavar="FOLDER", help="Where the processes' output is kept.")
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("-c", "code", metavar="CODE", help="Run a piece of code, as `python -c` does.")
@click.argument("script", required=False)
def command(
    count: str,
    module: str | None,
    code: str | None,
    script: str | None,
    arguments: tuple[str, ...] = (),
    **options: Any,
) -> None:
    """Run an MXNet program in several processes, which `dist_*` stores, Horovod's functions and
    SyncBatchNorm join into one group; each runs as under `mxtorch run`.

    It is torchrun with its own options; a program started by torchrun itself works as well.

    The exit code is 0 if all processes end well, else that of the first one that failed.

    \b
    Example: mxtorch launch -n 4 train.py --kv-store dist_sync
             mxtorch launch -n 8 --nnodes 2 --rdzv-backend c10d --rdzv-endpoint host0:29400 train.py
    """
    if module is not None:
        target = ["-m", module]
    elif code is not None:
        target = ["-c", code]
    elif script is not None:
        target = [script]
    else:
        raise click.UsageError("nothing to run: give a script, -m MODULE or -c CODE")
    if options["max_restarts"]:
        click.echo(
            f"mxtorch launch: after a fault all processes start again, {options['max_restarts']} "
            "time(s) at most. A program with mxtorch.checkpoint(net, trainer, data) goes on at its "
            "last checkpoint; any other starts from the files that it reads itself.",
            err=True,
        )
    run = ["-m", "mxtorch", "run", *target, *arguments]
    _launch([*_torchrun_options(count, options), "--no-python", sys.executable, *run])


def _torchrun_options(count: str, options: dict[str, Any]) -> list[str]:
    wanted = {name: value for name, value in options.items() if value is not None}
    result = [f"--nproc-per-node={count}"]
    if not wanted.keys() & {"nnodes", "rdzv_endpoint", "rdzv_backend", "master_addr", "node_rank"}:
        result.append("--standalone")
    for name, value in wanted.items():
        result.append(f"--{name.replace('_', '-')}={value}")
    return result


def _launch(options: list[str]) -> None:
    try:
        torchrun.main(options)
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        click.echo(
            f"mxtorch: error: rank {rank} (process {failure.pid}) "
            f"{_ending(failure.exitcode)}; the other processes were stopped",
            err=True,
        )
        sys.exit(failure.exitcode if failure.exitcode > 0 else 128 - failure.exitcode)
    except ValueError as error:  # of an option: the program runs in other processes
        raise click.UsageError(first_line(error)) from error
    except RendezvousError as error:
        click.echo(f"mxtorch: error: the hosts do not meet: {first_line(error)}", err=True)
        sys.exit(1)
    except (SignalException, KeyboardInterrupt) as error:
        number = getattr(error, "sigval", 2)
        sys.exit(_INTERRUPTED if number == 2 else 128 + int(number))


def _ending(exit_code: int) -> str:
    return f"was killed by signal {-exit_code}" if exit_code < 0 else f"failed: exit {exit_code}"
