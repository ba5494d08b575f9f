"""What each operator is in PyTorch source: a layer or a call, and where its weights go."""

from __future__ import annotations

import ast
from collections.abc import Callable

import torch
from torch import Tensor

from mxtorch.convert.calls import CALLS, FLOAT_CALLS, Row, expression, over_axes
from mxtorch.convert.choices import CHOICES
from mxtorch.convert.pooling import CHANNELS_FIRST, lengths, pooling
from mxtorch.convert.recurrent import rnn
from mxtorch.convert.syntax import Layer, Made, Place, call, lift, method

_GLOBAL_STATS = """
class FrozenBatchNorm{n}d(nn.BatchNorm{n}d):
    \"\"\"Batch normalization by the stored statistics, in training too.\"\"\"

    def train(self, mode=True):
        return super().train(False)
"""
_WITH_STATS = """
class {name}({base}):
    \"\"\"Batch normalization that also gives the mean and the inverse deviation that it used.\"\"\"

    def forward(self, x):
        {there}mean = self.running_mean.clone()
        var = self.running_var
        if self.training:
            var, mean = torch.var_mean(x.detach(), [0, *range(2, x.ndim)], correction=0)
        return super().forward(x){back}, mean, torch.rsqrt(var + self.eps)
"""
_FIXED_GAMMA = """
def fixed_gamma(norm):
    \"\"\"Keep the scale of a normalization out of training.\"\"\"
    norm.weight.requires_grad_(False)
    return norm
"""


def _layer(module: Made, **weights: Tensor | None) -> Layer:
    present = {name: tensor for name, tensor in weights.items() if tensor is not None}
    return Layer(lambda own, inputs: call(own, *inputs), module, present)


def _convolution(place: Place) -> Layer | None:
    if place.attrs["layout"] not in CHANNELS_FIRST:
        return None
    attrs, weight = place.attrs, place.weights["weight"]
    attrs.told("num_filter", "no_bias")
    count = len(attrs["kernel"])
    groups = attrs["num_group"]
    transposed = place.node.op_name == "Deconvolution"
    inside, outside = weight.shape[1] * groups, weight.shape[0]
    if transposed:
        inside, outside = weight.shape[0], weight.shape[1] * groups
    options = {
        "stride": (lengths(attrs["stride"], count, 1), 1),
        "padding": (lengths(attrs["pad"], count, 0), 0),
        "dilation": (lengths(attrs["dilate"], count, 1), 1),
        "groups": (groups, 1),
        "bias": ("bias" in place.weights, True),
    }
    if transposed:
        if attrs["target_shape"]:
            return None
        options["output_padding"] = (lengths(attrs["adj"], count, 0), 0)
    module = Made(
        f"nn.Conv{'Transpose' if transposed else ''}{count}d",
        {
            "in_channels": inside,
            "out_channels": outside,
            "kernel_size": lengths(attrs["kernel"], count, 1),
        },
        options,
    )
    return _layer(module, weight=weight, bias=place.weights.get("bias"))


def _dense(place: Place) -> Layer | None:
    shape = place.shapes[0]
    place.attrs.told("num_hidden", "no_bias")
    if shape is not None and len(shape) < 2:
        return None
    flat = place.attrs["flatten"] and (shape is None or len(shape) != 2)
    if not {"weight", "bias"} & set(place.node.input_slots()) <= set(place.weights):

        def forward(own: ast.expr, inputs: list[ast.expr]) -> ast.expr:
            data = method(inputs[0], "flatten", 1) if flat else inputs[0]
            return call("F.linear", data, *inputs[1:])

        return Layer(forward)
    weight = place.weights["weight"]
    bias = place.weights.get("bias")
    module = Made(
        "nn.Linear",
        {"in_features": weight.shape[1], "out_features": weight.shape[0]},
        {"bias": (bias is not None, True)},
    )
    layer = _layer(module, weight=weight, bias=bias)
    if flat:
        layer.forward = lambda own, inputs: call(own, method(inputs[0], "flatten", 1))
    return layer


