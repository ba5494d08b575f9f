"""The parts of torch that have no public name, each with the public way where it is not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

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


def after_backward(callback: Callable[[], None]) -> None:
    """Call back when the backward that is running ends."""
    torch.autograd.Variable._execution_engine.queue_callback(callback)


def is_built_for_cuda() -> bool:
    """Whether this torch has CUDA libraries."""
    return torch.version.cuda is not None


def while_loop(
    go_on: Callable[..., Tensor],
    step: Callable[..., tuple[Tensor, ...]],
    state: tuple[Tensor, ...],
) -> tuple[Tensor, ...]:
    """A loop that an exported graph keeps; the state is not differentiated."""
    from torch._higher_order_ops.while_loop import while_loop as loop  # takes long to import

    found: tuple[Tensor, ...] = loop(go_on, step, state)
    return found
