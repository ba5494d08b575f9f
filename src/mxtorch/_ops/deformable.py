"""Convolution whose kernel's taps are moved by an input of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from mxtorch._core.attrs import Count, Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._bilinear import sample
from mxtorch._ops.conv import each
from mxtorch._ops.dense import bias_unless, checked_bias


class _Taps(NamedTuple):
    """Where the taps of a kernel lie."""

    kernel: Shape
    stride: Shape
    dilate: Shape
    pad: Shape

    def size(self, data: Tensor) -> list[int]:
        """Height and width of the output."""
        facts = zip(data.shape[2:], *self, strict=True)
        return [(n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, s, d, p in facts]

    def places(self, axis: int, count: int, like: Tensor) -> Tensor:
        """Rows or columns of each tap for each output: (kernel, count)."""
        taps = torch.arange(self.kernel[axis], device=like.device) * self.dilate[axis]
        starts = torch.arange(count, device=like.device) * self.stride[axis] - self.pad[axis]
        places: Tensor = taps.unsqueeze(1) + starts
        return places.to(like.dtype)


def _taps(kernel: Shape, stride: Shape, dilate: Shape, pad: Shape) -> _Taps:
    if len(kernel) != 2:
        raise MXNetValueError(f"kernel={tuple(kernel)} must have 2 numbers")
    return _Taps(
        kernel, each(stride, 2, 1, "stride"), each(dilate, 2, 1, "dilate"), each(pad, 2, 0, "pad")
    )


def _columns(data: Tensor, offset: Tensor, taps: _Taps, groups: int, clamp: bool) -> Tensor:
    """The samples under each tap: (N x groups, channels of a group, taps, outputs)."""
    tall, wide = taps.size(data)
    count = taps.kernel[0] * taps.kernel[1]
    wanted = (data.shape[0], groups * 2 * count, tall, wide)
    if offset.shape != wanted:
        raise MXNetShapeError(f"offset has shape {tuple(offset.shape)}; must be {wanted}")
    moves = offset.reshape(data.shape[0] * groups, *taps.kernel, 2, tall, wide)
    y = moves[:, :, :, 0] + taps.places(0, tall, data)[:, None, :, None]
    x = moves[:, :, :, 1] + taps.places(1, wide, data)[None, :, None, :]
    height, width = data.shape[2:]
    image = data.reshape(data.shape[0] * groups, -1, height, width)
    if clamp:  # up to a pixel behind the last one counts as the last one, before the first nothing
        inside = (y >= 0) & (x >= 0) & (y < height) & (x < width)
        y = torch.where(y >= height - 1, height - 1, y)  # without a slope there
        x = torch.where(x >= width - 1, width - 1, x)
        y = torch.where(inside, y, -2)
    columns: Tensor = sample(image, y.flatten(1), x.flatten(1))
    return columns.reshape(*columns.shape[:2], count, tall * wide)


def _convolve(
    columns: Tensor, weight: Tensor, bias: Tensor | None, groups: int, shape: Sequence[int]
) -> Tensor:
    """The kernels over the samples under their taps."""
    batch = shape[0]
    kernels = weight.reshape(groups, weight.shape[0] // groups, -1)
    grouped = columns.reshape(batch, groups, kernels.shape[2], -1)
    bias = checked_bias(bias, weight.shape[0])
    out = (kernels @ grouped).reshape(*shape)
    return out if bias is None else out + bias.reshape(-1, 1, 1)


def _check(data: Tensor, weight: Tensor, num_filter: int, num_group: int, kernel: Shape) -> None:
    if data.ndim != 4:
        raise MXNetShapeError(f"data must have shape (N, C, H, W), got {tuple(data.shape)}")
    wanted = (num_filter, data.shape[1] // num_group, *kernel)
    if weight.shape != wanted:
        raise MXNetShapeError(f"weight has shape {tuple(weight.shape)}; must be {wanted}")


def _shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    """Weight and bias, and the arrays that move or weigh the taps, which are as large as the
    output."""
    data, *others = shapes
    if data is None:
        return list(shapes)
    kernel = attrs["kernel"]
    count = kernel[0] * kernel[1] * attrs["num_deformable_group"]
    facts = [each(attrs[n], 2, n != "pad", n) for n in ("stride", "dilate", "pad")]
    sizes = zip(data[2:], kernel, *facts, strict=True)
    size = [(n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, s, d, p in sizes]
    moving: list[Dims] = [(data[0], 2 * count, *size), (data[0], count, *size)]
    weight = (attrs["num_filter"], data[1] // attrs["num_group"], *kernel)
    return [data, *moving[: len(others) - 2], weight, (attrs["num_filter"],)]


@op(
    name="_contrib_DeformableConvolution", fill=_shapes, needs=bias_unless, output_names=("output",)
)
def DeformableConvolution(
    data: Tensor,
    offset: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: Hint[int] = 1024,
    no_bias: bool = False,
    layout: Literal["NCHW", "NCW", "NCDHW"] | None = None,
) -> Tensor:
    """2-D convolution whose taps are moved by `offset` (N, groups x taps x (y, x), H, W)."""
    taps = _taps(kernel, stride, dilate, pad)
    _check(data, weight, num_filter, num_group, kernel)
    columns = _columns(data, offset, taps, num_deformable_group, clamp=True)
    shape = (data.shape[0], num_filter, *taps.size(data))
    return _convolve(columns, weight, bias, num_group, shape)


@op(
    name="_contrib_ModulatedDeformableConvolution",
    fill=_shapes,
    needs=bias_unless,
    output_names=("output",),
)
def ModulatedDeformableConvolution(
    data: Tensor,
    offset: Tensor,
    mask: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: Hint[int] = 1024,
    no_bias: bool = False,
    im2col_step: Hint[int] = 64,
    layout: Literal["NCHW", "NCW", "NCDHW"] | None = None,
) -> Tensor:
    """`DeformableConvolution` with a weight for each tap: `mask` (N, groups x taps, H, W)."""
    taps = _taps(kernel, stride, dilate, pad)
    _check(data, weight, num_filter, num_group, kernel)
    size = taps.size(data)
    count = kernel[0] * kernel[1]
    wanted = (data.shape[0], num_deformable_group * count, *size)
    if mask.shape != wanted:
        raise MXNetShapeError(f"mask has shape {tuple(mask.shape)}; must be {wanted}")
    columns = _columns(data, offset, taps, num_deformable_group, clamp=False)
    columns = columns * mask.reshape(columns.shape[0], 1, *columns.shape[2:])
    return _convolve(columns, weight, bias, num_group, (data.shape[0], num_filter, *size))
