"""ONNX' recurrent layers as MXNet's fused ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch import symbol
from mxtorch.contrib.onnx.onnx2mx.calls import refused
from mxtorch.symbol import Symbol

sym: Any = symbol
# Where each of MXNet's gates stands among ONNX': i f c o of i o f c, r z n of z r n.
_GATES = {"LSTM": (0, 2, 3, 1), "GRU": (1, 0, 2), "RNN": (0,)}
_PLAIN = {
    "LSTM": ("Sigmoid", "Tanh", "Tanh"),
    "GRU": ("Sigmoid", "Tanh"),
    "RNN": ("Tanh",),
}


def recurrent(call: Any) -> list[Symbol]:
    """LSTM, GRU or RNN; its results lie as ONNX has them: time, direction, batch, state."""
    mode = _mode(call)
    direction = call.attrs.get("direction", "forward")
    count = 2 if direction == "bidirectional" else 1
    size = call.attrs["hidden_size"]
    batch_first = bool(call.attrs.get("layout", 0))
    data = call.symbol(0)
    data = sym.transpose(data, axes=(1, 0, 2)) if batch_first else data
    lengths = sym.Cast(call.symbol(4), dtype="float32") if call.has(4) else None
    if direction == "reverse":
        data = _turned(data, lengths)
    states = [_state(call, position, count, size, batch_first) for position in (5, 6)]
    made = sym.RNN(
        data,
        call.importer.as_weight(call.variable(1), _parameters(call, count, size)),
        *(states if call.kind == "LSTM" else states[:1]),
        **({} if lengths is None else {"sequence_length": lengths, "use_sequence_length": True}),
        state_size=size,
        num_layers=1,
        bidirectional=count == 2,
        mode=mode,
        state_outputs=True,
    )
    rows = _turned(made[0], lengths) if direction == "reverse" else made[0]
    rows = sym.reshape(rows, shape=(0, 0, count, -1))
    rows = sym.transpose(rows, axes=(1, 0, 2, 3) if batch_first else (0, 2, 1, 3))
    ends = [made[i] for i in range(1, 3 if call.kind == "LSTM" else 2)]
    if batch_first:
        ends = [sym.transpose(end, axes=(1, 0, 2)) for end in ends]
    return [rows, *ends]


def _mode(call: Any) -> str:
    for name in ("clip", "input_forget"):
        if call.attrs.get(name):
            raise refused(call, name)
    if call.has(7):
        raise refused(call, "peepholes")
    plain = _PLAIN[call.kind]
    count = 2 if call.attrs.get("direction") == "bidirectional" else 1
    given = tuple(call.numbers("activations", plain * count))
    if call.kind == "RNN" and given == ("Relu",) * count:
        return "rnn_relu"
    if given != plain * count:
        raise refused(call, f"activations {', '.join(given)}")
    if call.kind == "GRU" and not call.attrs.get("linear_before_reset"):
        raise refused(call, "linear_before_reset=0")
    return "rnn_tanh" if call.kind == "RNN" else str(call.kind.lower())


def _parameters(call: Any, count: int, size: int) -> np.ndarray:
    """MXNet's vector: the weights of each direction, then the biases of each."""
    gates = len(_GATES[call.kind])
    order = np.array(_GATES[call.kind])

    def ordered(array: np.ndarray) -> np.ndarray:
        parts = array.reshape(gates, size, -1)[order]
        return parts.reshape(-1)

    weights = [call.array(1, "the weight"), call.array(2, "the weight of the state")]
    kind = weights[0].dtype
    biases = call.array(3, "the bias") if call.has(3) else np.zeros((count, 2 * gates * size), kind)
    parts = [ordered(weight[i]) for i in range(count) for weight in weights]
    parts += [ordered(half) for i in range(count) for half in np.split(biases[i], 2)]
    return np.concatenate(parts)


def _state(call: Any, position: int, count: int, size: int, batch_first: bool) -> Symbol:
    if not call.has(position):
        return sym.zeros(shape=(count, 0, size))
    state = call.symbol(position)
    return sym.transpose(state, axes=(1, 0, 2)) if batch_first else state


def _turned(data: Symbol, lengths: Symbol | None) -> Symbol:
    if lengths is None:
        return sym.SequenceReverse(data)
    return sym.SequenceReverse(data, lengths, use_sequence_length=True)
