"""What the block of a scope that builds symbols is made of: labels, and the heads at its end."""

from __future__ import annotations

import abc
import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mxtorch.port import symbol_cells as cells
from mxtorch.port.lowering import Unclear
from mxtorch.port.symbol_layers import HEADS

if TYPE_CHECKING:
    from mxtorch.port.symbols import ScopeFacts, Symbols


@dataclass
class Plain:
    """A statement of the program's own, which the constructor may need."""

    node: ast.stmt
    targets: frozenset[str]
    depth: int


@dataclass
class Block:
    """What a scope's block is made of."""

    scope: ScopeFacts
    parameters: list[str]
    # variables of the graph, by the names that the program gives them
    inputs: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    init: list[tuple[int, str] | Plain] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    heads: list[str] = field(default_factory=list)
    # attributes that the loop around goes through
    loop: list[tuple[str, str]] | None = None
    # attributes whose layers `forward` takes one after the other, as the constructor made them
    turns: list[tuple[str, str]] = field(default_factory=list)
    in_turn: bool = False
    depth: int = 0
    kept: set[str] = field(default_factory=set)
    # the parameters that `forward` takes: the key of a bucket
    keys: list[str] = field(default_factory=list)
    # what the names of a bucket's data and labels are
    names: tuple[str, ...] = ()
    # cells that the block keeps, by the names that the program gives them
    cells: dict[str, None] = field(default_factory=dict)


class Heads(abc.ABC):
    """The labels and heads of a block; the rest of a builder is in `symbol_classes`."""

    def __init__(self, symbols: Symbols, root: str) -> None:
        self.symbols, self.root = symbols, root
        self.source = symbols.source
        self.handled: set[ast.AST] = set()
        self.block: Block

    @abc.abstractmethod
    def _of(self, node: ast.AST) -> str: ...

    def _unclear(self, node: ast.AST, reason: str) -> Unclear:
        return Unclear(reason, getattr(node, "lineno", 1))

    @staticmethod
    def _constant(call: ast.Call) -> str | None:
        given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "name")]
        value = given[0].value if given and isinstance(given[0], ast.Constant) else None
        return value if isinstance(value, str) else None

    def _is_label(self, name: str, made: ast.stmt) -> bool:
        """Whether a variable goes into heads alone, as it is or in another shape."""
        scope = self.block.scope.node
        uses = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name]
        loads = [n for n in uses if isinstance(n.ctx, ast.Load)]
        stores = [self.symbols.parents[n] for n in uses if n not in loads]
        again = [s for s in stores if isinstance(s, ast.Assign) and self._reshaped(s.value) == name]
        return (
            bool(loads)
            and all(self._labels(n) or self._is_reshaped(n) for n in loads)
            and len(stores) == 1 + len(again)
        )

    def _is_label_again(self, node: ast.Assign) -> bool:
        """`label = mx.sym.Reshape(label, shape=(-1,))`: heads take labels in any shape."""
        name = self._reshaped(node.value)
        if name not in self.block.labels or self.source.of(node.targets[0]) != name:
            return False
        self.handled.add(node.value)
        return True

    def _reshaped(self, node: ast.AST) -> str:
        """The name of what a call reshapes; empty for any other expression."""
        if not isinstance(node, ast.Call):
            return ""
        found = cells.before_reshape(self.symbols.operator(node), node)
        return found.id if isinstance(found, ast.Name) else ""

    def _is_reshaped(self, node: ast.AST) -> bool:
        """Whether an expression is what a reshape is of, whose result is a label or its name."""
        call = self.symbols.parents[node]
        call = (
            self.symbols.parents[call] if isinstance(call, (ast.keyword, ast.Attribute)) else call
        )
        if not isinstance(call, ast.Call) or self._reshaped(call) != getattr(node, "id", None):
            return False
        outer = self.symbols.parents[call]
        same = isinstance(outer, ast.Assign) and self.source.of(outer.targets[0])
        return same == getattr(node, "id", None) or self._labels(call)

    def _labels(self, node: ast.AST) -> bool:
        parent = self.symbols.parents[node]
        call = self.symbols.parents[parent] if isinstance(parent, ast.keyword) else parent
        operator = self.symbols.operator(call)
        if len(HEADS.get(operator, ())) < 2:
            return False
        assert isinstance(call, ast.Call)
        if isinstance(parent, ast.keyword):
            return parent.arg == "label"
        return node in call.args[1:2]

    def _ending(self, operator: str, node: ast.Call) -> str:
        """A head: the net gives what goes into it; the rest is a head of the class."""
        names = HEADS[operator]
        given = dict(zip(names, node.args, strict=False))
        given |= {k.arg: k.value for k in node.keywords if k.arg}
        data, label, name = (
            given.pop("data", None),
            given.pop("label", None),
            given.pop("name", None),
        )
        if data is None or self.block.loop is not None:
            raise self._unclear(node, f"mx.sym.{operator} in a loop")
        texts = [f"{k}={self.source.of(v)}" for k, v in given.items()]
        if len(names) > 1:
            base = self._text_of(name) or f"{operator.lower()}0"
            if label is not None and self._reshaped(label):
                assert isinstance(label, ast.Call)
                self.handled.add(label)
                label = cells.before_reshape(self.symbols.operator(label), label)
            wanted = f"{base}_label"
            if isinstance(label, ast.Name):
                wanted = self.block.labels.get(label.id, "")
            elif label is not None:
                wanted = self._constant(label) if isinstance(label, ast.Call) else None  # type: ignore[assignment]
                self.handled.add(label)
            if not wanted:
                raise self._unclear(node, "a label that is computed")
            texts.insert(0, f'label="{wanted}"')
        self.block.heads.append(f"{self.root}.sym.{operator}({', '.join(texts)})")
        return self._of(data)

    @staticmethod
    def _text_of(node: ast.AST | None) -> str:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return str(node.value) if is_text else ""  # type: ignore[union-attr]
