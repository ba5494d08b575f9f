"""The bases of recurrent cells: one step of a sequence."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from mxtorch import ndarray
from mxtorch.gluon.block import Block, HybridBlock
from mxtorch.gluon.nn import LeakyReLU
from mxtorch.gluon.rnn._sequence import (
    begin_state_for,
    format_sequence,
    last_states,
    mask_steps,
)
from mxtorch.ndarray.numpy._array import in_mode

NAMED_ACTIVATIONS = ("tanh", "relu", "sigmoid", "softsign")


class RecurrentCell(Block):
    """A cell takes (inputs, states) to (outputs, new states); `unroll` runs it over a sequence."""

    _children: OrderedDict[str, Any]  # cells

    def __init__(self, prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._modified = False
        self.reset()

    def _refuse_modified(self, example: str) -> None:
        """Raise if another cell wraps this one: only that one may be called."""
        assert not self._modified, (
            f"After applying modifier cells (e.g. {example}) the base cell cannot be called "
            "directly. Call the modifier cell instead."
        )

    def _cells(self) -> list[Any]:
        return list(self._children.values())

    def reset(self) -> None:
        """Begin anew with the numbers in the names of steps and states."""
        self._init_counter = -1
        self._counter = -1
        for cell in self._cells():
            cell.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shape and layout of each state."""
        raise NotImplementedError

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = ndarray.zeros, **kwargs: Any
    ) -> list[Any]:
        """The first states, made by `func(name=…, shape=…, **kwargs)`."""
        self._refuse_modified("ZoneoutCell")
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(in_mode(func(name=name, **{**info, **kwargs})))
        return states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run `length` steps over an array in `layout`, or over a list of steps.

        Gives the outputs (a list, or one array if `merge_outputs`) and the last states. With
        `valid_length` outputs behind it are 0 and the states are those at its end.
        """
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        states = begin_state_for(self, F, begin_state, inputs, batch_size)
        outputs: Any = []
        all_states = []
        for i in range(length):
            output, states = self(inputs[i], states)
            outputs.append(output)
            all_states.append(states)
        if valid_length is not None:
            states = last_states(F, all_states, valid_length)
            outputs = mask_steps(F, outputs, length, valid_length, axis, True)
        outputs = format_sequence(length, outputs, layout, merge_outputs)[0]
        return outputs, states

    def _get_activation(self, F: Any, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """An activation by name, by block, or by function."""
        if activation in NAMED_ACTIVATIONS:
            return getattr(F, activation)(inputs, **kwargs)
        if isinstance(activation, str):
            return F.Activation(inputs, act_type=activation, **kwargs)
        if isinstance(activation, LeakyReLU):
            slope = activation._alpha
            return F.LeakyReLU(inputs, act_type="leaky", slope=slope, **kwargs)
        return activation(inputs, **kwargs)

    def forward(self, inputs: Any, states: Any) -> Any:
        """One step: (inputs, states) → (output, new states)."""
        self._counter += 1
        return super().forward(inputs, states)

    def _step_prefix(self) -> str:
        return f"t{self._counter}_"


class HybridRecurrentCell(RecurrentCell, HybridBlock):
    """A cell with a `hybrid_forward`."""

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """One step: (inputs, states) → (output, new states)."""
        raise NotImplementedError
