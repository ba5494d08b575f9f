"""Sums of arrays over the contexts of a process, then over the processes."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mxtorch._core.device import sum_between_gpus
from mxtorch._core.storage import Rows
from mxtorch._dist import collectives
from mxtorch._dist.compress import TwoBit, pack, unpack
from mxtorch._dist.group import Group

Key = int | str


def sum_contexts(columns: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """For each array its sum over contexts, where the first one is; a column is a context's arrays.

    Sums are new tensors. Between GPUs the arrays of a context travel in one row.
    """
    first, *others = columns
    if not others:
        return [tensor.clone() for tensor in first]
    with torch.no_grad():
        devices = {tensor.device for column in columns for tensor in column}
        if len(devices) > 1:
            return sum_rows(columns)
        total = list(torch._foreach_add(list(first), list(others[0])))
        for column in others[1:]:
            torch._foreach_add_(total, list(column))
    return total


def sum_rows(columns: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """`sum_contexts` over several devices: the arrays of one dtype and context in one row."""
    totals: list[Tensor | None] = [None] * len(columns[0])
    for dtype in {tensor.dtype for tensor in columns[0]}:
        places = [i for i, tensor in enumerate(columns[0]) if tensor.dtype is dtype]
        parts = [[column[i] for i in places] for column in columns]
        total = _reduce([collectives.flatten(part) for part in parts])
        for i, part in zip(places, collectives.unflatten(total, parts[0]), strict=True):
            totals[i] = part
    return [total for total in totals if total is not None]


def _are_on_gpus(rows: list[Tensor]) -> bool:
    """Whether each is on a GPU of its own."""
    return all(row.is_cuda for row in rows) and len({row.device for row in rows}) == len(rows)


def _reduce(rows: list[Tensor]) -> Tensor:
    """The sum of equal rows, on the device of the first: by NCCL if each is on a GPU of its own."""
    if _are_on_gpus(rows):
        for pieces in zip(*(collectives.buckets(row) for row in rows), strict=True):
            sum_between_gpus(pieces)
        return rows[0]
    total = rows[0]
    for row in rows[1:]:
        total += row.to(total.device, non_blocking=True)
    return total


def sum_compressed(
    compression: TwoBit, keys: Sequence[Key], columns: Sequence[Sequence[Tensor]], group: Group
) -> list[Tensor]:
    """The sums of 2-bit gradients: over contexts in one process, else over the processes, which
    first add up their contexts as they are.
    """
    if group.size == 1:
        quantized = [
            [
                compression.value(compression.quantize((key, place), tensor))
                for key, tensor in zip(keys, column, strict=True)
            ]
            for place, column in enumerate(columns)
        ]
        return sum_contexts(quantized)
    totals = sum_contexts(columns)
    codes = [compression.quantize(key, total) for key, total in zip(keys, totals, strict=True)]
    flat = collectives.flatten(codes)
    rows = collectives.all_gather(group, pack(flat))
    summed = sum(compression.value(unpack(row, flat.numel())) for row in rows)
    assert isinstance(summed, Tensor)
    return collectives.unflatten(summed, totals)


def sum_sparse(group: Group, value: Rows) -> Rows:
    """The sum of row_sparse arrays over the processes, each of which has rows of its own."""
    if group.size == 1:
        return value
    indices = torch.cat(collectives.all_gather(group, value.indices))
    data = torch.cat(collectives.all_gather(group, value.data))
    return Rows(value.shape, indices, data).sorted()
