"""Cells made of cells: one after the other, or in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mxtorch.gluon._text import indent
from mxtorch.gluon.rnn._base import HybridRecurrentCell, RecurrentCell
from mxtorch.gluon.rnn._sequence import (
    TENSORS,
    begin_state_for,
    format_sequence,
    mask_steps,
    reverse_steps,
)


def state_info(cells: Iterable[Any], batch_size: int) -> list[dict[str, Any]]:
    """What the states of all cells look like, in their order."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _begin_state(cells: Iterable[Any], **kwargs: Any) -> list[Any]:
    return [state for cell in cells for state in cell.begin_state(**kwargs)]


class _Stack(RecurrentCell):
    """What both sequential cells do."""

    def __repr__(self) -> str:
        lines = [f"({i}): {indent(repr(cell), 2)}" for i, cell in self._children.items()]
        return f"{type(self).__name__}(\n" + "\n".join(lines) + "\n)"

    def add(self, cell: Any) -> None:
        """Put a cell on top."""
        self.register_child(cell)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The states of all cells, in order."""
        return state_info(self._cells(), batch_size)

    # MXNet's signature: keywords only
    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """The first states of all cells, in order."""
        self._refuse_modified("ZoneoutCell")
        return _begin_state(self._cells(), **kwargs)

    def __call__(self, inputs: Any, states: Any) -> Any:
        self._counter += 1
        cells = self._cells()
        assert all(not isinstance(cell, BidirectionalCell) for cell in cells)
        next_states: list[Any] = []
        start = 0
        for cell in cells:
            count = len(cell.state_info())
            inputs, state = cell(inputs, states[start : start + count])
            start += count
            next_states += state
        return inputs, next_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run each cell over the whole sequence, one after the other."""
        self.reset()
        inputs, _, F, batch_size = format_sequence(length, inputs, layout, None)
        states = begin_state_for(self, F, begin_state, inputs, batch_size)
        next_states: list[Any] = []
        start = 0
        cells = self._cells()
        for cell in cells:
            count = len(cell.state_info())
            inputs, state = cell.unroll(
                length,
                inputs=inputs,
                begin_state=states[start : start + count],
                layout=layout,
                merge_outputs=merge_outputs if cell is cells[-1] else None,
                valid_length=valid_length,
            )
            start += count
            next_states += state
        return inputs, next_states

    def __getitem__(self, i: Any) -> Any:
        return self._children[str(i)]

    def __len__(self) -> int:
        return len(self._children)


class SequentialRNNCell(_Stack):
    """Cells one on top of the other."""

    def hybrid_forward(self, *args: Any, **kwargs: Any) -> Any:
        """Not used: the cells are called one by one."""
        raise NotImplementedError


class HybridSequentialRNNCell(_Stack, HybridRecurrentCell):
    """Cells with `hybrid_forward`, one on top of the other."""

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step through all cells."""
        return self.__call__(inputs, states)


class BidirectionalCell(HybridRecurrentCell):
    """Two cells over the sequence, one from each end; outputs are joined along the channels."""

    def __init__(self, l_cell: Any, r_cell: Any, output_prefix: str = "bi_") -> None:
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def __call__(self, inputs: Any, states: Any) -> Any:
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    def __repr__(self) -> str:
        left, right = self._cells()
        return f"{type(self).__name__}(forward={left}, backward={right})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The states of both cells."""
        return state_info(self._cells(), batch_size)

    # MXNet's signature: keywords only
    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """The first states of both cells."""
        self._refuse_modified("DropoutCell")
        return _begin_state(self._cells(), **kwargs)

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run both cells over the sequence."""
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        reversed_inputs = reverse_steps(inputs, length, valid_length)
        states = begin_state_for(self, F, begin_state, inputs, batch_size)
        left, right = self._cells()
        count = len(left.state_info(batch_size))
        outputs, left_states = left.unroll(
            length,
            inputs=inputs,
            begin_state=states[:count],
            layout=layout,
            merge_outputs=merge_outputs,
            valid_length=valid_length,
        )
        backwards, right_states = right.unroll(
            length,
            inputs=reversed_inputs,
            begin_state=states[count:],
            layout=layout,
            merge_outputs=False,
            valid_length=valid_length,
        )
        backwards = reverse_steps(backwards, length, valid_length)
        if merge_outputs is None:
            merge_outputs = isinstance(outputs, TENSORS)
        outputs = format_sequence(None, outputs, layout, merge_outputs)[0]
        joined = self._join(F, outputs, backwards, merge_outputs, axis)
        if valid_length is not None:
            joined = mask_steps(F, joined, length, valid_length, axis, merge_outputs)
        return joined, left_states + right_states

    def _join(self, F: Any, left: Any, right: Any, merge: bool, axis: int) -> Any:
        prefix = self._output_prefix
        if merge:
            right = F.stack(*right, axis=axis)
            return F.concat(left, right, dim=2, name=prefix + "out")
        return [
            F.concat(a, b, dim=1, name=f"{prefix}t{i}")
            for i, (a, b) in enumerate(zip(left, right, strict=True))
        ]


__all__ = ["BidirectionalCell", "HybridSequentialRNNCell", "SequentialRNNCell"]
