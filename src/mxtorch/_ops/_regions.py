"""Pooling of regions without a branch that depends on values, for exported graphs.

Regions are rows (image, left, top, right, bottom); what is worked out of them is float32, as in
MXNet.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from mxtorch._core.attrs import Shape
from mxtorch._core.errors import NotSupportedError

Spans = tuple[Tensor, Tensor]


def _images(rois: Tensor, count: int) -> Spans:
    """The image of each region, and whether there is one."""
    row = rois[:, 0]
    inside = (row >= 0) & (row < count)
    return torch.where(inside, row, 0).long(), inside


def _spans(first: Tensor, last: Tensor, count: int, length: int) -> Spans:
    """Where a region's bins begin and end on an axis: (regions, bins) each."""
    width = (last - first + 1).clamp(min=1) / count
    steps = torch.arange(count + 1, dtype=torch.float32, device=first.device)
    low = torch.floor(steps[:-1] * width.unsqueeze(1)) + first.unsqueeze(1)
    high = torch.ceil(steps[1:] * width.unsqueeze(1)) + first.unsqueeze(1)
    return low.clamp(0, length).long(), high.clamp(0, length).long()


def _doublings(data: Tensor, axis: int) -> list[Tensor]:
    """The largest of 1, 2, 4, … elements from each place of an axis on."""
    length = data.shape[axis]
    found, size = [data], 1
    while 2 * size <= length:
        before = found[-1]
        later = before.narrow(axis, size, length - size)
        padding = [0, 0] * (data.ndim - 1 - axis) + [0, size]
        found.append(torch.maximum(before, F.pad(later, padding, value=-torch.inf)))
        size *= 2
    return found


def _level(length: Tensor, most: int) -> Spans:
    """The largest power of 2 that fits in each length, and its number."""
    number = torch.zeros_like(length)
    size = torch.ones_like(length)
    for n in range(1, most):
        fits = length >= 2**n
        number = torch.where(fits, n, number)
        size = torch.where(fits, 2**n, size)
    return number, size


def largest_of_regions(data: Tensor, rois: Tensor, bins: Shape, scale: float) -> Tensor:
    """`ROIPooling`: each bin is covered by four windows whose lengths are powers of 2."""
    height, width = data.shape[2:]
    image, inside = _images(rois, data.shape[0])
    corners = rois[:, 1:].float() * scale
    corners = torch.floor(corners.abs() + 0.5) * corners.sign()  # halves away from zero
    left, top, right, bottom = corners.unbind(1)
    row, row_end = (t.unsqueeze(2) for t in _spans(top, bottom, bins[0], height))
    column, column_end = (t.unsqueeze(1) for t in _spans(left, right, bins[1], width))
    across = [_doublings(tall, 3) for tall in _doublings(data, 2)]
    counts = len(across), len(across[0])
    table = torch.stack([window for tall in across for window in tall])
    flat = table.permute(0, 1, 3, 4, 2).reshape(-1, data.shape[1])
    (tall, tall_size), (wide, wide_size) = (
        _level(row_end - row, counts[0]),
        _level(column_end - column, counts[1]),
    )
    start = (tall * counts[1] + wide) * data.shape[0] + image.reshape(-1, 1, 1)
    best = torch.full((), -torch.inf, dtype=data.dtype, device=data.device)
    for y in (row, row_end - tall_size):
        for x in (column, column_end - wide_size):
            place = (y.clamp(0, height - 1)) * width + x.clamp(0, width - 1)
            best = torch.maximum(best, flat[start * (height * width) + place])
    empty = (row_end <= row) | (column_end <= column) | ~inside.reshape(-1, 1, 1)
    return torch.where(empty.unsqueeze(3), 0, best).permute(0, 3, 1, 2)


def _places(start: Tensor, size: Tensor, bins: int, samples: int) -> Tensor:
    """Where on an axis the samples of each region lie: (regions, bins x samples)."""
    width = (size / bins).reshape(-1, 1, 1)
    device = start.device
    inner = torch.arange(samples, dtype=torch.float32, device=device) + 0.5
    step = inner * width / samples
    bin_ = torch.arange(bins, dtype=torch.float32, device=device).reshape(1, -1, 1)
    return (start.reshape(-1, 1, 1) + bin_ * width + step).flatten(1)


def means_of_regions(
    data: Tensor, rois: Tensor, bins: Shape, scale: float, samples: int, aligned: bool
) -> Tensor:
    """`ROIAlign` with a number of samples that does not depend on the regions."""
    if samples <= 0:
        raise NotSupportedError(
            f"sample_ratio={samples} takes more samples of larger regions, and an exported graph "
            "has one number of them: set it"
        )
    image, inside = _images(rois, data.shape[0])
    left, top, right, bottom = (rois[:, 1:].float() * scale - (0.5 if aligned else 0.0)).unbind(1)
    tall, wide = bottom - top, right - left
    if not aligned:
        tall, wide = tall.clamp(min=1), wide.clamp(min=1)
    height, width = data.shape[2:]
    flat = data.permute(0, 2, 3, 1).reshape(-1, data.shape[1])
    rows = _parts(_places(top, tall, bins[0], samples), height)
    columns = _parts(_places(left, wide, bins[1], samples), width)
    total = torch.zeros((), dtype=data.dtype, device=data.device)
    for row, down in rows:
        for column, along in columns:
            line = image.reshape(-1, 1, 1) * height + row.unsqueeze(2)
            weight = (down.unsqueeze(2) * along.unsqueeze(1)).to(data.dtype)
            total = total + flat[line * width + column.unsqueeze(1)] * weight.unsqueeze(3)
    total = torch.where(inside.reshape(-1, 1, 1, 1), total, 0)
    split = total.reshape(-1, bins[0], samples, bins[1], samples, data.shape[1])
    return split.mean((2, 4)).permute(0, 3, 1, 2)


def _parts(place: Tensor, length: int) -> list[tuple[Tensor, Tensor]]:
    """The two elements of an axis that each place lies between, and how much each counts."""
    counts = (place >= -1) & (place <= length)
    place = place.clamp(0, length - 1)
    low = torch.floor(place)
    part = place - low
    after = (low + 1).clamp(max=length - 1)
    return [
        (low.long(), torch.where(counts, 1 - part, 0)),
        (after.long(), torch.where(counts, part, 0)),
    ]