def _batch_norm(place: Place) -> Layer | None:
    """A gamma that `fix_gamma` overrules is 1, and no optimizer is to move it."""
    attrs, shape = place.attrs, place.shapes[0]
    if shape is None or len(shape) < 2 or len(shape) > 5:
        return None
    axis = attrs["axis"] % len(shape)
    with_stats = attrs["output_mean_var"] and max(place.used) > 0
    count = max(len(shape) - 2, 1)
    gamma = place.weights["gamma"]
    helpers: dict[str, str] = {}
    name, wrapper = f"nn.BatchNorm{count}d", None
    if attrs["use_global_stats"]:
        name = f"FrozenBatchNorm{count}d"
        helpers[name] = _GLOBAL_STATS.format(n=count)
    if with_stats:
        base, name = name, f"{name.removeprefix('nn.')}WithStats{'' if axis == 1 else axis}"
        helpers[name] = _with_stats(name, base, axis)
    if attrs["fix_gamma"]:
        gamma, wrapper = torch.ones_like(gamma), "fixed_gamma"
        helpers[wrapper] = _FIXED_GAMMA
    module = Made(
        name,
        {"num_features": gamma.shape[0]},
        {"eps": (attrs["eps"], 1e-5), "momentum": (round(1 - attrs["momentum"], 12), 0.1)},
        wrapper,
    )
    layer = _layer(
        module,
        weight=gamma,
        bias=place.weights["beta"],
        running_mean=place.weights["moving_mean"],
        running_var=place.weights["moving_var"],
    )
    layer.helpers = helpers
    layer.unpacked = with_stats
    layer.slots = {
        "weight": "gamma",
        "bias": "beta",
        "running_mean": "moving_mean",
        "running_var": "moving_var",
    }
    if axis != 1 and not with_stats:
        layer.forward = lambda own, inputs: method(
            call(own, method(inputs[0], "movedim", axis, 1)), "movedim", 1, axis
        )
    return layer


def _with_stats(name: str, base: str, axis: int) -> str:
    """The class of a normalization along an axis that also gives what it used."""
    moved = {"there": "", "back": ""}
    if axis != 1:
        there = f"x = x.movedim({axis}, 1)\n        "
        moved = {"there": there, "back": f".movedim(1, {axis})"}
    return _WITH_STATS.format(name=name, base=base, **moved)


def _layer_norm(place: Place) -> Layer | None:
    attrs, shape = place.attrs, place.shapes[0]
    last = shape is not None and attrs["axis"] % len(shape) == len(shape) - 1
    if not last or attrs["output_mean_var"]:
        return None
    gamma = place.weights["gamma"]
    first = {"normalized_shape": gamma.shape[0]}
    return _affine(place, Made("nn.LayerNorm", first, {"eps": (attrs["eps"], 1e-5)}))


def _instance_norm(place: Place) -> Layer:
    """A group for each channel: nn.InstanceNorm has no images of one pixel."""
    channels = place.weights["gamma"].shape[0]
    first = {"num_groups": channels, "num_channels": channels}
    return _affine(place, Made("nn.GroupNorm", first, {"eps": (place.attrs["eps"], 1e-5)}))


def _affine(place: Place, module: Made) -> Layer:
    layer = _layer(module, weight=place.weights["gamma"], bias=place.weights["beta"])
    layer.slots = {"weight": "gamma", "bias": "beta"}
    return layer


def _activation(place: Place) -> Layer:
    names = {"relu": "torch.relu", "sigmoid": "torch.sigmoid", "tanh": "torch.tanh"}
    names |= {"softrelu": "F.softplus", "softsign": "F.softsign"}
    return expression(lambda x: call(names[place.attrs["act_type"]], x))


def _leaky(place: Place) -> Layer:
    kind, slope = place.attrs["act_type"], place.attrs["slope"]
    place.attrs.told("lower_bound", "upper_bound")  # of rrelu
    if kind == "prelu":
        gamma = place.weights["gamma"]
        module = Made("nn.PReLU", {"num_parameters": gamma.numel()})
        layer = _layer(module, weight=gamma.flatten())
        layer.slots = {"weight": "gamma"}
        return layer
    made = {
        "leaky": lambda x: call("F.leaky_relu", x, slope),
        "rrelu": lambda x: call(
            "F.leaky_relu",
            x,
            (place.attrs.get("lower_bound", 0.125) + place.attrs.get("upper_bound", 0.334)) / 2,
        ),
        "elu": lambda x: call("F.elu", x, slope),
        "selu": lambda x: call("F.selu", x),
        "gelu": lambda x: call("F.gelu", x),
    }
    return expression(made[kind])


