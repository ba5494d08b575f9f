"""Pooling of feature maps inside regions of interest: rows (image, left, top, right, bottom)."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mxtorch._core.attrs import Fraction, Pair, Shape
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import op
from mxtorch._ops._bilinear import sample
from mxtorch._ops._gradients import without_gradient, without_slope
from mxtorch._ops._regions import largest_of_regions, means_of_regions

Span = tuple[int, int]


def _regions(rois: Tensor, images: int) -> list[tuple[int, np.ndarray]]:
    """For each region its image, -1 if there is none, and its corners in float32."""
    table = rois.detach().to("cpu", torch.float32).numpy()
    return [(int(row[0]) if -1 < row[0] < images else -1, row[1:5]) for row in table]


def _check(data: Tensor, rois: Tensor) -> None:
    if data.ndim != 4 or rois.ndim != 2 or rois.shape[1] != 5:
        raise MXNetShapeError(
            f"needs data (N, C, H, W) and rois (R, 5), got {tuple(data.shape)}, {tuple(rois.shape)}"
        )


def _round(value: np.float32) -> int:
    """Halves away from zero."""
    return int(np.copysign(np.floor(np.abs(value) + np.float32(0.5)), value))


def _bins(first: int, last: int, count: int, length: int) -> list[Span]:
    """The parts of an axis that a region's bins cover; worked out in float32, as MXNet does."""
    width = np.float32(max(last - first + 1, 1)) / np.float32(count)
    spans = []
    for i in range(count):
        low, high = floor(np.float32(i) * width), ceil(np.float32(i + 1) * width)
        spans.append((min(max(low + first, 0), length), min(max(high + first, 0), length)))
    return spans


