"""Recurrent layers over whole sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.ambient import Recording, Training
from mxtorch._core.attrs import Refused
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, Dims, op

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
Mode = Literal["gru", "lstm", "rnn_relu", "rnn_tanh"]


def weight_shapes(
    mode: str, inputs: int, state: int, layers: int, directions: int, projection: int | None
) -> Iterator[list[tuple[int, ...]]]:
    """For each layer and direction the shapes of i2h and h2h weights (and the projection)."""
    rows = GATES[mode] * state
    hidden = projection or state
    for layer in range(layers):
        width = inputs if layer == 0 else directions * hidden
        for _ in range(directions):
            shapes = [(rows, width), (rows, hidden)]
            yield [*shapes, (hidden, state)] if projection else shapes


def parameter_count(
    mode: str, inputs: int, state: int, layers: int, directions: int, projection: int | None
) -> int:
    """Length of the flat parameter vector."""
    bias = 2 * GATES[mode] * state
    every = weight_shapes(mode, inputs, state, layers, directions, projection)
    return sum(bias + sum(a * b for a, b in shapes) for shapes in every)


def unpack(
    parameters: Tensor, every: Sequence[Sequence[tuple[int, ...]]], rows: int
) -> list[list[Tensor]]:
    """The flat vector (all weights, then all biases) as torch's lists, one a layer and direction."""
    sizes = [a * b for shapes in every for a, b in shapes] + [rows] * (2 * len(every))
    if sum(sizes) != parameters.numel():
        raise MXNetShapeError(
            f"parameters has {parameters.numel()} elements, this network needs {sum(sizes)}"
        )
    parts = iter(parameters.split(sizes))
    weights = [[next(parts).view(shape) for shape in shapes] for shapes in every]
    return [[*w[:2], next(parts), next(parts), *w[2:]] for w in weights]


def _rnn_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, _, _, cell, length = shapes
    if data is None:
        return list(shapes)
    directions = 2 if attrs["bidirectional"] else 1
    size, layers, projection = attrs["state_size"], attrs["num_layers"], attrs["projection_size"]
    count = parameter_count(attrs["mode"], data[2], size, layers, directions, projection)
    state = (layers * directions, data[1])
    if attrs["mode"] == "lstm":
        cell = (*state, size)
    if attrs["use_sequence_length"]:
        length = (data[1],)
    return [data, (count,), (*state, projection or size), cell, length]


def _rnn_needs(attrs: Attrs) -> tuple[str, ...]:
    cell = ("state_cell",) if attrs["mode"] == "lstm" else ()
    return (*cell, "sequence_length") if attrs.get("use_sequence_length") else cell


def _rnn_outputs(attrs: Attrs) -> int:
    if not attrs["state_outputs"]:
        return 1
    return 3 if attrs["mode"] == "lstm" else 2


@op("_npx_rnn", needs=_rnn_needs, fill=_rnn_shapes, outputs=_rnn_outputs,
    output_names=("output", "state_output", "statecell_output"))
def RNN(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor | None = None,
    sequence_length: Tensor | None = None,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool = False,
    mode: Mode,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: Refused[float | None] = None,
    lstm_state_clip_max: Refused[float | None] = None,
    lstm_state_clip_nan: Refused[bool] = False,
    use_sequence_length: bool = False,
    training: Training = False,
    recording: Recording = False,
) -> Tensor | tuple[Tensor, ...]:
    """LSTM, GRU or plain recurrent layers over (time, batch, channel) data."""
    directions = 2 if bidirectional else 1
    every = list(
        weight_shapes(mode, data.shape[2], state_size, num_layers, directions, projection_size)
    )
    weights = [w for part in unpack(parameters, every, GATES[mode] * state_size) for w in part]
    common = (weights, True, num_layers, 0.0, False, bidirectional, False)
    if mode == "lstm":
        if state_cell is None:
            raise MXNetTypeError("mode='lstm' needs the array state_cell")
        results = torch._VF.lstm(data, (state, state_cell), *common)
    else:
        results = getattr(torch._VF, mode)(data, state, *common)
    return tuple(results) if state_outputs else results[0]
