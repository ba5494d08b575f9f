"""Cells made of cells: layers above each other, both directions; and dropout between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from mxtorch.symbol import Symbol

symbol: Any = sym  # filled from the operator table


def _cells_state_shape(cells: Sequence[BaseRNNCell]) -> list[Any]:
    return [shape for cell in cells for shape in cell.state_shape]


def _cells_state_info(cells: Sequence[BaseRNNCell]) -> StateInfo:
    return [info for cell in cells for info in cell.state_info]


def _cells_begin_state(cells: Sequence[BaseRNNCell], **kwargs: Any) -> list[Any]:
    return [state for cell in cells for state in cell.begin_state(**kwargs)]


def _cells_unpack_weights(cells: Sequence[BaseRNNCell], args: Mapping[str, NDArray]) -> Weights:
    for cell in cells:
        args = cell.unpack_weights(args)
    return dict(args)


def _cells_pack_weights(cells: Sequence[BaseRNNCell], args: Mapping[str, NDArray]) -> Weights:
    for cell in cells:
        args = cell.pack_weights(args)
    return dict(args)


class _Stack(BaseRNNCell):
    """What cells made of cells have in common."""

    _cells: list[BaseRNNCell]

    def __init__(self, prefix: str, params: RNNParams | None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._override_cell_params = params is not None

    def _adopt(self, cell: BaseRNNCell) -> None:
        """Share parameters with a cell: its own belong to the whole now."""
        if self._override_cell_params:
            check(
                cell._own_params,
                f"Either specify params for {type(self).__name__} or child cells, not both.",
            )
            cell.params._params.update(self.params._params)
        self.params._params.update(cell.params._params)

    @property
    def state_info(self) -> StateInfo:
        """The states of all cells, one after the other."""
        return _cells_state_info(self._cells)

    @property
    def state_shape(self) -> list[Any]:
        """Their shapes."""
        return _cells_state_shape(self._cells)

    def begin_state(self, **kwargs: Any) -> Any:  # type: ignore[override] # MXNet's signature
        """The first states of all cells."""
        self._refuse_modified()
        return _cells_begin_state(self._cells, **kwargs)

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The weights of all cells taken apart."""
        return _cells_unpack_weights(self._cells, args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """The weights of all cells packed."""
        return _cells_pack_weights(self._cells, args)


class SequentialRNNCell(_Stack):
    """Cells above each other: the outputs of one are the inputs of the next."""

    def __init__(self, params: RNNParams | None = None) -> None:
        super().__init__("", params)
        self._cells = []

    def add(self, cell: BaseRNNCell) -> None:
        """Put a cell on top."""
        self._cells.append(cell)
        self._adopt(cell)

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step of all cells."""
        self._counter += 1
        new, used = [], 0
        for cell in self._cells:
            check(
                not isinstance(cell, BidirectionalCell),
                "a stack with a BidirectionalCell cannot be stepped. Please use unroll",
            )
            count = len(cell.state_info)
            inputs, own = cell(inputs, states[used : used + count])
            new += own
            used += count
        return inputs, new

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """(outputs, states) of `length` steps: each cell is unrolled whole."""
        self.reset()
        states = self.begin_state() if begin_state is None else begin_state
        new, used = [], 0
        for i, cell in enumerate(self._cells):
            count = len(cell.state_info)
            inputs, own = cell.unroll(
                length,
                inputs=inputs,
                begin_state=states[used : used + count],
                layout=layout,
                merge_outputs=merge_outputs if i + 1 == len(self._cells) else None,
            )
            new.extend(own)
            used += count
        return inputs, new


class BidirectionalCell(_Stack):
    """One cell forward in time, one backward; their outputs are joined. It can only be unrolled."""

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: RNNParams | None = None,
        output_prefix: str = "bi_",
    ) -> None:
        super().__init__("", params)
        self._output_prefix = output_prefix
        self._adopt(l_cell)
        self._adopt(r_cell)
        self._cells = [l_cell, r_cell]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """Not possible: the backward cell needs the end of the sequence first."""
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """(outputs, [states forward, states backward]) of `length` steps."""
        self.reset()
        inputs, axis = _normalize_sequence(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        forth, back = self._cells
        count = len(forth.state_info)
        lefts, l_states = forth.unroll(
            length,
            inputs=inputs,
            begin_state=states[:count],
            layout=layout,
            merge_outputs=merge_outputs,
        )
        rights, r_states = back.unroll(
            length,
            inputs=list(reversed(inputs)),
            begin_state=states[count:],
            layout=layout,
            merge_outputs=merge_outputs,
        )
        if merge_outputs is None:
            merge_outputs = isinstance(lefts, Symbol) and isinstance(rights, Symbol)
            if not merge_outputs:
                lefts, _ = _normalize_sequence(None, lefts, layout, False)
                rights, _ = _normalize_sequence(None, rights, layout, False)
        prefix = self._output_prefix
        if merge_outputs:
            rights = symbol.reverse(rights, axis=axis)
            outputs = symbol.Concat(lefts, rights, dim=2, name=f"{prefix}out")
        else:
            pairs = zip(lefts, reversed(rights), strict=True)
            outputs = [
                symbol.Concat(left, right, dim=1, name=f"{prefix}t{i}")
                for i, (left, right) in enumerate(pairs)
            ]
        return outputs, [l_states, r_states]


class DropoutCell(BaseRNNCell):
    """Dropout on the inputs; it has no state."""

    def __init__(
        self, dropout: float, prefix: str = "dropout_", params: RNNParams | None = None
    ) -> None:
        super().__init__(prefix, params)
        check(isinstance(dropout, (int, float)), "dropout probability must be a number")
        self.dropout = dropout

    @property
    def state_info(self) -> StateInfo:
        """No states."""
        return []

    def __call__(self, inputs: Any, states: Any) -> Any:
        """The inputs with dropout, and the states as they are."""
        if self.dropout > 0:
            inputs = symbol.Dropout(data=inputs, p=self.dropout)
        return inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """The sequence with dropout; one mask for all of it if it is one symbol."""
        self.reset()
        inputs, _ = _normalize_sequence(length, inputs, layout, merge_outputs)
        if isinstance(inputs, Symbol):
            return self(inputs, [])
        return super().unroll(
            length,
            inputs,
            begin_state=begin_state,
            layout=layout,
            merge_outputs=merge_outputs,
        )
