"""What `mxtorch inspect` tells of a symbol file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mxtorch._core.errors import MXNetError
from mxtorch._graph.node import Node, walk
from mxtorch.symbol import load

_NO_TERMINAL_WIDTH = 1000


def is_graph(path: Path) -> bool:
    """Whether a file is to be read as a symbol file: by its name, or by how it starts."""
    with open(path, "rb") as file:
        return path.suffix == ".json" or file.read(16).lstrip().startswith(b"{")


def command(path: Path, as_json: bool) -> None:
    """Print the nodes of a symbol file."""
    try:
        outputs = load(str(path))._outputs
    except MXNetError as error:
        if as_json:
            click.echo(json.dumps({"file": str(path), "error": str(error)}, ensure_ascii=False))
        raise
    rows = [_row(node) for node in walk(outputs)]
    names = [node.output_name(index) for node, index in outputs]
    if as_json:
        result = {"file": str(path), "format": "mxnet.symbol", "outputs": names, "nodes": rows}
        click.echo(json.dumps(result, ensure_ascii=False))
    else:
        _print(path, rows, names)


def _row(node: Node) -> dict[str, Any]:
    return {
        "name": node.name,
        "operator": "" if node.is_variable else node.op_name,
        "inputs": [child.output_name(index) for child, index in node.inputs],
        "attributes": dict(node.attrs),
    }


def _print(path: Path, rows: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    for title in ("name", "operator", "attributes", "inputs"):
        table.add_column(title, overflow="fold")
    for row in rows:
        attributes = ", ".join(f"{key}={text}" for key, text in row["attributes"].items())
        cells = [row["name"], row["operator"], attributes, ", ".join(row["inputs"])]
        table.add_row(*map(escape, cells))
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_NO_TERMINAL_WIDTH)
    console.print(table)
    variables = sum(not row["operator"] for row in rows)
    click.echo(
        f"{path}: {len(rows) - variables} nodes, {variables} variables; outputs {', '.join(names)}"
    )