def _is_adaptive(spans: list[Span], first: int, last: int) -> bool:
    """Whether the bins are those of adaptive pooling over the region."""
    n, k = last - first + 1, len(spans)
    return n > 0 and all(
        s == (first + i * n // k, first - (-(i + 1) * n // k)) for i, s in enumerate(spans)
    )


def _pool(image: Tensor, rows: list[Span], columns: list[Span]) -> Tensor:
    """The largest element of each bin, 0 for an empty one."""
    cells = []
    for top, bottom in rows:
        for left, right in columns:
            cell = image[:, top:bottom, left:right].reshape(image.shape[0], -1)
            cells.append(cell.max(1).values if cell.shape[1] else image.new_zeros(image.shape[0]))
    return torch.stack(cells, 1).reshape(image.shape[0], len(rows), len(columns))


@op("_npx_roi_pooling", outputs=2, visible=1, output_names=("output", "maxidx"))
def ROIPooling(
    data: Tensor, rois: Tensor, *, pooled_size: Pair, spatial_scale: Fraction
) -> tuple[Tensor, Tensor]:
    """The largest element in each of `pooled_size` bins of each region; 0 outside the image."""
    _check(data, rois)
    shape = (rois.shape[0], data.shape[1], *pooled_size)
    if data.is_meta:
        return data.new_empty(shape), data.new_empty(shape)
    if torch.compiler.is_compiling():
        result = largest_of_regions(data, rois, pooled_size, spatial_scale)
        return result, torch.zeros_like(result)
    height, width = data.shape[2:]
    pooled = []
    for image, corners in _regions(rois, data.shape[0]):
        left, top, right, bottom = (_round(n * np.float32(spatial_scale)) for n in corners)
        rows = _bins(top, bottom, pooled_size[0], height)
        columns = _bins(left, right, pooled_size[1], width)
        if image < 0:
            pooled.append(data.new_zeros(shape[1:]))
        elif _is_adaptive(rows, top, bottom) and _is_adaptive(columns, left, right):
            region = data[image, :, top : bottom + 1, left : right + 1]
            pooled.append(F.adaptive_max_pool2d(region, pooled_size))
        else:
            pooled.append(_pool(data[image], rows, columns))
    result = torch.stack(pooled) if pooled else data.new_zeros(shape)
    if not result.requires_grad:  # no bin has an element
        result = without_slope(result, data)
    # the second output is where each maximum was, for MXNet's own backward only
    return result, torch.zeros_like(result)


def _weights(
    start: np.float32, size: np.float32, bins: int, samples: int, length: int
) -> np.ndarray:
    """How much each element of an axis counts in each bin: means of linear interpolations."""
    result = np.zeros((bins, length), np.float32)
    width = size / np.float32(bins)
    count = samples if samples > 0 else ceil(size / np.float32(bins))
    for i in range(bins):
        for j in range(count):
            step = np.float32(j + 0.5) * width / np.float32(count)
            place = start + np.float32(i) * width + step
            if place < -1 or place > length:
                continue
            place = max(place, np.float32(0))
            low = int(place)
            if low >= length - 1:
                result[i, length - 1] += 1
            else:
                part = place - np.float32(low)
                result[i, low] += 1 - part
                result[i, low + 1] += part
    return result / np.float32(max(count, 1))


@op(name="_contrib_ROIAlign", output_names=("output",))
def ROIAlign(
    data: Tensor,
    rois: Tensor,
    *,
    pooled_size: Pair,
    spatial_scale: Fraction,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
) -> Tensor:
    """The mean of interpolated samples in each of `pooled_size` bins of each region.

    Interpolation is linear in rows and columns apart, so each region is two matrix products.
    """
    _check(data, rois)
    channels, height, width = data.shape[1:]
    if data.is_meta:
        result = data.new_empty(rois.shape[0], channels, *pooled_size)
        return _own_channels(result) if position_sensitive else result
    if torch.compiler.is_compiling():
        means = means_of_regions(data, rois, pooled_size, spatial_scale, sample_ratio, aligned)
        return _own_channels(means) if position_sensitive else means
    shift = np.float32(0.5 if aligned else 0.0)
    pooled = []
    for image, corners in _regions(rois, data.shape[0]):
        left, top, right, bottom = corners * np.float32(spatial_scale) - shift
        tall, wide = bottom - top, right - left
        if not aligned:
            tall, wide = max(tall, np.float32(1)), max(wide, np.float32(1))
        if image < 0:
            pooled.append(data.new_zeros(channels, *pooled_size))
            continue
        rows = torch.from_numpy(_weights(top, tall, pooled_size[0], sample_ratio, height))
        columns = torch.from_numpy(_weights(left, wide, pooled_size[1], sample_ratio, width))
        pooled.append(rows.to(data) @ data[image] @ columns.to(data).T)
    shape = (rois.shape[0], channels, *pooled_size)
    result = torch.stack(pooled) if pooled else data.new_zeros(shape)
    return _own_channels(result) if position_sensitive else result


def _own_channels(pooled: Tensor) -> Tensor:
    """Position-sensitive pooling: each bin has channels of its own."""
    count, _, rows, columns = pooled.shape
    split = pooled.reshape(count, -1, rows, columns, rows, columns)
    own = split.diagonal(0, 2, 4).diagonal(0, 2, 3)
    return own.contiguous()


@op(name="_contrib_RROIAlign", output_names=("output",))
@without_gradient
def RROIAlign(
    data: Tensor,
    rois: Tensor,
    *,
    pooled_size: Pair,
    spatial_scale: Fraction,
    sampling_ratio: int = -1,
) -> Tensor:
    """`ROIAlign` of regions that are turned: rows (image, x, y, width, height, degrees)."""
    if data.ndim != 4 or rois.ndim != 2 or rois.shape[1] != 6:
        raise MXNetShapeError(
            f"needs data (N, C, H, W) and rois (R, 6), got {tuple(data.shape)}, {tuple(rois.shape)}"
        )
    shape = (rois.shape[0], data.shape[1], *pooled_size)
    if data.is_meta:
        return data.new_empty(shape)
    pooled = [
        _turned(data, row, pooled_size, spatial_scale, sampling_ratio)
        for row in rois.detach().to("cpu", torch.promote_types(rois.dtype, torch.float32)).numpy()
    ]
    return torch.stack(pooled) if pooled else data.new_zeros(shape)


def _turned(data: Tensor, row: np.ndarray, bins: Shape, scale: float, ratio: int) -> Tensor:
    """The bins of one turned region: means of interpolated samples."""
    height, width = data.shape[2:]
    real = row.dtype.type
    x, y, wide, tall = row[1:5] * real(np.float32(scale))
    sizes = max(tall, real(1)), max(wide, real(1))
    angle = row[5] * real(np.pi / 180)
    places = []
    for size, count in zip(sizes, bins, strict=True):
        samples = ratio if ratio > 0 else ceil(size / real(count))
        step = size / real(count)
        inner = (np.arange(samples, dtype=real) + real(0.5)) * step / samples
        starts = np.arange(count, dtype=real)[:, None] * step - size / real(2)
        places.append(starts + inner)
    down, across = places[0][:, None, :, None], places[1][None, :, None, :]
    cos, sin = np.cos(angle), np.sin(angle)
    columns = torch.from_numpy(across * cos + down * sin + x).to(data)
    rows = torch.from_numpy(down * cos - across * sin + y).to(data)
    inside = (rows >= -1) & (rows <= height) & (columns >= -1) & (columns <= width)
    rows, columns = rows.clamp(0, height - 1), columns.clamp(0, width - 1)
    image = data[int(row[0])].unsqueeze(0)
    values = sample(image, rows.reshape(1, -1), columns.reshape(1, -1))
    return (values.reshape(-1, *rows.shape) * inside).mean((3, 4))
