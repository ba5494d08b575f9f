"""Where this process stands among the others: what its launcher says in the environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mxtorch._core import env
from mxtorch._core.errors import MXNetValueError

# MPI's and Slurm's names for what torchrun calls RANK, WORLD_SIZE and LOCAL_RANK.
_OTHER_LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
)


@dataclass(frozen=True)
class Place:
    """A process's place. rank: None goes by order of arrival. local_rank, local_size: None is
    counted by host names. has_scheduler: another process hosts the rendezvous.
    """

    rank: int | None
    size: int
    host: str = ""
    port: int = 0
    local_rank: int | None = None
    local_size: int | None = None
    has_scheduler: bool = False


def find_place() -> Place | None:
    """The place that a launcher gave this process; None without one."""
    if env.DMLC_ROLE.is_set():
        return _dmlc_place()
    if env.RANK.is_set() or env.WORLD_SIZE.is_set():
        return _torch_place()
    return _other_place()


def _dmlc_place() -> Place:
    wanted = (env.DMLC_PS_ROOT_URI, env.DMLC_PS_ROOT_PORT, env.DMLC_NUM_WORKER)
    _check_set(wanted, env.DMLC_ROLE)
    size, rank = env.DMLC_NUM_WORKER.get(), env.DMLC_WORKER_ID.get()
    _check_rank(rank, size, env.DMLC_WORKER_ID.name, env.DMLC_NUM_WORKER.name)
    return Place(
        rank, size, env.DMLC_PS_ROOT_URI.get(), env.DMLC_PS_ROOT_PORT.get(), has_scheduler=True
    )


def _torch_place() -> Place:
    _check_set((env.RANK, env.WORLD_SIZE), env.RANK)
    rank, size = env.RANK.get(), env.WORLD_SIZE.get()
    assert rank is not None
    assert size is not None
    _check_rank(rank, size, env.RANK.name, env.WORLD_SIZE.name)
    if size > 1:
        _check_set((env.MASTER_ADDR, env.MASTER_PORT), env.RANK)
    host, port = env.MASTER_ADDR.get(), env.MASTER_PORT.get()
    return Place(rank, size, host, port, env.LOCAL_RANK.get(), env.LOCAL_WORLD_SIZE.get())


def _other_place() -> Place | None:
    """What mpirun or srun say; only they do not say where to meet."""
    for rank_name, size_name, local_name in _OTHER_LAUNCHERS:
        rank, size, local = (env.read(n) or "" for n in (rank_name, size_name, local_name))
        if not (rank.isdecimal() and size.isdecimal()):
            continue
        if env.MASTER_ADDR.is_set() and env.MASTER_PORT.is_set():
            local_rank = int(local) if local.isdecimal() else None
            host, port = env.MASTER_ADDR.get(), env.MASTER_PORT.get()
            return Place(int(rank), int(size), host, port, local_rank)
        if int(size) > 1 and not rank_name.startswith("SLURM"):  # salloc's shell has those too
            raise MXNetValueError(
                f"{rank_name}={rank} of {size_name}={size}, but nothing says where the processes "
                "meet: set MASTER_ADDR to the host of rank 0 and MASTER_PORT to a free port there, "
                "or start the program with `mxtorch launch`"
            )
    return None


def _check_set(wanted: tuple[env.Variable[Any], ...], because: env.Variable[Any]) -> None:
    absent = [variable.name for variable in wanted if not variable.is_set()]
    if absent:
        raise MXNetValueError(
            f"{because.name}={because.get()} says that this is one of several processes, but "
            f"{', '.join(absent)} is not set; start the program with `mxtorch launch`, torchrun or "
            "MXNet's launcher, which set all of them"
        )


def _check_rank(rank: int | None, size: int, rank_name: str, size_name: str) -> None:
    if size < 1 or (rank is not None and rank >= size):
        raise MXNetValueError(f"{rank_name}={rank} with {size_name}={size}: ranks count from 0")
