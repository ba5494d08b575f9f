"""A symbol file and its weights, as the graph that a deployed model needs."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from mxtorch._core import ndfile
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.ndentry import to_tensor
from mxtorch._graph import json as files
from mxtorch._graph.infer import infer
from mxtorch._graph.node import Entry, Node, walk

Dims = tuple[int, ...]
# What an output operator computes when there is no label.
_PLAIN = {
    "LinearRegressionOutput": "_copy",
    "MAERegressionOutput": "_copy",
    "LogisticRegressionOutput": "sigmoid",
    "SVMOutput": "_copy",
    "MakeLoss": "_copy",
    "make_loss": "_copy",
    "BlockGrad": "_copy",
    "IdentityAttachKLSparseReg": "_copy",
}


@dataclass
class Model:
    """A graph for inference.

    `inputs` are the variables without weights, in the order of the graph; `weights` and `states`
    the arrays of the others by variable name; `unused` names that the file has and the graph not.
    """

    outputs: list[Entry]
    inputs: list[str]
    weights: dict[str, Tensor]
    states: dict[str, Tensor]
    unused: list[str]

    @property
    def variables(self) -> list[Node]:
        """The graph's variables."""
        return [node for node in walk(self.outputs) if node.is_variable]

    def shapes(self, given: Mapping[str, Dims]) -> dict[tuple[int, int], Dims]:
        """The shape of each output of each node, for inputs of these shapes."""
        arrays = {**self.weights, **self.states}
        known = infer(
            self.outputs, {**given, **{name: tuple(value.shape) for name, value in arrays.items()}}
        )
        return {key: shape for key, shape in known.shapes.items() if shape is not None}


def load_model(
    symbol: str | os.PathLike[str],
    params: str | os.PathLike[str],
    outputs: Sequence[str] = (),
) -> Model:
    """Read `X-symbol.json` and `X-0000.params`.

    `outputs` names nodes to end at (`fc1` or `fc1_output`). Raises MXNetError for damaged files, a
    weight that is missing, or one whose shape does not fit.
    """
    heads = files.loads(pathlib.Path(symbol).read_text(encoding="utf-8"))
    if outputs:
        heads = [_find(heads, name) for name in outputs]
    heads = _without_losses(heads)
    arrays = {e.name or "": to_tensor(e.to_dense()) for e in ndfile.read(params)}
    weights, states = _split(arrays)
    used = {node.name for node in walk(heads) if node.is_variable}
    model = Model(
        heads,
        [n.name for n in walk(heads) if n.is_variable and n.name not in {**weights, **states}],
        {k: v for k, v in weights.items() if k in used},
        {k: v for k, v in states.items() if k in used},
        sorted(k for k in {**weights, **states} if k not in used),
    )
    _check(model)
    return model


def _split(
    arrays: Mapping[str, Tensor],
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    weights, states = {}, {}
    for name, value in arrays.items():
        kind, _, rest = name.partition(":")
        if kind == "aux" and rest:
            states[rest] = value
        else:
            weights[rest if kind == "arg" and rest else name] = value
    return weights, states


def _find(heads: Sequence[Entry], name: str) -> Entry:
    for node in walk(heads):
        for index in range(node.count_outputs()):
            if name in (node.name, node.output_name(index)):
                return node, index
    raise MXNetValueError(f"the graph has no node {name!r}; `mxtorch inspect` lists them")


def _without_losses(heads: Sequence[Entry]) -> list[Entry]:
    """The heads with loss operators replaced by what they give without labels."""
    return [_without_loss(node, index) for node, index in heads]


def _without_loss(node: Node, index: int) -> Entry:
    if node.op_name in ("SoftmaxOutput", "Softmax"):
        attrs = node.parsed()
        channel = attrs.get("multi_output") or attrs.get("preserve_shape")
        flat = not channel and not attrs.get("preserve_shape")
        axis = "-1" if attrs.get("preserve_shape") else "1"
        data = node.inputs[0]
        if flat:
            return Node("SoftmaxActivation", node.name, {}, [data]), 0
        return Node("softmax", node.name, {"axis": axis}, [data]), 0
    if node.op_name in _PLAIN:
        return Node(_PLAIN[node.op_name], node.name, {}, [node.inputs[0]]), 0
    return node, index


def _check(model: Model) -> None:
    """A name that looks like a weight and has none is one that is missing."""
    endings = ("_weight", "_bias", "_gamma", "_beta", "_moving_mean", "_moving_var")
    missing = [name for name in model.inputs if name.endswith(endings)]
    if missing:
        raise MXNetError(
            f"the file of weights lacks {', '.join(missing[:5])}"
            f"{' and others' if len(missing) > 5 else ''}: is it of another model or epoch?"
        )
