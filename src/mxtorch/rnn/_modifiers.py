"""Cells that change what another cell does: zoneout, residual connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mxtorch import symbol as sym
from mxtorch.ndarray import NDArray
from mxtorch.rnn._cells import (
    BaseRNNCell,
    RNNParams,
    StateInfo,
    Weights,
    _normalize_sequence,
    check,
)
from mxtorch.rnn._fused import FusedRNNCell
from mxtorch.rnn._stacks import BidirectionalCell, SequentialRNNCell
from mxtorch.symbol import Symbol

symbol: Any = sym  # filled from the operator table


class ModifierCell(BaseRNNCell):
    """Base of cells around a cell: parameters and states are those of `base_cell`, which is not
    to be called directly any more."""

    def __init__(self, base_cell: BaseRNNCell) -> None:
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell

    @property
    def params(self) -> RNNParams:
        """The parameters of the base cell."""
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> StateInfo:
        """The states of the base cell."""
        return self.base_cell.state_info

    def begin_state(  # type: ignore[override] # MXNet's signature
        self, init_sym: Callable[..., Any] = symbol.zeros, **kwargs: Any
    ) -> Any:
        """The first states of the base cell."""
        self._refuse_modified()
        self.base_cell._modified = False
        func = kwargs.pop("func", init_sym)
        states = self.base_cell.begin_state(func=func, **kwargs)
        self.base_cell._modified = True
        return states

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The weights of the base cell taken apart."""
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The weights of the base cell packed."""
        return self.base_cell.pack_weights(args)

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        raise NotImplementedError


def _goes_both_ways(cell: BaseRNNCell) -> bool:
    return isinstance(cell, SequentialRNNCell) and any(
        isinstance(inner, BidirectionalCell) for inner in cell._cells
    )


class ZoneoutCell(ModifierCell):
    """While training, outputs and states keep their previous values with some probability."""

    def __init__(
        self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        check(
            not isinstance(base_cell, FusedRNNCell),
            "FusedRNNCell doesn't support zoneout. Please unfuse first.",
        )
        check(
            not isinstance(base_cell, BidirectionalCell),
            "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add "
            "ZoneoutCell to the cells underneath instead.",
        )
        check(
            not _goes_both_ways(base_cell),
            "Bidirectional SequentialRNNCell doesn't support zoneout. Please add ZoneoutCell to "
            "the cells underneath instead.",
        )
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self.prev_output: Any = None

    def reset(self) -> None:
        """Forget the previous output too."""
        super().reset()
        self.prev_output = None

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        output, new = self.base_cell(inputs, states)
        if self.prev_output is None:
            self.prev_output = symbol.zeros((0, 0))
        if self.zoneout_outputs:
            output = self._mix(self.zoneout_outputs, output, self.prev_output)
        if self.zoneout_states:
            new = [
                self._mix(self.zoneout_states, after, before)
                for after, before in zip(new, states, strict=True)
            ]
        self.prev_output = output
        return output, new

    @staticmethod
    def _mix(p: float, after: Any, before: Any) -> Any:
        mask = symbol.Dropout(symbol.ones_like(after), p=p)
        return symbol.where(mask, after, before)


class ResidualCell(ModifierCell):
    """Adds the input to the output."""

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        output, states = self.base_cell(inputs, states)
        return self._add(output, inputs), states

    @staticmethod
    def _add(output: Any, inputs: Any) -> Any:
        return symbol.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """(outputs, states) of `length` steps: the base cell is unrolled whole."""
        self.reset()
        self.base_cell._modified = False
        outputs, states = self.base_cell.unroll(
            length,
            inputs=inputs,
            begin_state=begin_state,
            layout=layout,
            merge_outputs=merge_outputs,
        )
        self.base_cell._modified = True
        merged = isinstance(outputs, Symbol) if merge_outputs is None else merge_outputs
        inputs, _ = _normalize_sequence(length, inputs, layout, merged)
        if merged:
            return self._add(outputs, inputs), states
        return [self._add(o, i) for o, i in zip(outputs, inputs, strict=True)], states
