"""A recurrent layer as a stack of cells over the same parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch.gluon.rnn._basic import GRUCell, LSTMCell, RNNCell
from mxtorch.gluon.rnn._containers import BidirectionalCell, HybridSequentialRNNCell
from mxtorch.gluon.rnn._modifiers import DropoutCell

_CELLS: dict[str, Callable[..., Any]] = {
    "rnn_relu": lambda size, **kwargs: RNNCell(size, activation="relu", **kwargs),
    "rnn_tanh": lambda size, **kwargs: RNNCell(size, activation="tanh", **kwargs),
    "lstm": LSTMCell,
    "gru": GRUCell,
}


def unfuse(layer: Any) -> HybridSequentialRNNCell:
    """The stack; AssertionError for layers with projection or clipping, which cells lack."""
    if layer._projection_size:
        raise MXNetAssertionError("_unfuse does not support projection layer yet!")
    if layer._lstm_state_clip_min or layer._lstm_state_clip_max:
        raise MXNetAssertionError("_unfuse does not support state clipping yet!")
    stack = HybridSequentialRNNCell(prefix=layer.prefix, params=layer.params)
    kinds = ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias")
    options = {f"{kind}_initializer": getattr(layer, f"_{kind}_initializer") for kind in kinds}
    width = layer._input_size
    with stack.name_scope():
        for number in range(layer._num_layers):
            sides = [
                _CELLS[layer._mode](
                    layer._hidden_size, input_size=width, prefix=f"{side}{number}_", **options
                )
                for side in "lr"[: layer._dir]
            ]
            stack.add(BidirectionalCell(*sides) if len(sides) == 2 else sides[0])
            if layer._dropout > 0 and number != layer._num_layers - 1:
                stack.add(DropoutCell(layer._dropout))
            width = layer._hidden_size * layer._dir
    return stack
