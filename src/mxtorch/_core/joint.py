"""Backward through nodes that several devices share (SyncBatchNorm over contexts).

`loss.backward()` of one device alone would run a shared node with a part of what it needs. So it
is held until the heads of all devices are there, and then they are run as one; or until somebody
looks at gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.modes import modes
from mxtorch._core.torch_compat import run_backward


@dataclass(eq=False)
class _Backward:
    """One call. With `leaves` their gradients go to `deliver`, else torch gathers them."""

    heads: list[Tensor]
    seeds: list[Tensor]
    retain: bool
    training: bool
    leaves: list[Tensor]
    deliver: Callable[[list[Tensor | None]], None] | None


class _State:
    """is_used: whether this process has made shared nodes."""

    is_used = False
    held: list[_Backward] = []


_state = _State()


def mark(ctx: Any, count: int) -> None:
    """Say of a node (the `ctx` of a Function) that `count` devices share it, an output each."""
    ctx.shared_by = count
    _state.is_used = True


def backward(heads: list[Tensor], seeds: list[Tensor], retain: bool) -> None:
    """Run backward, or hold it until the heads of the other devices have come."""
    if _state.is_used:
        _run_or_hold(_Backward(heads, seeds, retain, modes.training, [], None))
    else:
        run_backward(heads, seeds, retain)


def gradients(
    heads: list[Tensor],
    seeds: list[Tensor],
    leaves: list[Tensor],
    deliver: Callable[[list[Tensor | None]], None],
) -> None:
    """Hand the gradients of leaves to `deliver`: now, or with those of the other devices."""
    _run_or_hold(_Backward(heads, seeds, True, modes.training, leaves, deliver))


def flush() -> None:
    """Run what is held: gradients are looked at."""
    if _state.held:
        held, _state.held = _state.held, []
        _run(held)


def _run_or_hold(one: _Backward) -> None:
    if not (_state.is_used and _shared(one.heads)):
        _run([one])
        return
    _state.held.append(one)
    reached = _shared([head for held in _state.held for head in held.heads])
    if all(len(outputs) == node.shared_by for node, outputs in reached.items()):
        flush()


def _run(held: list[_Backward]) -> None:
    heads = [head for one in held for head in one.heads]
    seeds = [seed for one in held for seed in one.seeds]
    retain = any(one.retain for one in held)
    before, modes.training = modes.training, held[0].training
    try:
        if any(one.deliver is None for one in held):
            run_backward(heads, seeds, retain)
            return
        leaves = [leaf for one in held for leaf in one.leaves]
        found = iter(
            torch.autograd.grad(heads, leaves, seeds, retain_graph=retain, allow_unused=True)
        )
    finally:
        modes.training = before
    for one in held:
        assert one.deliver is not None
        one.deliver([next(found) for _ in one.leaves])


def _shared(heads: Sequence[Tensor]) -> dict[Any, set[int]]:
    """The shared nodes that the heads depend on, each with the outputs through which they do."""
    found: dict[Any, set[int]] = {}
    seen: set[Any] = set()
    stack: list[tuple[Any, int]] = [(head.grad_fn, head.output_nr) for head in heads]
    while stack:
        node, output = stack.pop()
        if node is None:
            continue
        if getattr(node, "shared_by", 0) and output < node.shared_by:
            found.setdefault(node, set()).add(output)
        if node not in seen:
            seen.add(node)
            stack.extend(node.next_functions)
    return found
