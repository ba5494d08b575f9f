"""A rule of the port: what is matched, what it becomes, and its pair of examples."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mxtorch.port.engine import Match

# What a rule's function gives: the new text, or None where it does not apply.
Writer = Callable[["Match"], "str | None"]
_HOLE = re.compile(r"\{(\w+)\}")
_MARK = "hole_{}_"


@dataclass(frozen=True)
class Rule:
    """One entry: a pattern of MXNet and what a PyTorch user writes instead.

    `on` says what is matched: `call NAME`, `method CLASS.NAME`, `attr CLASS.NAME`, `name NAME`
    (a class or function that is not called), `with NAME`; CLASS is `array` or a dotted name.
    `to` is a template whose {holes} are arguments (a keyword whose hole is not given is left out),
    or a function. `note` says what a reader should know; a rule with one is "equivalent", without
    "exact". The pair is documentation and test.
    """

    name: str
    on: str
    to: str | tuple[str, ...] | Writer
    before: str
    after: str
    note: str = ""
    # arguments of MXNet's that have no counterpart and change nothing
    drop: tuple[str, ...] = ()
    # modules that the result uses: 'torch', 'nn', 'F', 'math', 'numpy'
    needs: tuple[str, ...] = ("torch",)
    # the signature, where mxtorch's own is not the one to bind by
    params: str | None = None
    # torch's function, where MXNet's is handed on uncalled
    function: str = ""

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """The templates, the first that fits is taken."""
        if callable(self.to):
            return ()
        texts = (self.to,) if isinstance(self.to, str) else self.to
        return tuple(Template(text) for text in texts)


class Template:
    """An expression with holes, parsed once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.holes = tuple(dict.fromkeys(_HOLE.findall(text)))
        self.marked = _HOLE.sub(lambda m: _MARK.format(m.group(1)), text)
        self.tree = ast.parse(self.marked, mode="eval").body
        self._pieces: dict[frozenset[str], list[str | _Hole]] = {}

    def fits(self, given: Mapping[str, Any], drop: tuple[str, ...]) -> bool:
        """Whether it says all that the call gives, and no hole that must be there is missing."""
        if set(given) - set(self.holes) - set(drop):
            return False
        return all(hole in given for hole in self.holes if hole not in self._optional)

    @cached_property
    def _optional(self) -> frozenset[str]:
        """Holes that stand alone as an argument by keyword."""
        alone = [
            node.value.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.keyword) and isinstance(node.value, ast.Name)
        ]
        return frozenset(h for h in self.holes if _MARK.format(h) in alone)

    def fill(self, texts: Mapping[str, str]) -> str:
        """The expression with the holes filled; arguments without a text are left out."""
        present = frozenset(texts).intersection(self.holes)
        if present not in self._pieces:
            self._pieces[present] = self._split(present)
        return "".join(
            piece if isinstance(piece, str) else piece.fill(texts)
            for piece in self._pieces[present]
        )

    def _split(self, present: frozenset[str]) -> list[str | _Hole]:
        """The text in pieces, without the arguments that are not given."""
        marks = {_MARK.format(h): h for h in self.holes}
        absent = {mark for mark, hole in marks.items() if hole not in present}
        tree = _Without(absent).visit(ast.parse(self.marked, mode="eval").body)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        wrapped = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and needs_atom(parents.get(node), node)
        }
        longest = sorted(marks, key=len, reverse=True)  # one may begin as another is called
        parts = re.split(f"({'|'.join(longest)})" if marks else "$^", ast.unparse(tree))
        return [_Hole(marks[p], p in wrapped) if p in marks else p for p in parts if p]


@dataclass(frozen=True)
class _Hole:
    name: str
    wrapped: bool

    def fill(self, texts: Mapping[str, str]) -> str:
        text = texts[self.name]
        return parenthesized(text) if self.wrapped else text


class _Without(ast.NodeTransformer):
    def __init__(self, absent: set[str]) -> None:
        self.absent = absent

    def visit_Call(self, node: ast.Call) -> ast.Call:
        node.keywords = [
            k
            for k in node.keywords
            if not (isinstance(k.value, ast.Name) and k.value.id in self.absent)
        ]
        self.generic_visit(node)
        return node


def needs_atom(parent: ast.AST | None, node: ast.AST) -> bool:
    """Whether a node stands where only a name, a call or the like may stand without brackets."""
    if isinstance(parent, (ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)):
        return True
    if isinstance(parent, (ast.Subscript, ast.Call, ast.Starred, ast.Await)):
        return getattr(parent, "value", None) is node or getattr(parent, "func", None) is node
    return isinstance(parent, ast.IfExp)


def parse(text: str) -> ast.expr:
    """The syntax tree of an expression that may go over several lines."""
    return ast.parse(f"({text}\n)", mode="eval").body


_ATOMS = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict, ast.Set,
    ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr,
)  # fmt: skip


@lru_cache(4096)
def parenthesized(text: str) -> str:
    """The text, in brackets if it is more than a name, a call or the like."""
    if text.isidentifier():
        return text
    tree = parse(text)
    if isinstance(tree, _ATOMS):
        number = isinstance(tree, ast.Constant) and isinstance(tree.value, (int, float))
        return f"({text})" if number and not text.startswith("(") else text
    if isinstance(tree, ast.Tuple) and text.startswith("(") and text.endswith(")"):
        return text
    return f"({text})"


def operand(text: str) -> str:
    """The text, in brackets if it is more than a number, a name, a call or the like."""
    return text if isinstance(parse(text), ast.Constant) else parenthesized(text)


class NotGiven(KeyError):
    """A call does not give, by a name that can be told, what a rule asks for."""


class Given(dict[str, ast.expr]):
    """A call's arguments by name."""

    def __missing__(self, name: str) -> ast.expr:
        raise NotGiven(name)


@dataclass
class Registry:
    """The rules by what they match; two for one pattern are tried in order."""

    rules: list[Rule] = field(default_factory=list)
    by_key: dict[str, list[Rule]] = field(default_factory=dict)

    def add(self, *rules: Rule) -> None:
        """Enter rules; names are unique."""
        for rule in rules:
            if any(known.name == rule.name for known in self.rules):
                raise ValueError(f"two rules are called {rule.name!r}")
            self.rules.append(rule)
            self.by_key.setdefault(rule.on, []).append(rule)

    def find(self, key: str) -> list[Rule]:
        """The rules for a pattern."""
        return self.by_key.get(key, [])


REGISTRY = Registry()


def bind(
    signature: inspect.Signature, node: ast.Call, receiver: ast.expr | None = None
) -> dict[str, ast.expr] | None:
    """The call's arguments by name; None if they do not fit or are unpacked from a list."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    ):
        return None
    positional = list(node.args) if receiver is None else [receiver, *node.args]
    try:
        bound = signature.bind(*positional, **{k.arg: k.value for k in node.keywords if k.arg})
    except TypeError:
        return None
    given: dict[str, ast.expr] = {}
    for name, value in bound.arguments.items():
        if isinstance(value, tuple):  # *data
            return None
        if isinstance(value, dict):  # **kwargs
            given.update(value)
        else:
            given[name] = value
    return given
