"""What a program uses of MXNet, and how ready each use is."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from mxtorch.port import names
from mxtorch.port.codes import Code
from mxtorch.port.engine import FilePort, common
from mxtorch.port.facts import Facts, FileFacts
from mxtorch.port.file import lowered_text, ported_file
from mxtorch.port.notebook import Notebook
from mxtorch.port.outcome import Outcome
from mxtorch.port.outside import Outside
from mxtorch.port.pace import collector_at_rest
from mxtorch.port.results import ARRAY_ONLY, BLOCK
from mxtorch.port.traps import Step, traps_of
from mxtorch.port.tree import project_of, read, sources
from mxtorch.port.values import Value

STATUSES = {
    "exact": "PyTorch has the same",
    "equivalent": "PyTorch has a counterpart, with a difference to know",
    "operator": "kept as a call of mxtorch.ops",
    "by hand": "to be ported by hand; runs under `mxtorch run`",
    "unknown": "not in MXNet 1.9.1, or not in mxtorch",
    "unclear": "not understood: which name it is shows only at run time",
}
READY = ("exact", "equivalent", "operator")


@dataclass(frozen=True)
class Use:
    """One use of a name of MXNet, at a line and column from 1."""

    path: str
    line: int
    column: int
    name: str
    status: str
    detail: str = ""
    # of a notebook, the code cell that the line is of, from 1
    cell: int = 0
    # differences that change results, which come with it
    traps: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The place as it is shown."""
        cell = f"cell {self.cell}:" if self.cell else ""
        return f"{self.path}:{cell}{self.line}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass
