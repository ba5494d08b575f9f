"""Symbol files: MXNet's JSON, written as 1.9.1 writes it and read from every version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mxtorch._core.binder import is_hidden, unknown_argument
from mxtorch._core.errors import MXNetError
from mxtorch._core.modes import modes
from mxtorch._core.op import Op
from mxtorch._graph.naming import HIDDEN_KEYS
from mxtorch._graph.node import VARIABLE, Entry, Node, auxiliary, walk, written_inside

VERSION = 10901
# Operators that were renamed since the file was written.
_RENAMED = {"ElementWiseSum": "add_n", "BatchNorm_v1": "BatchNorm"}
# Until 0.9.4 axis=-1 meant "over all".
_AXIS_OF_ALL = frozenset({"argmax", "argmin"})
_ENDINGS = tuple(f"_{key}" for key in HIDDEN_KEYS)


def dumps(outputs: Sequence[Entry]) -> str:
    """The JSON text of a graph."""
    lines = _graph_lines(outputs)
    lines[-1] += ", "
    if modes.np_shape:
        lines.append('  "attrs": {')
        lines.append('    "is_np_shape": ["int", 1], ')
        lines.append(f'    "mxnet_version": ["int", {VERSION}]')
        lines.append("  }")
    else:
        lines.append(f'  "attrs": {{"mxnet_version": ["int", {VERSION}]}}')
    lines.append("}")
    return "\n".join(lines)


def _graph_lines(outputs: Sequence[Entry]) -> list[str]:
    """The lines of a graph, without its end."""
    nodes = list(walk(outputs))
    number = {id(node): i for i, node in enumerate(nodes)}
    written = auxiliary(nodes) | written_inside(nodes)
    records = []
    for node in nodes:
        record: dict[str, Any] = {"op": node.op_name, "name": node.name}
        if node.attrs:
            record["attrs"] = dict(sorted(node.attrs.items()))
        record["inputs"] = [
            [number[id(child)], index, int(id(child) in written)] for child, index in node.inputs
        ]
        record["subgraphs"] = [_graph_lines(graph) for graph in node.subgraphs]
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
) -> list[str]:
    """The lines with MXNet's own breaks, so that files compare equal."""
    lines = ["{", '  "nodes": [']
    for position, record in enumerate(records):
        last = position == len(records) - 1
        lines.append("    {")
        lines.append(f'      "op": {json.dumps(record["op"])}, ')
        lines.append(f'      "name": {json.dumps(record["name"], ensure_ascii=False)}, ')
        if "attrs" in record:
            lines += _attr_lines(record["attrs"])
        lines += _list_lines("inputs", record["inputs"], 6)
        if record["subgraphs"]:
            lines[-1] += ", "
            lines += _subgraph_lines(record["subgraphs"])
        lines.append("    }" if last else "    }, ")
    lines.append("  ], ")
    for key, values in (("arg_nodes", variables), ("node_row_ptr", row_ptr), ("heads", heads)):
        lines += _list_lines(key, values, 2)
        lines[-1] += ", "
    lines[-1] = lines[-1].removesuffix(", ")
    return lines


def _subgraph_lines(graphs: list[list[str]]) -> list[str]:
    """The lines of the graphs inside a node."""
    lines = ['      "subgraphs": [']
    for graph in graphs:
        lines += [" " * 8 + line for line in (*graph, "}, ")]
    lines[-1] = lines[-1].removesuffix(", ")
    return [*lines, "      ]"]


def _attr_lines(attrs: dict[str, str]) -> list[str]:
    items = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in attrs.items()]
    if len(items) == 1:
        return [f'      "attrs": {{{items[0]}}}, ']
    body = [f"        {item}, " for item in items[:-1]] + [f"        {items[-1]}"]
    return ['      "attrs": {', *body, "      }, "]


def _list_lines(key: str, values: Sequence[Any], indent: int) -> list[str]:
    """MXNet breaks lists of more than ten items, one a line."""
    margin = " " * indent
    if len(values) <= 10:
        return [f'{margin}"{key}": {json.dumps(values)}']
    items = [f"{margin}  {json.dumps(value)}, " for value in values]
    items[-1] = items[-1].removesuffix(", ")
    return [f'{margin}"{key}": [', *items, f"{margin}]"]


def loads(text: str) -> list[Entry]:
    """The outputs of the graph in a JSON text; raises MXNetError for what is not a symbol file."""
    try:
        return _read_graph(json.loads(text))
    except (json.JSONDecodeError, RecursionError, TypeError) as error:
        raise MXNetError(f"this is not a symbol file: {error}") from None


def writer(text: str) -> str | None:
    """The MXNet that wrote a JSON text that `loads` reads, as '1.9.1'; None before 0.9."""
    number = _stated_version(json.loads(text))
    if number is None:
        return None
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _read_graph(data: Any) -> list[Entry]:
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise MXNetError("this is not a symbol file: it has no list of nodes")
    version = _version(data)
    nodes: list[Node] = []
    for position, record in enumerate(data["nodes"]):
        node = _read_node(position, record, nodes)
        _upgrade(node, version)
        _refuse_unknown(node)
        nodes.append(node)
    heads = data.get("heads")
    if not isinstance(heads, list):
        raise MXNetError("this symbol file has no list of heads")
    return [_entry(head, nodes, "heads") for head in heads]


