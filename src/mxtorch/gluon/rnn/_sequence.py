"""Sequences as one array or as a list of steps, and what `unroll` does with both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch import ndarray, symbol
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

TENSORS = (NDArray, Symbol)


def as_list(value: Any) -> list[Any]:
    """A list from a list, a tuple or a single array."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def format_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int, Any, int]:
    """(sequence, time axis, F, batch size) with the steps merged, split or as they come.

    A list of steps is stacked if `merge` is True, an array split if it is False. The batch size
    of symbols is 0, for unknown.
    """
    assert inputs is not None, (
        "unroll(inputs=None) has been deprecated. Please create input variables outside unroll."
    )
    axis = layout.find("T")
    in_axis = axis if in_layout is None else in_layout.find("T")
    batch_size = 0
    if isinstance(inputs, TENSORS):
        F: Any = symbol if isinstance(inputs, Symbol) else ndarray
        if isinstance(inputs, NDArray):
            batch_size = inputs.shape[layout.find("N")]
        if merge is False:
            inputs = _split(F, length, inputs, in_axis)
    else:
        assert length is None or len(inputs) == length
        F = symbol if isinstance(inputs[0], Symbol) else ndarray
        if F is ndarray:
            batch_size = inputs[0].shape[0]
        if merge is True:
            inputs = F.stack(*inputs, axis=axis)
            in_axis = axis
    if isinstance(inputs, TENSORS) and axis != in_axis:
        inputs = F.swapaxes(inputs, dim1=axis, dim2=in_axis)
    return inputs, axis, F, batch_size


def _split(F: Any, length: int | None, inputs: Any, axis: int) -> list[Any]:
    if F is symbol:
        assert len(inputs.list_outputs()) == 1, (
            "unroll doesn't allow grouped symbol as input. Please convert to list with "
            "list(inputs) first or let unroll handle splitting."
        )
        return list(F.split(inputs, axis=axis, num_outputs=length, squeeze_axis=1))
    assert length is None or length == inputs.shape[axis]
    return as_list(F.split(inputs, axis=axis, num_outputs=inputs.shape[axis], squeeze_axis=1))


def begin_state_for(cell: Any, F: Any, begin_state: Any, inputs: Any, batch_size: int) -> Any:
    """The given first state, or zeros where the inputs are."""
    if begin_state is not None:
        return begin_state
    if F is symbol:
        return cell.begin_state(func=F.zeros, batch_size=batch_size)
    first = inputs if isinstance(inputs, NDArray) else inputs[0]
    with first.context:
        return cell.begin_state(func=F.zeros, batch_size=batch_size)


def mask_steps(
    F: Any, data: Any, length: int, valid_length: Any, time_axis: int, merge: bool | None
) -> Any:
    """The sequence with zeros from each sample's valid length on."""
    if not isinstance(data, TENSORS):
        data = F.stack(*data, axis=time_axis)
    masked = F.SequenceMask(
        data, sequence_length=valid_length, use_sequence_length=True, axis=time_axis
    )
    if merge:
        return masked
    return as_list(F.split(masked, num_outputs=length, axis=time_axis, squeeze_axis=True))


def reverse_steps(sequence: Sequence[Any], length: int, valid_length: Any = None) -> list[Any]:
    """The steps backwards; with valid lengths, each sample's own steps alone."""
    if valid_length is None:
        return list(reversed(sequence))
    F: Any = symbol if isinstance(sequence[0], Symbol) else ndarray
    reversed_steps = F.SequenceReverse(
        F.stack(*sequence, axis=0), sequence_length=valid_length, use_sequence_length=True
    )
    if length > 1:
        steps = F.split(reversed_steps, axis=0, num_outputs=length, squeeze_axis=True)
        return list(steps)
    return [reversed_steps[0]]


def last_states(F: Any, all_states: Sequence[Any], valid_length: Any) -> list[Any]:
    """The states after each sample's last valid step."""
    return [
        F.SequenceLast(
            F.stack(*steps, axis=0),
            sequence_length=valid_length,
            use_sequence_length=True,
            axis=0,
        )
        for steps in zip(*all_states, strict=True)
    ]
