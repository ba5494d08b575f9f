"""What holds for programs that run under the name `mxnet`: MXNet's environment variables that set
torch, and arrays that old programs take for numbers."""

from __future__ import annotations

import torch

from mxtorch import profiler
from mxtorch._core import env
from mxtorch._core.one_element import is_refused, switch
from mxtorch._core.warn import is_worker, note
from mxtorch.run import memory


def apply() -> None:
    """Set torch as the variables say; what is not set stays as torch has it.

    Raises MXNetValueError if a variable has a value that is not possible.
    """
    for variable in env.VARIABLES.values():
        variable.get()
    switch.is_on = env.ERA.get() != "off" and is_refused()
    switch.is_quiet = env.ERA.get() == "quiet"
    memory.keep_freed()
    if env.PROFILER_AUTOSTART.get() and not is_worker():
        profiler.autostart()
    if env.ENGINE_TYPE.get() == "NaiveEngine":
        env.write("CUDA_LAUNCH_BLOCKING", "1")  # read when CUDA starts
    if env.ENFORCE_DETERMINISM.get():
        env.write("CUBLAS_WORKSPACE_CONFIG", env.read("CUBLAS_WORKSPACE_CONFIG") or ":4096:8")
        torch.use_deterministic_algorithms(True)
    if env.CPU_WORKER_NTHREADS.is_set():
        _set_operators_at_a_time(max(env.CPU_WORKER_NTHREADS.get(), 1))
    if env.OMP_MAX_THREADS.get():
        torch.set_num_threads(min(torch.get_num_threads(), env.OMP_MAX_THREADS.get()))
    if not env.MKLDNN_ENABLED.get():
        torch.backends.mkldnn.set_flags(False)
    if env.CUDNN_AUTOTUNE.is_set():
        torch.backends.cudnn.benchmark = env.CUDNN_AUTOTUNE.get() > 0
    if not env.TENSOR_CORE.get():
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    elif env.MATH_CONVERSION.get():
        torch.backends.cuda.matmul.allow_tf32 = True


def _set_operators_at_a_time(count: int) -> None:
    if torch.get_num_interop_threads() == count:
        return
    try:
        torch.set_num_interop_threads(count)
    except RuntimeError:  # torch has started its threads
        note(f"{env.CPU_WORKER_NTHREADS.name} came too late: torch runs its threads already")
