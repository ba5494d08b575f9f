"""Cells that change what another cell gives: dropout, zoneout, a residual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch import symbol
from mxtorch.gluon.rnn._base import HybridRecurrentCell
from mxtorch.gluon.rnn._containers import BidirectionalCell
from mxtorch.gluon.rnn._sequence import TENSORS, format_sequence, mask_steps


class DropoutCell(HybridRecurrentCell):
    """Dropout on the inputs; no state."""

    def __init__(
        self, rate: float, axes: Any = (), prefix: str | None = None, params: Any = None
    ) -> None:
        super().__init__(prefix, params)
        assert isinstance(rate, (int, float)), "rate must be a number"
        self._rate = rate
        self._axes = axes

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """No states."""
        return []

    def _alias(self) -> str:
        return "dropout"

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """The inputs with dropout, and the states as they are."""
        if self._rate > 0:
            name = f"t{self._counter}_fwd"
            inputs = F.Dropout(data=inputs, p=self._rate, axes=self._axes, name=name)
        return inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Dropout on the whole sequence at once where it is one array."""
        self.reset()
        inputs, _, F, _ = format_sequence(length, inputs, layout, merge_outputs)
        if isinstance(inputs, TENSORS):
            return self.hybrid_forward(F, inputs, begin_state if begin_state else [])
        return super().unroll(
            length,
            inputs,
            begin_state=begin_state,
            layout=layout,
            merge_outputs=merge_outputs,
            valid_length=None,
        )


class ModifierCell(HybridRecurrentCell):
    """Base of cells around another cell, whose parameters they share."""

    def __init__(self, base_cell: Any) -> None:
        assert not base_cell._modified, (
            f"Cell {base_cell.name} is already modified. One cell cannot be modified twice"
        )
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell})"

    @property
    def params(self) -> Any:
        """The parameters of the cell inside."""
        return self.base_cell.params

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The states of the cell inside."""
        return self.base_cell.state_info(batch_size)

    def begin_state(  # type: ignore[override] # MXNet's signature
        self, func: Callable[..., Any] = symbol.zeros, **kwargs: Any
    ) -> list[Any]:
        """The first states of the cell inside; symbols unless `func` says otherwise."""
        self._refuse_modified("DropoutCell")
        self.base_cell._modified = False
        begin = self.base_cell.begin_state(func=func, **kwargs)
        self.base_cell._modified = True
        return begin

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        raise NotImplementedError


class ZoneoutCell(ModifierCell):
    """Outputs and states keep their values of the step before with the given probabilities."""

    def __init__(
        self, base_cell: Any, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        assert not isinstance(base_cell, BidirectionalCell), (
            "BidirectionalCell doesn't support zoneout since it doesn't support step. "
            "Please add ZoneoutCell to the cells underneath instead."
        )
        self._prev_output: Any = None
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states

    def __repr__(self) -> str:
        rates = f"p_out={self.zoneout_outputs}, p_state={self.zoneout_states}"
        return f"{type(self).__name__}({rates}, {self.base_cell})"

    def _alias(self) -> str:
        return "zoneout"

    def reset(self) -> None:
        """Begin anew: there is no step before."""
        super().reset()
        self._prev_output = None

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step of the cell inside, partly undone."""
        next_output, next_states = self.base_cell(inputs, states)

        def choose(rate: float, new: Any, old: Any) -> Any:
            # Dropout of ones: what is not dropped is not 0, whatever it is scaled to
            return F.where(F.Dropout(F.ones_like(new), p=rate), new, old)

        output = next_output
        if self.zoneout_outputs != 0.0:
            before = self._prev_output
            if before is None:
                before = F.zeros_like(next_output)
            output = choose(self.zoneout_outputs, next_output, before)
        if self.zoneout_states != 0.0:
            pairs = zip(next_states, states, strict=True)
            next_states = [choose(self.zoneout_states, new, old) for new, old in pairs]
        self._prev_output = output
        return output, next_states


class ResidualCell(ModifierCell):
    """The inputs are added to the outputs."""

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step of the cell inside, plus the inputs."""
        output, states = self.base_cell(inputs, states)
        output = F.elemwise_add(output, inputs, name=f"t{self._counter}_fwd")
        return output, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run the cell inside over the sequence and add the inputs."""
        self.reset()
        self.base_cell._modified = False
        outputs, states = self.base_cell.unroll(
            length,
            inputs=inputs,
            begin_state=begin_state,
            layout=layout,
            merge_outputs=merge_outputs,
            valid_length=valid_length,
        )
        self.base_cell._modified = True
        if merge_outputs is None:
            merge_outputs = isinstance(outputs, TENSORS)
        inputs, axis, F, _ = format_sequence(length, inputs, layout, merge_outputs)
        if valid_length is not None:
            inputs = mask_steps(F, inputs, length, valid_length, axis, merge_outputs)
        if merge_outputs:
            return F.elemwise_add(outputs, inputs), states
        return [F.elemwise_add(a, b) for a, b in zip(outputs, inputs, strict=True)], states
