"""Code whose conditions are known, without the branches that are never taken."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

from mxtorch.convert.syntax import lift

_SIGNS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def is_known(node: ast.expr) -> bool:
    """Whether an expression is a number, a text, None, or a tuple of such."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Tuple):
        return all(is_known(part) for part in node.elts)
    return isinstance(node, ast.Constant)


def value_of(node: ast.expr) -> Any:
    """What an expression that is known stands for."""
    return ast.literal_eval(ast.unparse(node))


class Folding(ast.NodeTransformer):
    """Works out what is known; subclasses make names known."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison of what is known."""
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if not all(is_known(side) for side in sides):
            return node
        values = [value_of(side) for side in sides]
        pairs = zip(node.ops, values[:-1], values[1:], strict=True)
        return lift(all(_SIGNS[type(sign)](a, b) for sign, a, b in pairs))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """`not` of what is known."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and is_known(node.operand):
            return lift(not value_of(node.operand))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A difference of whole numbers, as `1 - axis` is one."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Sub) and is_known(node.left) and is_known(node.right):
            first, second = value_of(node.left), value_of(node.right)
            if type(first) is int and type(second) is int:
                return lift(first - second)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """What a table has for a key that is known."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Dict) and is_known(node.slice):
            wanted = value_of(node.slice)
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if key is not None and is_known(key) and value_of(key) == wanted:
                    return value
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Without the parts that are known, where they decide nothing or all."""
        decides = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for value in node.values:
            part = self.visit(value)
            if is_known(part) and bool(value_of(part)) is not decides:
                last = part
                continue
            kept.append(part)
            if is_known(part):
                break
        if not kept:
            return last
        return kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)

    def _test(self, node: ast.expr) -> ast.expr:
        """A condition: of `a and False` it matters only that it does not hold."""
        return _decided(self.visit(node))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """One side, where it is known which."""
        test = self._test(node.test)
        if is_known(test):
            chosen: ast.expr = self.visit(node.body if value_of(test) else node.orelse)
            return chosen
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_If(self, node: ast.If) -> Any:
        """One side, where it is known which; nothing, where a check was all there was."""
        if not node.orelse and all(isinstance(child, ast.Raise) for child in node.body):
            return None  # a check too
        test = self._test(node.test)
        if is_known(test):
            return self._visit_all(node.body if value_of(test) else node.orelse)
        body, orelse = self._visit_all(node.body), self._visit_all(node.orelse)
        if not body and not orelse:
            return None
        return ast.If(test, body or [ast.Pass()], orelse)

    def visit_Assert(self, node: ast.Assert) -> ast.stmt | None:
        """Nothing, where it is known to hold."""
        self.generic_visit(node)
        return None if is_known(node.test) and value_of(node.test) else node

    def visit_For(self, node: ast.For) -> ast.For | None:
        """Nothing, where checks were all there was."""
        self.generic_visit(node)
        return node if node.body else None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Never without a body, which ends where it returns."""
        self.generic_visit(node)
        node.body = _until_end(node.body) or [ast.Pass()]
        return node

    def _visit_all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            done += found if isinstance(found, list) else [found] if found is not None else []
        return _until_end(done)


def _decided(test: ast.expr) -> ast.expr:
    """A condition, with the parts that are known to hold or not as True or False."""
    if not isinstance(test, ast.BoolOp):
        return test
    decides = isinstance(test.op, ast.Or)
    kept: list[ast.expr] = []
    for part in map(_decided, test.values):
        if not is_known(part):
            kept.append(part)
        elif bool(value_of(part)) is decides:
            called = any(isinstance(inner, ast.Call) for k in kept for inner in ast.walk(k))
            return ast.BoolOp(test.op, [*kept, part]) if called else lift(decides)
    if not kept:
        return lift(not decides)
    return kept[0] if len(kept) == 1 else ast.BoolOp(test.op, kept)


def _until_end(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Those that are run: none after the first that leaves the function."""
    ends = (i for i, s in enumerate(statements, start=1) if isinstance(s, (ast.Return, ast.Raise)))
    return list(statements[: next(ends, len(statements))])
