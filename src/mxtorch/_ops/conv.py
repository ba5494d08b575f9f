"""Convolutions and their transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetShapeError, NotSupportedError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops.dense import bias_unless

CONV = (F.conv1d, F.conv2d, F.conv3d)
TRANSPOSED = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)
Tune = Hint[Literal["fastest", "limited_workspace", "off"] | None]
Layout = Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"]


def each(value: Sequence[int], n: int, default: int) -> tuple[int, ...]:
    """One number an axis."""
    if len(value) == 0:
        return (default,) * n
    if len(value) != n:
        raise MXNetShapeError(f"{tuple(value)} has {len(value)} numbers, kernel has {n} axes")
    return tuple(value)


def channels_first(layout: str | None) -> None:
    """MXNet's CPU convolutions take no other layout."""
    if layout is not None and layout.endswith("C"):
        raise NotSupportedError(
            f"layout={layout!r}: MXNet on CPU has channels-first layouts only; "
            f"transpose the data, use {'NC' + layout[1:-1]}"
        )


def _conv_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, weight, _ = shapes
    filters = attrs["num_filter"]
    if weight is None and data is not None:
        weight = (filters, data[1] // attrs["num_group"], *attrs["kernel"])
    return [data, weight, None if attrs["no_bias"] else (filters,)]


def check_weight(weight: Tensor, wanted: tuple[int, ...], what: str) -> None:
    """The error names what the attributes ask for."""
    if weight.shape != wanted:
        raise MXNetShapeError(f"weight has shape {tuple(weight.shape)}; {what} needs {wanted}")


@op("_npx_convolution", needs=bias_unless, fill=_conv_shapes)
def Convolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int,
    num_group: int = 1,
    workspace: Hint[int] = 1024,
    no_bias: bool = False,
    cudnn_tune: Tune = None,
    cudnn_off: Hint[bool] = False,
    layout: Layout | None = None,
) -> Tensor:
    """Convolution over one, two or three axes; `kernel` says how many."""
    n = len(kernel)
    channels_first(layout)
    check_weight(
        weight,
        (num_filter, data.shape[1] // num_group, *kernel),
        f"num_filter={num_filter} on {data.shape[1]} channels",
    )
    return CONV[n - 1](
        data,
        weight,
        None if no_bias else bias,
        each(stride, n, 1),
        each(pad, n, 0),
        each(dilate, n, 1),
        num_group,
    )


def _deconv_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, weight, _ = shapes
    filters = attrs["num_filter"]
    if weight is None and data is not None:
        weight = (data[1], filters // attrs["num_group"], *attrs["kernel"])
    return [data, weight, None if attrs["no_bias"] else (filters,)]


@op(
    "_npx_deconvolution",
    needs=lambda attrs: () if attrs.get("no_bias", True) else ("bias",),
    fill=_deconv_shapes,
)
def Deconvolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    target_shape: Shape = (),
    num_filter: int,
    num_group: int = 1,
    workspace: Hint[int] = 512,
    no_bias: bool = True,
    cudnn_tune: Tune = None,
    cudnn_off: Hint[bool] = False,
    layout: Layout | None = None,
) -> Tensor:
    """The transpose of a convolution; `target_shape` stands for `pad` and `adj`."""
    n = len(kernel)
    channels_first(layout)
    check_weight(
        weight,
        (data.shape[1], num_filter // num_group, *kernel),
        f"num_filter={num_filter} on {data.shape[1]} channels",
    )
    strides, dilates = each(stride, n, 1), each(dilate, n, 1)
    pads, adjs = each(pad, n, 0), each(adj, n, 0)
    if target_shape:
        pads, adjs = _fit_target(data.shape[2:], kernel, strides, dilates, target_shape)
    bias = None if no_bias else bias
    return TRANSPOSED[n - 1](data, weight, bias, strides, pads, adjs, num_group, dilates)


def _fit_target(
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilate: Sequence[int],
    target: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Padding and adjustment that give an output of the target's shape."""
    pads, adjs = [], []
    for i, wanted in enumerate(each(target, len(kernel), 0)):
        total = stride[i] * (size[i] - 1) + (kernel[i] - 1) * dilate[i] + 1 - wanted
        if total < 0:
            raise MXNetShapeError(f"target_shape {tuple(target)} is larger than the full output")
        pads.append((total + 1) // 2)
        adjs.append(total % 2)
    return tuple(pads), tuple(adjs)