def _version(data: dict[str, Any]) -> int:
    """The version that wrote the file: 10901 is 1.9.1; files before 0.9 do not say."""
    number = _stated_version(data)
    return 800 if number is None else number


def _stated_version(data: dict[str, Any]) -> int | None:
    attrs = data.get("attrs")
    entry = attrs.get("mxnet_version") if isinstance(attrs, dict) else None
    if isinstance(entry, list) and len(entry) == 2 and type(entry[1]) is int:
        return entry[1]
    return None


def _upgrade(node: Node, version: int) -> None:
    """What later versions changed: MXNet does the same when it loads a file."""
    if node.op is None or version >= VERSION:
        return
    _hand_down(node)
    if version < 905 and node.op_name in _AXIS_OF_ALL and node.attrs.get("axis") == "-1":
        del node.attrs["axis"]
    if version < 900 and not node.op.variadic:
        _add_inputs(node, node.op)


def _hand_down(node: Node) -> None:
    """'weight_lr_mult' of a layer is 'lr_mult' of its weight."""
    for key in [k for k in node.attrs if k.endswith(_ENDINGS)]:
        hidden = next(h for h in HIDDEN_KEYS if key.endswith(f"_{h}"))
        slot = key.removesuffix(f"_{hidden}")
        by_slot = dict(zip(node.input_slots(), node.inputs, strict=False))
        if slot in by_slot and by_slot[slot][0].is_variable:
            by_slot[slot][0].attrs[f"__{hidden}__"] = node.attrs.pop(key)


def _add_inputs(node: Node, op: Op) -> None:
    """Variables for inputs that the file leaves out: moving statistics, an embedding's weight."""
    names = op.input_names(node.parsed())
    for slot in names[len(node.inputs) :]:
        attrs = {**node.attrs, **op.variable_attrs.get(slot, {})}
        node.inputs.append((Node(VARIABLE, f"{node.name}_{slot}", attrs), 0))


def _refuse_unknown(node: Node) -> None:
    """An attribute that the operator does not have raises, as it would in a call."""
    op = node.op
    if op is None or op.free or not op.attrs:
        return
    for key in node.attrs:
        if not (key in op.attrs or key == op.count or is_hidden(key)):
            raise unknown_argument(op, key, f" {node.name!r}")


def _read_node(position: int, record: Any, nodes: list[Node]) -> Node:
    where = f"node {position}"
    if not isinstance(record, dict):
        raise MXNetError(f"symbol file: {where} is not an object")
    op_name, name = record.get("op"), record.get("name")
    if not isinstance(op_name, str) or not isinstance(name, str):
        raise MXNetError(f"symbol file: {where} has no operator or no name")
    attrs = _texts(record)
    if not all(map(_is_text, (op_name, name, *attrs, *attrs.values()))):
        raise MXNetError(f"symbol file: {where} has half a character in a text")
    attrs = {f"__{k}__" if k in HIDDEN_KEYS else k: v for k, v in attrs.items()}
    raw_inputs = record.get("inputs", [])
    if not isinstance(raw_inputs, list):
        raise MXNetError(f"symbol file: the inputs of {where} are not a list")
    inputs = [_entry(item, nodes, where) for item in raw_inputs]
    if op_name == VARIABLE:
        return Node(VARIABLE, name, attrs)
    graphs = record.get("subgraphs", [])
    if not isinstance(graphs, list):
        raise MXNetError(f"symbol file: the subgraphs of {where} are not a list")
    inside = [_read_graph(graph) for graph in graphs]
    return Node(_RENAMED.get(op_name, op_name), name, attrs, inputs, inside)


def _is_text(text: str) -> bool:
    """Whether a file can hold it: JSON can also name the halves of characters that UTF-16 has."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def _texts(record: dict[str, Any]) -> dict[str, str]:
    """A node's attributes: 'param' and, of 'attr' and 'attrs', what comes last in the file."""
    parts: dict[str, dict[str, Any]] = {}
    for key, part in record.items():
        if key in ("param", "attr", "attrs") and isinstance(part, dict):
            parts["param" if key == "param" else "attrs"] = part
    both = {**parts.get("param", {}), **parts.get("attrs", {})}
    return {str(k): str(v) for k, v in both.items()}


def _entry(item: Any, nodes: list[Node], where: str) -> Entry:
    if not isinstance(item, list) or len(item) < 1 or not all(type(n) is int for n in item[:2]):
        raise MXNetError(f"symbol file: an input of {where} is not [node, output, version]")
    number, index = item[0], item[1] if len(item) > 1 else 0
    if not 0 <= number < len(nodes) or index < 0:
        raise MXNetError(
            f"symbol file: {where} points to node {number}, which does not come before it"
        )
    node = nodes[number]
    if index and (node.is_variable or (node.op is not None and index >= node.count_outputs())):
        raise MXNetError(
            f"symbol file: {where} wants output {index} of node {number}, which is not there"
        )
    return node, index