def _binary(operator: ast.operator) -> Callable[[Place], Layer]:
    return lambda place: expression(lambda a, b: ast.BinOp(a, operator, b))


def _scalar(operator: ast.operator, reverse: bool = False) -> Callable[[Place], Layer]:
    def make(place: Place) -> Layer:
        number = lift(place.attrs["scalar"])
        return expression(
            lambda x: ast.BinOp(number, operator, x) if reverse else ast.BinOp(x, operator, number)
        )

    return make


def _joined(place: Place) -> Layer:
    axis = place.attrs["dim"]
    place.attrs.told("num_args")
    return Layer(lambda own, inputs: call("torch.cat", ast.List(inputs, ast.Load()), dim=axis))


def _softmax(place: Place) -> Layer:
    return expression(lambda x: call("torch.softmax", x, dim=place.attrs["axis"]))


def _softmax_activation(place: Place) -> Layer | None:
    shape = place.shapes[0]
    if place.attrs["mode"] == "channel" or (shape is not None and len(shape) == 2):
        return expression(lambda x: call("torch.softmax", x, dim=1))
    return None


def _reshape(place: Place) -> Layer | None:
    """Codes that stand for one length of the input each; others are worked out here."""
    wanted = tuple(place.attrs["shape"])
    if place.attrs.get("reverse") or any(n < -1 for n in wanted):
        return _worked_out(place)
    if not wanted:
        return None

    def build(x: ast.expr) -> ast.expr:
        return method(x, "reshape", *(_length(x, i, n) for i, n in enumerate(wanted)))

    return expression(build)


def _worked_out(place: Place) -> Layer | None:
    """The shape in numbers, if one length at most grows with the batch."""
    if len(place.sizes) < 2 or len(place.sizes[0]) != len(place.sizes[1]):
        return None
    lengths = [a if a == b else -1 for a, b in zip(*place.sizes, strict=True)]
    if lengths.count(-1) > 1:
        return None
    return expression(lambda x: method(x, "reshape", *lengths))


def _length(x: ast.expr, axis: int, length: int) -> ast.expr:
    if length != 0:
        return lift(length)
    return ast.Subscript(ast.Attribute(x, "shape", ast.Load()), lift(axis), ast.Load())


def _transpose(place: Place) -> Layer | None:
    axes, shape = place.attrs["axes"], place.shapes[0]
    if not axes and shape is None:
        return None
    order = tuple(axes) or tuple(reversed(range(len(shape or ()))))
    return expression(lambda x: method(x, "permute", *order))


def _embedding(place: Place) -> Layer:
    place.attrs.told("input_dim", "output_dim", "dtype", "sparse_grad")
    weight = place.weights["weight"]
    module = Made(
        "nn.Embedding", {"num_embeddings": weight.shape[0], "embedding_dim": weight.shape[1]}
    )
    layer = _layer(module, weight=weight)
    last = weight.shape[0] - 1  # MXNet takes the row that is nearest

    def forward(own: ast.expr, inputs: list[ast.expr]) -> ast.expr:
        return call(own, method(method(inputs[0], "long"), "clamp", 0, last))

    layer.forward = forward
    return layer


def _upsampling(place: Place) -> Layer | None:
    if place.attrs["sample_type"] != "nearest" or len(place.node.inputs) != 1:
        return None
    scale = place.attrs["scale"]
    place.attrs.told("num_args", "num_filter", "multi_input_mode")
    return expression(lambda x: call("F.interpolate", x, scale_factor=scale))


def _lrn(place: Place) -> Layer | None:
    attrs = place.attrs
    if attrs["nsize"] % 2 == 0:
        return None
    return expression(
        lambda x: call(
            "F.local_response_norm",
            x,
            attrs["nsize"],
            alpha=attrs["alpha"],
            beta=attrs["beta"],
            k=attrs["knorm"],
        )
    )


