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
from mxtorch.port.optional import port_answers, port_questions
from mxtorch.port.outcome import NO_WISHES, Counts, Wishes
from mxtorch.port.outside import Outside
from mxtorch.port.pace import collector_at_rest
from mxtorch.port.statements import port_statements
from mxtorch.port.unclear import note_unclear
from mxtorch.report.finding import Finding

_WORD = re.compile(r"\w+")
# What trains a network of symbols.
_MODULES = ("mx.mod.", "mx.model.FeedForward")


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
    wishes: Wishes = NO_WISHES,
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
        port = ported_file(text, path, facts, wishes, lowered, outside)
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
            if port.roots >= imported(port) > set():
                message += "; what the file has of MXNet stays, from mxtorch"
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
    wishes: Wishes = NO_WISHES,
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
        if lowered.reason:
            port = FilePort(text, path, facts, wishes, outside)
            if any(name.startswith(_MODULES) for name in port.members):
                return _kept_whole(port)
    port = _ported(text, path, frozenset(), facts, wishes, outside)
    left = _still_named(port)
    # names used by a pattern, a `del` or the like, which no rule sees, keep their import
    return _ported(text, path, left, facts, wishes, outside) if left else port


def _kept_whole(port: FilePort) -> FilePort:
    """A file whose network is not followed: its Module needs the rest as it is, from mxtorch."""
    port.roots |= imported(port)
    port_imports(port)
    uses = [n for n in port.of(ast.Attribute, ast.Name) if port.flow.value(n).kind == "member"]
    outer = {port.parents.get(node) for node in uses}
    port.counts = Counts(left=sum(node not in outer for node in uses))
    return port


def _ported(
    text: str,
    path: str,
    roots: frozenset[str],
    facts: FileFacts | None,
    wishes: Wishes,
    outside: Outside | None,
) -> FilePort:
    port = FilePort(text, path, facts, wishes, outside)
    port.roots |= roots
    given_up = port_questions(port)
    port_statements(port)
    port_gradients(port)
    port_answers(port, given_up)
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
