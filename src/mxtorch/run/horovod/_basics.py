"""Who this process is among the others."""

from __future__ import annotations

from typing import Any

from mxtorch._core import device, torch_compat
from mxtorch._core.errors import MXNetValueError, NotSupportedError
from mxtorch._dist import group
from mxtorch._dist.group import Group

_state: dict[str, Group] = {}


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Join the processes that the launcher started; a process without one is alone."""
    if comm:
        raise NotSupportedError(
            f"hvd.init(comm={comm!r}): groups of some of the processes are not supported; "
            "leave it out, and start as many processes as shall train"
        )
    if process_sets:
        raise NotSupportedError("hvd.init(process_sets=…): not supported; leave it out")
    _state["group"] = group.join()


def shutdown() -> None:
    """End the use of these functions; the group itself ends with the program."""
    _state.clear()


def is_initialized() -> bool:
    """Whether `init` has been called."""
    return "group" in _state


def the_group() -> Group:
    """The group; MXNetValueError before `init`, as Horovod's functions raise ValueError."""
    if "group" not in _state:
        raise MXNetValueError("Horovod has not been initialized; use hvd.init().")
    return _state["group"]


def rank() -> int:
    """The number of this process."""
    return the_group().rank


def size() -> int:
    """How many processes there are."""
    return the_group().size


def local_rank() -> int:
    """The number of this process among those of its host."""
    return the_group().local_rank


def local_size() -> int:
    """How many processes its host has."""
    return the_group().local_size


def cross_rank() -> int:
    """The number of this host."""
    return the_group().rank // the_group().local_size


def cross_size() -> int:
    """How many hosts there are."""
    return max(1, the_group().size // the_group().local_size)


def is_homogeneous() -> bool:
    """Whether every host has as many processes."""
    return len(set(the_group().gather_text(str(the_group().local_size)))) == 1


def mpi_threads_supported() -> bool:
    """False: there is no MPI."""
    the_group()
    return False


def mpi_enabled() -> bool:
    """False: there is no MPI."""
    return False


def mpi_built() -> bool:
    """False: there is no MPI."""
    return False


def gloo_enabled() -> bool:
    """True: arrays on CPU contexts go by gloo."""
    return True


def gloo_built() -> bool:
    """True: arrays on CPU contexts go by gloo."""
    return True


def nccl_built() -> int:
    """NCCL's version as a number, 0 without it; arrays on GPUs go by it."""
    return device.nccl_version()


def cuda_built() -> bool:
    """Whether torch is built for CUDA."""
    return torch_compat.is_built_for_cuda()


def rocm_built() -> bool:
    """Whether torch is built for ROCm."""
    return torch_compat.is_built_for_rocm()


def ddl_built() -> bool:
    """False: there is no DDL."""
    return False


def ccl_built() -> bool:
    """False: there is no oneCCL."""
    return False
