"""What a Trainer needs of a key-value store in one process: gradients summed over contexts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetValueError, NotSupportedError
from mxtorch._front.handle import wrap_new
from mxtorch.ndarray import NDArray
from mxtorch.optimizer import Updater, get_updater

# MXNet's stores within a process; they differ in where the sums are made, not in the sums.
LOCAL = frozenset({"local", "device", "nccl", "local_allreduce_cpu", "local_allreduce_device"})


def check_type(name: Any, several: bool) -> None:
    """Refuse stores that are not available here."""
    if isinstance(name, str) and "dist" in name:
        raise NotSupportedError(
            f"kvstore={name!r}: training over several processes is not supported yet; "
            "use 'device' for the contexts of one process"
        )
    if name is not None and not isinstance(name, str):
        raise NotSupportedError(
            f"kvstore: a {type(name).__name__} object is not supported yet; pass a name, "
            "as 'device'"
        )
    if several and name is not None and name not in LOCAL:
        raise MXNetValueError(
            f"kvstore={name!r} is not a store that mxtorch knows; use one of "
            f"{', '.join(sorted(LOCAL))}, or None"
        )


def sums(columns: Sequence[Sequence[NDArray]]) -> list[Tensor]:
    """For each array its sum over contexts; a column holds the arrays of one context."""
    first, *others = [[array.storage() for array in column] for column in columns]
    if not others:
        return [tensor.clone() for tensor in first]
    with torch.no_grad():
        total: list[Tensor] | None = None
        for column in others:
            moved = [t.to(a.device) for t, a in zip(column, first, strict=True)]
            if total is None:
                total = list(torch._foreach_add(first, moved))
            else:
                torch._foreach_add_(total, moved)
    assert total is not None
    return total


class WeightStore:
    """The store that updates: it keeps weights and optimizer states of its own.

    As in MXNet, what a program writes into a replica directly is overwritten by the next pull.
    """

    def __init__(self, optimizer: Any) -> None:
        self.updater: Updater = get_updater(optimizer)
        self.weights: dict[int, NDArray] = {}

    def init(self, key: int, value: NDArray) -> None:
        """Take over a weight; the first value of a key stays."""
        if key not in self.weights:
            self.weights[key] = value.copyto(value.context).detach()

    def push(self, keys: Sequence[int], columns: Sequence[Sequence[NDArray]]) -> None:
        """Update the weights with gradients summed over contexts."""
        weights = [self.weights[key] for key in keys]
        totals = zip(weights, sums(columns), strict=True)
        grads = [wrap_new(NDArray, total, weight.context) for weight, total in totals]
        self.updater(list(keys), grads, weights)

    def pull(self, keys: Sequence[int], columns: Sequence[Sequence[NDArray]]) -> None:
        """Copy the weights into the replicas."""
        sources = [self.weights[key].storage() for key in keys]
        for column in columns:
            with torch.no_grad():
                torch._foreach_copy_([array.write_storage() for array in column], sources)
