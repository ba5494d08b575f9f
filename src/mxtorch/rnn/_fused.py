"""FusedRNNCell: all layers in one operator, all weights in one vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from mxtorch import ndarray
from mxtorch import symbol as sym
from mxtorch._core.warn import warn
from mxtorch.initializer import FusedRNN
from mxtorch.ndarray import NDArray
from mxtorch.rnn._cells import (
    BaseRNNCell,
    GRUCell,
    LSTMCell,
    RNNCell,
    RNNParams,
    StateInfo,
    Weights,
    _normalize_sequence,
    check,
)
from mxtorch.rnn._stacks import BidirectionalCell, DropoutCell, SequentialRNNCell

symbol: Any = sym  # filled from the operator table
_GATES: dict[str, Sequence[str]] = {
    "rnn_relu": [""],
    "rnn_tanh": [""],
    "lstm": ["_i", "_f", "_c", "_o"],
    "gru": ["_r", "_z", "_o"],
}


class FusedRNNCell(BaseRNNCell):
    """Layers of 'rnn_relu', 'rnn_tanh', 'lstm' or 'gru' cells as the operator RNN.

    It can only be unrolled; `unfuse` gives the cells that it stands for.
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(prefix=f"{mode}_" if prefix is None else prefix, params=params)
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._bidirectional = bidirectional
        self._dropout = dropout
        self._get_next_state = get_next_state
        self._directions = ["l", "r"] if bidirectional else ["l"]
        initializer = FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=initializer)

    @property
    def state_info(self) -> StateInfo:
        """States of shape (layers × directions, batch, hidden): one, of an LSTM two."""
        layers = len(self._directions) * self._num_layers
        info = {"shape": (layers, 0, self._num_hidden), "__layout__": "LNC"}
        return [dict(info) for _ in range(2 if self._mode == "lstm" else 1)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return _GATES[self._mode]

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    def _slice_weights(self, arr: NDArray, li: int, lh: int) -> Weights:
        """Views of the vector by name: the weights of all layers, then the biases."""
        places: Weights = {}
        start = 0
        for what in ("weight", "bias"):
            for layer in range(self._num_layers):
                for direction in self._directions:
                    for group in ("i2h", "h2h"):
                        wide = li if layer == 0 else lh * len(self._directions)
                        shape: tuple[int, ...] = (lh,)
                        if what == "weight":
                            shape = (lh, wide if group == "i2h" else lh)
                        size = prod(shape)
                        for gate in self._gate_names:
                            name = f"{self._prefix}{direction}{layer}_{group}{gate}_{what}"
                            places[name] = arr[start : start + size].reshape(shape)
                            start += size
        check(start == arr.size, f"{self._parameter.name} has {arr.size} numbers, not {start}")
        return places

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The vector as an array for each layer, direction and gate."""
        found = dict(args)
        vector = found.pop(self._parameter.name)
        directions, hidden = len(self._directions), self._num_hidden
        above = (self._num_layers - 1) * (hidden + directions * hidden + 2)
        inputs = vector.size // directions // hidden // self._num_gates - above - hidden - 2
        places = self._slice_weights(vector, inputs, hidden)
        found.update((name, place.copy()) for name, place in places.items())
        return found

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The arrays of all layers, directions and gates as one vector."""
        found = dict(args)
        directions, hidden, gates = len(self._directions), self._num_hidden, self._num_gates
        first = found[f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"]
        inputs = first.shape[1]
        total = (inputs + hidden + 2) * hidden * gates * directions
        above = (self._num_layers - 1) * gates * hidden
        total += above * (hidden + directions * hidden + 2) * directions
        vector = ndarray.zeros((total,), ctx=first.context, dtype=first.dtype)
        for name, place in self._slice_weights(vector, inputs, hidden).items():
            place[:] = found.pop(name)
        found[self._parameter.name] = vector
        return found

    def __call__(self, inputs: Any, states: Any) -> Any:
        """Not possible: the operator runs over whole sequences."""
        raise NotImplementedError("FusedRNNCell cannot be stepped. Please use unroll")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """(outputs, states) of `length` steps; no states without `get_next_state`."""
        self.reset()
        inputs, axis = _normalize_sequence(length, inputs, layout, True)
        if axis == 1:
            warn("NTC layout detected. Consider using TNC for FusedRNNCell for faster speed")
            inputs = symbol.swapaxes(inputs, dim1=0, dim2=1)
        else:
            check(axis == 0, f"Unsupported layout {layout}")
        states = self.begin_state() if begin_state is None else begin_state
        named = dict(zip(("state", "state_cell"), states, strict=False))
        if self._get_next_state:
            named["__layout__"] = "LNC"
        rnn = symbol.RNN(
            data=inputs,
            parameters=self._parameter,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
            **named,
        )
        new: list[Any] = []
        outputs = rnn
        if self._get_next_state:
            outputs, *new = rnn
        if axis == 1:
            outputs = symbol.swapaxes(outputs, dim1=0, dim2=1)
        return _normalize_sequence(length, outputs, layout, merge_outputs)[0], new

    def unfuse(self) -> SequentialRNNCell:
        """Plain cells with the same names of (unpacked) weights."""
        makers: dict[str, Callable[[str], BaseRNNCell]] = {
            "rnn_relu": lambda prefix: RNNCell(self._num_hidden, "relu", prefix=prefix),
            "rnn_tanh": lambda prefix: RNNCell(self._num_hidden, "tanh", prefix=prefix),
            "lstm": lambda prefix: LSTMCell(self._num_hidden, prefix=prefix),
            "gru": lambda prefix: GRUCell(self._num_hidden, prefix=prefix),
        }
        make = makers[self._mode]
        stack = SequentialRNNCell()
        for i in range(self._num_layers):
            prefix = self._prefix
            if self._bidirectional:
                stack.add(
                    BidirectionalCell(
                        make(f"{prefix}l{i}_"),
                        make(f"{prefix}r{i}_"),
                        output_prefix=f"{prefix}bi_l{i}_",
                    )
                )
            else:
                stack.add(make(f"{prefix}l{i}_"))
            if self._dropout > 0 and i + 1 < self._num_layers:
                stack.add(DropoutCell(self._dropout, prefix=f"{prefix}_dropout{i}_"))
        return stack
