"""Expressions as text whose lines are not too long."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

WIDTH = 98
STEP = " " * 4
_DIVIDED = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant, ast.JoinedStr)
_BRACKETS = {ast.List: "[]", ast.Tuple: "()", ast.Set: "{}"}


def flat(node: ast.AST) -> str:
    """The text in one line."""
    return ast.unparse(ast.fix_missing_locations(node))


def _bare(generator: ast.GeneratorExp) -> ast.Name:
    """A generator that is the one argument of a call, which needs no brackets of its own."""
    name = ast.Name(flat(generator)[1:-1], ast.Load())
    name.generator = generator  # type: ignore[attr-defined]
    return name


class WithoutBrackets(ast.NodeTransformer):
    """`any((x for x in y))`, as Python prints it, to `any(x for x in y)`."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.GeneratorExp):
            return ast.Call(node.func, [_bare(node.args[0])], [])
        return node


def expression(
    node: ast.expr, indent: str, before: str = "", after: str = "", bound: bool = False
) -> list[str]:
    """The lines of an expression between what stands before and after it.

    `bound`: it is an operand, and needs brackets there.
    """
    text = f"({flat(node)})" if bound else flat(node)
    if len(indent) + len(before) + len(text) + len(after) <= WIDTH:
        return [f"{indent}{before}{text}{after}"]
    found = [] if bound and isinstance(node, ast.Lambda) else _broken(node, indent, before, after)
    return found or [f"{indent}{before}{text}{after}"]


def _broken(node: ast.expr, indent: str, before: str, after: str) -> list[str]:
    """The same over several lines; nothing if it cannot be divided."""
    if isinstance(node, ast.Call):
        return _call(node, indent, before, after)
    if isinstance(node, tuple(_BRACKETS)) and node.elts:  # type: ignore[attr-defined]
        opening, closing = tuple(_BRACKETS[type(node)])
        parts = _fill(node.elts, indent + STEP)  # type: ignore[attr-defined]
        return [f"{indent}{before}{opening}", *parts, f"{indent}{closing}{after}"]
    if isinstance(node, ast.Dict) and node.keys:
        return _dict(node, indent, before, after)
    if isinstance(node, ast.Subscript):
        return _owner(node.value, node, indent, before, after)
    if isinstance(node, ast.Attribute):
        return _owner(node.value, node, indent, before, after)
    if isinstance(node, ast.Starred):
        return expression(node.value, indent, f"{before}*", after)
    if isinstance(node, ast.Lambda):
        head = flat(ast.Lambda(node.args, ast.Name("x", ast.Load()))).removesuffix("x")
        return expression(node.body, indent, before + head, after)
    if isinstance(
        node, (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant, ast.JoinedStr)
    ):
        parts = _operands(node, indent + STEP)
        return [f"{indent}{before}(", *parts, f"{indent}){after}"] if parts else []
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        opening, closing = flat(node)[0], flat(node)[-1]
        parts = _comprehension(node, indent + STEP)
        return [f"{indent}{before}{opening}", *parts, f"{indent}{closing}{after}"]
    return []


def _owner(part: ast.expr, whole: ast.expr, indent: str, before: str, after: str) -> list[str]:
    """An expression whose beginning is the long part: `call(...).shape[0]`."""
    text, bound = flat(part), False
    if not flat(whole).startswith(text):
        text, bound = f"({text})", True
    return expression(part, indent, before, flat(whole).removeprefix(text) + after, bound)


def _call(node: ast.Call, indent: str, before: str, after: str) -> list[str]:
    function, whole = flat(node.func), flat(node)
    empty = not node.args and not node.keywords
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        owner, bound = flat(node.func.value), not whole.startswith(flat(node.func.value))
        rest = whole.removeprefix(f"({owner})" if bound else owner) + after
        too_long = len(indent + before + function) >= WIDTH
        if (empty or too_long) and len(indent + rest) < WIDTH:
            return expression(node.func.value, indent, before, rest, bound)
    if empty or not whole.startswith(f"{function}("):
        return []
    parts = _arguments(node, indent + STEP)
    return [f"{indent}{before}{function}(", *parts, f"{indent}){after}"]


def _arguments(node: ast.Call, indent: str) -> list[str]:
    if len(node.args) == 1 and hasattr(node.args[0], "generator"):
        return _comprehension(node.args[0].generator, indent)
    texts = [flat(a) for a in node.args] + [_keyword(k) for k in node.keywords]
    short = not any(isinstance(a, ast.Call) for a in node.args)
    together = indent + ", ".join(texts)
    if short and len(together) <= WIDTH:
        return [together]
    lines: list[str] = []
    for argument in node.args:
        lines += expression(argument, indent, "", ",")
    for keyword in node.keywords:
        before = f"{keyword.arg}=" if keyword.arg else "**"
        lines += expression(keyword.value, indent, before, ",")
    return lines


