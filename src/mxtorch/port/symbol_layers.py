"""Operators with weights, in Symbol code, as Gluon's layers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Layer:
    """How an operator's call becomes a layer's.

    `inputs`: the arguments that stay with the layer's call; `weights`: those that make the call no
    layer's, since the program names its weights itself; `make` writes the layer from the rest.
    """

    inputs: tuple[str, ...]
    make: Callable[[Texts], str | None]
    weights: tuple[str, ...] = ("weight", "bias", "gamma", "beta", "moving_mean", "moving_var")
    order: tuple[str, ...] = ()


_IGNORED = ("workspace", "cudnn_tune", "cudnn_off", "attr", "output_mean_var", "lhs_dim")


def _given(texts: Texts, known: Mapping[str, str]) -> list[str] | None:
    """The arguments by the layer's names; None if one has no counterpart."""
    if set(texts) - set(known) - set(_IGNORED):
        return None
    return [f"{known[k]}={v}" for k, v in texts.items() if known.get(k)]


def _bias(texts: dict[str, str], default: str) -> list[str]:
    text = texts.pop("no_bias", default)
    plain = {"True": "False", "False": "", "1": "False", "0": ""}
    wanted = plain.get(text, f"not {text}")
    return [f"use_bias={wanted}"] if wanted else []


def _dense(given: Texts) -> str | None:
    texts = dict(given)
    bias = _bias(texts, "False")
    units = texts.pop("num_hidden", None)
    rest = _given(texts, {"flatten": "flatten"})
    return None if units is None or rest is None else _call("Dense", [units, *bias, *rest])


def _convolution(transposed: bool) -> Callable[[Texts], str | None]:
    names = {"stride": "strides", "pad": "padding", "dilate": "dilation", "num_group": "groups"}
    names["layout"] = "layout"
    if transposed:
        names["adj"] = "output_padding"

    def make(given: Texts) -> str | None:
        texts = dict(given)
        bias = _bias(texts, "True" if transposed else "False")
        filters, kernel = texts.pop("num_filter", None), texts.pop("kernel", None)
        rest = _given({k: v for k, v in texts.items() if v != "None"}, names)
        if filters is None or kernel is None or rest is None:
            return None
        axes = _length(kernel)
        name = f"Conv{axes}D{'Transpose' if transposed else ''}"
        return _call(name, [filters, kernel, *rest, *bias])

    return make


def _length(text: str) -> int:
    """How many numbers a shape has; two where it does not say."""
    tree = ast.parse(text, mode="eval").body
    return len(tree.elts) if isinstance(tree, (ast.Tuple, ast.List)) else 2


def _batch_norm(given: Texts) -> str | None:
    texts = {"eps": "0.001", "fix_gamma": "True", **given}
    fixed = texts.pop("fix_gamma")
    scale = {"True": ["scale=False"], "False": []}.get(fixed, [f"scale=not {fixed}"])
    names = ("momentum", "use_global_stats", "axis")
    rest = _given(texts, {"eps": "epsilon", **{n: n for n in names}})
    return None if rest is None else _call("BatchNorm", [*rest, *scale])


def _embedding(given: Texts) -> str | None:
    texts = dict(given)
    sizes = [texts.pop(n, None) for n in ("input_dim", "output_dim")]
    rest = _given(texts, {})
    if None in sizes or rest is None:
        return None
    return _call("Embedding", [s for s in sizes if s])


def _norm(name: str, eps: str) -> Callable[[Texts], str | None]:
    def make(given: Texts) -> str | None:
        rest = _given({"eps": eps, **given}, {"eps": "epsilon", "axis": "axis"})
        return None if rest is None else _call(name, rest)

    return make


def _prelu(given: Texts) -> str | None:
    return _call("PReLU", []) if given.get("act_type") in ("'prelu'", '"prelu"') else None


def _call(name: str, arguments: list[str]) -> str:
    return f"{name}({', '.join(arguments)})"


LAYERS: dict[str, Layer] = {
    "FullyConnected": Layer(
        ("data",), _dense, order=("data", "weight", "bias", "num_hidden", "no_bias", "flatten")
    ),
    "Convolution": Layer(
        ("data",),
        _convolution(transposed=False),
        order=("data", "weight", "bias", "kernel", "stride", "dilate", "pad", "num_filter"),
    ),
    "Deconvolution": Layer(
        ("data",),
        _convolution(transposed=True),
        order=("data", "weight", "bias", "kernel", "stride", "dilate", "pad", "adj"),
    ),
    "BatchNorm": Layer(
        ("data",),
        _batch_norm,
        order=("data", "gamma", "beta", "moving_mean", "moving_var", "eps", "momentum"),
    ),
    "Embedding": Layer(("data",), _embedding, order=("data", "weight", "input_dim", "output_dim")),
    "LayerNorm": Layer(("data",), _norm("LayerNorm", "1e-5"), order=("data", "gamma", "beta")),
    "InstanceNorm": Layer(
        ("data",), _norm("InstanceNorm", "0.001"), order=("data", "gamma", "beta")
    ),
}
# An operator that has weights for one of its kinds only.
KINDS = {"LeakyReLU": Layer(("data",), _prelu, order=("data", "gamma", "act_type"))}
# What a graph ends with: its gradient is a loss's. Their inputs, the label last.
HEADS = {
    "SoftmaxOutput": ("data", "label"),
    "LinearRegressionOutput": ("data", "label"),
    "LogisticRegressionOutput": ("data", "label"),
    "MAERegressionOutput": ("data", "label"),
    "MakeLoss": ("data",),
    "make_loss": ("data",),
    "BlockGrad": ("data",),
    "stop_gradient": ("data",),
}
