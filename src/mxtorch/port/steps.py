"""The training step: MXNet sums a loss by sample and divides in `step`; torch is told the mean."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import FilePort
from mxtorch.port.rule import operand, parenthesized

TRAINER = "mx.gluon.Trainer"


def port_steps(port: FilePort, statements: list[ast.stmt]) -> None:
    """Give each `backward()` before a `step(n)` of this block its division and `zero_grad()`."""
    start = 0
    for position, statement in enumerate(statements):
        call = _method(statement, ("step", "update"))
        if call is None or not _is_trainer(port, call):
            continue
        found = [
            (outer, inner)
            for outer in statements[start:position]
            for inner in _backwards(port, outer)
        ]
        trainer = port.source.of(call.func.value)  # type: ignore[attr-defined]
        size = call.args[0] if call.args else call.keywords[0].value if call.keywords else None
        for _, backward in found:
            _divide(port, backward, size)
        if found:
            port.source.insert_before(found[0][0], f"{trainer}.zero_grad()")
        else:
            port.note(call, Code.STEP, f"{trainer} divides the gradient by its argument")
        port.renamed[call] = f"{trainer}.step()"
        start = position + 1


def _is_trainer(port: FilePort, call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    value = port.flow.value(call.func.value)
    return value.kind == "instance" and value.name == TRAINER


def _method(statement: ast.AST, wanted: tuple[str, ...]) -> ast.Call | None:
    """The call that a statement is, if it calls a method of that name."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute) and function.attr in wanted:
            return statement.value
    return None


def _backwards(port: FilePort, statement: ast.stmt) -> list[ast.Call]:
    """The calls of an array's `backward` in a statement, or of `autograd.backward`."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return []
    found = []
    for node in ast.walk(statement):
        call = _method(node, ("backward",))
        if call is not None and isinstance(call.func, ast.Attribute):
            value = port.flow.value(call.func.value)
            if (
                value.kind in ("array", "unknown")
                or port.flow.value(call.func).name == "mx.autograd.backward"
            ):
                found.append(call)
    return found


def _divide(port: FilePort, call: ast.Call, size: ast.expr | None) -> None:
    assert isinstance(call.func, ast.Attribute)
    if port.flow.value(call.func).kind == "member":
        if len(call.args) == 1 and size is not None:
            losses = port.render(call.args[0])
            count = operand(port.render(size))
            port.needs.add("torch")
            port.renamed[call] = f"torch.autograd.backward([l.sum() / {count} for l in {losses}])"
        return
    if call.args or call.keywords:  # a head gradient, or retain_graph
        _divide_head(port, call, size)
        return
    port.renamed[call] = f"{divided(port, call.func.value, size)}.backward()"


def _divide_head(port: FilePort, call: ast.Call, size: ast.expr | None) -> None:
    assert isinstance(call.func, ast.Attribute)
    keywords = {k.arg: k.value for k in call.keywords}
    if set(keywords) == {"retain_graph"} and not call.args:
        graph = port.render(keywords["retain_graph"])
        loss = divided(port, call.func.value, size)
        port.renamed[call] = f"{loss}.backward(retain_graph={graph})"


def divided(port: FilePort, loss: ast.expr, size: ast.expr | None) -> str:
    """The loss whose gradient MXNet's step uses: the sum over samples by the batch size."""
    text = parenthesized(port.render(loss))
    value = port.flow.value(loss)
    total = text if value.name == "scalar" else f"{text}.sum()"
    if size is None or (isinstance(size, ast.Constant) and size.value == 1):
        return total
    if value.name == "samples" and _is_length(size):
        return f"{text}.mean()"
    return f"({total} / {operand(port.render(size))})"


def _is_length(size: ast.expr) -> bool:
    """Whether an expression is the length of a batch: `X.shape[0]` or `len(X)`."""
    if isinstance(size, ast.Subscript) and isinstance(size.value, ast.Attribute):
        index = size.slice
        return size.value.attr == "shape" and isinstance(index, ast.Constant) and index.value == 0
    return isinstance(size, ast.Call) and isinstance(size.func, ast.Name) and size.func.id == "len"
