"""Symbol-building code as Gluon blocks, which the rules then port: the first pass over a file.

A function that gives a symbol becomes a block whose constructor makes the layers and whose
`hybrid_forward` has the function's statements; so do the statements of a scope that build one.
What a graph ends with (`SoftmaxOutput`) is kept as `heads` of the block.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from mxtorch.port import names, symbol_cells
from mxtorch.port.edits import Source, children
from mxtorch.port.flow import Flow
from mxtorch.port.lowering import Lowered, rewritten, root_of
from mxtorch.port.symbol_classes import Builder

_SYMBOLS = ("mx.sym.",)
_VARIABLE = "mx.sym.var"
_NO_SYMBOLS = ("mx.sym.load", "mx.sym.load_json", "mx.sym.fromjson")
# Methods of a symbol that give something else.
_ASKED = frozenset([
    "list_arguments", "list_outputs", "list_auxiliary_states", "list_inputs", "list_attr",
    "attr_dict", "attr", "infer_shape", "infer_shape_partial", "infer_type", "save", "tojson",
    "debug_str", "bind", "simple_bind", "eval",
])  # fmt: skip
Scope = ast.Module | ast.FunctionDef


def lower(text: str) -> Lowered | None:
    """The text with its symbols as blocks; None if it has none or they cannot be told.

    Raises SyntaxError if it is not Python.
    """
    if "sym" not in text or not any(package in text for package in names.PACKAGES):
        return None
    found = Symbols(ast.parse(text), text)
    first = None
    if inline := found.inline():
        first = rewritten(text, lambda: found.named(inline))
        text = first.text
        found = Symbols(ast.parse(text), text)
    if not found.scopes():
        return first
    second = rewritten(text, found.write)
    return second if first is None else second.after(first)


@dataclass
class ScopeFacts:
    """A scope: the names in it that stand for symbols, and what it gives back."""

    node: Scope
    symbols: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    gives: bool = False

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that a function binds."""
        node = self.node
        if not isinstance(node, ast.FunctionDef):
            return frozenset()
        given = {a.arg for a in (*node.args.args, *node.args.kwonlyargs)}
        names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
        return frozenset(given | {n.id for n in names if isinstance(n.ctx, ast.Store)})


