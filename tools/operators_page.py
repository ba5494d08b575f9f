"""Writes docs/guide/operators.md: every operator, and what has been recorded of it on MXNet.

tools/operators_page.py
"""

from __future__ import annotations

import pathlib
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import mxtorch as mx  # noqa: E402 - the path is set above
from mxtorch._core.op import Op, all_ops, lookup  # noqa: E402 - the path is set above
from mxtorch._front.names import place  # noqa: E402 - the path is set above
from tests import recorded  # noqa: E402 - the path is set above
from tests.cases import S  # noqa: E402 - the path is set above
from tools import census  # noqa: E402 - the path is set above

PAGE = ROOT / "docs" / "guide" / "operators.md"
HEAD = """# Operators

`tools/operators_page.py` writes this page from the operator table and from what real MXNet 1.9.1
gave for the rows of `tests/ops/samples`.

| column | meaning |
|---|---|
| operator | MXNet's name; then the functions that call it, and its methods after a dot |
| types | element types of the first input in the recorded rows that MXNet computes |
| gradient | *recorded* beside MXNet's; or how MXNet's differs from the derivative; `-`: none |
| rows | how many rows, errors included; *snippets*: recorded as programs, outside the rows |

"""
TABLE = "| operator | types | gradient | rows |\n|---|---|---|---|\n"


@dataclass
class Records:
    """What the rows of one operator show."""

    types: set[str] = field(default_factory=set)
    has_gradient: bool = False
    rows: int = 0


def gather() -> dict[str, Records]:
    """The records of each operator, by its name."""
    by_function = {place(name): op for op in all_ops() for name in op.names}
    found: defaultdict[str, Records] = defaultdict(Records)
    for _, row, line in recorded.recorded(S):
        op = operator_of(row.op, by_function)
        if op is None:
            continue
        records = found[op.name]
        records.rows += 1
        if row.raises is None and line is not None and "out" in line:
            records.types |= {x.dtype for x in row.inputs[:1] if x is not None}
            records.has_gradient |= bool(line.get("grad"))
    return found


def operator_of(function: str, by_function: dict[tuple[str, str], Op]) -> Op | None:
    """The operator that a row's function calls: `split`, `np.dot`, `random.uniform`."""
    namespace, _, short = function.rpartition(".")
    candidates = (short, f"_{short}", f"_{namespace}_{short}")
    return by_function.get((namespace, short)) or next(filter(None, map(lookup, candidates)), None)


def functions(op: Op) -> list[str]:
    """Where programs find the operator: `nd.dot`, `nd.linalg.gemm2`, `np.dot`; without aliases
    that are no function of their own."""
    found = []
    for name in op.names:
        namespace, short = place(name)
        root = namespace if namespace.startswith("np") else f"nd.{namespace}".rstrip(".")
        if census.exists(mx, f"mx.{root}.{short}") and f"{root}.{short}" not in found:
            found.append(f"{root}.{short}")
    return found


def gradient(op: Op, records: Records) -> str:
    if op.gradient is not None:
        return op.gradient
    return "recorded" if records.has_gradient else "-"


def row(op: Op, records: Records) -> str:
    calls = ", ".join(f"`{name}`" for name in functions(op))
    methods = ", ".join(f"`.{name}`" for name in op.methods)
    reached = "; ".join(filter(None, [calls, methods]))
    name = f"`{op.name}`" + (f": {reached}" if reached else "")
    types = ", ".join(sorted(records.types)) or "-"
    return f"| {name} | {types} | {gradient(op, records)} | {records.rows or 'snippets'} |\n"


def page() -> str:
    """The whole page."""
    found = gather()
    own = [op for op in all_ops() if not op.is_numpy]
    numpy = [op for op in all_ops() if op.is_numpy]
    parts: list[Any] = [HEAD]
    for title, ops in (("MXNet's operators", own), ("Of `mx.np` and `mx.npx`", numpy)):
        rows = [row(op, found.get(op.name, Records())) for op in sorted(ops, key=by_name)]
        parts += [f"## {title}: {len(ops)}\n\n", TABLE, *rows, "\n"]
    missing = census.missing()
    parts += ["## Not there\n\n", "| name | why |\n|---|---|\n"]
    parts += [f"| `{n}` | {census.REASONS[why]} |\n" for n, why in sorted(missing.items())]
    return "".join(parts)


def by_name(op: Op) -> str:
    return op.name.lstrip("_").lower()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
