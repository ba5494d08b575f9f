"""`mxtorch inspect`: what is in a file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mxtorch._core import ndfile
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import Entry, to_tensor
from mxtorch.cli import _graphs, _records

_NO_TERMINAL_WIDTH = 1000  # a pipe has no edge at which to cut off names
_OTHERS = ((_records.is_records, _records.command), (_graphs.is_graph, _graphs.command))
_STATS = ("min", "max", "nan", "inf")


@click.command(
    "inspect",
    no_args_is_help=True,
    short_help="List what is in a .params, -symbol.json or .rec file.",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--stats", is_flag=True, help="Read the values too: minimum, maximum, NaNs, infinities."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: Path, stats: bool, as_json: bool) -> None:
    """List the arrays in FILE, a .params file: name, shape, dtype, storage type, bytes.

    With --stats, min and max are those of the finite values. Of a symbol file (-symbol.json): its
    nodes, with operators, attributes and inputs. Of a RecordIO file (.rec): number and sizes of the
    records, kinds of images, whether the index beside it fits. Exit codes: 0 the file is whole, 1
    it is damaged, 2 wrong usage.

    \b
    Example: mxtorch inspect resnet-0000.params --stats
    """
    other = next((kind for is_it, kind in _OTHERS if is_it(file)), None)
    if other is not None:
        if stats:
            raise click.UsageError("--stats is for .params files; this one has no arrays")
        other(file, as_json)
        return
    try:
        entries = ndfile.read(file, mapped=True)
    except MXNetError as error:
        if as_json:
            click.echo(json.dumps({"file": str(file), "error": str(error)}, ensure_ascii=False))
        raise
    rows = [_row(entry) | (_stats(entry) if stats else {}) for entry in entries]
    if as_json:
        result = {"file": str(file), "format": "mxnet.params", "arrays": rows}
        click.echo(json.dumps(result, ensure_ascii=False))
    else:
        _print(file, rows, stats)


def _row(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "shape": list(entry.shape),
        "dtype": entry.dtype,
        "stype": entry.stype,
        "bytes": entry.nbytes,
        "version": entry.version,
        "offset": entry.offset,
    }


def _stats(entry: Entry) -> dict[str, Any]:
    """Statistics of the stored values."""
    values = entry.data
    if entry.dtype == "bfloat16":
        values = to_tensor(values).float().numpy()
    if values.dtype.kind != "f":
        finite, nan, inf = values, 0, 0
    else:
        nan, inf = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        finite = values[np.isfinite(values)] if nan or inf else values
    least, greatest = (finite.min().item(), finite.max().item()) if finite.size else (None, None)
    return {"min": least, "max": greatest, "nan": nan, "inf": inf}


def _print(file: Path, rows: list[dict[str, Any]], stats: bool) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", overflow="fold")
    for title in ("shape", "dtype", "stype"):
        table.add_column(title, no_wrap=True)
    for title in ("bytes", *(_STATS if stats else ())):
        table.add_column(title, justify="right", no_wrap=True)
    for position, row in enumerate(rows):
        name = f"[{position}]" if row["name"] is None else row["name"]
        cells = [name, str(tuple(row["shape"])), row["dtype"], row["stype"], f"{row['bytes']:,}"]
        cells += [_number(row[key]) for key in _STATS if stats]
        table.add_row(*map(escape, cells))
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_NO_TERMINAL_WIDTH)
    console.print(table)
    elements = sum(math.prod(row["shape"]) for row in rows)
    versions = ", ".join(str(version) for version in sorted({row["version"] for row in rows}))
    size = sum(row["bytes"] for row in rows)
    click.echo(
        f"{file}: {len(rows)} arrays, {elements:,} elements, {size:,} bytes, "
        f"format version {versions or 'unknown'}"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else f"{value:,}"
