"""Collectives over the group's processes, in flat buckets: few calls, however many tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import torch
import torch.distributed as dist
from torch import Tensor

from mxtorch._core import env
from mxtorch._core.device import wire_device
from mxtorch._dist.group import Group


def all_reduce(
    group: Group, tensors: Sequence[Tensor], name: str = "all_reduce", apart: bool = False
) -> None:
    """Sum the tensors over all processes, in place: ⌈bytes / MXTORCH_BUCKET_BYTES⌉ calls for each
    dtype and device.

    apart: those on the CPU meet only their like, and no gradients of a process that is not there.
    """
    if group.size == 1:
        return
    with torch.no_grad():
        for part, flat in _flat(tensors):
            where = group.control if apart and not flat.is_cuda else None
            group.run(name, buckets(flat), partial(dist.all_reduce, group=where, async_op=True))
            _copy_back(part, flat)


def broadcast(group: Group, tensors: Sequence[Tensor], root: int = 0) -> None:
    """Give the tensors the values of rank `root`, in place."""
    if group.size == 1:
        return
    with torch.no_grad():
        for part, flat in _flat(tensors):
            group.run("broadcast", buckets(flat), lambda t: dist.broadcast(t, root, async_op=True))
            if group.rank != root:
                _copy_back(part, flat)


def all_gather(group: Group, tensor: Tensor) -> list[Tensor]:
    """Every rank's tensor, by rank; the first axes may differ in length."""
    if group.size == 1:
        return [tensor]
    own = tensor.detach().to(wire_device(tensor.device)).contiguous()
    lengths = [torch.zeros(1, dtype=torch.int64) for _ in range(group.size)]
    length = torch.tensor([own.shape[0]])
    group.run("all_gather", [length], lambda t: dist.all_gather(lengths, t, async_op=True))
    longest = max(int(n) for n in lengths)
    padded = own.new_zeros((longest, *own.shape[1:]))
    padded[: own.shape[0]] = own
    rows = [torch.empty_like(padded) for _ in range(group.size)]
    group.run("all_gather", [padded], lambda t: dist.all_gather(rows, t, async_op=True))
    return [row[: int(n)].to(tensor.device) for row, n in zip(rows, lengths, strict=True)]


def buckets(flat: Tensor) -> list[Tensor]:
    """The pieces of a flat tensor, each of at most MXTORCH_BUCKET_BYTES."""
    length = max(1, env.BUCKET_BYTES.get() // flat.element_size())
    return list(flat.split(length))


def flatten(tensors: Sequence[Tensor]) -> Tensor:
    """One row with the elements of all."""
    return torch.cat([tensor.reshape(-1) for tensor in tensors])


def unflatten(flat: Tensor, tensors: Sequence[Tensor]) -> list[Tensor]:
    """The parts of such a row, as views of the tensors' shapes."""
    parts = flat.split([tensor.numel() for tensor in tensors])
    return [part.view(tensor.shape) for part, tensor in zip(parts, tensors, strict=True)]


def _flat(tensors: Sequence[Tensor]) -> Iterator[tuple[list[Tensor], Tensor]]:
    """The tensors of each dtype and device, with their row where torch.distributed takes it."""
    kinds: dict[tuple[torch.dtype, torch.device], list[Tensor]] = {}
    for tensor in tensors:
        kinds.setdefault((tensor.dtype, tensor.device), []).append(tensor)
    for (_, device), part in kinds.items():
        yield part, flatten(part).to(wire_device(device))


def _copy_back(tensors: list[Tensor], flat: Tensor) -> None:
    torch._foreach_copy_(tensors, unflatten(flat.to(tensors[0].device), tensors))
