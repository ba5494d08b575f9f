"""What an ONNX operator with attributes of its own is in MXNet: functions of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch._core.errors import NotSupportedError
from mxtorch.symbol import Symbol

sym: Any = symbol  # its functions come from the operator table
Row = Callable[[Any], Any]


def refused(call: Any, what: str) -> NotSupportedError:
    return NotSupportedError(f"{call.kind} {call.outputs[0]!r}: {what} has no counterpart in MXNet")


def unary(function: Callable[..., Symbol], **attrs: Any) -> Row:
    return lambda call: function(call.symbol(0), **attrs)


def binary(function: Callable[..., Symbol]) -> Row:
    return lambda call: function(call.symbol(0), call.symbol(1))


def many(function: Callable[..., Symbol]) -> Row:
    return lambda call: reduce(function, call.symbols())


def pads_of(call: Any, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The padding before and after each axis."""
    if call.attrs.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise refused(call, f"auto_pad={call.attrs['auto_pad']}")
    pads = call.numbers("pads", (0,) * (2 * count))
    return pads[:count], pads[count:]


def padded(call: Any, data: Symbol, before: Any, after: Any, value: float) -> tuple[Symbol, Any]:
    """The data, padded by a node of its own if the two sides differ, and what is left to pad."""
    if before == after:
        return data, before
    width = (0, 0, 0, 0, *(n for pair in zip(before, after, strict=True) for n in pair))
    return sym.pad(data, mode="constant", pad_width=width, constant_value=value), (0,) * len(before)


def conv(call: Any) -> Symbol:
    weight = call.array(1, "the weight")
    count = weight.ndim - 2
    data, pad = padded(call, call.symbol(0), *pads_of(call, count), 0)
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
    before, after = pads_of(call, count)
    if before != after:
        raise refused(call, "unequal padding")
    return sym.Deconvolution(
        call.symbol(0),
        call.symbol(1),
        *([call.symbol(2)] if call.has(2) else []),
        kernel=weight.shape[2:],
        stride=call.numbers("strides", (1,) * count),
        dilate=call.numbers("dilations", (1,) * count),
        pad=before,
        adj=call.numbers("output_padding", (0,) * count),
        num_filter=weight.shape[1] * groups,
        num_group=groups,
        no_bias=not call.has(2),
    )


def batch_norm(call: Any) -> Symbol:
    return sym.BatchNorm(
        *call.symbols()[:5],
        eps=call.attrs.get("epsilon", 1e-5),
        momentum=call.attrs.get("momentum", 0.9),
        fix_gamma=False,
    )


def pool(kind: str) -> Row:
    def make(call: Any) -> Symbol:
        kernel = call.numbers("kernel_shape")
        count = len(kernel)
        if any(n != 1 for n in call.numbers("dilations", (1,))):
            raise refused(call, "dilation")
        lowest = float(np.finfo(np.float32).min)
        counted = bool(call.attrs.get("count_include_pad", 0))
        before, after = pads_of(call, count)
        if kind == "avg" and before != after and not counted:
            raise refused(call, "unequal padding that is not counted")
        value = lowest if kind == "max" else 0.0
        data, pad = padded(call, call.symbol(0), before, after, value)
        return sym.Pooling(
            data,
            kernel=kernel,
            pool_type=kind,
            stride=call.numbers("strides", (1,) * count),
            pad=pad,
            pooling_convention="full" if call.attrs.get("ceil_mode") else "valid",
            **({"count_include_pad": counted} if kind == "avg" else {}),
            **({"p_value": call.attrs.get("p", 2)} if kind == "lp" else {}),
        )

    return make


def global_pool(kind: str) -> Row:
    def make(call: Any) -> Symbol:
        more = {"p_value": call.attrs.get("p", 2)} if kind == "lp" else {}
        return sym.Pooling(call.symbol(0), kernel=(1, 1), pool_type=kind, global_pool=True, **more)

    return make


