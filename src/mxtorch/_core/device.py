"""Contexts (cpu(0), gpu(1), …) and the torch devices that they stand for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

import torch
import torch.distributed

from mxtorch._core import env
from mxtorch._core.errors import MXNetError, MXNetKeyError, MXNetValueError
from mxtorch._core.of_thread import OfThread
from mxtorch._core.warn import note

_CPU = torch.device("cpu")


class _Current(threading.local):
    """`Context._default_ctx`, too, whose `value` programs read and set."""

    context: Context | None = None

    @property
    def value(self) -> Context:
        return current_context()

    @value.setter
    def value(self, context: Context) -> None:
        self.context = context


_current = _Current()


class _ContextType(type):
    """`Context.default_ctx`: read and written on the class itself."""

    @property
    def default_ctx(cls) -> Context:
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, value: Context) -> None:
        _current.context = value

    @property
    def _default_ctx(cls) -> _Current:
        return _current


class Context(metaclass=_ContextType):
    """A place where arrays live: a device type and a device number.

    Every `cpu(i)` is the same memory but a context of its own, so programs for several devices
    run on one processor. `gpu(i)` is the accelerator of that number: CUDA, ROCm, MPS or XPU.
    """

    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {name: n for n, name in devtype2str.items()}

    _default_ctx = OfThread(_current, "context", lambda: current_context())

    device_typeid: int
    device_id: int

    def __init__(self, device_type: Context | str, device_id: int = 0) -> None:
        if isinstance(device_type, Context):
            self.device_typeid = device_type.device_typeid
            self.device_id = device_type.device_id
        else:
            if device_type not in self.devstr2type:
                raise MXNetKeyError(
                    f"Context: device type {device_type!r} is unknown; "
                    f"use one of {', '.join(self.devstr2type)}"
                )
            self.device_typeid = self.devstr2type[device_type]
            self.device_id = int(device_id)
        self._outer: list[Context | None] = []

    @property
    def device_type(self) -> str:
        """'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared'."""
        return self.devtype2str[self.device_typeid]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Context)
            and self.device_typeid == other.device_typeid
            and self.device_id == other.device_id
        )

    def __hash__(self) -> int:
        return hash((self.device_typeid, self.device_id))

    def __str__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return Context, (self.device_type, self.device_id)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What MXNet's own pickles hold."""
        self.device_typeid, self.device_id = state["device_typeid"], state["device_id"]
        self._outer = []

    def __enter__(self) -> Context:
        self._outer.append(_current.context)
        _current.context = self
        return self

    def __exit__(self, *exc: object) -> None:
        _current.context = self._outer.pop()

    def empty_cache(self) -> None:
        """Give cached memory of an accelerator back to its driver; nothing on a CPU."""
        if self.device_type == "gpu" and torch.cuda.is_available():
            torch.cuda.empty_cache()


def are_beside(one: Context, other: Context) -> bool:
    """Whether contexts are the same place for MXNet: the host's kinds of memory of one number."""
    kinds = {one.device_typeid & 1, other.device_typeid & 1}  # odd ones are the host's
    return len(kinds) == 1 and one.device_id == other.device_id


_interned: dict[tuple[int, int], Context] = {}
_torch_devices: dict[tuple[int, int], torch.device] = {}


def intern_context(ctx: Context) -> Context:
    """The one object that stands for all contexts equal to `ctx`."""
    return _interned.setdefault((ctx.device_typeid, ctx.device_id), ctx)


_DEFAULT = intern_context(Context("cpu", 0))


def current_context() -> Context:
    """The context that new arrays go to: that of the innermost `with`, else cpu(0)."""
    return _current.context or _DEFAULT


def cpu(device_id: int = 0) -> Context:
    """A CPU context; different numbers are different contexts on the same memory."""
    return Context("cpu", device_id)


