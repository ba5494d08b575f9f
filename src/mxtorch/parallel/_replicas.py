"""Copies of tensors on other devices, moved in flat buckets, with gradients that come back so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

BUCKET_BYTES = 10 * 1024 * 1024


def buckets(tensors: Sequence[Tensor], limit: int = BUCKET_BYTES) -> list[list[int]]:
    """Positions of tensors of one type that travel together, at most `limit` bytes if several."""
    found: list[list[int]] = []
    open_: dict[torch.dtype, tuple[list[int], int]] = {}
    for position, tensor in enumerate(tensors):
        size = tensor.numel() * tensor.element_size()
        bucket, used = open_.get(tensor.dtype, ([], 0))
        if not bucket or used + size > limit:
            bucket, used = [], 0
            found.append(bucket)
        bucket.append(position)
        open_[tensor.dtype] = bucket, used + size
    return found


def send(flat: Tensor, device: torch.device) -> Tensor:
    """The one way between devices; never the same memory."""
    return flat.to(device, non_blocking=True, copy=True)


def flatten(tensors: Sequence[Tensor]) -> Tensor:
    """All elements one after another."""
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def unflatten(flat: Tensor, like: Sequence[Tensor]) -> list[Tensor]:
    """Tensors of the shapes of `like` out of their elements."""
    parts = flat.split([tensor.numel() for tensor in like])
    return [part.view(tensor.shape) for part, tensor in zip(parts, like, strict=True)]


def copy_to(tensors: Sequence[Tensor], devices: Sequence[torch.device]) -> list[list[Tensor]]:
    """The tensors on each device, without history."""
    copies: list[list[Any]] = [[None] * len(tensors) for _ in devices]
    with torch.no_grad():
        for bucket in buckets(tensors):
            own = [tensors[i] for i in bucket]
            flat = flatten(own)
            for column, device in zip(copies, devices, strict=True):
                for i, part in zip(bucket, unflatten(send(flat, device), own), strict=True):
                    column[i] = part
    return copies


def sum_on(columns: Sequence[Sequence[Tensor | None]], device: torch.device) -> list[Tensor | None]:
    """For each position the sum of a column's tensors on `device`; None where all have None."""
    found: list[Tensor | None] = [None] * len(columns[0])
    like: list[Tensor | None] = [
        next((t for t in row if t is not None), None) for row in zip(*columns, strict=True)
    ]
    used = [i for i, tensor in enumerate(like) if tensor is not None]
    shapes: list[Any] = [like[i] for i in used]
    for bucket in buckets(shapes):
        own = [shapes[k] for k in bucket]
        total: Tensor | None = None
        for column in columns:
            parts = [column[used[k]] for k in bucket]
            if all(part is None for part in parts):
                continue
            flat = send(flatten(_filled(parts, own)), device)
            total = flat if total is None else total + flat
        assert total is not None
        for k, part in zip(bucket, unflatten(total, own), strict=True):
            found[used[k]] = part
    return found


def _filled(parts: Sequence[Tensor | None], like: Sequence[Tensor]) -> list[Tensor]:
    """Zeros where a device has not used a parameter that another one has."""
    device = next(part.device for part in parts if part is not None)
    return [
        torch.zeros(other.shape, dtype=other.dtype, device=device) if part is None else part
        for part, other in zip(parts, like, strict=True)
    ]


class Broadcast(torch.autograd.Function):
    """Tensors on other devices; their gradients are summed where the tensors are."""

    @staticmethod
    def forward(ctx: Any, devices: Sequence[torch.device], *tensors: Tensor) -> Any:
        ctx.set_materialize_grads(False)
        ctx.home, ctx.count = tensors[0].device, len(tensors)
        return tuple(copy for column in copy_to(tensors, devices) for copy in column)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> Any:
        columns = [grads[i : i + ctx.count] for i in range(0, len(grads), ctx.count)]
        return (None, *sum_on(columns, ctx.home))


def replicate(
    tensors: dict[str, Tensor], devices: Sequence[torch.device]
) -> list[dict[str, Tensor]]:
    """The tensors by name on each device; those that are trained with the way back.

    One tensor under several names is one copy.
    """
    if not devices:
        return []
    unique = {id(tensor): tensor for tensor in tensors.values()}
    trained = [tensor for tensor in unique.values() if tensor.requires_grad]
    fixed = [tensor for tensor in unique.values() if not tensor.requires_grad]
    columns = copy_to(fixed, devices)
    if trained:
        flat = Broadcast.apply(devices, *trained)
        for k, column in enumerate(columns):
            column += flat[k * len(trained) : (k + 1) * len(trained)]
    found = []
    for column in columns:
        copies = dict(zip(map(id, fixed + trained), column, strict=True))
        found.append({name: copies[id(tensor)] for name, tensor in tensors.items()})
    return found