def gemm(call: Any) -> Symbol:
    alpha, beta = call.attrs.get("alpha", 1.0), call.attrs.get("beta", 1.0)
    weight = call.known(1)
    plain = alpha == 1 and beta == 1 and not call.attrs.get("transA")
    bias = call.known(2)
    if plain and weight is not None and (not call.has(2) or (bias is not None and bias.ndim == 1)):
        turned = bool(call.attrs.get("transB"))
        rows = weight if turned else np.ascontiguousarray(weight.T)
        return sym.FullyConnected(
            call.symbol(0),
            call.symbol(1) if turned else call.weight(1, rows),
            *([call.symbol(2)] if call.has(2) else []),
            num_hidden=rows.shape[0],
            no_bias=not call.has(2),
            flatten=False,
        )
    a, b = bool(call.attrs.get("transA")), bool(call.attrs.get("transB"))
    product = sym.dot(call.symbol(0), call.symbol(1), transpose_a=a, transpose_b=b) * alpha
    return sym.broadcast_add(product, call.symbol(2) * beta) if call.has(2) else product


def matmul(call: Any) -> Symbol:
    weight = call.known(1)
    if weight is not None and weight.ndim == 2:
        rows = np.ascontiguousarray(weight.T)
        return sym.FullyConnected(
            call.symbol(0),
            call.weight(1, rows),
            num_hidden=rows.shape[0],
            no_bias=True,
            flatten=False,
        )
    return sym.linalg_gemm2(call.symbol(0), call.symbol(1))


def axes_of(call: Any, position: int = 1) -> tuple[int, ...] | None:
    """The axes of an attribute or, in newer opsets, of an input."""
    found = call.numbers("axes")
    if found is None and call.has(position):
        found = tuple(int(n) for n in call.array(position, "the axes").reshape(-1))
    return found


def reduced(build: Callable[..., Symbol]) -> Row:
    def make(call: Any) -> Symbol:
        axes, keep = axes_of(call), bool(call.attrs.get("keepdims", 1))
        if axes is None:
            if call.attrs.get("noop_with_empty_axes"):
                return call.symbol(0)
            return build(call.symbol(0), keepdims=keep)
        return build(call.symbol(0), axis=axes, keepdims=keep)

    return make


def log_sum_exp(data: Symbol, **where: Any) -> Symbol:
    return sym.log(sym.sum(sym.exp(data), **where))


def reshape(call: Any) -> Symbol:
    shape = call.numbers("shape")
    if shape is None:
        shape = tuple(int(n) for n in call.array(1, "the shape"))
    return sym.reshape(call.symbol(0), shape=shape)


def flatten(call: Any) -> Symbol:
    axis = call.attrs.get("axis", 1)
    if axis == 1:
        return sym.Flatten(call.symbol(0))
    if axis < 1:
        return sym.reshape(call.symbol(0), shape=(1, -1)) if axis == 0 else refuse_axis(call)
    merged = call.symbol(0)
    for _ in range(axis - 1):
        merged = sym.reshape(merged, shape=(-3, -2))
    return sym.Flatten(merged)


def refuse_axis(call: Any) -> Symbol:
    raise refused(call, f"axis={call.attrs['axis']}")


def squeeze(call: Any) -> Symbol:
    axes = axes_of(call)
    return sym.squeeze(call.symbol(0), **({} if axes is None else {"axis": axes}))


def unsqueeze(call: Any) -> Symbol:
    result = call.symbol(0)
    for axis in sorted(axes_of(call) or ()):
        result = sym.expand_dims(result, axis=axis)
    return result


def split(call: Any) -> Any:
    axis, count = call.attrs.get("axis", 0), len(call.outputs)
    sizes = call.numbers("split")
    if sizes is None and call.has(1):
        sizes = tuple(int(n) for n in call.array(1, "the lengths"))
    if sizes is None or len(set(sizes)) == 1:
        made = sym.split(call.symbol(0), num_outputs=count, axis=axis)
        return [made[i] for i in range(count)] if count > 1 else made
    ends = np.cumsum(sizes)
    starts = [0, *ends[:-1]]
    return [
        sym.slice_axis(call.symbol(0), axis=axis, begin=int(a), end=int(b))
        for a, b in zip(starts, ends, strict=True)
    ]