def _keyword(keyword: ast.keyword) -> str:
    return f"{keyword.arg}={flat(keyword.value)}" if keyword.arg else f"**{flat(keyword.value)}"


def _fill(parts: Sequence[ast.expr], indent: str) -> list[str]:
    """As many elements in a line as it takes."""
    lines, line = [], indent
    for part in parts:
        text = flat(part)
        if line != indent and len(line) + len(text) + 1 > WIDTH:
            lines.append(line.rstrip())
            line = indent
        if len(indent) + len(text) + 1 > WIDTH:
            lines += expression(part, indent, "", ",")
            continue
        line += f"{text}, "
    return [*lines, *([line.rstrip()] if line != indent else [])]


def _dict(node: ast.Dict, indent: str, before: str, after: str) -> list[str]:
    lines = [f"{indent}{before}{{"]
    for key, value in zip(node.keys, node.values, strict=True):
        lines += expression(value, indent + STEP, "**" if key is None else f"{flat(key)}: ", ",")
    return [*lines, f"{indent}}}{after}"]


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, indent: str) -> list[str]:
    lines = expression(node.elt, indent)
    for part in node.generators:
        lines += expression(part.iter, indent, f"for {target(part.target)} in ")
        for condition in part.ifs:
            lines += expression(condition, indent, "if ")
    return lines


def _operands(node: ast.expr, indent: str) -> list[str]:
    """The parts of an expression in brackets, a line or more each, operators first."""
    if isinstance(node, ast.BinOp):
        sign = flat(ast.BinOp(_X, node.op, _X)).split()[1]
        left = _operand(node.left, lambda x: ast.BinOp(x, node.op, _X), indent)
        return left + _operand(node.right, lambda x: ast.BinOp(_X, node.op, x), indent, sign)
    if isinstance(node, ast.BoolOp):
        sign, lines = "", []
        for value in node.values:
            lines += _operand(value, lambda x: ast.BoolOp(node.op, [x, _X]), indent, sign)
            sign = "and" if isinstance(node.op, ast.And) else "or"
        return lines
    if isinstance(node, ast.Compare):
        lines = _operand(node.left, lambda x: ast.Compare(x, [ast.Eq()], [_X]), indent)
        for op, value in zip(node.ops, node.comparators, strict=True):
            sign = flat(ast.Compare(_X, [op], [_X]))[2:-2]
            lines += _operand(value, lambda x: ast.Compare(_X, [ast.Eq()], [x]), indent, sign)
        return lines
    if isinstance(node, ast.IfExp):
        lines = _operand(node.body, lambda x: ast.IfExp(_X, x, _X), indent)
        lines += _operand(node.test, lambda x: ast.IfExp(x, _X, _X), indent, "if")
        return [*lines, *expression(node.orelse, indent, "else ")]
    return _pieces(node, indent)


_X = ast.Name("x", ast.Load())
_BINDS = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp, ast.NamedExpr)


def _operand(
    node: ast.expr, place: Callable[[ast.expr], ast.expr], indent: str, sign: str = ""
) -> list[str]:
    """The lines of an operand, in brackets where its place wants them."""
    bound = isinstance(node, _BINDS) and f"({flat(node)})" in flat(place(node))
    return expression(node, indent, f"{sign} " if sign else "", bound=bound)


def _pieces(node: ast.expr, indent: str) -> list[str]:
    """A long text as several, which Python joins."""
    width = WIDTH - len(indent)
    values = node.values if isinstance(node, ast.JoinedStr) else [node]
    words: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            words += [ast.Constant(part) for part in re.findall(r"\s*\S+\s*|\s+", value.value)]
        else:
            words.append(value)
    if len(words) < 2:
        return []
    lines: list[str] = []
    held: list[ast.expr] = []
    for word in words:
        if held and len(_text([*held, word])) > width:
            lines.append(indent + _text(held))
            held = []
        held.append(word)
    return [*lines, indent + _text(held)]


def _text(parts: Sequence[ast.expr]) -> str:
    if all(isinstance(part, ast.Constant) for part in parts):
        return flat(ast.Constant("".join(part.value for part in parts)))  # type: ignore[attr-defined]
    return flat(ast.JoinedStr(list(parts)))


def target(node: ast.expr) -> str:
    """What is assigned to: `a, b` without brackets."""
    text = flat(node)
    return text[1:-1] if isinstance(node, ast.Tuple) and text.startswith("(") else text
