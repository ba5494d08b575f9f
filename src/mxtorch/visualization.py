"""`mx.viz`: a symbol as a table of layers or as a drawing."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxtorch._core.dtypes import dtype_to_numpy, dtype_to_torch
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch.symbol import Symbol

__all__ = ["plot_network", "print_summary"]

Record = dict[str, Any]
Shapes = dict[str, tuple[int, ...]]


def _str2tuple(string: str) -> list[str]:
    """The numbers in the text of a tuple."""
    return re.findall(r"\d+", string)


def _check_symbol(symbol: Any) -> None:
    if not isinstance(symbol, Symbol):
        raise MXNetTypeError(f"symbol must be a Symbol, not {type(symbol).__name__}")


def _shapes(symbol: Symbol, given: Mapping[str, Any] | None) -> Shapes:
    """The shapes of all outputs inside the symbol, by name."""
    if given is None:
        return {}
    inside = symbol.get_internals()
    _, shapes, _ = inside.infer_shape(**given)
    if shapes is None:
        raise MXNetValueError("Input shape is incomplete")
    return dict(zip(inside.list_outputs(), shapes, strict=True))


# the table ---------------------------------------------------------------------------------------


def _is_true(attrs: Mapping[str, str], key: str) -> bool:
    return attrs.get(key) in ("True", "true", "1")


def _of_convolution(record: Record, channels: int, shapes: Shapes) -> int:
    attrs = record["attrs"]
    filters = int(attrs["num_filter"])
    count = channels * filters // int(attrs.get("num_group", "1"))
    for length in _str2tuple(attrs["kernel"]):
        count *= int(length)
    return count if _is_true(attrs, "no_bias") else count + filters


def _of_dense(record: Record, channels: int, shapes: Shapes) -> int:
    attrs = record["attrs"]
    inputs = channels if _is_true(attrs, "no_bias") else channels + 1
    return inputs * int(attrs["num_hidden"])


def _of_batch_norm(record: Record, channels: int, shapes: Shapes) -> int:
    shape = shapes.get(f"{record['name']}_output")
    return 2 * shape[1] if shape else 0


def _of_embedding(record: Record, channels: int, shapes: Shapes) -> int:
    return int(record["attrs"]["input_dim"]) * int(record["attrs"]["output_dim"])


# MXNet counts the parameters of these; `channels` is the inputs' axis 1.
_COUNTS: dict[str, Callable[[Record, int, Shapes], int]] = {
    "Convolution": _of_convolution,
    "FullyConnected": _of_dense,
    "BatchNorm": _of_batch_norm,
    "Embedding": _of_embedding,
}


class _Table:
    """Rows of fields that end at given columns."""

    def __init__(self, width: int, positions: Sequence[float]) -> None:
        self.width = width
        fractions = positions[-1] <= 1
        self.ends = [int(width * p) if fractions else int(p) for p in positions]

    def row(self, fields: Sequence[Any]) -> None:
        line = ""
        for field, end in zip(fields, self.ends, strict=True):
            line = (line + str(field))[:end].ljust(end)
        print(line)

    def rule(self, char: str) -> None:
        print(char * self.width)


def print_summary(
    symbol: Symbol,
    shape: Mapping[str, Any] | None = None,
    line_length: int = 120,
    positions: Sequence[float] = (0.44, 0.64, 0.74, 1.0),
) -> None:
    """Print a table of the nodes: shape (for `shape` of the inputs), parameters, inputs.

    As in MXNet, parameters of convolutions, dense layers, BatchNorm and Embedding are counted.
    """
    _check_symbol(symbol)
    shapes = _shapes(symbol, shape)
    nodes: list[Record] = json.loads(symbol.tojson())["nodes"]
    table = _Table(line_length, positions)
    table.rule("_")
    table.row(["Layer (type)", "Output Shape", "Param #", "Previous Layer"])
    table.rule("=")
    # the first node is the data; other variables are taken for parameters
    shown = [n for i, n in enumerate(nodes) if i == 0 or n["op"] != "null"]
    total = 0
    for record in shown:
        before = [
            nodes[item[0]]
            for item in record["inputs"]
            if item[0] == 0 or nodes[item[0]]["op"] != "null"
        ]
        channels = sum(s[0] for s in (_shown(n, shapes) for n in before) if s)
        count = _COUNTS.get(record["op"], lambda *_: 0)(record, channels, shapes)
        total += count
        names = [n["name"] for n in before]
        text = "x".join(str(n) for n in _shown(record, shapes))
        first = names[0] if names else ""
        table.row([f"{record['name']}({record['op']})", text, count, first])
        for name in names[1:]:
            table.row(["", "", "", name])
        table.rule("=" if record is nodes[-1] else "_")
    print(f"Total params: {total}")
    table.rule("_")


def _shown(record: Record, shapes: Shapes) -> tuple[int, ...]:
    """The shape of a node's output without the batch axis; nothing if it is not known."""
    key = record["name"] if record["op"] == "null" else f"{record['name']}_output"
    return shapes.get(key, ())[1:]