class Symbols:
    """The symbols of one file."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self.tree, self.source = tree, Source(text)
        self.flow = Flow(tree)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = [tree]
        for node in self.nodes:
            for child in children(node):
                self.parents[child] = node
                self.nodes.append(child)
        functions = [n for n in self.nodes if isinstance(n, ast.FunctionDef)]
        scopes: list[Scope] = [tree, *functions]
        self.known = {n: ScopeFacts(n) for n in scopes}
        self.functions = {f.name: self.known[f] for f in functions}
        # where functions are given that make a net for each bucket
        self.generators = {
            node: name
            for node, name in symbol_cells.generators(self.flow, self.nodes).items()
            if name in self.functions
        }
        self._settle()

    # what is a symbol ----------------------------------------------------------------------------

    def operator(self, node: ast.AST) -> str:
        """The name of the function of `mx.sym` that a call calls; empty for others."""
        if not isinstance(node, ast.Call):
            return ""
        value = self.flow.value(node.func)
        if value.kind != "member":
            return ""
        name = names.canonical(value.name)
        ours = name.startswith(_SYMBOLS) and name not in _NO_SYMBOLS
        return name.removeprefix("mx.sym.") if ours else ""

    def scope_of(self, node: ast.AST) -> ScopeFacts:
        """The function around a node, or the module."""
        while True:
            node = self.parents[node]
            if isinstance(node, (ast.FunctionDef, ast.Module)):
                return self.known[node]

    def called(self, node: ast.AST) -> ScopeFacts | None:
        """The function of the file that gives a symbol and that a call calls."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = self.functions.get(node.func.id)
            is_it = self.flow.value(node.func).kind == "function"
            return found if found is not None and found.gives and is_it else None
        return None

    def is_symbol(self, node: ast.AST | None, scope: ScopeFacts) -> bool:
        """Whether an expression is a symbol, or a list of some."""
        if isinstance(node, ast.Name):
            return node.id in scope.symbols
        if isinstance(node, ast.Call):
            if self.operator(node) or self.called(node) is not None:
                return True
            function = node.func
            if symbol_cells.gives_symbol(self.flow, node):
                return True
            if not isinstance(function, ast.Attribute) or function.attr in _ASKED:
                return False
            return self.is_symbol(function.value, scope)
        if isinstance(node, ast.BinOp):
            return self.is_symbol(node.left, scope) or self.is_symbol(node.right, scope)
        if isinstance(node, ast.UnaryOp):
            return self.is_symbol(node.operand, scope)
        if isinstance(node, ast.Subscript):
            return self.is_symbol(node.value, scope)
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(self.is_symbol(e, scope) for e in node.elts)
        if isinstance(node, ast.IfExp):
            return self.is_symbol(node.body, scope) or self.is_symbol(node.orelse, scope)
        return False

    def _settle(self) -> None:
        before = -1
        while (size := self._size()) != before:
            before = size
            for node in self.nodes:
                if isinstance(node, (ast.Assign, ast.AugAssign)):
                    self._assigned(node)
                elif isinstance(node, ast.Return):
                    scope = self.scope_of(node)
                    scope.gives |= self.is_symbol(node.value, scope)
                elif isinstance(node, ast.Call):
                    self._passed(node)

    def _size(self) -> int:
        return sum(len(s.symbols) + s.gives for s in self.known.values())

    def _assigned(self, node: ast.Assign | ast.AugAssign) -> None:
        scope = self.scope_of(node)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if self.is_symbol(node.value, scope):
            scope.symbols |= {
                n.id
                for t in targets
                for n in ast.walk(t)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }

    def _passed(self, node: ast.Call) -> None:
        """A symbol that is handed to a function of the file is one of its parameters."""
        scope = self.scope_of(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.functions:
            return
        function = self.functions[node.func.id]
        order = [a.arg for a in function.node.args.args]  # type: ignore[union-attr]
        pairs = list(zip(order, node.args, strict=False))
        pairs += [(k.arg, k.value) for k in node.keywords if k.arg in order]
        for name, argument in pairs:
            if self.is_symbol(argument, scope):
                function.symbols.add(name)
                function.parameters.add(name)

    # symbols without a name ----------------------------------------------------------------------

    def inline(self) -> list[tuple[ast.stmt, ast.expr]]:
        """Symbols that are built where they are given to something else, with their statements."""
        found: list[tuple[ast.stmt, ast.expr]] = []
        for node in self.nodes:
            if not isinstance(node, ast.expr) or not self.operator(node):
                continue
            call = self.parents[node]
            call = self.parents[call] if isinstance(call, ast.keyword) else call
            statement = self.parents.get(call)
            if not isinstance(call, ast.Call) or not self._is_other(call):
                continue
            if isinstance(statement, (ast.Assign, ast.Expr, ast.Return)):
                found.append((statement, node))
        return found

    def _is_other(self, call: ast.Call) -> bool:
        """Whether a call is none that makes a symbol, or asks one."""
        if self.is_symbol(call, self.scope_of(call)):
            return False
        function = call.func
        if isinstance(function, ast.Name):
            return function.id not in self.functions
        return not self.is_symbol(function.value, self.scope_of(call))  # type: ignore[attr-defined]

    def named(self, inline: list[tuple[ast.stmt, ast.expr]]) -> str:
        """The text in which such symbols have names."""
        taken = {n.id for n in self.nodes if isinstance(n, ast.Name)}
        for statement, node in inline:
            name = next(n for i in count() if (n := f"network{i or ''}") not in taken)
            taken.add(name)
            self.source.insert_before(statement, f"{name} = {self.source.of(node)}")
            self.source.replace(*self.source.span(node), name)
        return self.source.result()

    # scopes --------------------------------------------------------------------------------------

    def scopes(self) -> list[ScopeFacts]:
        """The scopes that build symbols."""
        return [s for s in self.known.values() if s.symbols or s.gives]

    def write(self) -> str:
        """The text with blocks; raises Unclear where a symbol does not show how it is built."""
        builder = Builder(self, root_of(self.nodes, self.source))
        for scope in self.scopes():
            if isinstance(scope.node, ast.FunctionDef) and scope.gives:
                builder.function(scope)
            else:
                builder.stretch(scope)
        builder.finish()
        return self.source.result()
