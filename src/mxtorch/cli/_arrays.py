"""What `mxtorch inspect` tells of a `.params` file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click
import numpy as np

from mxtorch._core import ndfile
from mxtorch._core.ndentry import Entry, to_tensor
from mxtorch.cli._tables import Column, print_table

_STATS = ("min", "max", "nan", "inf")


def describe(path: Path, stats: bool) -> dict[str, Any]:
    """Each array's name, shape and types, and with `stats` what its values are."""
    entries = ndfile.read(path, mapped=True)
    rows = [_row(entry) | (_stats(entry) if stats else {}) for entry in entries]
    return {"file": str(path), "format": "mxnet.params", "arrays": rows}


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


def show(found: dict[str, Any], stats: bool) -> None:
    """Print it as a table, a line an array."""
    rows = found["arrays"]
    columns = [Column("name", fold=True), *map(Column, ("shape", "dtype", "stype"))]
    columns += [Column(title, right=True) for title in ("bytes", *(_STATS if stats else ()))]
    cells = []
    for position, row in enumerate(rows):
        name = f"[{position}]" if row["name"] is None else row["name"]
        shape, size = str(tuple(row["shape"])), f"{row['bytes']:,}"
        numbers = [_number(row[key]) for key in _STATS if stats]
        cells.append([name, shape, row["dtype"], row["stype"], size, *numbers])
    print_table(columns, cells)
    elements = sum(math.prod(row["shape"]) for row in rows)
    versions = ", ".join(str(version) for version in sorted({row["version"] for row in rows}))
    size = sum(row["bytes"] for row in rows)
    click.echo(
        f"{found['file']}: {len(rows)} arrays, {elements:,} elements, {size:,} bytes, "
        f"format version {versions or 'unknown'}"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else f"{value:,}"