def _unary(name: str) -> Callable[[Place], Layer]:
    return lambda place: expression(lambda x: call(name, x))


def _flatten(place: Place) -> Layer | None:
    shape = place.shapes[0]
    if shape is None or len(shape) < 2:
        return None
    if len(shape) == 2:
        return _same(place)
    return expression(lambda x: method(x, "flatten", 1))


def _dropout(place: Place) -> Layer | None:
    """Nothing in a prediction, unless it is to drop always."""
    place.attrs.told("p", "axes")
    return None if place.attrs.get("mode") == "always" else _same(place)


def _like(place: Place) -> Layer | None:
    """Nothing, where the shape is that of the other input, as after a softmax of all."""
    first, second = place.shapes
    same = first is not None and first == second and len(place.sizes) == 2
    return _same(place) if same and place.sizes[0] != place.sizes[1] else None


def _of_floats(row: Row) -> Row:
    """A row that says what MXNet computes with floating types alone."""

    def make(place: Place) -> Layer | None:
        known = all(dtype is not None and dtype.is_floating_point for dtype in place.dtypes)
        return row(place) if known else None

    return make


def _same(place: Place) -> Layer:
    return Layer(lambda own, inputs: inputs[0], alias=True)


# Rows that hold for every type of numbers.
_OF_ALL: dict[str, Row] = {
    "Concat": _joined,
    "Dropout": _dropout,
    "Embedding": _embedding,
    "Flatten": _flatten,
    "Reshape": _reshape,
    "_copy": _same,
    "broadcast_add": _binary(ast.Add()),
    "broadcast_mul": _binary(ast.Mult()),
    "broadcast_sub": _binary(ast.Sub()),
    "elemwise_add": _binary(ast.Add()),
    "elemwise_mul": _binary(ast.Mult()),
    "elemwise_sub": _binary(ast.Sub()),
    "reshape_like": _like,
    "transpose": _transpose,
    **CALLS,
    **CHOICES,
}
_OF_FLOATS: dict[str, Row] = {
    "Activation": _activation,
    "BatchNorm": _batch_norm,
    "Convolution": _convolution,
    "Deconvolution": _convolution,
    "FullyConnected": _dense,
    "LRN": _lrn,
    "LeakyReLU": _leaky,
    "Pooling": pooling,
    "SoftmaxActivation": _softmax_activation,
    "UpSampling": _upsampling,
    "_div_scalar": _scalar(ast.Div()),
    "_minus_scalar": _scalar(ast.Sub()),
    "_mul_scalar": _scalar(ast.Mult()),
    "_plus_scalar": _scalar(ast.Add()),
    "_power_scalar": _scalar(ast.Pow()),
    "_rdiv_scalar": _scalar(ast.Div(), reverse=True),
    "_rminus_scalar": _scalar(ast.Sub(), reverse=True),
    "broadcast_div": _binary(ast.Div()),
    "elemwise_div": _binary(ast.Div()),
    "exp": _unary("torch.exp"),
    "log": _unary("torch.log"),
    "mean": over_axes("mean"),
    "relu": _unary("torch.relu"),
    "sigmoid": _unary("torch.sigmoid"),
    "softmax": _softmax,
    "sqrt": _unary("torch.sqrt"),
    "square": _unary("torch.square"),
    "sum": over_axes("sum"),
    "tanh": _unary("torch.tanh"),
    "RNN": rnn,
    "LayerNorm": _layer_norm,
    "InstanceNorm": _instance_norm,
    **FLOAT_CALLS,
}
LAYERS = {**_OF_ALL, **{name: _of_floats(row) for name, row in _OF_FLOATS.items()}}

# Inputs that must be weights for a node to be a layer.
NEEDS: dict[str, tuple[str, ...]] = {
    "BatchNorm": ("gamma", "beta", "moving_mean", "moving_var"),
    "Convolution": ("weight", "bias"),
    "Deconvolution": ("weight", "bias"),
    "Embedding": ("weight",),
    "InstanceNorm": ("gamma", "beta"),
    "LayerNorm": ("gamma", "beta"),
    "LeakyReLU": ("gamma",),
}
