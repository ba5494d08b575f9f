"""Backward through nodes that several devices share (SyncBatchNorm over contexts).

`loss.backward()` of one device alone would run a shared node with a part of what it needs. So it
is held until the heads of all devices are there, and then they are run as one; or until somebody
looks at gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from mxtorch._core.modes import modes
from mxtorch._core.torch_compat import run_backward


@dataclass(eq=False)
class _Backward:
    heads: list[Tensor]
    seeds: list[Tensor]
    retain: bool
    training: bool


class _State:
    """is_open: whether shared nodes were made that no backward has run through yet."""

    is_open = False
    held: list[_Backward] = []


_state = _State()


def mark(ctx: Any, count: int) -> None:
    """Say of a node (the `ctx` of a Function) that `count` devices share it, an output each."""
    ctx.shared_by = count
    _state.is_open = True


def backward(heads: list[Tensor], seeds: list[Tensor], retain: bool) -> None:
    """Run backward, or hold it until the heads of the other devices have come."""
    if not _state.is_open:
        run_backward(heads, seeds, retain)
        return
    one = _Backward(heads, seeds, retain, modes.training)
    if not _shared(heads):
        _run([one])
        return
    _state.held.append(one)
    reached = _shared([head for held in _state.held for head in held.heads])
    if all(len(outputs) == node.shared_by for node, outputs in reached.items()):
        flush()


def flush() -> None:
    """Run what is held: gradients are looked at."""
    if _state.held:
        held, _state.held = _state.held, []
        _state.is_open = any(one.retain for one in held)
        _run(held)


def _run(held: list[_Backward]) -> None:
    before, modes.training = modes.training, held[0].training
    try:
        run_backward(
            [head for one in held for head in one.heads],
            [seed for one in held for seed in one.seeds],
            any(one.retain for one in held),
        )
    finally:
        modes.training = before


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
