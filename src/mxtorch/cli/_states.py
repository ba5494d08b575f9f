"""What `mxtorch inspect` tells of the states of an optimizer or a Trainer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from mxtorch._core.errors import MXNetError
from mxtorch._front.handle import Handle
from mxtorch.cli._tables import Column, print_table
from mxtorch.optimizer import Optimizer, Updater

NAME = "a file of states"
# How a pickle of a dict, or of a dict and an optimizer, starts in each protocol.
_STARTS = (b"(dp", b"((d", b"}q", b"(}q", *(bytes((0x80, version)) for version in range(2, 6)))


def is_states(head: bytes) -> bool:
    """Whether a file starts as pickled states do."""
    return head.startswith(_STARTS)


def describe(path: Path) -> dict[str, Any]:
    """The arrays in the state of each weight, and the optimizer if it is in the file too."""
    updater = Updater(Optimizer())
    try:
        updater.set_states(path.read_bytes())
    except MXNetError as error:
        raise type(error)(f"{path}: {error}") from error
    optimizer = updater.optimizer
    return {
        "file": str(path),
        "format": "mxnet.states",
        "optimizer": _numbers(optimizer) if type(optimizer) is not Optimizer else None,
        "states": [
            {"index": index, "arrays": list(_arrays(state))}
            for index, state in updater.states.items()
        ],
    }


def _numbers(optimizer: Optimizer) -> dict[str, Any]:
    """The optimizer's class, and its settings that are numbers."""
    plain = {
        name: value
        for name, value in sorted(vars(optimizer).items())
        if isinstance(value, (bool, int, float)) and not name.startswith("_")
    }
    return {"class": type(optimizer).__name__, **plain}


def _arrays(state: Any) -> Iterator[dict[str, Any]]:
    """The arrays in a state, which may be nested; what is none by its text."""
    if isinstance(state, (tuple, list)):
        for part in state:
            yield from _arrays(part)
    elif isinstance(state, (Handle, np.ndarray)):
        yield {"shape": list(state.shape), "dtype": np.dtype(state.dtype).name}
    elif state is not None:
        yield {"value": repr(state)}


def show(found: dict[str, Any]) -> None:
    """Print it as a table, a line an array of a weight's state."""
    cells = []
    for state in found["states"]:
        rows = [_cells(row) for row in state["arrays"]] or [("none", "")]
        cells += [(str(state["index"]), *row) for row in rows]
    print_table((Column("weight", fold=True), Column("state"), Column("dtype")), cells)
    optimizer = found["optimizer"]
    if optimizer:
        settings = ", ".join(f"{k}={v}" for k, v in optimizer.items() if k != "class")
        click.echo(f"optimizer: {optimizer['class']}, {settings}")
    arrays = sum(len(state["arrays"]) for state in found["states"])
    click.echo(
        f"{found['file']}: states of {len(found['states']):,} weights, {arrays:,} arrays, "
        f"{'with' if optimizer else 'without'} the optimizer"
    )


def _cells(row: dict[str, Any]) -> tuple[str, str]:
    if "value" in row:
        return row["value"], ""
    return str(tuple(row["shape"])), row["dtype"]
