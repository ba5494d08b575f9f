"""A batch in nested containers, cut into one part a device."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetShapeError


def map_tensors(fn: Callable[[Tensor], Any], value: Any) -> Any:
    """The same containers with `fn` of their tensors; anything else is left as it is."""
    if isinstance(value, Tensor):
        return fn(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_tensors(fn, part) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(map_tensors(fn, part) for part in value)
    if isinstance(value, dict):
        return type(value)((key, map_tensors(fn, part)) for key, part in value.items())
    return value


def tensors_of(value: Any) -> Iterator[Tensor]:
    """The tensors in nested containers."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_of(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_of(part)


def count_samples(value: Any, dim: int) -> int:
    """How many samples a batch has; MXNetShapeError where its tensors do not agree."""
    shapes = [tuple(tensor.shape) for tensor in tensors_of(value) if tensor.ndim]
    if not shapes:
        raise MXNetShapeError(
            "DataParallel: there is no tensor with a batch axis among inputs and targets"
        )
    for shape in shapes:
        if not -len(shape) <= dim < len(shape):
            raise MXNetShapeError(f"DataParallel: shape {shape} has no axis dim={dim} to cut along")
    lengths = sorted({shape[dim] for shape in shapes})
    if len(lengths) > 1:
        raise MXNetShapeError(
            f"DataParallel: tensors of a batch must be of one length on axis dim={dim}, got shapes "
            f"{', '.join(map(str, shapes))}. What all samples share belongs into the module, as a "
            "buffer."
        )
    return lengths[0]


def part_sizes(samples: int, parts: int) -> list[int]:
    """Lengths of the parts: as equal as can be, none empty unless there is no sample at all."""
    parts = max(1, min(parts, samples))
    size, longer = divmod(samples, parts)
    return [size + (i < longer) for i in range(parts)]


def scatter(value: Any, sizes: Sequence[int], devices: Sequence[torch.device], dim: int) -> Any:
    """One part of the batch a device; what is no tensor, or has no axes, goes to each."""
    parts = []
    start = 0
    for size, device in zip(sizes, devices, strict=False):
        parts.append(map_tensors(_Cut(dim, start, size, device), value))
        start += size
    return parts


class _Cut:
    """Some samples of a tensor, on a device."""

    def __init__(self, dim: int, start: int, size: int, device: torch.device) -> None:
        self.dim, self.start, self.size, self.device = dim, start, size, device

    def __call__(self, tensor: Tensor) -> Tensor:
        part = tensor.narrow(self.dim, self.start, self.size) if tensor.ndim else tensor
        return part.to(self.device, non_blocking=True)