def cut(call: Any) -> Symbol:
    if "starts" in call.attrs:
        starts, ends = call.numbers("starts"), call.numbers("ends")
        axes, steps = call.numbers("axes", tuple(range(len(starts)))), (1,) * len(starts)
    else:
        starts, ends = call.array(1, "the starts"), call.array(2, "the ends")
        axes = call.array(3, "the axes") if call.has(3) else range(len(starts))
        steps = call.array(4, "the steps") if call.has(4) else (1,) * len(starts)
    result = call.symbol(0)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        if (step == -1 and start in (-1,)) or (step == -1 and end < -(2**30)):
            result = sym.reverse(result, axis=int(axis))
        elif step != 1:
            raise refused(call, f"a step of {step}")
        else:
            stop = None if end >= 2**31 - 1 else int(end)
            result = sym.slice_axis(result, axis=int(axis), begin=int(start), end=stop)
    return result


def pad(call: Any) -> Symbol:
    pads = call.numbers("pads")
    if pads is None:
        pads = tuple(int(n) for n in call.array(1, "the padding"))
    value = call.attrs.get("value", 0.0)
    if call.has(2):
        value = float(call.array(2, "the value").reshape(-1)[0])
    half = len(pads) // 2
    width = tuple(n for pair in zip(pads[:half], pads[half:], strict=True) for n in pair)
    mode = call.attrs.get("mode", "constant")
    return sym.pad(call.symbol(0), mode=mode, pad_width=width, constant_value=value)


def clip(call: Any) -> Symbol:
    limits = []
    for position, (name, most) in enumerate((("min", -np.inf), ("max", np.inf)), start=1):
        value = call.attrs.get(name, most)
        if call.has(position):
            value = float(call.array(position, "a limit").reshape(-1)[0])
        limits.append(float(np.clip(value, -3.4e38, 3.4e38)))
    return sym.clip(call.symbol(0), a_min=limits[0], a_max=limits[1])


TYPES = {
    1: "float32",
    2: "uint8",
    3: "int8",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
}


def cast(call: Any) -> Symbol:
    kind = TYPES.get(call.attrs["to"])
    if kind is None:
        raise refused(call, f"element type {call.attrs['to']}")
    # MXNet's comparisons give numbers
    return sym.Cast(call.symbol(0), dtype="float32" if kind == "bool" else kind)


def softmax(function: Callable[..., Symbol]) -> Row:
    def make(call: Any) -> Symbol:
        default = -1 if call.opset >= 13 else 1
        return function(call.symbol(0), axis=call.attrs.get("axis", default))

    return make


def arg(function: Callable[..., Symbol]) -> Row:
    return lambda call: sym.Cast(
        function(
            call.symbol(0),
            axis=call.attrs.get("axis", 0),
            keepdims=bool(call.attrs.get("keepdims", 1)),
        ),
        dtype="int64",
    )


def prelu(call: Any) -> Symbol:
    slope = call.array(1, "the slope")
    values = call.weight(1, slope.reshape(-1))
    return sym.LeakyReLU(call.symbol(0), values, act_type="prelu")


def leaky(kind: str, name: str, default: float) -> Row:
    return lambda call: sym.LeakyReLU(
        call.symbol(0), act_type=kind, slope=call.attrs.get(name, default)
    )


def gelu(call: Any) -> Symbol:
    if call.attrs.get("approximate", "none") != "none":
        raise refused(call, "the approximation")
    return sym.LeakyReLU(call.symbol(0), act_type="gelu")


def lrn(call: Any) -> Symbol:
    return sym.LRN(
        call.symbol(0),
        alpha=call.attrs.get("alpha", 1e-4),
        beta=call.attrs.get("beta", 0.75),
        knorm=call.attrs.get("bias", 1.0),
        nsize=call.attrs["size"],
    )


def layer_norm(call: Any) -> Symbol:
    axis = call.attrs.get("axis", -1)
    scale = call.array(1, "the scale")
    if scale.ndim != 1:
        raise refused(call, "normalization over several axes")
    shift = call.symbol(2) if call.has(2) else sym.zeros_like(call.symbol(1))
    eps = call.attrs.get("epsilon", 1e-5)
    return sym.LayerNorm(call.symbol(0), call.symbol(1), shift, axis=axis, eps=eps)


def resize(call: Any) -> Symbol:
    scales = call.numbers("scales")
    position = 1 if call.kind == "Upsample" else 2
    if scales is None:
        scales = tuple(float(n) for n in call.array(position, "the scale"))
    whole = scales[:2] == (1, 1) and len(set(scales[2:])) == 1 and scales[2] == int(scales[2])
    if call.attrs.get("mode", "nearest") != "nearest" or not whole:
        raise refused(call, f"mode {call.attrs.get('mode')} by {scales}")
    return sym.UpSampling(call.symbol(0), scale=int(scales[2]), sample_type="nearest")


