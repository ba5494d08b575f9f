"""Holds the tree to the limits of CONTRIBUTING.md that no linter knows: sizes, places, words."""

from __future__ import annotations

import ast
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "src/mxtorch/"
FILE_LINES = 600
FUNCTION_LINES = 60

# What only certain files of the package may use; and, anywhere in the tree, run program text.
ONLY_IN: dict[str, tuple[str, ...]] = {
    "os.environ": ("_core/env.py",),
    "os.getenv": ("_core/env.py",),
    "os.putenv": ("_core/env.py",),
    "torch.__version__": ("_core/torch_compat.py",),
    "torch.version": ("_core/torch_compat.py",),
    "torch.cuda": ("_core/device.py",),
    "torch.mps": ("_core/device.py",),
    "torch.xpu": ("_core/device.py",),
    "torch.accelerator": ("_core/device.py",),
    "torch.manual_seed": (),
    "torch.set_default_device": (),
    "torch.set_default_dtype": (),
}
RUNS_TEXT = ("exec", "eval")
MAY_RUN_TEXT = (PACKAGE + "run/script.py", "tests/replay.py")
# Where operators are known by name, and where the package is imported as a whole.
KNOWS_OPERATORS = ("_ops/", "port/rules/")
IMPORTS_PACKAGE = ("run/", "cli/", "port/", "convert/", "verify/", "__main__.py")

WORDS = {
    r"/work/|/opt/|\.\./shared\b": "a path of one machine",
    r"//[\w.-]*(pypi|pythonhosted|npmjs)\b": "a package registry's host",
    r"\b(this|my|our|the) session\b|\bsub-?agent\b": "how the project is written",
    r"\b(TODO|FIXME|XXX)\b": "an unfinished note; do it, or list it where it is tested",
    r"# noqa(?!: [A-Z]+\d+(, [A-Z]+\d+)* - )": "an ignored lint without code and reason",
}
TEXT = (".py", ".md", ".toml", ".txt", ".yml", ".sh", ".cfg", "Makefile", "NOTICE", "run")
NOT_OURS = ("tests/golden/",)  # recorded data
HAS_WORDS = ("tools/check_tree.py", "tests/tools/test_check_tree.py")  # the words stand in them


class Finding(NamedTuple):
    """One place that breaks a limit."""

    path: str
    line: int
    text: str


def dotted(node: ast.AST) -> str:
    """`a.b.c` of an attribute chain on a name; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := dotted(node.value)):
        return f"{base}.{node.attr}"
    return ""


def used_names(node: ast.AST) -> Iterator[str]:
    """The dotted names that a node reads or imports."""
    if isinstance(node, ast.Attribute | ast.Name):
        yield dotted(node)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)


def check_places(path: str, node: ast.AST) -> Iterator[str]:
    """Names that belong to another file."""
    if path.startswith(PACKAGE):
        inner = path.removeprefix(PACKAGE)
        for name in used_names(node):
            for limited, files in ONLY_IN.items():
                if name == limited and inner not in files:
                    yield f"{name} belongs into {' or '.join(files) or 'the caller, not here'}"
        whole = isinstance(node, ast.Import) and "mxtorch" in used_names(node)
        if whole and not inner.startswith(IMPORTS_PACKAGE):
            yield "import what you need from mxtorch's modules, not the package"
    if isinstance(node, ast.Call) and dotted(node.func) in RUNS_TEXT and path not in MAY_RUN_TEXT:
        yield f"{dotted(node.func)}() of program text"


def is_text(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple | ast.Set | ast.List):
        return bool(node.elts) and all(map(is_text, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def check_operator_names(path: str, node: ast.AST) -> Iterator[str]:
    """`if op.name == 'Convolution'`: what is special about an operator stands in its entry."""
    inner = path.removeprefix(PACKAGE)
    if inner == path or inner.startswith(KNOWS_OPERATORS) or not isinstance(node, ast.Compare):
        return
    sides = [node.left, *node.comparators]
    if any(re.search(r"\bop\.name$", dotted(s)) for s in sides) and any(map(is_text, sides)):
        yield "an operator known by name: put the fact into its entry in the table"


def check_function(path: str, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
        length = node.end_lineno - node.lineno + 1
        if length > FUNCTION_LINES:
            yield f"{node.name}() has {length} lines, at most {FUNCTION_LINES}"


def is_plain(node: ast.stmt) -> bool:
    """Whether a statement may stand in a package's `__init__`: it only gathers names."""
    if isinstance(node, ast.Assign):
        return not any(isinstance(n, ast.Lambda | ast.IfExp) for n in ast.walk(node))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return not node.value.keywords and bool(dotted(node.value.func))
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def check_module(path: str, tree: ast.Module, text: str) -> Iterator[Finding]:
    lines = text.count("\n")
    if lines > FILE_LINES:
        yield Finding(path, lines, f"{lines} lines, at most {FILE_LINES}")
    if path.startswith(PACKAGE) and path.endswith("/__init__.py"):
        for node in tree.body:
            if not is_plain(node):
                yield Finding(path, node.lineno, "logic in a package's __init__")


def check_words(path: str, text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in WORDS.items():
            if found := re.search(pattern, line):
                yield Finding(path, number, f"{found[0]!r}: {what}")


NODE_CHECKS = (check_places, check_operator_names, check_function)


def check_file(path: str, text: str) -> Iterator[Finding]:
    """Every finding in one file."""
    if path not in HAS_WORDS:
        yield from check_words(path, text)
    if path.endswith(".py"):
        tree = ast.parse(text, path)
        yield from check_module(path, tree, text)
        for node in ast.walk(tree):
            for check in NODE_CHECKS:
                for message in check(path, node):
                    yield Finding(path, getattr(node, "lineno", 1), message)


def files() -> Iterator[pathlib.Path]:
    for top in sorted(ROOT.iterdir()):
        if top.is_file():
            yield top
        elif top.name in ("src", "tests", "tools", "docs", "examples", "changelog.d", ".ci"):
            yield from sorted(p for p in top.rglob("*") if p.is_file())


def main() -> int:
    count = 0
    findings: list[Finding] = []
    for file in files():
        path = file.relative_to(ROOT).as_posix()
        if path.endswith(TEXT) and not path.startswith(NOT_OURS) and ".egg-info/" not in path:
            count += 1
            findings += check_file(path, file.read_text(encoding="utf-8"))
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.text}")
    print(f"{count} files, {len(findings)} findings")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
