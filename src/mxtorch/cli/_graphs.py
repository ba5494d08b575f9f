"""What `mxtorch inspect` tells of a symbol file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from mxtorch import symbol
from mxtorch._graph import json as files
from mxtorch._graph.node import Node, variables, walk_all
from mxtorch.cli._tables import Column, print_table

NAME = "a symbol file"


def is_symbol(head: bytes) -> bool:
    """Whether a file starts as JSON does."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def describe(path: Path) -> dict[str, Any]:
    """Version, inputs, outputs and operators of the graph; those that mxtorch does not have."""
    graph = symbol.load(str(path))
    nodes = list(walk_all(graph._outputs))
    calls = [node for node in nodes if not node.is_variable]
    missing = sorted({node.op_name for node in calls if node.op is None})
    arguments, auxiliary = variables(graph._outputs)
    return {
        "file": str(path),
        "format": "mxnet.symbol",
        "version": files.writer(path.read_text(encoding="utf-8")),
        "nodes": len(nodes),
        "arguments": [_variable(node) for node in arguments],
        "auxiliary": [_variable(node) for node in auxiliary],
        "outputs": graph.list_outputs(),
        "operators": dict(Counter(node.op_name for node in calls).most_common()),
        "missing": missing,
    }


def _variable(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {"name": node.name}
    found |= {k.strip("_"): v for k, v in node.attrs.items() if k in ("__shape__", "__dtype__")}
    return found


def show(found: dict[str, Any]) -> None:
    """Print it as a table of the inputs, and the operators and outputs below."""
    rows = [
        (row["name"], kind.removesuffix("s"), row.get("shape", ""))
        for kind in ("arguments", "auxiliary")
        for row in found[kind]
    ]
    print_table((Column("name", fold=True), Column("kind"), Column("shape")), rows)
    operators = ", ".join(f"{n} {name}" for name, n in found["operators"].items())
    click.echo(f"operators: {operators or 'none'}")
    click.echo(f"outputs: {', '.join(found['outputs'])}")
    if found["missing"]:
        click.echo(f"not available in mxtorch: {', '.join(found['missing'])}")
    version = f"MXNet {found['version']}" if found["version"] else "MXNet before 0.9"
    click.echo(f"{found['file']}: {found['nodes']:,} nodes, written by {version}")
