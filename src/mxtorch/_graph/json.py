"""Symbol files: MXNet's JSON, written as 1.9.1 writes it and read from every version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch._core.modes import modes
from mxtorch._graph.naming import HIDDEN_KEYS
from mxtorch._graph.node import VARIABLE, Entry, Node, auxiliary, walk

VERSION = 10901
# Operators that were renamed since the file was written.
_RENAMED = {"ElementWiseSum": "add_n", "BatchNorm_v1": "BatchNorm"}


def dumps(outputs: Sequence[Entry]) -> str:
    """The JSON text of a graph."""
    nodes = list(walk(outputs))
    number = {id(node): i for i, node in enumerate(nodes)}
    written = auxiliary(nodes)
    records = []
    for node in nodes:
        record: dict[str, Any] = {"op": node.op_name, "name": node.name}
        if node.attrs:
            record["attrs"] = dict(sorted(node.attrs.items()))
        record["inputs"] = [
            [number[id(child)], index, int(id(child) in written)] for child, index in node.inputs
        ]
        records.append(record)
    row_ptr = [0]
    for node in nodes:
        row_ptr.append(row_ptr[-1] + node.count_outputs())
    return _layout(
        records,
        [i for i, n in enumerate(nodes) if n.is_variable],
        row_ptr,
        [[number[id(node)], index, 0] for node, index in outputs],
    )


def _layout(
    records: list[dict[str, Any]], variables: list[int], row_ptr: list[int], heads: list[list[int]]
) -> str:
    """The text with MXNet's own line breaks, so that files compare equal."""
    lines = ["{", '  "nodes": [']
    for position, record in enumerate(records):
        last = position == len(records) - 1
        lines.append("    {")
        lines.append(f'      "op": {json.dumps(record["op"])}, ')
        lines.append(f'      "name": {json.dumps(record["name"], ensure_ascii=False)}, ')
        if "attrs" in record:
            lines += _attr_lines(record["attrs"])
        lines.append(f'      "inputs": {json.dumps(record["inputs"])}')
        lines.append("    }" if last else "    }, ")
    lines.append("  ], ")
    lines.append(f'  "arg_nodes": {json.dumps(variables)}, ')
    lines.append(f'  "node_row_ptr": {_wrapped(row_ptr)}, ')
    lines.append(f'  "heads": {json.dumps(heads)}, ')
    if modes.np_shape:
        lines.append('  "attrs": {')
        lines.append('    "is_np_shape": ["int", 1], ')
        lines.append(f'    "mxnet_version": ["int", {VERSION}]')
        lines.append("  }")
    else:
        lines.append(f'  "attrs": {{"mxnet_version": ["int", {VERSION}]}}')
    lines.append("}")
    return "\n".join(lines)


def _attr_lines(attrs: dict[str, str]) -> list[str]:
    items = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in attrs.items()]
    if len(items) == 1:
        return [f'      "attrs": {{{items[0]}}}, ']
    body = [f"        {item}, " for item in items[:-1]] + [f"        {items[-1]}"]
    return ['      "attrs": {', *body, "      }, "]


def _wrapped(numbers: list[int]) -> str:
    """MXNet breaks lists of more than ten numbers, one a line."""
    if len(numbers) <= 10:
        return json.dumps(numbers)
    return "[\n" + ", \n".join(f"    {n}" for n in numbers) + "\n  ]"


def loads(text: str) -> list[Entry]:
    """The outputs of the graph in a JSON text; raises MXNetError for what is not a symbol file."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, TypeError) as error:
        raise MXNetError(f"this is not a symbol file: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise MXNetError("this is not a symbol file: it has no list of nodes")
    nodes: list[Node] = []
    for position, record in enumerate(data["nodes"]):
        nodes.append(_read_node(position, record, nodes))
    heads = data.get("heads", [])
    if not isinstance(heads, list):
        raise MXNetError("this symbol file has no list of heads")
    return [_entry(head, nodes, "heads") for head in heads]


def _read_node(position: int, record: Any, nodes: list[Node]) -> Node:
    where = f"node {position}"
    if not isinstance(record, dict):
        raise MXNetError(f"symbol file: {where} is not an object")
    op_name, name = record.get("op"), record.get("name")
    if not isinstance(op_name, str) or not isinstance(name, str):
        raise MXNetError(f"symbol file: {where} has no operator or no name")
    attrs: dict[str, str] = {}
    for key in ("param", "attr", "attrs"):
        part = record.get(key)
        if isinstance(part, dict):
            attrs.update((str(k), str(v)) for k, v in part.items())
    attrs = {f"__{k}__" if k in HIDDEN_KEYS else k: v for k, v in attrs.items()}
    raw_inputs = record.get("inputs", [])
    if not isinstance(raw_inputs, list):
        raise MXNetError(f"symbol file: the inputs of {where} are not a list")
    inputs = [_entry(item, nodes, where) for item in raw_inputs]
    if op_name == VARIABLE:
        return Node(VARIABLE, name, attrs)
    return Node(_RENAMED.get(op_name, op_name), name, attrs, inputs)


def _entry(item: Any, nodes: list[Node], where: str) -> Entry:
    if not isinstance(item, list) or len(item) < 1 or not all(type(n) is int for n in item[:2]):
        raise MXNetError(f"symbol file: an input of {where} is not [node, output, version]")
    number, index = item[0], item[1] if len(item) > 1 else 0
    if not 0 <= number < len(nodes) or index < 0:
        raise MXNetError(
            f"symbol file: {where} points to node {number}, which does not come before it"
        )
    return nodes[number], index
