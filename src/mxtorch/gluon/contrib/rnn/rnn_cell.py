"""Variational dropout, and the LSTM with projection."""

from __future__ import annotations

from functools import partial
from typing import Any

from mxtorch.gluon.parameter import ParameterDict
from mxtorch.gluon.rnn import BidirectionalCell, HybridRecurrentCell, ModifierCell
from mxtorch.gluon.rnn._sequence import TENSORS, format_sequence, mask_steps

__all__ = ["LSTMPCell", "VariationalDropoutCell"]


class VariationalDropoutCell(ModifierCell):
    """Dropout with one mask for all steps: of the inputs, of h before the step, of the outputs.

    Once hybridized as a step of its own, every step draws masks, as in MXNet.
    """

    def __init__(
        self,
        base_cell: Any,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ) -> None:
        assert not drop_states or not isinstance(base_cell, BidirectionalCell), (
            "BidirectionalCell doesn't support variational state dropout. "
            "Please add VariationalDropoutCell to the cells underneath instead."
        )
        super().__init__(base_cell)
        self.drop_inputs = drop_inputs
        self.drop_states = drop_states
        self.drop_outputs = drop_outputs
        self.drop_inputs_mask: Any = None
        self.drop_states_mask: Any = None
        self.drop_outputs_mask: Any = None

    def _alias(self) -> str:
        return "vardrop"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

    def reset(self) -> None:
        """Begin another sequence, with new masks."""
        super().reset()
        self.drop_inputs_mask = None
        self.drop_states_mask = None
        self.drop_outputs_mask = None

    def _drop(self, F: Any, what: str, value: Any) -> Any:
        """`value` times its mask, which the first step of a sequence draws."""
        if not getattr(self, what):
            return value
        if getattr(self, what + "_mask") is None:
            setattr(self, what + "_mask", F.Dropout(F.ones_like(value), p=getattr(self, what)))
        return value * getattr(self, what + "_mask")

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        states = [self._drop(F, "drop_states", states[0]), *states[1:]] if states else states
        inputs = self._drop(F, "drop_inputs", inputs)
        output, new_states = self.base_cell(inputs, states)
        return self._drop(F, "drop_outputs", output), new_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, list[Any]]:
        """As of RecurrentCell; without dropout of states the whole sequence is dropped from at
        once, and comes out as one array if `merge_outputs` is None."""
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        self.reset()
        inputs, axis, F, _ = format_sequence(length, inputs, layout, True)
        if self.drop_inputs:
            inputs = F.Dropout(inputs, p=self.drop_inputs, axes=(axis,))
        self.base_cell._modified = False
        outputs, states = self.base_cell.unroll(
            length, inputs, begin_state, layout, True, valid_length
        )
        self.base_cell._modified = True
        if self.drop_outputs:
            outputs = F.Dropout(outputs, p=self.drop_outputs, axes=(axis,))
        if merge_outputs is None:
            merge_outputs = isinstance(outputs, TENSORS)
        outputs = format_sequence(length, outputs, layout, merge_outputs)[0]
        if valid_length is not None:
            outputs = mask_steps(F, outputs, length, valid_length, axis, merge_outputs)
        return outputs, states


class LSTMPCell(HybridRecurrentCell):
    """An LSTM step whose h is projected to `projection_size`; states h and c."""

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        self._input_size = input_size
        self._projection_size = projection_size
        rows = 4 * hidden_size

        def parameter(name: str, shape: tuple[int, ...], init: Any) -> Any:
            return self.params.get(name, shape=shape, init=init, allow_deferred_init=True)

        self.i2h_weight = parameter("i2h_weight", (rows, input_size), i2h_weight_initializer)
        self.h2h_weight = parameter("h2h_weight", (rows, projection_size), h2h_weight_initializer)
        self.h2r_weight = parameter(
            "h2r_weight", (projection_size, hidden_size), h2r_weight_initializer
        )
        self.i2h_bias = parameter("i2h_bias", (rows,), i2h_bias_initializer)
        self.h2h_bias = parameter("h2h_bias", (rows,), h2h_bias_initializer)

    def _alias(self) -> str:
        return "lstmp"

    def __repr__(self) -> str:
        rows, width = self.i2h_weight.shape
        return f"{type(self).__name__}({width or None} -> {rows} -> {self._projection_size})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """h of shape (batch, projection) and c of shape (batch, hidden)."""
        sizes = self._projection_size, self._hidden_size
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        h2r_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """(h', [h', c'])."""
        name = f"t{self._counter}_"
        rows = 4 * self._hidden_size
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=rows, name=name + "i2h")
        h2h = F.FullyConnected(states[0], h2h_weight, h2h_bias, num_hidden=rows, name=name + "h2h")
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, name=name + "slice")
        take = F.Activation(parts[0], act_type="sigmoid", name=name + "i")
        keep = F.Activation(parts[1], act_type="sigmoid", name=name + "f")
        new = F.Activation(parts[2], act_type="tanh", name=name + "c")
        show = F.Activation(parts[3], act_type="sigmoid", name=name + "o")
        memory = F.elemwise_add(keep * states[1], take * new, name=name + "state")
        hidden = F.elemwise_mul(show, F.Activation(memory, act_type="tanh"), name=name + "hidden")
        output = F.FullyConnected(
            hidden, h2r_weight, num_hidden=self._projection_size, no_bias=True, name=name + "out"
        )
        return output, [output, memory]


def dynamic_unroll(
    cell: Any,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: Any = None,
) -> tuple[Any, Any]:
    """The outputs of a cell at all steps of an array, and the last states, by a loop: the graph
    holds one step. Past a sample's valid length its outputs are 0 and its states stay.

    Dropout has one mask along the axis of `layout`'s T. AssertionError for a list of steps.
    """
    assert isinstance(inputs, TENSORS), "dynamic_unroll takes one array, not a list of steps"
    inputs, axis, F, _ = format_sequence(None, inputs, layout, None)
    swapped = [1, 0, *range(2, len(layout))]
    if axis == 1:
        inputs = F.transpose(inputs, axes=swapped)
    if drop_inputs:
        inputs = F.Dropout(inputs, p=drop_inputs, axes=(axis,))
    states, step = begin_state, cell
    if valid_length is not None:
        states, step = [F.zeros((1,)), *begin_state], partial(_step_within, F, cell, valid_length)
    outputs, states = F.contrib.foreach(step, inputs, states)
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(axis,))
    if axis == 1:
        outputs = F.transpose(outputs, axes=swapped)
    if valid_length is None:
        return outputs, states
    outputs = F.SequenceMask(
        outputs, sequence_length=valid_length, use_sequence_length=True, axis=axis
    )
    return outputs, states[1:]


def _step_within(F: Any, cell: Any, length: Any, x: Any, counted: list[Any]) -> Any:
    """A step that leaves the states of finished samples as they are; first comes its number."""
    number, *states = counted
    output, following = cell(x, states)
    goes_on = F.broadcast_lesser(number, length)
    pairs = zip(following, states, strict=True)
    return output, [number + 1, *(F.where(goes_on, new, old) for new, old in pairs)]
