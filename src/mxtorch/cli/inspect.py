"""`mxtorch inspect`: what is in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from mxtorch.cli import _arrays, _graphs, _records, _states

_HEAD = 64  # bytes that tell what a file is
_OTHERS = (
    (_records.is_records, _records),
    (_graphs.is_symbol, _graphs),
    (_states.is_states, _states),
)


@click.command(
    "inspect",
    no_args_is_help=True,
    short_help="List what is in a .params, -symbol.json, .states or .rec file.",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--stats", is_flag=True, help="Read the values too: minimum, maximum, NaNs, infinities."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; of what failed, the error.")
def command(file: Path, stats: bool, as_json: bool) -> None:
    """List the arrays in FILE, a .params file: name, shape, dtype, storage type, bytes.

    With --stats, min and max are those of the finite values. Of a graph (-symbol.json): its inputs,
    operators, outputs, the MXNet that wrote it. Of the states of an optimizer or a Trainer
    (.states): the arrays of each weight. Of a RecordIO file (.rec): number and sizes of the
    records, kinds of images, whether the index beside it fits. What a file is, its first bytes
    tell. Exit codes: 0 the file is whole, 1 it is damaged, 2 wrong usage.

    \b
    Example: mxtorch inspect resnet-0000.params --stats
    """
    with open(file, "rb") as opened:
        head = opened.read(_HEAD)
    kind = next((kind for fits, kind in _OTHERS if fits(head)), None)
    if stats and kind is not None:
        raise click.UsageError(f"--stats is for .params files; {kind.NAME} has no arrays by name")
    found = kind.describe(file) if kind else _arrays.describe(file, stats)
    if as_json:
        _echo(found)
    elif kind:
        kind.show(found)
    else:
        _arrays.show(found, stats)


def _echo(found: dict[str, Any]) -> None:
    click.echo(json.dumps(found, ensure_ascii=False))