# the drawing -------------------------------------------------------------------------------------

_COLORS = ("#8dd3c7", "#fb8072", "#ffffb3", "#bebada", "#80b1d3", "#fdb462", "#b3de69", "#fccde5")
_COLOR_OF = {
    "Convolution": 1,
    "FullyConnected": 1,
    "Activation": 2,
    "LeakyReLU": 2,
    "BatchNorm": 3,
    "Pooling": 4,
    "Concat": 5,
    "Flatten": 5,
    "Reshape": 5,
    "Softmax": 6,
}
_WEIGHTS = (
    "_weight",
    "_bias",
    "_beta",
    "_gamma",
    "_moving_var",
    "_moving_mean",
    "_running_var",
    "_running_mean",
)


def _times(text: str | None) -> str:
    return "x".join(_str2tuple(text)) if text else "1"


# What is written on these instead of the name.
_LABELS: dict[str, Callable[[Mapping[str, str]], str]] = {
    "Convolution": lambda a: (
        f"Convolution\n{_times(a['kernel'])}/{_times(a.get('stride'))}, {a['num_filter']}"
    ),
    "FullyConnected": lambda a: f"FullyConnected\n{a['num_hidden']}",
    "Activation": lambda a: f"Activation\n{a['act_type']}",
    "LeakyReLU": lambda a: f"LeakyReLU\n{a.get('act_type', 'Leaky')}",
    "Pooling": lambda a: (
        f"Pooling\n{a.get('pool_type', 'max')}, {_times(a.get('kernel'))}/{_times(a.get('stride'))}"
    ),
    "Custom": lambda a: a["op_type"],
}


def plot_network(
    symbol: Symbol,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Mapping[str, Any] | None = None,
    dtype: Mapping[str, Any] | None = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Any:
    """A `graphviz.Digraph` of the nodes; its edges show shapes and types if those are given.

    Needs the package graphviz. `node_attrs` are attributes of all nodes for the drawing.
    """
    digraph = _import_graphviz()
    _check_symbol(symbol)
    shapes = _shapes(symbol, shape)
    types = _types(symbol, dtype)
    style = {
        "shape": "box",
        "fixedsize": "true",
        "width": "1.3",
        "height": "0.8034",
        "style": "filled",
        **(node_attrs or {}),
    }
    dot = digraph(name=title, format=save_format)
    nodes: list[Record] = json.loads(symbol.tojson())["nodes"]
    hidden = set()
    for record in nodes:
        op, name, attrs = record["op"], record["name"], record.get("attrs", {})
        color = _COLORS[_COLOR_OF.get(op, 7)]
        label = _LABELS[op](attrs) if op in _LABELS else name
        own = dict(style)
        if op == "null":
            if name.endswith(_WEIGHTS):
                if hide_weights:
                    hidden.add(name)
                continue
            own["shape"], color = "oval", _COLORS[0]
        dot.node(name=name, label=label, fillcolor=color, **own)
    for record in nodes:
        for item in record["inputs"]:
            child = nodes[item[0]]
            if record["op"] == "null" or child["name"] in hidden:
                continue
            key = _output_key(child)
            label = "x".join(str(n) for n in shapes.get(key, ())[1:])
            if key in types:
                label += f"({types[key]})"
            dot.edge(
                tail_name=record["name"],
                head_name=child["name"],
                label=label,
                dir="back",
                arrowtail="open",
            )
    return dot


def _output_key(record: Record) -> str:
    """The name of a node's output; of several, the last, as in MXNet."""
    if record["op"] == "null":
        return str(record["name"])
    count = record.get("attrs", {}).get("num_outputs")
    return f"{record['name']}_output" + (str(int(count) - 1) if count else "")


def _types(symbol: Symbol, given: Mapping[str, Any] | None) -> dict[str, str]:
    """The names of the types of all outputs inside the symbol, by name."""
    if given is None:
        return {}
    inside = symbol.get_internals()
    _, types, _ = inside.infer_type(**given)
    if types is None:
        raise MXNetValueError("Input type is incomplete")
    names = [dtype_to_numpy(dtype_to_torch(t)).__name__ for t in types]
    return dict(zip(inside.list_outputs(), names, strict=True))


def _import_graphviz() -> Any:
    try:
        return importlib.import_module("graphviz").Digraph
    except ImportError:
        raise ImportError(
            "Draw network requires graphviz library: pip install 'mxtorch[plot]'"
        ) from None
