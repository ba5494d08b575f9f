"""The environment variables: every one that is honoured, read when it is needed.

env.RNG.get()        'mxnet', or what MXTORCH_RNG says
env.VARIABLES        all of them, for documentation and `doctor`
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mxtorch._core.errors import MXNetValueError

T = TypeVar("T")


@dataclass(frozen=True)
class Variable(Generic[T]):
    """A variable: its default, how its text is understood, what it does."""

    name: str
    default: T
    parse: Callable[[str], T]
    meaning: str

    def get(self) -> T:
        """The value now; the default where the variable is absent or empty."""
        text = os.environ.get(self.name, "").strip()
        return self.check(text) if text else self.default

    def check(self, text: str) -> T:
        """What such a text means; MXNetValueError if nothing."""
        try:
            return self.parse(text)
        except ValueError as error:
            raise MXNetValueError(f"{self.name}={text!r}: {error}") from None

    def set(self, text: str) -> None:
        """Set it for this process and the processes that it starts."""
        os.environ[self.name] = text

    def is_set(self) -> bool:
        """Whether the environment has it, not empty."""
        return bool(os.environ.get(self.name, "").strip())


def _flag(text: str) -> bool:
    values = {"0": False, "false": False, "1": True, "true": True}
    if text.lower() not in values:
        raise ValueError("expected 0, 1, true or false")
    return values[text.lower()]


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected {' or '.join(choices)}")
        return text

    return parse


def _era(text: str) -> str:
    names = {"0": "off", "false": "off", "1": "on", "true": "on"}
    return _one_of("on", "quiet", "off")(names.get(text.lower(), text.lower()))


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("expected a number of 0 or more")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ValueError("expected a number above 0")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1 << 16:
        raise ValueError("expected a port: 1 to 65535")
    return int(text)


def _device_map(text: str) -> str:
    for part in filter(None, text.replace(" ", "").split(",")):
        if not re.fullmatch(r"gpu(\(\d+\))?=(cpu|[cg]pu\(\d+\))", part):
            raise ValueError(f"{part!r} is not like gpu=cpu, gpu(1)=gpu(0) or gpu(0)=cpu")
    return text


def _folder(text: str) -> str:
    return os.path.expanduser(text)


def _home() -> str:
    base = os.environ.get("APPDATA", "") if os.name == "nt" else os.path.expanduser("~")
    return os.path.join(base, "mxnet" if os.name == "nt" else ".mxnet")


RNG = Variable(
    "MXTORCH_RNG",
    "mxnet",
    _one_of("mxnet", "torch"),
    "random numbers on CPU contexts: MXNet's own stream, or torch's faster one",
)
ALIAS = Variable(
    "MXTORCH_ALIAS",
    False,
    _flag,
    "`mxtorch run` sets it to 1, so that child processes find `mxnet`; 0 leaves a child alone",
)
ERA = Variable(
    "MXTORCH_ERA",
    "on",
    _era,
    "removed names under `mxtorch run`: `on`, `quiet` (as `--quiet-era`) or `off` (as `--no-era`)",
)
MAP = Variable(
    "MXTORCH_MAP",
    "",
    _device_map,
    "devices that take others' place, as `--map`: `gpu=cpu`, or `gpu(1)=gpu(0),gpu(2)=cpu`",
)
CHECKPOINT = Variable(
    "MXTORCH_CHECKPOINT",
    "mxtorch-checkpoint.safetensors",
    str,
    "file of `mxtorch.checkpoint`, where the program names none",
)
TRUST_STATES = Variable(
    "MXTORCH_TRUST_STATES",
    False,
    _flag,
    "1: files of optimizer states may hold objects of any class, and so run any code, as in MXNet",
)
GLUON_REPO = Variable(
    "MXNET_GLUON_REPO",
    "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/",
    str,
    "address of the data sets and models that Gluon downloads",
)
HOME = Variable("MXNET_HOME", _home(), _folder, "folder of downloaded data sets and models")
USE_MKLDNN_RNN = Variable(
    "MXNET_USE_MKLDNN_RNN",
    True,
    _flag,
    "0: float32 RNN layers on CPU contexts apply dropout=, which MXNet's default kernel ignores",
)
SAFE_ACCUMULATION = Variable(
    "MXNET_SAFE_ACCUMULATION",
    False,
    _flag,
    "1: norms of float32 add up in float64; other sums, and those of float16, are as exact with 0",
)
UPDATE_ON_KVSTORE = Variable(
    "MXNET_UPDATE_ON_KVSTORE",
    True,
    _flag,
    "0: the store of a Trainer or a Module adds gradients, and no more",
)
ENGINE_TYPE = Variable(
    "MXNET_ENGINE_TYPE",
    "ThreadedEnginePerDevice",
    _one_of("NaiveEngine", "ThreadedEngine", "ThreadedEnginePerDevice"),
    "NaiveEngine: under `mxtorch run`, CUDA runs each operator to its end before the next; the "
    "CPU always does",
)
ENFORCE_DETERMINISM = Variable(
    "MXNET_ENFORCE_DETERMINISM",
    False,
    _flag,
    "1: under `mxtorch run`, torch uses deterministic algorithms, or raises where it has none",
)
CPU_WORKER_NTHREADS = Variable(
    "MXNET_CPU_WORKER_NTHREADS",
    1,
    _count,
    "under `mxtorch run`, how many operators torch may run at a time on the CPU",
)
OMP_MAX_THREADS = Variable(
    "MXNET_OMP_MAX_THREADS",
    0,
    _count,
    "under `mxtorch run`, the most threads of one operator; default: those of OMP_NUM_THREADS",
)
OMP_NUM_THREADS = Variable(
    "OMP_NUM_THREADS", 0, _count, "threads of one operator; torch reads it at its import"
)
MKLDNN_ENABLED = Variable(
    "MXNET_MKLDNN_ENABLED", True, _flag, "0: under `mxtorch run`, torch does not use oneDNN"
)
SUBGRAPH_BACKEND = Variable(
    "MXNET_SUBGRAPH_BACKEND",
    "MKLDNN",
    _one_of("MKLDNN", "NONE", "MKLDNN_QUANTIZE", "default"),
    "NONE: hybridized blocks in inference run as written, BatchNorm not folded, weights not packed",
)
CUDNN_AUTOTUNE = Variable(
    "MXNET_CUDNN_AUTOTUNE_DEFAULT",
    0,
    _count,
    "1 or 2: under `mxtorch run`, cuDNN times its algorithms and takes the fastest",
)
PROFILER_AUTOSTART = Variable(
    "MXNET_PROFILER_AUTOSTART",
    False,
    _flag,
    "1: under `mxtorch run`, mx.profiler records from the import on and writes its file at the end",
)
TENSOR_CORE = Variable(
    "MXNET_CUDA_ALLOW_TENSOR_CORE",
    True,
    _flag,
    "0: under `mxtorch run`, float32 is never computed as TF32 on CUDA",
)
MATH_CONVERSION = Variable(
    "MXNET_CUDA_TENSOR_OP_MATH_ALLOW_CONVERSION",
    False,
    _flag,
    "1: under `mxtorch run`, float32 matrix products may be computed as TF32 on CUDA",
)
KEEP_FREED = Variable(
    "MXTORCH_KEEP_FREED",
    True,
    _flag,
    "0: under `mxtorch run`, freed memory goes back to the system at once, as glibc has it; else "
    "up to 1 GiB stays for the next arrays, which makes training small nets on CPUs faster",
)
DIST_TIMEOUT = Variable(
    "MXTORCH_DIST_TIMEOUT",
    60,
    _positive,
    "seconds without a sign of life after which the others give a process up",
)
START_TIMEOUT = Variable(
    "MXTORCH_START_TIMEOUT",
    300,
    _positive,
    "seconds that a process waits for the others at the start",
)
BUCKET_BYTES = Variable(
    "MXTORCH_BUCKET_BYTES",
    25 * 1024 * 1024,
    _positive,
    "the most bytes that one collective call over several processes carries",
)
OVERLAP = Variable(
    "MXTORCH_OVERLAP",
    "auto",
    _one_of("auto", "0", "1"),
    "whether several processes sum gradients while backward still computes others; auto: on GPUs",
)
DMLC_ROLE = Variable(
    "DMLC_ROLE",
    "",
    _one_of("worker", "server", "scheduler"),
    "what this process is to the `dist_*` stores, as MXNet's launchers set it: workers train, the "
    "scheduler and the servers wait until the workers are done",
)
DMLC_PS_ROOT_URI = Variable("DMLC_PS_ROOT_URI", "", str, "the host of the scheduler")
DMLC_PS_ROOT_PORT = Variable("DMLC_PS_ROOT_PORT", 0, _port, "the port of the scheduler")
DMLC_NUM_WORKER = Variable("DMLC_NUM_WORKER", 0, _count, "how many workers there are")
DMLC_NUM_SERVER = Variable("DMLC_NUM_SERVER", 0, _count, "how many servers there are")
DMLC_WORKER_ID = Variable(
    "DMLC_WORKER_ID", None, _count, "the rank of this worker; default: by order of arrival"
)
RANK = Variable("RANK", None, _count, "the number of this process, as torchrun sets it")
WORLD_SIZE = Variable("WORLD_SIZE", None, _count, "how many processes there are (torchrun)")
LOCAL_RANK = Variable("LOCAL_RANK", None, _count, "this process's number on its host (torchrun)")
LOCAL_WORLD_SIZE = Variable(
    "LOCAL_WORLD_SIZE", None, _count, "how many processes its host has (torchrun)"
)
MASTER_ADDR = Variable("MASTER_ADDR", "", str, "the host where processes meet (torchrun)")
MASTER_PORT = Variable("MASTER_PORT", 0, _port, "the port where processes meet (torchrun)")
TEST_SEED = Variable(
    "MXNET_TEST_SEED",
    None,
    int,
    "with the pytest plugin, the seed of random, NumPy and mxnet before each test",
)

VARIABLES = {
    variable.name: variable for variable in list(vars().values()) if isinstance(variable, Variable)
}


def read(name: str) -> str | None:
    """The text of any variable, or None if it is not set (`mx.util.getenv`)."""
    return os.environ.get(name)


def write(name: str, text: str) -> None:
    """Set any variable (`mx.util.setenv`)."""
    os.environ[name] = text


def remove(name: str) -> None:
    """Take any variable out of the environment."""
    os.environ.pop(name, None)


def prepend_folder(name: str, folder: str) -> None:
    """Put a folder first on a search path, once, for the processes that this one starts.

    Without a PATH, programs are searched where Python and shells do then.
    """
    old = os.environ.get(name, os.defpath if name == "PATH" else "")
    folders = [entry for entry in old.split(os.pathsep) if entry and entry != folder]
    os.environ[name] = os.pathsep.join([folder, *folders])


def child_environment(folder: str) -> dict[str, str]:
    """The environment of a Python process that prints at once and finds modules in `folder`.

    Without a folder it is for another Python: it gets no PYTHONPATH.
    """
    found = {**os.environ, "PYTHONUNBUFFERED": "1"}
    old = [f for f in found.pop("PYTHONPATH", "").split(os.pathsep) if f]
    if folder:
        found["PYTHONPATH"] = os.pathsep.join([folder, *(f for f in old if f != folder)])
    return found


def names() -> list[str]:
    """The names of MXNet's variables and ours that are set."""
    prefixes = ("MXNET_", "MXTORCH_", "DMLC_", "PS_", "NNVM_", "OMP_NUM_THREADS", "CUDA_VISIBLE_")
    return sorted(name for name in os.environ if name.startswith(prefixes))
