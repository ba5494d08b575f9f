"""The training step: MXNet sums a loss by sample and divides in `step`; torch is told the mean."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mxtorch.port.codes import Code
from mxtorch.port.engine import FilePort
from mxtorch.port.rule import operand, parenthesized
from mxtorch.port.trainers import TRAINER, option

# The step that divides gradients itself, where the backward before it is not known.
HELPER = "averaged_step"
CLIP = "mx.gluon.utils.clip_global_norm"
SCALER = "mx.contrib.amp.init_trainer"


@dataclass
class _Group:
    """Backward calls that a step uses: the statement before which gradients are forgotten."""

    first: ast.stmt
    size: str


def port_steps(port: FilePort, statements: list[ast.stmt]) -> None:
    """Give each `backward()` before a `step(n)` of this block its division and `zero_grad()`."""
    start = 0
    last: _Group | None = None
    places = [
        (position, statement, call)
        for position, outer in enumerate(statements)
        for statement, call in _steps_in(port, outer)
        if call not in port.renamed
    ]
    for position, statement, call in places:
        size = call.args[0] if call.args else _size_by_keyword(call)
        text = port.source.of(size) if size is not None else ""
        before = statements[start:position]
        alone = _is_one_way(port, statements[position])
        group = None if alone else _divide_all(port, before, size, text)
        if group is None and last is not None and last.size == text and not alone:
            group = last  # a second trainer steps on the same gradients
        trainer = port.source.of(call.func.value)  # type: ignore[attr-defined]
        if group is None and size is not None and _is_plain(port, call):
            port.renamed[call] = f"{port.use_helper(HELPER)}({trainer}, {port.render(size)})"
            continue
        if group is None:
            port.note(call, Code.STEP, f"{trainer} divides the gradient by its argument")
        elif not _adds_up(port, statement):
            _forget(port, group.first, trainer, statements[position])
        _clip_values(port, statement, call)
        port.renamed[call] = f"{trainer}.step()"
        if SCALER in port.members:
            port.renamed[call] = f"{trainer}.scaler.step({trainer})"
            port.source.insert_after(statement, f"{trainer}.scaler.update()")
        start, last = position + 1, group


def _size_by_keyword(call: ast.Call) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == "batch_size"), None)


def _divide_all(
    port: FilePort, statements: list[ast.stmt], size: ast.expr | None, text: str
) -> _Group | None:
    found = [(outer, inner) for outer in statements for inner in _backwards(port, outer)]
    if not found:
        return None
    for _, backward in found:
        _divide(port, backward, size)
    for outer in statements[statements.index(found[0][0]) :]:
        for node in ast.walk(outer):
            if isinstance(node, ast.Call) and port.flow.value(node.func).name == CLIP and size:
                port.divided[node] = size
    return _Group(found[0][0], text)


def _steps_in(port: FilePort, statement: ast.stmt) -> Iterator[tuple[ast.stmt, ast.Call]]:
    """The step that a statement is, or that stands under a condition with nothing to step on."""
    call = _method(statement, ("step", "update"))
    if call is not None and _is_trainer(port, call):
        yield statement, call
    around = isinstance(statement, (ast.If, ast.With, ast.Try))
    if (around or _is_over_trainers(port, statement)) and not _backwards(port, statement):
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from _steps_in(port, child)


def _is_over_trainers(port: FilePort, statement: ast.stmt) -> bool:
    """Whether a loop goes over trainers."""
    if not isinstance(statement, ast.For):
        return False
    target = port.flow.value(statement.target)
    return target.kind == "instance" and target.name == TRAINER


def _is_one_way(port: FilePort, statement: ast.stmt) -> bool:
    """Whether a condition's other way does something else than to step."""
    if not isinstance(statement, ast.If) or not statement.orelse:
        return False
    ways = [list(_steps_in(port, inner)) for inner in statement.orelse]
    return not any(ways)


def _is_plain(port: FilePort, call: ast.Call) -> bool:
    """Whether nothing has to happen between the division and the step."""
    assert isinstance(call.func, ast.Attribute)
    clipped = option(port, call.func.value, "clip_gradient")
    return clipped is None and SCALER not in port.members and not port.switches_gradients


def _forget(port: FilePort, first: ast.stmt, trainer: str, statement: ast.stmt) -> None:
    """Forget gradients before they are computed, of several trainers in a loop."""
    loop = statement if isinstance(statement, ast.For) else None
    if loop is not None and port.source.of(loop.target) != trainer:
        loop = None
    if loop is not None:
        over = port.source.of(loop.iter)
        port.source.insert_before(first, f"for {trainer} in {over}:")
    port.source.insert_before(first, f"{'    ' if loop is not None else ''}{trainer}.zero_grad()")