def gpu(device_id: int = 0) -> Context:
    """The context of the accelerator with this number; it need not exist before it is used."""
    return Context("gpu", device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Page-locked CPU memory, from which copies to an accelerator are faster."""
    return Context("cpu_pinned", device_id)


def accelerator_type() -> str | None:
    """torch's name of the accelerator at hand ('cuda', 'mps', 'xpu'), or None."""
    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return "xpu"
    return None


def num_gpus() -> int:
    """How many accelerators `gpu(i)` can name here."""
    kind = accelerator_type()
    if kind == "cuda":
        return torch.cuda.device_count()
    if kind == "xpu":
        return torch.xpu.device_count()
    return 1 if kind == "mps" else 0


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """(free, total) bytes of an accelerator's memory."""
    device = context_to_device(gpu(device_id))
    if device.type != "cuda":
        raise MXNetError(
            f"gpu_memory_info: torch does not tell the memory of a {device.type} device"
        )
    free, total = torch.cuda.mem_get_info(device)
    return free, total


def cuda_capability(ctx: Context) -> int:
    """The compute capability of a CUDA device: 90 for 9.0."""
    device = context_to_device(ctx)
    if device.type != "cuda":
        raise MXNetError(f"{ctx} is a {device.type} device: compute capabilities are CUDA's")
    major, minor = torch.cuda.get_device_capability(device)
    return 10 * major + minor


def nccl_version() -> int:
    """NCCL's version as a number (22105 for 2.21.5); 0 where no GPU could use it."""
    if not torch.distributed.is_nccl_available() or not torch.cuda.is_available():
        return 0
    major, minor, patch = (*torch.cuda.nccl.version(), 0)[:3]
    return int(major) * 10000 + int(minor) * 100 + int(patch)


def sum_between_gpus(rows: Sequence[torch.Tensor]) -> None:
    """Add equal rows, each on a GPU of its own, into the first, by NCCL."""
    torch.cuda.nccl.reduce(list(rows), output=rows[0], root=0)


def is_cuda_in_use() -> bool:
    """Whether this process has used a CUDA device; asking does not."""
    return bool(torch.cuda.is_initialized())


def synchronize(device: torch.device | None = None) -> None:
    """Wait for an accelerator, or for all that this process has started; the CPU never waits."""
    if device is not None and device.type == "cpu":
        return
    kind = device.type if device is not None else "cuda"
    if kind == "cuda" and is_cuda_in_use():
        torch.cuda.synchronize(device)
    elif kind == "mps":
        torch.mps.synchronize()
    elif kind == "xpu":
        torch.xpu.synchronize(device)


def on_device(device: torch.device) -> AbstractContextManager[Any]:
    """A block whose kernels go to this accelerator; nothing for the CPU."""
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()


def get_accelerator_rng() -> list[torch.Tensor]:
    """The states of torch's own generators of all accelerators that this process has used."""
    kind = accelerator_type()
    if kind == "cuda":
        return list(torch.cuda.get_rng_state_all()) if is_cuda_in_use() else []
    if kind == "xpu":
        return list(torch.xpu.get_rng_state_all())
    return [torch.mps.get_rng_state()] if kind == "mps" else []


def set_accelerator_rng(states: list[torch.Tensor]) -> None:
    """Go on from what `get_accelerator_rng` gave; fewer accelerators take the first ones."""
    kind, count = accelerator_type(), num_gpus()
    for index, state in enumerate(states[:count]):
        if kind == "cuda":
            torch.cuda.set_rng_state(state, index)
        elif kind == "xpu":
            torch.xpu.set_rng_state(state, index)
        else:
            torch.mps.set_rng_state(state)


def wire_device(device: torch.device) -> torch.device:
    """Where torch.distributed takes the tensors of a device: CUDA (NCCL) or the CPU (gloo)."""
    return device if device.type == "cuda" else _CPU


def context_to_device(ctx: Context) -> torch.device:
    """The torch device of a context. An absent accelerator raises; it never becomes the CPU."""
    if ctx.device_typeid != 2:
        return _CPU
    key = (ctx.device_typeid, ctx.device_id)
    device = _torch_devices.get(key)
    if device is None:
        device = _torch_devices[key] = _find_device(ctx)
    return device


def _find_device(ctx: Context) -> torch.device:
    """The device of a gpu context, or of the one that MXTORCH_MAP puts in its place."""
    stand_in = parse_map(env.MAP.get()).get(str(ctx)) or parse_map(env.MAP.get()).get("gpu")
    if stand_in is None:
        return _find_accelerator(ctx)
    device = _CPU if stand_in.device_typeid != 2 else _find_accelerator(stand_in)
    note(f"{ctx} is {device} here, for {env.MAP.name}={env.MAP.get()}")
    return device


def parse_map(text: str) -> dict[str, Context]:
    """Read 'gpu=cpu' or 'gpu(1)=gpu(0),gpu(2)=cpu': {'gpu' or 'gpu(1)': the context instead}."""
    try:
        env.MAP.parse(text)
    except ValueError as error:
        raise MXNetValueError(f"device map {text!r}: {error}") from None
    found = {}
    for part in filter(None, text.replace(" ", "").split(",")):
        left, _, right = part.partition("=")
        found[left] = parse_context("cpu(0)" if right == "cpu" else right)
    return found


def _find_accelerator(ctx: Context) -> torch.device:
    kind, count = accelerator_type(), num_gpus()
    if kind is None:
        raise MXNetError(
            f"{ctx}: torch finds no accelerator on this machine. "
            "Use mx.cpu(), install the torch build for your device, or let the CPU take its place: "
            "mxtorch run --map gpu=cpu, or MXTORCH_MAP=gpu=cpu."
        )
    if not 0 <= ctx.device_id < count:
        raise MXNetError(
            f"{ctx}: this machine has {count} accelerator(s) ({kind}), numbered from 0. "
            "Check CUDA_VISIBLE_DEVICES, use a smaller number, or let another take its place: "
            f"mxtorch run --map '{ctx}=gpu(0)', or MXTORCH_MAP='{ctx}=gpu(0)'."
        )
    return torch.device(kind, ctx.device_id)


def device_to_context(device: torch.device) -> Context:
    """The context of a torch device: cpu(0) or gpu(index)."""
    if device.type == "cpu":
        return _DEFAULT
    return intern_context(Context("gpu", device.index or 0))


def place(ctx: Context | str | None) -> Context:
    """The context that an argument names; None is the current one, text is read: 'gpu(1)'."""
    if ctx is None:
        return current_context()
    if isinstance(ctx, Context):
        return ctx
    return parse_context(ctx)


def parse_context(text: str) -> Context:
    """Read 'cpu(0)' back into a context."""
    kind, _, rest = str(text).strip().partition("(")
    number = rest.removesuffix(")")
    if kind not in Context.devstr2type or not number.lstrip("-").isdigit():
        raise MXNetValueError(f"{text!r} is not a context; write it like 'cpu(0)' or 'gpu(1)'")
    return Context(kind, int(number))
