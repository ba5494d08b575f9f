"""What an ONNX operator with attributes of its own is in MXNet: functions of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch._core.errors import NotSupportedError
from mxtorch.symbol import Symbol
from mxtorch.symbol.numpy._symbol import as_np_ndarray
from mxtorch.symbol.numpy._symbol import np as numpy_operators

sym: Any = symbol  # its functions come from the operator table
Row = Callable[[Any], Any]


def refused(call: Any, what: str) -> NotSupportedError:
    return NotSupportedError(f"{call.kind} {call.outputs[0]!r}: {what} has no counterpart in MXNet")


def npi(name: str, *inputs: Symbol, **attrs: Any) -> Symbol:
    """An operator of `mx.np`'s, on legacy symbols."""
    made = numpy_operators[name](*map(as_np_ndarray, inputs), **attrs)
    result: Symbol = made.as_nd_ndarray()
    return result


def flattened(data: Symbol, axis: int) -> Symbol:
    """Two axes: what lies before an axis, and the rest."""
    if axis == 0:
        return sym.reshape(data, shape=(1, -1))
    for _ in range(axis - 1):
        data = sym.reshape(data, shape=(-3, -2))
    return sym.Flatten(data)


def unary(function: Callable[..., Symbol], **attrs: Any) -> Row:
    return lambda call: function(call.symbol(0), **attrs)


def binary(function: Callable[..., Symbol]) -> Row:
    return lambda call: function(call.symbol(0), call.symbol(1))


def many(function: Callable[..., Symbol]) -> Row:
    return lambda call: reduce(function, call.symbols())


def batch_norm(call: Any) -> Symbol:
    return sym.BatchNorm(
        *call.symbols()[:5],
        eps=call.attrs.get("epsilon", 1e-5),
        momentum=call.attrs.get("momentum", 0.9),
        fix_gamma=False,
    )


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


def clip(call: Any) -> Symbol:
    limits = []
    for position, (name, most) in enumerate((("min", -np.inf), ("max", np.inf)), start=1):
        value = call.attrs.get(name, most)
        if call.has(position):
            value = float(call.array(position, "a limit").reshape(-1)[0])
        limits.append(float(np.clip(value, -3.4e38, 3.4e38)))
    return sym.clip(call.symbol(0), a_min=limits[0], a_max=limits[1])


def matmul(call: Any) -> Symbol:
    weight = call.known(1)
    if weight is not None and weight.ndim == 2 and call.known(0) is None:
        rows = np.ascontiguousarray(weight.T)
        return sym.FullyConnected(
            call.symbol(0),
            call.weight(1, rows),
            num_hidden=rows.shape[0],
            no_bias=True,
            flatten=False,
        )
    return npi("_npi_matmul", call.symbol(0), call.symbol(1))


def log_sum_exp(data: Symbol, **where: Any) -> Symbol:
    top = sym.max(data, **{**where, "keepdims": True})
    total = sym.log(sym.sum(sym.exp(sym.broadcast_sub(data, top)), **where))
    return total + (top if where["keepdims"] else sym.max(data, **where))


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
    if kind == "bool":  # MXNet's comparisons give numbers
        return sym.Cast(call.symbol(0) != 0, dtype="float32")
    return sym.Cast(call.symbol(0), dtype=kind)


def softmax(function: Callable[..., Symbol]) -> Row:
    def make(call: Any) -> Symbol:
        axis = call.attrs.get("axis", -1 if call.opset >= 13 else 1)
        rank = call.rank(0)
        if call.opset >= 13 or axis == -1 or (rank is not None and axis == rank - 1):
            return function(call.symbol(0), axis=axis)
        # older files take all axes from this one on together
        data, axis = call.symbol(0), call.axis(0, axis)
        if axis < 0:
            raise refused(call, f"axis={axis}")
        return sym.reshape_like(function(flattened(data, axis), axis=-1), data)

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
    slope, rank = call.known(1), call.rank(0)
    places = (
        {} if slope is None else {i - slope.ndim: n for i, n in enumerate(slope.shape) if n > 1}
    )
    if slope is not None and (not places or (rank is not None and list(places) == [1 - rank])):
        values = call.weight(1, slope.reshape(-1))
        return sym.LeakyReLU(call.symbol(0), values, act_type="prelu")
    data = call.symbol(0)
    return sym.relu(data) - sym.broadcast_mul(call.symbol(1), sym.relu(-data))


def leaky(kind: str, name: str, default: float) -> Row:
    return lambda call: sym.LeakyReLU(
        call.symbol(0), act_type=kind, slope=call.attrs.get(name, default)
    )


def gelu(call: Any) -> Symbol:
    if call.attrs.get("approximate", "none") == "none":
        return sym.LeakyReLU(call.symbol(0), act_type="gelu")
    data = call.symbol(0)
    inner = (data + 0.044715 * data**3) * float(np.sqrt(2 / np.pi))
    return 0.5 * data * (1 + sym.tanh(inner))


