"""Checkpoints of models with recurrent cells, whose weights are saved unpacked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mxtorch import symbol as sym
from mxtorch._core.warn import warn
from mxtorch.model import load_checkpoint, save_checkpoint
from mxtorch.ndarray import NDArray
from mxtorch.rnn._cells import BaseRNNCell

__all__ = ["do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]


def rnn_unroll(
    cell: BaseRNNCell,
    length: int,
    inputs: Any = None,
    begin_state: Any = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> Any:
    """`cell.unroll`; without inputs, over variables 't0_data', 't1_data', … after the prefix."""
    warn("rnn_unroll is deprecated. Please call cell.unroll directly.")
    if inputs is None:
        inputs = [sym.Variable(f"{input_prefix}t{i}_data") for i in range(length)]
    return cell.unroll(length, inputs, begin_state=begin_state, layout=layout)


def _listed(cells: Any) -> list[BaseRNNCell]:
    return [cells] if isinstance(cells, BaseRNNCell) else list(cells)


def save_rnn_checkpoint(
    cells: Any,
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """`mx.model.save_checkpoint` with the cells' weights unpacked."""
    for cell in _listed(cells):
        arg_params = cell.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, dict(arg_params), dict(aux_params))


def load_rnn_checkpoint(cells: Any, prefix: str, epoch: int) -> Any:
    """(symbol, arguments, auxiliary states) of such a checkpoint, the weights packed."""
    symbol, arguments, states = load_checkpoint(prefix, epoch)
    for cell in _listed(cells):
        arguments = cell.pack_weights(arguments)
    return symbol, arguments, states


def do_rnn_checkpoint(cells: Any, prefix: str, period: int = 1) -> Callable[..., None]:
    """After every `period` epochs: `save_rnn_checkpoint`."""
    period = int(max(1, period))

    def _callback(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, sym, arg, aux)

    return _callback
