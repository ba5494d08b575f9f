"""The parts of torch that have no public name, each with the public way where it is not there."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
import torch.distributed
from torch import Tensor

from mxtorch._core import env

_engine = getattr(torch.autograd.graph, "_engine_run_backward", None)


def run_backward(heads: Sequence[Tensor], gradients: Sequence[Tensor], retain_graph: bool) -> None:
    """`torch.autograd.backward` for head gradients whose shapes are known to fit.

    torch's own front checks them in Python again, which takes as long as several small operators.
    """
    if _engine is None:
        torch.autograd.backward(heads, gradients, retain_graph=retain_graph)
        return
    _engine(
        tuple(heads),
        tuple(gradients),
        retain_graph,
        False,
        (),
        allow_unreachable=True,
        accumulate_grad=True,
    )


def import_before_groups() -> None:
    """What must be imported before torch's default process group is there.

    Functions in `torch.distributed.nn` keep the group that they meet at import, as the default of
    an argument; `torch.optim` imports it. gloo's threads would then outlive the group, and abort
    the process if one lets go of a tensor while the interpreter ends.
    """
    importlib.import_module("torch.distributed.nn")


def after_backward(callback: Callable[[], None]) -> None:
    """Call back when the backward that is running ends."""
    torch.autograd.Variable._execution_engine.queue_callback(callback)


class _Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor) -> Tensor:
        return data.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> None:
        return None


@cache
def _found_to_tell() -> bool:
    heard: list[Tensor] = []
    with torch.enable_grad():
        leaf = torch.zeros((), requires_grad=True)
        leaf.register_post_accumulate_grad_hook(heard.append)
        _Nothing.apply(leaf).backward()
    return bool(heard)


def tells_leaves() -> bool:
    """Whether a leaf's hook is called for a gradient that is None; torch 2.6 and 2.7 do not."""
    return torch.compiler.is_compiling() or _found_to_tell()


@cache
def _found_to_follow() -> bool:
    with torch.enable_grad():
        edge = torch.zeros((), requires_grad=True)
        return bool(torch.autograd.grad(edge.clamp_min(0.0), edge)[0])


def clamp_follows_ties() -> bool:
    """Whether clamp's gradient is one at the limit itself; torch 2.15 has zero there."""
    return torch.compiler.is_compiling() or _found_to_follow()


def zeros(like: Tensor, device: torch.device) -> Tensor:
    """Zeros of that shape and type that stay zero whatever they are multiplied with or divided by;
    without memory of their own."""
    found: Tensor = torch._efficientzerotensor(like.shape, dtype=like.dtype, device=device)
    return found


def is_built_for_cuda() -> bool:
    """Whether this torch has CUDA libraries."""
    return torch.version.cuda is not None


def attempt() -> str:
    """A text of its own for each start of the same processes by torchrun; '' for the first."""
    count = env.read("TORCHELASTIC_RESTART_COUNT") or "0"
    return "" if count == "0" else f"/attempt{count}"


def has_agent_store() -> bool:
    """Whether torchrun itself hosts the rendezvous of its processes."""
    return env.read("TORCHELASTIC_USE_AGENT_STORE") == "True"


def default_store_address() -> tuple[str, int] | None:
    """(host, port) of the rendezvous of torch.distributed's default group, if it has one."""
    store: Any = torch.distributed.distributed_c10d._get_default_store()
    while isinstance(store, torch.distributed.PrefixStore):
        store = store.underlying_store
    if not isinstance(store, torch.distributed.TCPStore):
        return None
    return store.host, store.port


def is_built_for_rocm() -> bool:
    """Whether this torch has ROCm libraries."""
    return torch.version.hip is not None


def while_loop(
    go_on: Callable[..., Tensor],
    step: Callable[..., tuple[Tensor, ...]],
    state: tuple[Tensor, ...],
) -> tuple[Tensor, ...]:
    """A loop that an exported graph keeps; the state is not differentiated."""
    from torch._higher_order_ops.while_loop import while_loop as loop  # takes long to import

    found: tuple[Tensor, ...] = loop(go_on, step, state)
    return found


_PACKED = (
    "_convolution_pointwise",
    "_linear_pointwise",
    "_reorder_convolution_weight",
    "_reorder_linear_weight",
)


@cache
def _has_all() -> bool:
    return all(hasattr(torch.ops.mkldnn, name) for name in _PACKED)


def packs() -> bool:
    """Whether oneDNN takes packed weights here (torch's compiler uses it so; x86 and ARM CPUs)."""
    mkldnn = torch.backends.mkldnn
    if torch.compiler.is_compiling() or not (mkldnn.is_available() and mkldnn.enabled):
        return False
    return _has_all()


def pack_convolution(
    weight: Tensor,
    bias: Tensor | None,
    form: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int],
    data: tuple[int, ...],
    ending: str,
) -> Callable[[Tensor], Tensor]:
    """A 2-D convolution (padding, stride, dilation, groups) and the function after it, on data of
    that shape (N, C, H, W); channels lie last in the result's memory."""
    packed = torch.ops.mkldnn._reorder_convolution_weight(weight, *form, list(data))
    run = torch.ops.mkldnn._convolution_pointwise.default
    last = torch.channels_last

    def convolution(tensor: Tensor) -> Tensor:
        tensor = tensor.contiguous(memory_format=last)
        result: Tensor = run(tensor, packed, bias, *form, ending, [], "")
        return result

    return convolution


def pack_linear(
    weight: Tensor, bias: Tensor | None, rows: int, ending: str
) -> Callable[[Tensor], Tensor]:
    """`data @ weight.T + bias` and the function after it, on data of so many rows."""
    packed = torch.ops.mkldnn._reorder_linear_weight(weight, rows)
    run = torch.ops.mkldnn._linear_pointwise.default

    def linear(tensor: Tensor) -> Tensor:
        result: Tensor = run(tensor.contiguous(), packed, bias, ending, [], "")
        return result

    return linear


def has_linear(data: Tensor, weight: Tensor) -> bool:
    """Whether `linear` takes these: float32 on the CPU, and nothing traces or transforms them."""
    if not (data.is_cpu and data.dtype is weight.dtype is torch.float32):
        return False
    plain = type(data) is Tensor and type(weight) in (Tensor, torch.nn.Parameter)
    return plain and _peek() is None and not torch.is_autocast_enabled("cpu") and packs()


_peek: Callable[[], Any] = getattr(torch._C._functorch, "peek_interpreter_stack", lambda: None)


def linear(data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """`data @ weight.T + bias` of matrices by oneDNN, without history."""
    result: Tensor = torch.ops.mkldnn._linear_pointwise.default(data, weight, bias, "none", [], "")
    return result