def layer_norm(call: Any) -> Symbol:
    if len([name for name in call.outputs if name]) > 1:
        raise refused(call, "the mean as a result")
    axis, scale = call.attrs.get("axis", -1), call.array(1, "the scale")
    eps = call.attrs.get("epsilon", 1e-5)
    shift = call.symbol(2) if call.has(2) else sym.zeros_like(call.symbol(1))
    if scale.ndim == 1:
        return sym.LayerNorm(call.symbol(0), call.symbol(1), shift, axis=axis, eps=eps)
    rank = call.rank(0)
    first = axis if axis >= 0 or rank is None else axis + rank
    if first < 1:
        raise refused(call, f"axis={axis}")
    rows = flattened(call.symbol(0), first)
    one, none = (
        call.importer.as_weight(
            f"{call.outputs[0]}_{name}", np.full(scale.size, value, scale.dtype)
        )
        for name, value in (("ones", 1), ("zeros", 0))
    )
    data = sym.reshape_like(sym.LayerNorm(rows, one, none, axis=-1, eps=eps), call.symbol(0))
    return sym.broadcast_add(sym.broadcast_mul(data, call.symbol(1)), shift)


def group_norm(call: Any) -> Symbol:
    groups = call.attrs["num_groups"]
    scale, shift = call.array(1, "the scale"), call.array(2, "the shift")
    one, none = (
        call.importer.as_weight(f"{call.outputs[0]}_{name}", np.full(groups, value, scale.dtype))
        for name, value in (("ones", 1), ("zeros", 0))
    )
    data = call.symbol(0)
    parts = sym.reshape(data, shape=(0, groups, -1))
    eps = call.attrs.get("epsilon", 1e-5)
    parts = sym.InstanceNorm(parts, one, none, eps=eps)
    count = scale.size  # of the groups in older files, else of the channels
    parts = sym.reshape(parts, shape=(0, count, -1)) if count != groups else parts
    weights = (call.weight(i, v.reshape(1, count, 1)) for i, v in ((1, scale), (2, shift)))
    scaled = sym.broadcast_add(sym.broadcast_mul(parts, next(weights)), next(weights))
    return sym.reshape_like(scaled, data)


def lrn(call: Any) -> Symbol:
    return sym.LRN(
        call.symbol(0),
        alpha=call.attrs.get("alpha", 1e-4),
        beta=call.attrs.get("beta", 0.75),
        knorm=call.attrs.get("bias", 1.0),
        nsize=call.attrs["size"],
    )


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
    return npi("_npi_where", call.symbol(0), call.symbol(1), call.symbol(2))


def lp_normalization(call: Any) -> Symbol:
    axis, order = call.attrs.get("axis", -1), call.attrs.get("p", 2)
    norm = sym.norm(call.symbol(0), ord=order, axis=axis, keepdims=True)
    return sym.broadcast_div(call.symbol(0), norm)


def mean(call: Any) -> Symbol:
    inputs = call.symbols()
    return reduce(sym.broadcast_add, inputs) / len(inputs)


def hard_swish(call: Any) -> Symbol:
    return call.symbol(0) * sym.hard_sigmoid(call.symbol(0), alpha=1 / 6, beta=0.5)


def mish(call: Any) -> Symbol:
    data = call.symbol(0)
    return data * sym.tanh(sym.Activation(data, act_type="softrelu"))


def swish(call: Any) -> Symbol:
    return call.symbol(0) * sym.sigmoid(call.symbol(0) * call.attrs.get("alpha", 1.0))


def celu(call: Any) -> Symbol:
    alpha = call.attrs.get("alpha", 1.0)
    return sym.LeakyReLU(call.symbol(0) / alpha, act_type="elu", slope=1.0) * alpha


def thresholded(call: Any) -> Symbol:
    return call.symbol(0) * (call.symbol(0) > call.attrs.get("alpha", 1.0))


def selu(call: Any) -> Symbol:
    if "alpha" in call.attrs or "gamma" in call.attrs:
        alpha, gamma = call.attrs.get("alpha", 1.67326), call.attrs.get("gamma", 1.0507)
        return sym.LeakyReLU(call.symbol(0), act_type="elu", slope=alpha) * gamma
    return sym.LeakyReLU(call.symbol(0), act_type="selu")


def modulo(call: Any) -> Symbol:
    if call.attrs.get("fmod"):
        raise refused(call, "fmod=1")
    return sym.broadcast_mod(call.symbol(0), call.symbol(1))


def einsum(call: Any) -> Symbol:
    return npi("_npi_einsum", *call.symbols(), subscripts=call.attrs["equation"].replace(" ", ""))


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
    if values[0].dtype == object:
        return values[0]
    return None if kind is None else values[0].astype(kind)
