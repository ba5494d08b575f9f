"""ONNX operators on images: convolution, pooling, sizes, regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch.contrib.onnx.onnx2mx.calls import Row, refused
from mxtorch.symbol import Symbol

sym: Any = symbol


def pads_of(call: Any, kernel: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The padding before and after each axis."""
    count, kind = len(kernel), call.attrs.get("auto_pad", "NOTSET")
    if kind == "VALID":
        return (0,) * count, (0,) * count
    if kind == "NOTSET":
        pads = call.numbers("pads", (0,) * (2 * count))
        return pads[:count], pads[count:]
    strides, wide = call.numbers("strides", (1,) * count), call.numbers("dilations", (1,) * count)
    totals = []
    for i, (size, stride, step) in enumerate(zip(kernel, strides, wide, strict=True)):
        reach = step * (size - 1) + 1
        last = reach if stride == 1 else (call.size(0, i + 2) - 1) % stride + 1
        totals.append(max(reach - last, 0) if stride > 1 else reach - 1)
    small = tuple(n // 2 for n in totals)
    large = tuple(n - n // 2 for n in totals)
    return (small, large) if kind == "SAME_UPPER" else (large, small)


def padded(call: Any, data: Symbol, before: Any, after: Any, value: float) -> tuple[Symbol, Any]:
    """The data, padded by a node of its own if the two sides differ, and what is left to pad."""
    if tuple(before) == tuple(after):
        return data, before
    pairs = list(zip(before, after, strict=True))
    if len(before) == 1:  # MXNet pads two axes or three
        data = sym.expand_dims(data, axis=3)
        pairs.append((0, 0))
    width = (0, 0, 0, 0, *(n for pair in pairs for n in pair))
    data = sym.pad(data, mode="constant", pad_width=width, constant_value=value)
    return sym.squeeze(data, axis=3) if len(before) == 1 else data, (0,) * len(before)


def conv(call: Any) -> Symbol:
    weight = call.array(1, "the weight")
    count = weight.ndim - 2
    data, pad = padded(call, call.symbol(0), *pads_of(call, weight.shape[2:]), 0)
    return sym.Convolution(
        data,
        call.symbol(1),
        *([call.symbol(2)] if call.has(2) else []),
        kernel=weight.shape[2:],
        stride=call.numbers("strides", (1,) * count),
        dilate=call.numbers("dilations", (1,) * count),
        pad=pad,
        num_filter=weight.shape[0],
        num_group=call.attrs.get("group", 1),
        no_bias=not call.has(2),
    )


def conv_transpose(call: Any) -> Symbol:
    weight = call.array(1, "the weight")
    count, groups = weight.ndim - 2, call.attrs.get("group", 1)
    if "output_shape" in call.attrs or call.attrs.get("auto_pad", "NOTSET") not in (
        "NOTSET",
        "VALID",
    ):
        raise refused(call, "a shape of the output, or auto_pad")
    before, after = pads_of(call, weight.shape[2:])
    equal = before == after
    made = sym.Deconvolution(
        call.symbol(0),
        call.symbol(1),
        *([call.symbol(2)] if call.has(2) else []),
        kernel=weight.shape[2:],
        stride=call.numbers("strides", (1,) * count),
        dilate=call.numbers("dilations", (1,) * count),
        pad=before if equal else (0,) * count,
        adj=call.numbers("output_padding", (0,) * count),
        num_filter=weight.shape[1] * groups,
        num_group=groups,
        no_bias=not call.has(2),
    )
    for axis, (first, last) in enumerate(zip(before, after, strict=True), start=2):
        if not equal and (first or last):
            made = sym.slice_axis(made, axis=axis, begin=first, end=-last or None)
    return made


def pool(kind: str) -> Row:
    def make(call: Any) -> Symbol:
        kernel = call.numbers("kernel_shape")
        count = len(kernel)
        if any(n != 1 for n in call.numbers("dilations", (1,))):
            raise refused(call, "dilation")
        lowest = float(np.finfo(np.float32).min)
        counted = bool(call.attrs.get("count_include_pad", 0))
        before, after = pads_of(call, kernel)
        more = {
            "kernel": kernel,
            "stride": call.numbers("strides", (1,) * count),
            "pooling_convention": "full" if call.attrs.get("ceil_mode") else "valid",
        }
        data = call.symbol(0)
        if kind == "avg" and before != after and not counted:
            ones, _ = padded(call, sym.ones_like(data), before, after, 0.0)
            data, _ = padded(call, data, before, after, 0.0)
            sums = (sym.Pooling(x, pool_type="sum", **more) for x in (data, ones))
            return sym.broadcast_div(*sums)
        data, pad = padded(call, data, before, after, lowest if kind == "max" else 0.0)
        more |= {"count_include_pad": counted} if kind == "avg" else {}
        more |= {"p_value": call.attrs.get("p", 2)} if kind == "lp" else {}
        return sym.Pooling(data, pool_type=kind, pad=pad, **more)

    return make


def global_pool(kind: str) -> Row:
    def make(call: Any) -> Symbol:
        more = {"p_value": call.attrs.get("p", 2)} if kind == "lp" else {}
        return sym.Pooling(call.symbol(0), kernel=(1, 1), pool_type=kind, global_pool=True, **more)

    return make


def resize(call: Any) -> Symbol:
    """Images of another size: repeated pixels, or interpolated ones."""
    scales = _scales(call)
    mode = call.attrs.get("mode", "nearest")
    if scales[:2] != (1, 1) or len(scales) != 4:
        raise refused(call, f"mode {mode} by {scales}")
    data = call.symbol(0)
    if mode == "nearest":
        if any(n != int(n) for n in scales):
            raise refused(call, f"mode {mode} by {scales}")
        if scales[2] == scales[3]:
            return sym.UpSampling(data, scale=int(scales[2]), sample_type="nearest")
        for axis in (2, 3):
            data = sym.repeat(data, axis=axis, repeats=int(scales[axis]))
        return data
    places = call.attrs.get("coordinate_transformation_mode", "half_pixel")
    if call.kind == "Upsample":
        places = "asymmetric"
    known = {"align_corners": True, "half_pixel": False, "pytorch_half_pixel": False}
    if mode != "linear" or places not in known or call.attrs.get("antialias"):
        raise refused(call, f"mode {mode}, {places}")
    height, width = (round(call.size(0, i) * scales[i]) for i in (2, 3))
    return sym.contrib.BilinearResize2D(
        data, height=height, width=width, align_corners=known[places]
    )


def _scales(call: Any) -> tuple[float, ...]:
    scales = call.numbers("scales")
    position = 1 if call.kind == "Upsample" else 2
    if scales is None and call.has(position) and (known := call.known(position)) is not None:
        scales = tuple(float(n) for n in known) or None
    if scales is None and call.has(3) and (sizes := call.lengths(3)) is not None:
        dims = call.dims(0) or [None] * len(sizes)
        scales = tuple(
            1.0 if new == old else new / call.size(0, i)
            for i, (new, old) in enumerate(zip(sizes, dims, strict=True))
        )
    if scales is None:
        scales = tuple(float(n) for n in call.array(position, "the scale"))
    axes = call.numbers("axes")
    if axes is not None:
        every = [1.0] * (call.rank(0) or 4)
        for axis, scale in zip(axes, scales, strict=True):
            every[axis] = scale
        scales = tuple(every)
    return tuple(scales)


def grid_sample(call: Any) -> Symbol:
    mode = call.attrs.get("mode", "linear")
    if mode not in ("linear", "bilinear") or call.attrs.get("padding_mode", "zeros") != "zeros":
        raise refused(call, f"mode {mode}, padding {call.attrs.get('padding_mode')}")
    grid = sym.transpose(call.symbol(1), axes=(0, 3, 1, 2))
    if not call.attrs.get("align_corners", 0):  # MXNet's -1 and 1 are the centres of pixels
        parts = sym.split(grid, num_outputs=2, axis=1)
        sizes = call.size(0, 3), call.size(0, 2)
        moved = [((parts[i] + 1) * n - 1) / max(n - 1, 1) - 1 for i, n in enumerate(sizes)]
        grid = sym.concat(*moved, dim=1)
    return sym.BilinearSampler(call.symbol(0), grid)


def roi_align(call: Any) -> Symbol:
    mode = call.attrs.get("mode", "avg")
    if mode != "avg":
        raise refused(call, f"mode {mode}")
    default = "half_pixel" if call.opset >= 16 else "output_half_pixel"
    images = sym.Cast(call.symbol(2), dtype="float32")
    rois = sym.concat(sym.expand_dims(images, axis=1), call.symbol(1), dim=1)
    size = call.attrs.get("output_height", 1), call.attrs.get("output_width", 1)
    return sym.contrib.ROIAlign(
        call.symbol(0),
        rois,
        pooled_size=size,
        spatial_scale=call.attrs.get("spatial_scale", 1.0),
        sample_ratio=call.attrs.get("sampling_ratio", 0) or -1,
        aligned=call.attrs.get("coordinate_transformation_mode", default) == "half_pixel",
    )


def roi_pool(call: Any) -> Symbol:
    return sym.ROIPooling(
        call.symbol(0),
        call.symbol(1),
        pooled_size=call.numbers("pooled_shape"),
        spatial_scale=call.attrs.get("spatial_scale", 1.0),
    )
