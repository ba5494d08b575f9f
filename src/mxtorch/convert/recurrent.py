"""Fused recurrent layers in PyTorch source: nn.LSTM, nn.GRU, nn.RNN."""

from __future__ import annotations

import ast
from math import prod

import torch
from torch import Tensor

from mxtorch._graph.node import Entry, Node
from mxtorch._ops.rnn import GATES, weight_shapes
from mxtorch.convert.syntax import Layer, Made, Place, call, lift

_CLASSES = {"lstm": "nn.LSTM", "gru": "nn.GRU", "rnn_tanh": "nn.RNN", "rnn_relu": "nn.RNN"}
# Nodes that hand on the values of a weight, whatever its shape.
_FLAT = ("Reshape", "Flatten", "_copy")


def rnn(place: Place) -> Layer | None:
    """The layer, if its parameters are weights of the file, in one vector or one by one."""
    attrs, shape = place.attrs, place.shapes[0]
    attrs.told("p")  # Dropout's, for training
    if attrs["use_sequence_length"] or shape is None or len(shape) != 3:
        return None
    size, depth, projection = attrs["state_size"], attrs["num_layers"], attrs["projection_size"]
    directions = 2 if attrs["bidirectional"] else 1
    every = list(weight_shapes(attrs["mode"], shape[2], size, depth, directions, projection))
    found = _parts(place)
    names = _names(every, directions, GATES[attrs["mode"]] * size)
    if found is None or sum(t.numel() for _, t in found) != sum(prod(s) for _, s in names):
        return None
    weights, origins = _split(found, names)
    module = Made(
        _CLASSES[attrs["mode"]],
        {"input_size": shape[2], "hidden_size": size},
        {
            "num_layers": (depth, 1),
            "nonlinearity": ("relu" if attrs["mode"] == "rnn_relu" else "tanh", "tanh"),
            "bidirectional": (directions == 2, False),
            "proj_size": (projection or 0, 0),
        },
    )
    zeros = all(_is_zero(entry) for entry in place.node.inputs[2:])
    states = tuple(range(2, len(place.node.inputs)))
    wants_states = bool(attrs["state_outputs"]) and max(place.used) > 0
    is_lstm = attrs["mode"] == "lstm"

    def forward(own: ast.expr, inputs: list[ast.expr]) -> ast.expr:
        given = inputs[1:]
        arguments = [ast.Tuple(given, ast.Load())] if is_lstm and given else given
        made = call(own, inputs[0], *arguments)
        return made if wants_states else ast.Subscript(made, lift(0), ast.Load())

    return Layer(
        forward,
        module,
        weights,
        origins=origins,
        kept=(0,) if zeros else (0, *states),
        unpacked=wants_states,
        nested=wants_states and is_lstm,
    )


def _parts(place: Place) -> list[tuple[str, Tensor]] | None:
    """The weights that the vector of parameters is made of, in order."""
    if "parameters" in place.weights:
        return [(place.node.inputs[1][0].name, place.weights["parameters"])]
    maker, _ = place.node.inputs[1]
    if maker.is_variable or maker.op_name not in ("_rnn_param_concat", "Concat"):
        return None
    found = []
    for entry in maker.inputs:
        name = _source(entry)
        if name is None or name not in place.arrays:
            return None
        found.append((name, place.arrays[name]))
    return found


def _source(entry: Entry) -> str | None:
    node: Node = entry[0]
    while not node.is_variable and node.op_name in _FLAT:
        node = node.inputs[0][0]
    return node.name if node.is_variable else None


def _names(
    every: list[list[tuple[int, ...]]], directions: int, rows: int
) -> list[tuple[str, tuple[int, ...]]]:
    """Torch's name and the shape of each part, in the order of MXNet's vector."""
    ends = [f"l{i // directions}{'_reverse' if i % directions else ''}" for i in range(len(every))]
    kinds = ("weight_ih", "weight_hh", "weight_hr")
    names = [
        (f"{kind}_{end}", shape)
        for end, one in zip(ends, every, strict=True)
        for kind, shape in zip(kinds, one, strict=False)
    ]
    biases = [(f"{kind}_{end}", (rows,)) for end in ends for kind in ("bias_ih", "bias_hh")]
    return [*names, *biases]


def _split(
    found: list[tuple[str, Tensor]], names: list[tuple[str, tuple[int, ...]]]
) -> tuple[dict[str, Tensor], dict[str, str]]:
    if len(found) == len(names):
        pairs = list(zip(found, names, strict=True))
        if all(t.numel() == prod(shape) for (_, t), (_, shape) in pairs):
            weights = {key: t.reshape(shape) for (_, t), (key, shape) in pairs}
            return weights, {key: name for (name, _), (key, _) in pairs}
    vector = torch.cat([t.reshape(-1) for _, t in found])
    parts = vector.split([prod(shape) for _, shape in names])
    weights = {key: part.reshape(shape) for (key, shape), part in zip(names, parts, strict=True)}
    whole = found[0][0] if len(found) == 1 else ""
    return weights, dict.fromkeys(weights, whole)


def _is_zero(entry: Entry) -> bool:
    node = entry[0]
    return not node.is_variable and node.op_name in ("_zeros", "_npi_zeros") and not node.inputs
