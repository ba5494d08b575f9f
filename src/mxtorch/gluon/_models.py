"""`Block.save` and `Block.load`: a block's parameters, and what its blocks are and how they run."""

from __future__ import annotations

import json
from typing import Any

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetValueError


def save(block: Any, prefix: str) -> None:
    """Write `prefix-model.json` and `prefix-model.params`."""
    records: dict[str, Any] = {}
    _describe(block, records, [0])
    with atomic_write(f"{prefix}-model.json") as file:
        file.write(json.dumps(records).encode())
    block.save_parameters(f"{prefix}-model.params")


def load(block: Any, prefix: str) -> None:
    """Read both into a block of the same structure; KeyError if it is another.

    Blocks that were hybridized are again; they are traced anew.
    """
    with open(f"{prefix}-model.json", encoding="utf-8") as file:
        try:
            records = json.load(file)
        except ValueError as error:
            raise MXNetValueError(f"{prefix}-model.json is no JSON: {error}") from error
    _restore(block, records, [0])
    block.load_parameters(f"{prefix}-model.params")


def _key(block: Any, count: list[int]) -> str:
    """The class and the number of the block in depth-first order."""
    count[0] += 1
    return f"{type(block).__name__.lower()}{count[0] - 1}"


def _describe(block: Any, records: dict[str, Any], count: list[int]) -> None:
    record: dict[str, Any] = {"orig_name": block.name}
    records[_key(block, count)] = record
    if hasattr(block, "_active"):
        if block._cached_graph:
            inputs, symbol = block._cached_graph
            record["in_format"], record["out_format"] = block._in_format, block._out_format
            record["inputs"] = [variable.tojson() for variable in inputs]
            record["symbol"] = symbol.tojson()
        record["hybridized"] = bool(block._cached_graph)
    record["children"] = {child.name: name for name, child in block._children.items()}
    for child in block._children.values():
        _describe(child, record, count)


def _restore(block: Any, records: Any, count: list[int]) -> None:
    record = records[_key(block, count)]
    for child in block._children.values():
        _restore(child, record, count)
    if hasattr(block, "_active"):
        block._clear_cached_op()
        block._active = bool(record.get("hybridized"))
