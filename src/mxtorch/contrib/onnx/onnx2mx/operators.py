"""The table of ONNX operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch.contrib.onnx.onnx2mx import calls, flow, images, layout
from mxtorch.contrib.onnx.onnx2mx.calls import (
    Row,
    arithmetic,
    binary,
    leaky,
    many,
    npi,
    random,
    reduced,
    softmax,
    unary,
)
from mxtorch.contrib.onnx.onnx2mx.recurrent import recurrent

sym: Any = symbol

Folder = Callable[[Any, Sequence[np.ndarray]], Any]


def _divided(call: Any, v: Sequence[np.ndarray]) -> Any:
    whole = v[0].dtype.kind in "iu"
    return np.trunc(v[0] / v[1]).astype(v[0].dtype) if whole else v[0] / v[1]


def _axes(call: Any, v: Sequence[np.ndarray]) -> tuple[int, ...] | None:
    given = call.numbers("axes") if len(v) == 1 else v[1].reshape(-1).tolist()
    return None if given is None else tuple(int(n) for n in given)


def _sliced(call: Any, v: Sequence[np.ndarray]) -> Any:
    if len(v) < 3:
        return None
    axes = v[3].tolist() if len(v) > 3 else range(len(v[1]))
    steps = v[4].tolist() if len(v) > 4 else [1] * len(v[1])
    places = [slice(None)] * v[0].ndim
    for start, end, axis, step in zip(v[1].tolist(), v[2].tolist(), axes, steps, strict=True):
        places[axis] = slice(start, end, step)
    return v[0][tuple(places)]


def _named(sign: str, compute: Folder) -> Folder:
    """Arithmetic of which one length may be a name: then so is the result."""

    def one(a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            return compute(None, [np.array(a), np.array(b)]).item()
        return None if a is None or b is None else f"({a}{sign}{b})"

    each = np.frompyfunc(one, 2, 1)

    def make(call: Any, v: Sequence[np.ndarray]) -> Any:
        named = any(x.dtype == object for x in v)
        return each(*(x.astype(object) for x in v)) if named else compute(call, v)

    return make


# What is done with shapes, some of whose lengths are names, too.
MOVED: dict[str, Folder] = {
    "Add": _named("+", lambda call, v: v[0] + v[1]),
    "Div": _named("/", _divided),
    "Mul": _named("*", lambda call, v: v[0] * v[1]),
    "Sub": _named("-", lambda call, v: v[0] - v[1]),
    "Cast": calls.folded_cast,
    "Concat": lambda call, v: np.concatenate(v, call.attrs["axis"]),
    "Gather": lambda call, v: np.take(v[0], v[1].astype(np.int64), call.attrs.get("axis", 0)),
    "Identity": lambda call, v: v[0],
    "Reshape": lambda call, v: v[0].reshape([int(n) for n in v[1]]) if len(v) == 2 else None,
    "Slice": _sliced,
    "Squeeze": lambda call, v: v[0].squeeze(_axes(call, v)),
    "Transpose": lambda call, v: np.transpose(v[0], call.attrs.get("perm")),
    "Unsqueeze": lambda call, v: np.expand_dims(v[0], _axes(call, v) or ()),
}
# What is computed here if all its inputs are known: shapes, above all.
FOLDED: dict[str, Folder] = {
    **MOVED,
    "And": lambda call, v: v[0] & v[1],
    "Ceil": lambda call, v: np.ceil(v[0]),
    "Constant": calls.constant,
    "ConstantOfShape": calls.filled,
    "Equal": lambda call, v: v[0] == v[1],
    "Floor": lambda call, v: np.floor(v[0]),
    "Greater": lambda call, v: v[0] > v[1],
    "Less": lambda call, v: v[0] < v[1],
    "Max": lambda call, v: np.maximum.reduce(v),
    "Min": lambda call, v: np.minimum.reduce(v),
    "Mod": lambda call, v: (np.fmod if call.attrs.get("fmod") else np.mod)(v[0], v[1]),
    "Neg": lambda call, v: -v[0],
    "Not": lambda call, v: ~v[0],
    "Or": lambda call, v: v[0] | v[1],
    "Range": lambda call, v: np.arange(*(x.item() for x in v)).astype(v[0].dtype),
    "ReduceProd": lambda call, v: np.prod(
        v[0], _axes(call, v), keepdims=bool(call.attrs.get("keepdims", 1))
    ),
    "Sqrt": lambda call, v: np.sqrt(v[0]),
    "Where": lambda call, v: np.where(v[0], v[1], v[2]),
}
OPERATORS: dict[str, Row] = {
    "Abs": unary(sym.abs),
    "Acos": unary(sym.arccos),
    "Acosh": unary(sym.arccosh),
    "Add": arithmetic(sym.broadcast_add, lambda a, b: a + b),
    "And": binary(sym.broadcast_logical_and),
    "ArgMax": calls.arg(sym.argmax),
    "ArgMin": calls.arg(sym.argmin),
    "Asin": unary(sym.arcsin),
    "Asinh": unary(sym.arcsinh),
    "Atan": unary(sym.arctan),
    "Atanh": unary(sym.arctanh),
    "AveragePool": images.pool("avg"),
    "BatchNormalization": calls.batch_norm,
    "Cast": calls.cast,
    "Ceil": unary(sym.ceil),
    "Celu": calls.celu,
    "Clip": calls.clip,
    "Concat": lambda call: sym.concat(*call.symbols(), dim=call.attrs.get("axis", 1)),
    "ConstantOfShape": layout.filled,
    "Conv": images.conv,
    "ConvTranspose": images.conv_transpose,
    "Cos": unary(sym.cos),
    "Cosh": unary(sym.cosh),
    "CumSum": layout.cumulative,
    "DepthToSpace": layout.depth_to_space,
    "Div": arithmetic(sym.broadcast_div, lambda a, b: a / b),
    "Dropout": lambda call: call.symbol(0),
    "Einsum": calls.einsum,
    "Elu": leaky("elu", "alpha", 1.0),
    "Equal": binary(sym.broadcast_equal),
    "Erf": unary(sym.erf),
    "Exp": unary(sym.exp),
    "Expand": layout.expand,
    "FC": calls.gemm,
    "Flatten": layout.flatten,
    "Floor": unary(sym.floor),
    "Gather": layout.gather,
    "GatherElements": layout.gather_elements,
    "GatherND": layout.gather_nd,
    "Gelu": calls.gelu,
    "Gemm": calls.gemm,
    "GlobalAveragePool": images.global_pool("avg"),
    "GlobalLpPool": images.global_pool("lp"),
    "GlobalMaxPool": images.global_pool("max"),
    "Greater": binary(sym.broadcast_greater),
    "GreaterOrEqual": binary(sym.broadcast_greater_equal),
    "GridSample": images.grid_sample,
    "GroupNormalization": calls.group_norm,
    "GRU": recurrent,
    "HardSigmoid": calls.hard_sigmoid,
    "HardSwish": calls.hard_swish,
    "Identity": lambda call: call.symbol(0),
    "If": flow.if_,
    "InstanceNormalization": lambda call: sym.InstanceNorm(
        *call.symbols(), eps=call.attrs.get("epsilon", 1e-5)
    ),
    "IsInf": lambda call: sym.abs(call.symbol(0)) == np.inf,
    "IsNaN": lambda call: call.symbol(0) != call.symbol(0),
    "LayerNormalization": calls.layer_norm,
    "LeakyRelu": leaky("leaky", "alpha", 0.01),
    "Less": binary(sym.broadcast_lesser),
    "LessOrEqual": binary(sym.broadcast_lesser_equal),
    "Log": unary(sym.log),
    "LogSoftmax": softmax(sym.log_softmax),
    "Loop": flow.loop,
    "LpNormalization": calls.lp_normalization,
    "LpPool": images.pool("lp"),
    "LRN": calls.lrn,
    "LSTM": recurrent,
    "MatMul": calls.matmul,
    "Max": many(sym.broadcast_maximum),
    "MaxPool": images.pool("max"),
    "MaxRoiPool": images.roi_pool,
    "Mean": calls.mean,
    "Min": many(sym.broadcast_minimum),
    "Mish": calls.mish,
    "Mod": calls.modulo,
    "Mul": arithmetic(sym.broadcast_mul, lambda a, b: a * b),
    "Neg": unary(sym.negative),
    "Not": unary(sym.logical_not),
    "OneHot": layout.one_hot,
    "Or": binary(sym.broadcast_logical_or),
    "Pad": layout.pad,
    "Pow": calls.reversed_power,
    "PRelu": calls.prelu,
    "RandomNormal": random(sym.random_normal, "loc", "mean", "scale", "scale"),
    "RandomUniform": random(sym.random_uniform, "low", "low", "high", "high"),
    "Reciprocal": unary(sym.reciprocal),
    "ReduceL1": reduced(lambda x, **where: sym.norm(x, ord=1, **where)),
    "ReduceL2": reduced(lambda x, **where: sym.norm(x, ord=2, **where)),
    "ReduceLogSum": reduced(lambda x, **where: sym.log(sym.sum(x, **where))),
    "ReduceLogSumExp": reduced(calls.log_sum_exp),
    "ReduceMax": reduced(sym.max),
    "ReduceMean": reduced(sym.mean),
    "ReduceMin": reduced(sym.min),
    "ReduceProd": reduced(sym.prod),
    "ReduceSum": reduced(sym.sum),
    "ReduceSumSquare": reduced(lambda x, **where: sym.sum(sym.square(x), **where)),
    "Relu": unary(sym.relu),
    "Reshape": layout.reshape,
    "Resize": images.resize,
    "RNN": recurrent,
    "RoiAlign": images.roi_align,
    "Round": lambda call: npi("_npi_around", call.symbol(0)),
    "Scan": flow.scan,
    "ScatterND": layout.scatter_nd,
    "Selu": calls.selu,
    "Shape": unary(sym.shape_array),
    "Sigmoid": unary(sym.sigmoid),
    "Sign": unary(sym.sign),
    "Sin": unary(sym.sin),
    "Sinh": unary(sym.sinh),
    "Size": unary(sym.size_array),
    "Slice": layout.cut,
    "Softmax": softmax(sym.softmax),
    "Softplus": unary(sym.Activation, act_type="softrelu"),
    "Softsign": unary(sym.softsign),
    "SpaceToDepth": lambda c: sym.space_to_depth(c.symbol(0), block_size=c.attrs["blocksize"]),
    "SpatialBN": calls.batch_norm,
    "Split": layout.split,
    "Sqrt": unary(sym.sqrt),
    "Squeeze": layout.squeeze,
    "Sub": arithmetic(sym.broadcast_sub, lambda a, b: a - b),
    "Sum": many(sym.broadcast_add),
    "Swish": calls.swish,
    "Tan": unary(sym.tan),
    "Tanh": unary(sym.tanh),
    "ThresholdedRelu": calls.thresholded,
    "Tile": layout.tile,
    "TopK": calls.top_k,
    "Transpose": lambda call: sym.transpose(
        call.symbol(0), **({"axes": call.numbers("perm")} if "perm" in call.attrs else {})
    ),
    "Trilu": layout.triangle,
    "Unsqueeze": layout.unsqueeze,
    "Upsample": images.resize,
    "Where": calls.where,
    "Xor": binary(sym.broadcast_logical_xor),
}
