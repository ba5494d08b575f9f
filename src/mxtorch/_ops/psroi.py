"""Pooling in which every bin of a region of interest has channels of its own."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.attrs import Fraction
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, op
from mxtorch._ops._bilinear import sample


def _away(values: Tensor) -> Tensor:
    """Halves away from zero."""
    return torch.copysign(torch.floor(values.abs() + 0.5), values)


def _check(data: Tensor, rois: Tensor, output_dim: int, group: int) -> None:
    if data.ndim != 4 or rois.ndim != 2 or rois.shape[1] != 5:
        raise MXNetShapeError(
            f"needs data (N, C, H, W) and rois (R, 5), got {tuple(data.shape)}, {tuple(rois.shape)}"
        )
    if data.shape[1] < output_dim * group * group:
        raise MXNetShapeError(
            f"{data.shape[1]} channels are too few for output_dim={output_dim} and "
            f"group_size={group}"
        )


def _groups(pooled: int, group: int, like: Tensor) -> Tensor:
    """For each bin of an axis the group of channels that it takes."""
    bins = torch.arange(pooled, device=like.device)
    return (bins * group).div(pooled, rounding_mode="floor").clamp(0, group - 1)


def _means(first: Tensor, last: Tensor, pooled: int, length: int) -> Tensor:
    """How much each element of an axis counts in each bin: (R, pooled, length)."""
    width = (last - first).clamp(min=0.1).unsqueeze(1) / pooled
    bins = torch.arange(pooled, device=first.device, dtype=first.dtype)
    low = torch.floor(bins * width + first.unsqueeze(1)).clamp(0, length).unsqueeze(2)
    high = torch.ceil((bins + 1) * width + first.unsqueeze(1)).clamp(0, length).unsqueeze(2)
    place = torch.arange(length, device=first.device, dtype=first.dtype)
    inside = (place >= low) & (place < high)
    return inside / (high - low).clamp(min=1)


@op(name="_contrib_PSROIPooling", output_names=("output",))
def PSROIPooling(
    data: Tensor,
    rois: Tensor,
    *,
    spatial_scale: Fraction,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
) -> Tensor:
    """The mean of each of `pooled_size`² bins of each region, of the bin's own channels."""
    group = group_size or pooled_size
    _check(data, rois, output_dim, group)
    corners = rois.detach()[:, 1:5].to(torch.float32)
    left, top = (_away(corners[:, i]) * spatial_scale for i in (0, 1))
    right, bottom = ((_away(corners[:, i]) + 1) * spatial_scale for i in (2, 3))
    height, width = data.shape[2:]
    rows = _means(top, bottom, pooled_size, height).to(data.dtype)
    columns = _means(left, right, pooled_size, width).to(data.dtype)
    taken = _groups(pooled_size, group, data)
    channels = data[:, : output_dim * group * group].unflatten(1, (output_dim, group, group))
    image = rois.detach()[:, 0].long()
    maps = channels[:, :, taken][:, :, :, taken][image]
    return torch.einsum("rdpqhw,rph,rqw->rdpq", maps, rows, columns).contiguous()


def _trans(attrs: Attrs) -> tuple[str, ...]:
    return () if attrs["no_trans"] else ("trans",)


def _moves(trans: Tensor | None, output_dim: int, pooled: int, part: int) -> Tensor | None:
    """How far each bin is moved, as parts of the region: (R, output_dim, (x, y), p, p)."""
    if trans is None:
        return None
    bins = torch.arange(pooled, device=trans.device)
    cell = (bins * part).div(pooled, rounding_mode="floor")
    classes = trans.shape[1] // 2
    moves = trans.unflatten(1, (classes, 2))[:, :, :, cell][:, :, :, :, cell]
    spread: Tensor = moves.repeat_interleave(output_dim // classes, 1)
    return spread


@op(
    name="_contrib_DeformablePSROIPooling",
    needs=_trans,
    outputs=2,
    visible=1,
    output_names=("output", "top_count"),
)
def DeformablePSROIPooling(
    data: Tensor,
    rois: Tensor,
    trans: Tensor | None = None,
    *,
    spatial_scale: Fraction,
    output_dim: int,
    group_size: int,
    pooled_size: int,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: Fraction = 0.0,
    no_trans: bool = False,
) -> tuple[Tensor, Tensor]:
    """`PSROIPooling` of interpolated samples, each bin moved by `trans` (R, 2 x classes, p, p)."""
    _check(data, rois, output_dim, group_size)
    count, pooled, each = rois.shape[0], pooled_size, sample_per_part
    corners = rois.detach()[:, 1:5].to(data.dtype)
    start = _away(corners[:, :2]) * spatial_scale - 0.5
    stop = (_away(corners[:, 2:]) + 1) * spatial_scale - 0.5
    size = (stop - start).clamp(min=0.1)
    moves = _moves(None if no_trans else trans, output_dim, pooled, part_size or pooled)
    bins = torch.arange(pooled, device=data.device, dtype=data.dtype)
    inner = torch.arange(each, device=data.device, dtype=data.dtype) / each
    steps = (bins.unsqueeze(1) + inner) / pooled  # of an axis: (bins, samples)
    # the samples' places: (R, output_dim, bins, bins, samples, samples)
    shape = (count, output_dim, pooled, pooled, each, each)
    places = []
    for axis, view in ((0, (1, 1, 1, pooled, 1, each)), (1, (1, 1, pooled, 1, each, 1))):
        place = start[:, axis].reshape(-1, 1, 1, 1, 1, 1) + steps.reshape(view) * size[
            :, axis
        ].reshape(-1, 1, 1, 1, 1, 1)
        if moves is not None:
            shift = moves[:, :, axis] * trans_std * size[:, axis].reshape(-1, 1, 1, 1)
            place = place + shift[..., None, None]
        places.append(place.expand(shape))
    x, y = places
    height, width = data.shape[2:]
    inside = (x >= -0.5) & (x <= width - 0.5) & (y >= -0.5) & (y <= height - 0.5)
    x, y = x.clamp(0, width - 1), y.clamp(0, height - 1)
    taken = _groups(pooled, group_size, data)
    index = torch.arange(output_dim, device=data.device).reshape(-1, 1, 1) * group_size**2
    index = index + (taken.unsqueeze(1) * group_size + taken)  # the channel of (d, p, q)
    images = data[rois.detach()[:, 0].long()][:, index.flatten()].reshape(-1, 1, height, width)
    values = sample(images, y.reshape(-1, each * each), x.reshape(-1, each * each))
    values = values.reshape(*shape[:4], -1) * inside.flatten(4)
    found = inside.flatten(4).sum(-1).to(data.dtype)
    return values.sum(-1) / found.clamp(min=1), found