class Scan:
    """All uses of a source, and the files that could not be read."""

    files: list[str] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether every use is ready to port and every file was read."""
        return not self.unread and all(use.status in READY for use in self.uses)

    @property
    def traps(self) -> list[Step]:
        """Where the source steps on a difference that changes results."""
        return [
            Step(u.path, u.line, u.column, u.name, trap, u.cell)
            for u in self.uses
            for trap in u.traps
        ]

    def totals(self, path: str | None = None) -> Counter[str]:
        """Uses by status, of one file or of all."""
        return Counter(u.status for u in self.uses if path in (None, u.path))


def scan_text(
    text: str,
    path: str = "<text>",
    facts: FileFacts | None = None,
    outside: Outside | None = None,
) -> list[Use]:
    """The uses of MXNet in a text; raises SyntaxError if it is not Python."""
    with collector_at_rest():
        port = ported_file(text, path, facts, outside=outside)
        found = {(u.line, u.column, u.name): u for u in _uses(port, path)}
        lowered = lowered_text(text)
        if lowered is not None and lowered.text != text:
            inner = ported_file(text, path, facts, lowered=lowered, outside=outside)
            known = _worst(_uses(inner, path))
            found = {place: _as_lowered(use, known) for place, use in found.items()}
    uses = [replace(u, traps=tuple(traps_of(u.name, text))) for u in found.values()]
    return sorted(uses, key=lambda u: (u.line, u.column, u.name))


def _worst(uses: Iterable[Use]) -> dict[str, Use]:
    """The use of each name that is the least ready."""
    order = list(STATUSES)
    found: dict[str, Use] = {}
    for use in uses:
        known = found.get(use.name)
        if known is None or order.index(use.status) > order.index(known.status):
            found[use.name] = use
    return found


def _as_lowered(use: Use, known: Mapping[str, Use]) -> Use:
    """A use with the status that it has where symbols are blocks."""
    name = use.name
    if name.startswith("mx.sym."):
        name = common(name.replace("mx.sym.", "F.", 1))
    found = known.get(name)
    if found is not None:
        return replace(use, status=found.status, detail=found.detail)
    if use.status != "by hand" and not name.startswith("*."):
        return use
    return replace(use, status="equivalent", detail="part of a module or a function")


def scan_tree(
    source: Path,
    progress: Callable[[Path], None] = lambda path: None,
    facts: Facts | None = None,
) -> Scan:
    """Scan a file or every program below a folder."""
    scan = Scan()
    project = project_of(source)
    for path in sources(source):
        progress(path)
        name = path.name if source.is_file() else path.relative_to(source).as_posix()
        scan.files.append(name)
        try:
            text, _, _ = read(path)
            outside = project.of(name) if project is not None else None
            if path.suffix == ".ipynb":
                _scan_notebook(scan, text, name, facts)
                continue
            known = facts.of(name, text) if facts else None
            scan.uses += scan_text(text, name, known, outside)
        except (OSError, SyntaxError, LookupError, ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            scan.unread[name] = f"line {getattr(error, 'lineno', None) or 1}: {reason}"
    return scan


def _scan_notebook(scan: Scan, text: str, name: str, facts: Facts | None) -> None:
    """The code cells as one program; those that do not parse are told one by one."""
    book = Notebook(text)
    known = facts.of(name, book.program) if facts else None
    for use in scan_text(book.program, name, known):
        cell, line = book.where(use.line)
        scan.uses.append(replace(use, line=line, cell=cell))
    broken = []
    for part in book.cells:
        if part.broken is not None:
            broken.append(f"cell {part.number}, line {part.broken[0]}: {part.broken[1]}")
        if part.hidden:
            detail = "in what is not the notebook's Python"
            scan.uses.append(Use(name, part.hidden, 1, "mxnet", "unclear", detail, part.number))
    if broken:
        scan.unread[name] = "; ".join(broken)


def _uses(port: FilePort, path: str) -> Iterator[Use]:
    for unclear, name in port.unclear.items():
        yield Use(path, unclear.lineno, unclear.col_offset + 1, name, "unclear")
    for node in port.nodes:
        if node in port.unclear:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield from _name_use(port, node, path)
        elif isinstance(node, ast.Call):
            yield from _dynamic(port, node, path)
        elif isinstance(node, ast.ImportFrom) and node in port.flow.stars:
            yield Use(path, node.lineno, 1, f"{node.module}.*", "unclear", Code.STAR.text)


def _name_use(port: FilePort, node: ast.Name | ast.Attribute, path: str) -> Iterator[Use]:
    value = port.flow.value(node)
    parent = port.parents.get(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    if value.kind == "member" and not _is_member(port, parent):
        yield _use(port, node, parent if called else None, common(value.name), path)
    elif isinstance(node, ast.Attribute) and not value.is_mxnet() and node.attr != "__init__":
        owner = _owner(port, port.flow.value(node.value), node.attr)
        if owner is not None:
            yield _use(port, node, parent if called else None, f"{owner}.{node.attr}", path)


def _is_member(port: FilePort, node: ast.AST | None) -> bool:
    return isinstance(node, ast.Attribute) and port.flow.value(node).is_mxnet()


def _owner(port: FilePort, value: Value, attr: str) -> str | None:
    """The class of MXNet that has the attribute or method."""
    if value.kind == "array" or (value.kind == "unknown" and attr in ARRAY_ONLY):
        return "mx.nd.NDArray"
    if value.kind == "device":
        return "mx.Context"
    if value.kind == "instance":
        own = port.flow.facts_of(value.name)
        if own is not None and (attr in own.methods or attr in own.attributes):
            return None
        if value == Value("instance", BLOCK) and not names.exists(f"{BLOCK}.{attr}"):
            return None  # of a class of the program's own, which one is not known
        return next((b for b in port.flow.lineage(value.name) if b.startswith("mx.")), None)
    return None


def _use(port: FilePort, node: ast.expr, call: ast.AST | None, name: str, path: str) -> Use:
    found = port.outcomes.get(call) if call is not None else None
    found = found or port.outcomes.get(node)
    if found is None:
        handled = _is_handled(port, node)
        found = Outcome("exact") if handled else Outcome("by hand")
    assert isinstance(node, ast.expr)
    return Use(path, node.lineno, node.col_offset + 1, name, found.status, found.detail)


def _is_handled(port: FilePort, node: ast.AST) -> bool:
    """Whether a statement's or an outer expression's rule took the place."""
    outer: ast.AST | None = node
    while outer is not None:
        if (
            outer in port.written
            or outer in port.renamed
            or outer in port.removed
            or outer in port.outcomes
        ):
            return True
        if isinstance(outer, ast.withitem):
            return port.parents[outer] in port.unwrapped | port.removed
        outer = port.parents.get(outer)
    return False


def _dynamic(port: FilePort, node: ast.Call, path: str) -> Iterator[Use]:
    """`getattr(mx.nd, name)`: which name shows only at run time."""
    function = port.flow.value(node.func)
    if function == Value("builtin", "getattr") and node.args:
        owner = port.flow.value(node.args[0])
        if owner.is_mxnet():
            yield Use(path, node.lineno, node.col_offset + 1, f"{common(owner.name)}.*", "unclear")
