"""Convolutions and their transposes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Count, Hint, Shape
from mxtorch._core.errors import MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._partial import Found, Known, merge
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float
from mxtorch._ops.dense import bias_unless, checked_bias

CONV = (F.conv1d, F.conv2d, F.conv3d)
TRANSPOSED = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)
Tune = Hint[Literal["fastest", "limited_workspace", "off"] | None]
Layout = Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"]


def each(value: Sequence[int], n: int, default: int, what: str) -> tuple[int, ...]:
    """One number an axis."""
    if len(value) == 0:
        return (default,) * n
    if len(value) != n:
        raise MXNetShapeError(f"{what}={tuple(value)} must have {n} numbers, as kernel has")
    return tuple(value)


@lru_cache(maxsize=1024)
def steps(n: int, stride: Shape, pad: Shape, dilate: Shape) -> tuple[Shape, Shape, Shape]:
    """The three for each axis."""
    return each(stride, n, 1, "stride"), each(pad, n, 0, "pad"), each(dilate, n, 1, "dilate")


def is_channels_last(layout: str | None) -> bool:
    """NHWC and its like: MXNet has them on GPUs only, here they work everywhere."""
    return layout is not None and layout.endswith("C")


def check_images(data: Tensor, n: int) -> None:
    """Batch, channels and `n` more axes, of floats."""
    check_float(data)
    if data.ndim != n + 2:
        raise MXNetShapeError(
            f"data has shape {tuple(data.shape)}; a kernel of {n} numbers needs {n + 2} axes"
        )


def _check_weight(weight: Tensor, wanted: tuple[int, ...], filters: int, channels: int) -> None:
    if weight.shape != wanted:
        raise MXNetShapeError(
            f"weight has shape {tuple(weight.shape)}; num_filter={filters} on {channels} channels "
            f"needs {wanted}"
        )


def _check_groups(channels: int, filters: int, groups: int) -> None:
    if channels % groups or filters % groups:
        raise MXNetShapeError(
            f"{channels} channels and {filters} filters do not divide into num_group={groups}"
        )


def _weight_shape(attrs: Attrs, first: int, second: int) -> Dims:
    kernel = tuple(attrs["kernel"])
    if is_channels_last(attrs["layout"]):
        return (first, *kernel, second)
    return (first, second, *kernel)


def _sides(filters: int, channels: int, groups: int, transposed: bool) -> tuple[int, int]:
    """The first two lengths of the weight: to and from, or from and to if transposed."""
    first, second = (channels, filters) if transposed else (filters, channels)
    return first, second // groups


def shapes_of(transposed: bool) -> Callable[..., list[Dims | None]]:
    """The rule for the shapes of weight and bias."""

    def fill(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
        data, weight, _ = shapes
        filters = attrs["num_filter"]
        if weight is None and data is not None:
            channels = data[-1] if is_channels_last(attrs["layout"]) else data[1]
            sides = _sides(filters, channels, attrs["num_group"], transposed)
            weight = _weight_shape(attrs, *sides)
        return [data, weight, None if attrs["no_bias"] else (filters,)]

    return fill


def _channels_first(
    data: Tensor,
    weight: Tensor,
    kernel: Shape,
    filters: int,
    groups: int,
    layout: str | None,
    transposed: bool,
) -> tuple[Tensor, Tensor]:
    """Both with the channels on axis 1, their shapes checked."""
    check_images(data, len(kernel))
    if is_channels_last(layout):
        data, weight = data.movedim(-1, 1), weight.movedim(-1, 1)
    channels = data.shape[1]
    _check_groups(channels, filters, groups)
    sides = _sides(filters, channels, groups, transposed)
    _check_weight(weight, (*sides, *kernel), filters, channels)
    return data, weight


def _back(out: Tensor, layout: str | None) -> Tensor:
    """The channels where the layout has them."""
    return out.movedim(1, -1).contiguous() if is_channels_last(layout) else out


def _known(inputs: Known, outputs: Known, attrs: Attrs) -> Found:
    """The batch of data and output is one; with a stride of 1 the output tells the sizes too."""
    data, out = inputs[0], outputs[0]
    kernel = attrs["kernel"]
    n = len(kernel)
    if data is None or len(data) != n + 2:
        return list(inputs), list(outputs)
    last = is_channels_last(attrs["layout"])
    channels, sizes = (data[-1], data[1:-1]) if last else (data[1], data[2:])
    steps = [each(attrs[k], n, 0 if k == "pad" else 1, k) for k in ("stride", "dilate", "pad")]
    lengths = [
        size and (size + 2 * p - d * (k - 1) - 1) // s + 1
        for size, k, s, d, p in zip(sizes, kernel, *steps, strict=True)
    ]
    filters = attrs["num_filter"]
    shape = (data[0], *lengths, filters) if last else (data[0], filters, *lengths)
    out = merge(out, shape)
    assert out is not None
    share = channels // attrs["num_group"]
    weight = (filters, *kernel, share) if last else (filters, share, *kernel)
    more = [(filters,)] if inputs[2:] else []
    ends = out[1:-1] if last else out[2:]
    sizes = tuple(
        size or (end + d * (k - 1) - 2 * p if end and s == 1 else 0)
        for size, end, k, s, d, p in zip(sizes, ends, kernel, *steps, strict=True)
    )
    rest = (*sizes, channels) if last else (channels, *sizes)
    return [(data[0] or out[0], *rest), merge(inputs[1], weight), *more], [out]


@op(
    "_npx_convolution",
    needs=bias_unless,
    fill=shapes_of(transposed=False),
    infer=_known,
    output_names=("output",),
)
def Convolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    workspace: Hint[int] = 1024,
    no_bias: bool = False,
    cudnn_tune: Tune = None,
    cudnn_off: Hint[bool] = False,
    layout: Layout | None = None,
) -> Tensor:
    """Convolution over one, two or three axes; `kernel` says how many."""
    n = len(kernel)
    data, weight = _channels_first(data, weight, kernel, num_filter, num_group, layout, False)
    out = CONV[n - 1](
        data,
        weight,
        None if no_bias else checked_bias(bias, num_filter),
        *steps(n, stride, pad, dilate),
        num_group,
    )
    return _back(out, layout)


@op(
    "_npx_deconvolution",
    needs=lambda attrs: () if attrs.get("no_bias", True) else ("bias",),
    fill=shapes_of(transposed=True),
    output_names=("output",),
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
    num_filter: Count,
    num_group: int = 1,
    workspace: Hint[int] = 512,
    no_bias: bool = True,
    cudnn_tune: Tune = None,
    cudnn_off: Hint[bool] = False,
    layout: Layout | None = None,
) -> Tensor:
    """The transpose of a convolution; `target_shape` stands for `pad` and `adj`."""
    n = len(kernel)
    data, weight = _channels_first(data, weight, kernel, num_filter, num_group, layout, True)
    strides, pads, dilates = steps(n, stride, pad, dilate)
    adjs = each(adj, n, 0, "adj")
    if any(target_shape):
        target = each(target_shape, n, 0, "target_shape")
        pads, adjs = _fit_target(data.shape[2:], kernel, strides, dilates, target)
    if any(a >= s for a, s in zip(adjs, strides, strict=True)):
        raise MXNetValueError(f"adj={adjs} must be smaller than stride={strides}")
    bias = None if no_bias else checked_bias(bias, num_filter)
    out = TRANSPOSED[n - 1](data, weight, bias, strides, pads, adjs, num_group, dilates)
    return _back(out, layout)


def _fit_target(
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilate: Sequence[int],
    target: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Padding and adjustment that give an output of the target's shape."""
    pads, adjs = [], []
    for i, wanted in enumerate(target):
        total = stride[i] * (size[i] - 1) + (kernel[i] - 1) * dilate[i] + 1 - wanted
        if total < 0:
            raise MXNetShapeError(f"target_shape {tuple(target)} is larger than the full output")
        pads.append((total + 1) // 2)
        adjs.append(total % 2)
    return tuple(pads), tuple(adjs)


@op(output_names=("output",), lists_input=True)
def im2col(
    data: Tensor, *, kernel: Shape, stride: Shape = (), dilate: Shape = (), pad: Shape = ()
) -> Tensor:
    """The blocks that a convolution sees, as columns: (N, channels x kernel, blocks); 2-D only."""
    if len(kernel) != 2:
        raise MXNetValueError(f"kernel={tuple(kernel)} must have 2 numbers; MXNet fails on others")
    check_images(data, 2)
    strides, dilates = each(stride, 2, 1, "stride"), each(dilate, 2, 1, "dilate")
    return F.unfold(data, kernel, dilates, each(pad, 2, 0, "pad"), strides)


@op(output_names=("output",), lists_input=True)
def col2im(
    data: Tensor,
    *,
    output_size: Shape,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
) -> Tensor:
    """The sum of the columns (N, channels x kernel, blocks) where `im2col` took them from."""
    if len(kernel) != 2 or len(output_size) != 2:
        raise MXNetValueError(
            f"kernel={tuple(kernel)}, output_size={tuple(output_size)} must have 2 numbers each"
        )
    require(data.ndim == 3, data, needs="(N, channels x kernel, blocks)")
    strides, dilates = each(stride, 2, 1, "stride"), each(dilate, 2, 1, "dilate")
    return F.fold(data, output_size, kernel, dilates, each(pad, 2, 0, "pad"), strides)
