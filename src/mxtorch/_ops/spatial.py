"""Images sampled along a grid, and the correlation of two images."""

from __future__ import annotations

from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import op
from mxtorch._core.pending import Function
from mxtorch._ops._bilinear import sample
from mxtorch._ops._gradients import run_function
from mxtorch._ops.activation import check_float


def _lines(count: int, like: Tensor) -> Tensor:
    """`count` places from -1 to 1."""
    steps = torch.arange(count, dtype=like.dtype, device=like.device)
    return -1 + steps * (2 / (count - 1) if count > 1 else torch.inf)


def _affine_grid(theta: Tensor, target: Shape) -> Tensor:
    """The grid (N, 2, H, W) of N transformations (N, 6)."""
    if len(target) != 2 or min(target) <= 0:
        raise MXNetValueError(f"target_shape must be two positive numbers, got {tuple(target)}")
    height, width = target
    x = _lines(width, theta).expand(height, width)
    y = _lines(height, theta).unsqueeze(1).expand(height, width)
    base = torch.stack([x, y, torch.ones_like(x)]).reshape(3, -1)
    return (theta.reshape(-1, 2, 3) @ base).reshape(-1, 2, height, width)


def _warp_grid(flow: Tensor) -> Tensor:
    """The grid of a flow (N, 2, H, W) in pixels."""
    height, width = flow.shape[2:]
    x = torch.arange(width, dtype=flow.dtype, device=flow.device)
    y = torch.arange(height, dtype=flow.dtype, device=flow.device).unsqueeze(1)
    across = (flow[:, 0] + x) / ((width - 1) / 2) - 1
    down = (flow[:, 1] + y) / ((height - 1) / 2) - 1
    return torch.stack([across, down], 1)


@op(output_names=("output",), lists_input=True)
def GridGenerator(
    data: Tensor, *, transform_type: Literal["affine", "warp"], target_shape: Shape = (0, 0)
) -> Tensor:
    """A grid for `BilinearSampler`: of affine transformations (N, 6), or of a flow (N, 2, H, W)."""
    check_float(data)
    if transform_type == "affine":
        if data.ndim != 2 or data.shape[1] != 6:
            raise MXNetShapeError(f"affine takes data (N, 6), got {tuple(data.shape)}")
        return _affine_grid(data, target_shape)
    if data.ndim != 4 or data.shape[1] != 2:
        raise MXNetShapeError(f"warp takes data (N, 2, H, W), got {tuple(data.shape)}")
    return _warp_grid(data)


def _along(data: Tensor, grid: Tensor) -> Tensor:
    height, width = data.shape[2:]
    x = (grid[:, 0].flatten(1) + 1) * ((width - 1) / 2)
    y = (grid[:, 1].flatten(1) + 1) * ((height - 1) / 2)
    return sample(data, y, x).reshape(*data.shape[:2], *grid.shape[2:])


@op(output_names=("output",))
def BilinearSampler(data: Tensor, grid: Tensor, *, cudnn_off: Hint[bool | None] = None) -> Tensor:
    """The images `data` (N, C, H, W) at the places `grid` (N, 2, h, w): x and y from -1 to 1."""
    check_float(data)
    if data.ndim != 4 or grid.ndim != 4 or grid.shape[:2] != (data.shape[0], 2):
        raise MXNetShapeError(
            f"takes data (N, C, H, W) and grid (N, 2, h, w), got {tuple(data.shape)}, "
            f"{tuple(grid.shape)}"
        )
    return _along(data, grid)


@op(outputs=3, visible=1, output_names=("output", "grid_dst", "grid_src"))
def SpatialTransformer(
    data: Tensor,
    loc: Tensor,
    *,
    target_shape: Shape = (0, 0),
    transform_type: Literal["affine"],
    sampler_type: Literal["bilinear"],
    cudnn_off: Hint[bool | None] = None,
) -> Tensor:
    """The images `data` (N, C, H, W) under the affine transformations `loc` (N, 6)."""
    check_float(data)
    if data.ndim != 4 or loc.ndim != 2 or loc.shape[1] != 6:
        raise MXNetShapeError(
            f"takes data (N, C, H, W) and loc (N, 6), got {tuple(data.shape)}, {tuple(loc.shape)}"
        )
    return _along(data, _affine_grid(loc, target_shape))


class _Distance(Function):
    """|a - b|, with MXNet's slope where they are equal."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a >= b)
        return (a - b).abs()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        (above,) = ctx.saved_tensors
        by_a = torch.where(above, grad, -grad)
        return by_a, -by_a


@op(outputs=3, visible=1, output_names=("output", "tmp1", "tmp2"))
def Correlation(
    data1: Tensor,
    data2: Tensor,
    *,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
) -> Tensor:
    """How alike patches of two images (N, C, H, W) are: a channel for each displacement.

    The mean over patch and channels of the product, or of the absolute difference.
    """
    if data1.ndim != 4 or data1.shape != data2.shape:
        raise MXNetShapeError(
            f"takes two arrays (N, C, H, W), got {tuple(data1.shape)}, {tuple(data2.shape)}"
        )
    first, second = (F.pad(d, [pad_size] * 4) for d in (data1, data2))
    border = max_displacement + (kernel_size - 1) // 2
    size = [-(-(n - 2 * border) // stride1) for n in first.shape[2:]]
    if min(size) < 1:
        raise MXNetShapeError(f"padded images {tuple(first.shape)} are too small for the patches")
    tall, wide = ((n - 1) * stride1 + kernel_size for n in size)
    low = max_displacement
    here = first[:, :, low : low + tall, low : low + wide]
    reach = max_displacement // stride2
    steps = [low + i * stride2 for i in range(-reach, reach + 1)]
    maps = []
    for y in steps:
        for x in steps:
            there = second[:, :, y : y + tall, x : x + wide]
            alike = here * there if is_multiply else run_function(_Distance, here, there)
            maps.append(alike.mean(1))
    return F.avg_pool2d(torch.stack(maps, 1), kernel_size, stride1)
