"""Checkpoints: a symbol file and a file of parameters an epoch. `mxtorch.model` has them."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from mxtorch import ndarray, symbol
from mxtorch._core.atomic import numbered

__all__ = ["BatchEndParam", "load_checkpoint", "load_params", "save_checkpoint"]


class BatchEndParams(NamedTuple):
    """What callbacks at the end of a batch are given."""

    epoch: Any
    nbatch: Any
    eval_metric: Any
    locals: Any


BatchEndParam = BatchEndParams  # prints under the longer name, as in MXNet


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    remove_amp_cast: bool = True,
) -> None:
    """Write `prefix-symbol.json` (unless `symbol` is None) and `prefix-0001.params`."""
    if symbol is not None:
        symbol.save(f"{prefix}-symbol.json", remove_amp_cast=remove_amp_cast)
    saved = {f"arg:{name}": value for name, value in arg_params.items()}
    saved.update((f"aux:{name}", value) for name, value in aux_params.items())
    path = numbered(prefix, epoch, "params")
    ndarray.save(path, saved)
    logging.info('Saved checkpoint to "%s"', path)


def load_params(prefix: str, epoch: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """(arguments, auxiliary states) of a checkpoint, by name."""
    path = numbered(prefix, epoch, "params")
    saved = ndarray.load(path)
    arguments: dict[str, Any] = {}
    states: dict[str, Any] = {}
    if not saved:
        logging.warning("Params file '%s' is empty", path)
        return arguments, states
    for key, value in saved.items():
        kind, name = key.split(":", 1)
        if kind == "arg":
            arguments[name] = value
        if kind == "aux":
            states[name] = value
    return arguments, states


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """(symbol, arguments, auxiliary states) of a checkpoint."""
    return symbol.load(f"{prefix}-symbol.json"), *load_params(prefix, epoch)
