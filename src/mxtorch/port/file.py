"""A file from MXNet to PyTorch."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import lru_cache

import mxtorch.port.rules  # noqa: F401 - the rules enter themselves
from mxtorch.port import custom_ops, symbols
from mxtorch.port.codes import Code
from mxtorch.port.comments import port_comments
from mxtorch.port.engine import FilePort
from mxtorch.port.facts import FileFacts
from mxtorch.port.gradients import port_gradients
from mxtorch.port.imports import imported, port_imports
from mxtorch.port.lowering import Lowered
from mxtorch.port.names import PACKAGES
from mxtorch.port.outcome import Counts, MakeCarrier
from mxtorch.port.outside import Outside
from mxtorch.port.pace import collector_at_rest
from mxtorch.port.statements import port_statements
from mxtorch.port.unclear import note_unclear
from mxtorch.report.finding import Finding

_WORD = re.compile(r"\w+")


class Unportable(ValueError):
    """A program that parses, and of which the port makes nothing that does."""


@dataclass(frozen=True)
class Ported:
    """A ported text, what there is to say, and how the uses of MXNet came out."""

    text: str
    findings: list[Finding]
    counts: Counts


def port_text(
    text: str,
    path: str = "<text>",
    facts: FileFacts | None = None,
    carrier: MakeCarrier | None = None,
    outside: Outside | None = None,
) -> Ported:
    """The text in PyTorch; one that does not use MXNet comes back as it is.

    `outside`: what other files of its tree say of it. Raises SyntaxError if it is not Python,
    Unportable if what it becomes is not.
    """
    if not any(package in text for package in PACKAGES):
        compile(text, path, "exec", dont_inherit=True)
        return Ported(text, [], Counts())
    with collector_at_rest():
        lowered = lowered_text(text)
        port = ported_file(text, path, facts, carrier, lowered, outside)
        result = port.source.result()
    clash = sorted(port.needs & {"torch", "nn", "F"} & port.own_names)
    if clash:
        raise Unportable(f"the program calls something of its own {clash[0]!r}; rename it first")
    try:
        _parsed(_own(port, result))
    except SyntaxError as error:
        raise Unportable(f"what it became does not parse: {error}") from error
    findings = port.findings
    if lowered is not None:
        findings = [replace(f, line=lowered.before(f.line)) for f in findings]
        if lowered.reason:
            message = f"{Code.BY_HAND.text}: the port does not follow {lowered.reason}"
            findings.append(Finding(path, lowered.line, 1, Code.BY_HAND.number, message, True))
    return Ported(result, sorted(findings), port.counts)


def lowered_text(text: str) -> Lowered | None:
    """The text after the first passes; None if they change nothing."""
    whole: Lowered | None = None
    for lower in (custom_ops.lower, symbols.lower):
        found = lower(text if whole is None else whole.text)
        if found is not None and whole is not None:
            found = found.after(whole)
        whole = found or whole
    return whole


def ported_file(
    text: str,
    path: str,
    facts: FileFacts | None = None,
    carrier: MakeCarrier | None = None,
    lowered: Lowered | None = None,
    outside: Outside | None = None,
) -> FilePort:
    """A file with everything ported, its text not yet put together.

    `lowered`: its text after the first pass, where that changed something. Raises SyntaxError if
    it is not Python.
    """
    if lowered is not None:
        text = lowered.text
        facts = None if facts is None else facts.moved(lowered.moves())
    port = _ported(text, path, frozenset(), facts, carrier, outside)
    left = _still_named(port)
    # names used by a pattern, a `del` or the like, which no rule sees, keep their import
    return _ported(text, path, left, facts, carrier, outside) if left else port


def _ported(
    text: str,
    path: str,
    roots: frozenset[str],
    facts: FileFacts | None,
    carrier: MakeCarrier | None,
    outside: Outside | None,
) -> FilePort:
    port = FilePort(text, path, facts, carrier, outside)
    port.roots |= roots
    port_statements(port)
    port_gradients(port)
    note_unclear(port)
    port_imports(port)
    for name in sorted(roots):
        node = next(n for n in port.nodes if isinstance(n, (ast.Import, ast.ImportFrom)))
        port.note(node, Code.BY_HAND, f"{name} is still used")
    port_comments(port)
    return port


def _own(port: FilePort, result: str) -> str:
    """A result without its helpers, whose text is known."""
    return result.replace(port.block, "", 1) if port.block else result


@lru_cache(2)
def _parsed(text: str) -> ast.Module:
    """The tree of a result, which is looked at twice and not changed."""
    return ast.parse(text)


def _still_named(port: FilePort) -> frozenset[str]:
    """Names of MXNet's that the result uses and no longer imports."""
    result = _own(port, port.source.result())
    gone = (imported(port) - port.own_names) | port.aliases
    wanted = gone - port.needs - set(port.helpers.values())
    wanted &= set(_WORD.findall(result))
    if not wanted:
        return frozenset()
    try:
        tree = _parsed(result)
    except SyntaxError:
        return frozenset()
    used: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound.update((a.asname or a.name).partition(".")[0] for a in node.names)
    return frozenset((used & wanted) - bound)