def gather(call: Any) -> Symbol:
    return sym.take(call.symbol(0), call.symbol(1), axis=call.attrs.get("axis", 0), mode="wrap")


def expand(call: Any) -> Symbol:
    shape = tuple(int(n) for n in call.array(1, "the shape"))
    ones = call.importer.as_weight(f"{call.outputs[0]}_ones", np.ones(shape, np.float32))
    return sym.broadcast_mul(call.symbol(0), ones)


def top_k(call: Any) -> Any:
    count = call.attrs.get("k") or int(call.array(1, "k").reshape(-1)[0])
    made = sym.topk(
        call.symbol(0),
        k=count,
        axis=call.attrs.get("axis", -1),
        ret_typ="both",
        is_ascend=not call.attrs.get("largest", 1),
        dtype="int64",
    )
    return [made[0], made[1]]


def where(call: Any) -> Symbol:
    shaped = sym.broadcast_add(call.symbol(1) * 0, call.symbol(2))
    condition = sym.broadcast_add(shaped * 0, call.symbol(0)) != 0
    yes = sym.broadcast_add(shaped * 0, call.symbol(1))
    return sym.where(condition, yes, shaped)


def lp_normalization(call: Any) -> Symbol:
    axis, order = call.attrs.get("axis", -1), call.attrs.get("p", 2)
    norm = sym.norm(call.symbol(0), ord=order, axis=axis, keepdims=True)
    return sym.broadcast_div(call.symbol(0), norm)


def mean(call: Any) -> Symbol:
    inputs = call.symbols()
    return reduce(sym.broadcast_add, inputs) / len(inputs)


def roi_pool(call: Any) -> Symbol:
    return sym.ROIPooling(
        call.symbol(0),
        call.symbol(1),
        pooled_size=call.numbers("pooled_shape"),
        spatial_scale=call.attrs.get("spatial_scale", 1.0),
    )


def hard_sigmoid(call: Any) -> Symbol:
    alpha, beta = call.attrs.get("alpha", 0.2), call.attrs.get("beta", 0.5)
    return sym.hard_sigmoid(call.symbol(0), alpha=alpha, beta=beta)


def random(function: Callable[..., Symbol], *names: str) -> Row:
    def make(call: Any) -> Symbol:
        given = {name: call.attrs[onnx] for name, onnx in zip(
            names[::2], names[1::2], strict=True) if onnx in call.attrs}  # fmt: skip
        return function(shape=call.numbers("shape"), **given)

    return make


def reversed_power(call: Any) -> Symbol:
    exponent = call.known(1)
    if exponent is not None and exponent.size == 1:
        return call.symbol(0) ** float(exponent.reshape(-1)[0])
    return sym.broadcast_power(call.symbol(0), call.symbol(1))


def arithmetic(function: Callable[..., Symbol], scalar: Callable[[Any, Any], Any]) -> Row:
    """A number that the file has stays a number."""

    def make(call: Any) -> Symbol:
        a, b = call.known(0), call.known(1)
        if b is not None and b.size == 1 and b.ndim == 0 and a is None:
            return scalar(call.symbol(0), float(b))
        if a is not None and a.size == 1 and a.ndim == 0 and b is None:
            return scalar(float(a), call.symbol(1))
        return function(call.symbol(0), call.symbol(1))

    return make


def constant(call: Any, values: Sequence[np.ndarray]) -> Any:
    for name in ("value", "value_float", "value_floats", "value_int", "value_ints"):
        if name in call.attrs:
            kind = np.float32 if "float" in name else np.int64 if "int" in name else None
            return np.asarray(call.attrs[name], dtype=kind)
    return None


def filled(call: Any, values: Sequence[np.ndarray]) -> Any:
    value = np.asarray(call.attrs.get("value", np.zeros(1, np.float32)))
    return np.full(tuple(int(n) for n in values[0]), value.reshape(-1)[0], value.dtype)


def folded_cast(call: Any, values: Sequence[np.ndarray]) -> Any:
    kind = TYPES.get(call.attrs["to"])
    return None if kind is None else values[0].astype(kind)
