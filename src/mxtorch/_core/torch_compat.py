"""The parts of torch that have no public name, each with the public way where it is not there."""

from __future__ import annotations

from collections.abc import Sequence

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
