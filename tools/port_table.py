"""Writes the table of ported programs into docs/guide/porting.md.

    tools/port_table.py            write it
    tools/port_table.py --print    print it, with what is not ported, by program

How many of a program's uses of MXNet are idiomatic PyTorch after the port is what `mxtorch scan`
says; that the ports print what MXNet printed is tests/port/test_programs.py.
"""

from __future__ import annotations

import ast
import io
import pathlib
import sys
import tokenize
from collections import Counter
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from mxtorch.port import port_text  # noqa: E402 - the path is set above
from mxtorch.port.scan import Use, scan_text  # noqa: E402 - the path is set above

PROGRAMS = ROOT / "tests" / "port" / "cases"
PAGE = ROOT / "docs" / "guide" / "porting.md"
BEGIN, END = "<!-- the table of programs -->\n", "<!-- its end -->\n"
# What nothing but MXNet has.
MXNET_ONLY = frozenset([
    "asnumpy", "asscalar", "as_in_context", "attach_grad", "wait_to_read", "copyto", "set_data",
    "collect_params", "hybridize", "initialize", "name_scope", "grad_req", "list_data", "list_ctx",
    "save_parameters", "load_parameters", "expand_dims", "swapaxes", "slice_axis", "begin_state",
    "register_child", "learning_rate", "context", "hybrid_forward",
])  # fmt: skip


@dataclass(frozen=True)
class Row:
    """How the port of a program came out."""

    name: str
    lines: int
    uses: int
    idiomatic: int
    operators: int
    comments: int
    kept: int
    leftovers: int
    left: tuple[Use, ...]

    @property
    def share(self) -> float:
        return self.idiomatic / self.uses


def comments(text: str) -> Counter[str]:
    """The comments of a program."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(t.string for t in tokens if t.type == tokenize.COMMENT)


def leftovers(text: str) -> Counter[str]:
    """Names of MXNet's in a ported text."""
    tree = ast.parse(text)
    own = {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in MXNET_ONLY - own:
            found[node.attr] += 1
        elif isinstance(node, ast.Import):
            found.update(a.name for a in node.names if a.name.startswith(("mxnet", "mxtorch")))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mx"):
            found.update(a.name for a in node.names)
    return found


def row(path: pathlib.Path) -> Row:
    """The row of one program."""
    text = path.read_text(encoding="utf-8")
    ported = port_text(text, path.name)
    uses = scan_text(text, path.name)
    status = Counter(use.status for use in uses)
    before, after = comments(text), comments(ported.text)
    said = " ".join(finding.message for finding in ported.findings)
    unsaid = sum(n for name, n in leftovers(ported.text).items() if name not in said)
    return Row(
        path.stem,
        len(text.splitlines()),
        len(uses),
        status["exact"] + status["equivalent"],
        status["operator"],
        before.total(),
        (before & after).total(),
        unsaid,
        tuple(u for u in uses if u.status not in ("exact", "equivalent")),
    )


def rows() -> list[Row]:
    """All programs."""
    return [row(path) for path in sorted(PROGRAMS.glob("*.py"))]


def table(found: list[Row]) -> str:
    """The table as Markdown, with its totals."""
    head = (
        "| program | lines | uses of MXNet | idiomatic | operators | by hand | comments kept"
        " | left unsaid |\n|---|---|---|---|---|---|---|---|\n"
    )
    lines = [
        f"| `{r.name}` | {r.lines} | {r.uses} | {r.share:.1%} | {r.operators} |"
        f" {len(r.left) - r.operators} | {r.kept} of {r.comments} | {r.leftovers} |\n"
        for r in found
    ]
    uses, idiomatic = sum(r.uses for r in found), sum(r.idiomatic for r in found)
    operators, left = sum(r.operators for r in found), sum(len(r.left) for r in found)
    lines.append(
        f"| all {len(found)} | {sum(r.lines for r in found)} | {uses} | {idiomatic / uses:.1%} |"
        f" {operators} | {left - operators} | {sum(r.kept for r in found)} of"
        f" {sum(r.comments for r in found)} | {sum(r.leftovers for r in found)} |\n"
    )
    return head + "".join(lines)


def page(text: str) -> str:
    """The page with the table in it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(rows())}\n{END}{after}"


def main(argv: list[str]) -> None:
    if "--print" not in argv:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    found = rows()
    print(table(found))
    for one in found:
        for use in one.left:
            print(f"{one.name}.py:{use.line}: {use.status}: {use.name} {use.detail}")


if __name__ == "__main__":
    main(sys.argv[1:])
