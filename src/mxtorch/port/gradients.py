"""Gradients of plain arrays: written anew by each backward in MXNet, added up in torch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mxtorch.port.codes import Code
from mxtorch.port.engine import FilePort

_SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)


def port_gradients(port: FilePort) -> None:
    """Forget old gradients before each backward that may run again; write without recording."""
    attached = list(_calls(port, "attach_grad"))
    if not attached:
        return
    seen: set[str] = set()
    for call in attached:
        array = port.source.of(call.func.value)  # type: ignore[attr-defined]
        if array in seen and not _rebound(port, array, call):  # a new buffer, of zeros
            port.source.insert_after(_statement(port, call), f"{array}.grad = None")
        seen.add(array)
    for call in _calls(port, "backward"):
        if call not in port.renamed and _repeats(port, call, len(attached)):
            _forget(port, call, attached)
    for node in port.of(ast.Assign, ast.AugAssign):
        if not _writes(port, node):
            continue
        if not port.switches_gradients and not _within(port, node, "mx.autograd.record"):
            _without_grad(port, node)


def _calls(port: FilePort, method: str) -> Iterator[ast.Call]:
    for node in port.of(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr != method:
            continue
        if port.flow.value(node.func.value).kind in ("array", "unknown"):
            yield node


def _statement(port: FilePort, node: ast.AST) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = port.parents[node]
    return node


def _scope(port: FilePort, node: ast.AST) -> ast.AST:
    while not isinstance(node, _SCOPES):
        node = port.parents[node]
    return node


def _repeats(port: FilePort, call: ast.Call, attached: int) -> bool:
    """Whether the backward is in a loop or a function, or not the first of the file."""
    node: ast.AST = call
    while not isinstance(node, ast.Module):
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            return True
        node = port.parents[node]
    return next(_calls(port, "backward")) is not call


def _forget(port: FilePort, call: ast.Call, attached: list[ast.Call]) -> None:
    statement = _statement(port, call)
    scopes = (_scope(port, call), port.tree)
    lines: list[str] = []
    used = None if _loops(port, call) else _since_last(port, call)
    for one in _in_force(port, call, attached):
        assert isinstance(one.func, ast.Attribute)
        if _scope(port, one) not in scopes:
            continue
        if used is not None and not _is_old(port, one, used):
            lines.append("")
            continue
        if _adds(one):
            lines.append("")
            continue
        array = port.source.of(one.func.value)
        loop = port.parents.get(_statement(port, one))
        around = isinstance(loop, ast.For) and any(n is call for n in ast.walk(loop))
        if isinstance(loop, ast.For) and not around:
            target, over = port.source.of(loop.target), port.source.of(loop.iter)
            lines += [f"for {target} in {over}:", f"    {array}.grad = None"]
        else:
            lines.append(f"{array}.grad = None")
    if not lines:
        lines = _of_readers(port, call)
    if not lines:
        port.note(call, Code.GRADIENT)
    for line in dict.fromkeys(filter(None, lines)):
        port.source.insert_before(statement, line)


def _loops(port: FilePort, node: ast.AST) -> bool:
    while not isinstance(node, ast.Module):
        if isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            return True
        node = port.parents[node]
    return False


def _since_last(port: FilePort, call: ast.Call) -> list[ast.AST]:
    """What stands between a backward and the one before it."""
    before = [c.lineno for c in _calls(port, "backward") if c.lineno < call.lineno]
    first = max(before, default=0)
    return [n for n in port.nodes if first < getattr(n, "lineno", 0) <= call.lineno]


def _is_old(port: FilePort, one: ast.Call, used: list[ast.AST]) -> bool:
    """Whether an array is used there that was attached, and had gradients, before."""
    assert isinstance(one.func, ast.Attribute)
    names = {n.id for n in ast.walk(one.func.value) if isinstance(n, ast.Name)}
    over = port.parents.get(_statement(port, one))
    if isinstance(over, ast.For):
        names = {n.id for n in ast.walk(over.iter) if isinstance(n, ast.Name)}
    found = any(isinstance(n, ast.Name) and n.id in names for n in used)
    return found and one not in used


def _rebound(port: FilePort, array: str, call: ast.Call) -> bool:
    """Whether the name got another array since it was attached before."""
    before = [
        c.lineno
        for c in _calls(port, "attach_grad")
        if c.lineno < call.lineno and port.source.of(c.func.value) == array  # type: ignore[attr-defined]
    ]
    return any(
        isinstance(n, ast.Assign)
        and max(before, default=0) < n.lineno < call.lineno
        and any(port.source.of(t) == array for t in n.targets)
        for n in port.nodes
    )


def _of_readers(port: FilePort, call: ast.Call) -> list[str]:
    """The arrays whose gradients the function around a backward reads, in its loops."""
    scope = _scope(port, call)
    lines: list[str] = []
    for node in ast.walk(scope):
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
            continue
        if _scope(port, node) is scope and _reads_grad(node, node.target.id):
            over = port.source.of(node.iter)
            lines += [f"for {node.target.id} in {over}:", f"    {node.target.id}.grad = None"]
    return lines


def _reads_grad(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(n, ast.Attribute)
        and n.attr == "grad"
        and isinstance(n.value, ast.Name)
        and n.value.id == name
        for n in ast.walk(node)
    )


def _in_force(port: FilePort, call: ast.Call, attached: list[ast.Call]) -> list[ast.Call]:
    """Of several for one array the last one before the backward."""
    last: dict[str, ast.Call] = {}
    for one in sorted(attached, key=lambda c: c.lineno):
        array = port.source.of(one.func.value)  # type: ignore[attr-defined]
        if array not in last or one.lineno < call.lineno:
            last[array] = one
    return list(last.values())


def _adds(call: ast.Call) -> bool:
    """Whether it asks for gradients that add up, as torch's do."""
    values = [*call.args, *(k.value for k in call.keywords if k.arg == "grad_req")]
    return any(isinstance(v, ast.Constant) and v.value == "add" for v in values)


def _writes(port: FilePort, node: ast.Assign | ast.AugAssign) -> bool:
    """Whether a statement writes into an array: `x[…] = …`, `x -= …`."""
    if isinstance(node, ast.AugAssign):
        return port.flow.value(node.target).kind == "array"
    return any(
        isinstance(t, ast.Subscript) and port.flow.value(t.value).kind == "array"
        for t in node.targets
    )


def _within(port: FilePort, node: ast.AST, scope: str) -> bool:
    while not isinstance(node, _SCOPES):
        node = port.parents[node]
        if isinstance(node, ast.With):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and port.flow.value(call.func).name == scope:
                    return True
    return False


def _without_grad(port: FilePort, node: ast.stmt) -> None:
    port.needs.add("torch")
    port.source.insert_before(node, "with torch.no_grad():")
    for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        if line not in port.source.inside:
            start = port.source.starts[line - 1]
            port.source.indents[start] = "    "