def _adds_up(port: FilePort, statement: ast.stmt) -> bool:
    """Whether the function around a step asks for gradients that add up."""
    scope: ast.AST = statement
    while not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
        scope = port.parents[scope]
    if "grad_req" not in port.source.text:
        return False
    inner = {n for n in ast.walk(scope) if isinstance(scope, ast.Module) and _is_scope(n, scope)}
    for node in ast.walk(scope):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Attribute) and target.attr == "grad_req":
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(value, ast.Constant) and value.value == "add":
                return not any(_contains(f, node) for f in inner)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = [a.value for a in node.args if isinstance(a, ast.Constant)]
            if node.func.attr == "setattr" and given == ["grad_req", "add"]:
                return not any(_contains(f, node) for f in inner)
    return False


def _is_scope(node: ast.AST, outer: ast.AST) -> bool:
    return node is not outer and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _contains(outer: ast.AST, node: ast.AST) -> bool:
    return any(inner is node for inner in ast.walk(outer))


def _clip_values(port: FilePort, statement: ast.stmt, call: ast.Call) -> None:
    """An optimizer that clips gradients does so first thing."""
    assert isinstance(call.func, ast.Attribute)
    bound = option(port, call.func.value, "clip_gradient")
    if bound is None or (isinstance(bound, ast.Constant) and bound.value is None):
        return
    port.needs.add("nn")
    params = f'{port.source.of(call.func.value)}.param_groups[0]["params"]'
    line = f"nn.utils.clip_grad_value_({params}, {port.render(bound)})"
    port.source.insert_before(statement, line)


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
        only = call.args[0] if call.args else None
        if isinstance(only, (ast.List, ast.Tuple)) and len(only.elts) == 1:
            only = only.elts[0]
        if only is not None and len(call.args) == 1 and port.flow.value(only).kind == "array":
            port.renamed[call] = started(port, only, size)
        elif len(call.args) == 1 and size is not None:
            losses = port.render(call.args[0])
            count = operand(port.render(size))
            port.needs.add("torch")
            port.renamed[call] = f"torch.autograd.backward([l.sum() / {count} for l in {losses}])"
        return
    if call.args or call.keywords:  # a head gradient, or retain_graph
        _divide_head(port, call, size)
        return
    port.renamed[call] = started(port, call.func.value, size)


def _divide_head(port: FilePort, call: ast.Call, size: ast.expr | None) -> None:
    assert isinstance(call.func, ast.Attribute)
    keywords = {k.arg: k.value for k in call.keywords}
    if set(keywords) == {"retain_graph"} and not call.args:
        graph = port.render(keywords["retain_graph"])
        loss = divided(port, call.func.value, size)
        port.renamed[call] = f"{loss}.backward(retain_graph={graph})"
    elif size is not None and len(call.args) + len(call.keywords) == 1:
        head = call.args[0] if call.args else keywords.get("out_grad")
        if head is not None:
            loss, count = port.render(call.func.value), operand(port.render(size))
            head_text = parenthesized(port.render(head))
            port.renamed[call] = f"{parenthesized(loss)}.backward({head_text} / {count})"


def started(port: FilePort, loss: ast.expr, size: ast.expr | None) -> str:
    """The backward call of a loss; where gradients are off there, it starts at shares of one."""
    if not port.switches_gradients:
        return f"{divided(port, loss, size)}.backward()"
    text = parenthesized(port.render(loss))
    port.needs.add("torch")
    if size is None or (isinstance(size, ast.Constant) and size.value == 1):
        return f"{text}.backward(torch.ones_like({text}))"
    return f"{text}.backward(torch.full_like({text}, 1 / {operand(port.render(size))}))"


def divided(port: FilePort, loss: ast.expr, size: ast.expr | None) -> str:
    """The loss whose gradient MXNet's step uses: the sum over samples by the batch size."""
    text = parenthesized(port.render(loss))
    value = port.flow.value(loss)
    total = text if value.name == "scalar" else f"{text}.sum()"
    if size is None or (isinstance(size, ast.Constant) and size.value == 1):
        return total
    if value.name == "samples" and _is_length(size) and not _is_one_of_several(port, loss):
        return f"{text}.mean()"
    return f"({total} / {operand(port.render(size))})"


def _is_one_of_several(port: FilePort, loss: ast.expr) -> bool:
    """Whether a loss is what a loop goes over: then it is of a part of the batch."""
    if not isinstance(loss, ast.Name):
        return False
    node: ast.AST = loss
    while not isinstance(node, (ast.Module, ast.FunctionDef)):
        if isinstance(node, ast.For) and any(
            isinstance(n, ast.Name) and n.id == loss.id for n in ast.walk(node.target)
        ):
            return True
        node = port.parents[node]
    return False


def _is_length(size: ast.expr) -> bool:
    """Whether an expression is the length of a batch: `X.shape[0]` or `len(X)`."""
    if isinstance(size, ast.Subscript) and isinstance(size.value, ast.Attribute):
        index = size.slice
        return size.value.attr == "shape" and isinstance(index, ast.Constant) and index.value == 0
    return isinstance(size, ast.Call) and isinstance(size.func, ast.Name) and size.func.id == "len"
