"""Gluon blocks as modules: bases, `__init__`, `forward`, and layers added one by one."""

from __future__ import annotations

import ast

from mxtorch.port.engine import FilePort
from mxtorch.port.values import Value

_SEQUENTIAL = ("mx.gluon.nn.Sequential", "mx.gluon.nn.HybridSequential")
_WIDTH = 88


def port_class(port: FilePort, node: ast.ClassDef) -> None:
    """Port what a block's class declares; its statements come later like all others."""
    if not port.flow.is_block(Value("class", node.name)):
        return
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            if method.name == "__init__":
                _init(port, method)
            elif method.name == "hybrid_forward":
                _hybrid_forward(port, node, method)
    _lists(port, node)


def _lists(port: FilePort, cls: ast.ClassDef) -> None:
    """A list whose members are registered one by one is a ModuleList."""
    registered = {
        ast.unparse(call.args[0].value if isinstance(call.args[0], ast.Subscript) else call.args[0])
        for call in ast.walk(cls)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "register_child"
        and call.args
    }
    for node in ast.walk(cls):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.List):
            continue
        target = node.targets[0]
        item = port.flow.value(target).item
        if isinstance(target, ast.Attribute) and item.kind == "unknown":
            item = port.flow.classes[cls.name].attributes.get(target.attr, item).item
        if isinstance(target, ast.Attribute) and (
            ast.unparse(target) in registered or (registered and port.flow.is_block(item))
        ):
            port.needs.add("nn")
            inside = port.splice(node.value) if node.value.elts else ""
            port.renamed[node.value] = f"nn.ModuleList({inside})"


def port_constant(port: FilePort, node: ast.Assign) -> bool:
    """`self.c = self.params.get_constant('c', value)` registers a buffer."""
    target, call = node.targets[0], node.value
    if not isinstance(call, ast.Call) or not isinstance(target, ast.Attribute):
        return False
    if port.flow.value(call) != Value("instance", "mx.gluon.Constant") or len(node.targets) > 1:
        return False
    given = call.args[1:2] or [k.value for k in call.keywords if k.arg == "value"]
    if not given or not isinstance(call.func, ast.Attribute) or call.func.attr != "get_constant":
        return False
    text = port.render(given[0])
    if port.flow.value(given[0]).kind != "array":
        port.needs.add("torch")
        text = f"torch.as_tensor({text}, dtype=torch.float32)"
    line = f'{port.source.of(target.value)}.register_buffer("{target.attr}", {text})'
    port.source.replace(*port.source.span(node), line)
    port.written.add(node)
    port.counts.idiomatic += 1
    return True


def _init(port: FilePort, method: ast.FunctionDef) -> None:
    """`super().__init__()` takes nothing, and comes first."""
    variable = method.args.kwarg
    for call in ast.walk(method):
        if isinstance(call, ast.Call) and _is_super_init(call):
            port.renamed[call] = f"super().__init__({_to_base(port, method, call)})"
    if variable is None:
        return
    uses = [n for n in ast.walk(method) if isinstance(n, ast.Name) and n.id == variable.arg]
    if all(_in_renamed(port, use) for use in uses):
        _drop_parameter(port, method, variable.arg, stars="**")


def _to_base(port: FilePort, method: ast.FunctionDef, call: ast.Call) -> str:
    """What the base is given: modules take nothing, losses their weight and batch axis."""
    cls = port.parents[method]
    assert isinstance(cls, ast.ClassDef)
    lineage = port.flow.lineage(cls.name)[1:]
    base = next((b for b in lineage if b != cls.name), "")
    if "mx.gluon.loss.Loss" not in lineage and port.flow.facts_of(base) is None:
        return ""
    texts = [port.render(a) for a in call.args]
    for keyword in call.keywords:
        if keyword.arg and keyword.arg not in ("prefix", "params"):
            texts.append(f"{keyword.arg}={port.render(keyword.value)}")
    return ", ".join(texts)


def _is_super_init(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "__init__":
        return False
    owner = function.value
    return (
        isinstance(owner, ast.Call)
        and isinstance(owner.func, ast.Name)
        and owner.func.id == "super"
    )


def _in_renamed(port: FilePort, node: ast.AST) -> bool:
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, ast.stmt):
        if outer in port.renamed:
            return True
        outer = port.parents.get(outer)
    return False


def _hybrid_forward(port: FilePort, cls: ast.ClassDef, method: ast.FunctionDef) -> None:
    """`forward(self, x)`: F goes, and parameters are read from the module."""
    source = port.source
    start = source.span(method)[0]
    at = source.text.index("hybrid_forward", start)
    source.replace(at, at + len("hybrid_forward"), "forward")
    order = [a.arg for a in method.args.args]
    if len(order) > 1:
        _drop_parameter(port, method, order[1])
    facts = port.flow.classes[cls.name]
    for name in order[2:]:
        known = facts.attributes.get(name)
        if known is not None and known.name in ("mx.gluon.Parameter", "mx.gluon.Constant"):
            _drop_parameter(port, method, name)
            for use in ast.walk(method):
                if isinstance(use, ast.Name) and use.id == name:
                    port.renamed[use] = f"self.{name}"


def drop_namespaces(port: FilePort, function: ast.FunctionDef) -> None:
    """A function that is handed `F` no longer is."""
    for arg in function.args.args:
        if arg in port.namespaces and function.name != "hybrid_forward":
            _drop_parameter(port, function, arg.arg)


def _drop_parameter(port: FilePort, method: ast.FunctionDef, name: str, stars: str = "") -> None:
    """Take a parameter, its default and its comma out of a signature."""
    source, given = port.source, method.args
    everything = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    everything += [a for a in (given.vararg, given.kwarg) if a is not None]
    arg = next(a for a in everything if a.arg == name)
    start, end = source.span(arg)
    start -= len(stars)
    default = _default_of(given, arg)
    if default is not None:
        end = source.span(default)[1]
    text = source.text
    before = len(text[:start].rstrip())
    if text[before - 1] == ",":
        source.replace(before - 1, end, "")
    else:
        after = end + len(text[end:]) - len(text[end:].lstrip())
        if text[after : after + 1] == ",":
            after += 1
            while text[after : after + 1] == " ":
                after += 1
            source.replace(start, after, "")
        else:
            source.replace(start, end, "")


def _default_of(given: ast.arguments, arg: ast.arg) -> ast.expr | None:
    positional = [*given.posonlyargs, *given.args]
    if arg in positional:
        index = positional.index(arg) - (len(positional) - len(given.defaults))
        return given.defaults[index] if index >= 0 else None
    if arg in given.kwonlyargs:
        return given.kw_defaults[given.kwonlyargs.index(arg)]
    return None


# Layers added one by one


def find_layers(port: FilePort) -> None:
    """Note which layers the Sequentials of a file have, where these are filled in one go."""
    for node in port.nodes:
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if not isinstance(statements, list):
                continue
            for position, made in enumerate(statements):
                target = _empty_sequential(port, made)
                adds = _adds_after(port, statements, position + 1, target) if target else []
                if adds:
                    _remember(port, made.value, [a for _, call in adds for a in call.args])


def gather_layers(port: FilePort, statements: list[ast.stmt]) -> None:
    """`net = nn.Sequential()` and the `net.add(...)` after it become one call."""
    position = 0
    while position < len(statements):
        made = statements[position]
        target = _empty_sequential(port, made)
        if target is not None:
            adds = _adds_after(port, statements, position + 1, target)
            if adds:
                _write_layers(port, made, adds)
        position += 1


def _remember(port: FilePort, made: ast.expr, layers: list[ast.expr]) -> None:
    assert isinstance(made, ast.Call)
    for position, layer in enumerate(layers):
        port.before[layer] = layers[:position]
        port.sequence[layer] = made


def _empty_sequential(port: FilePort, node: ast.stmt) -> str | None:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    call = node.value
    if not isinstance(call, ast.Call) or call.args:
        return None
    if any(k.arg not in ("prefix", "params") for k in call.keywords):
        return None
    value = port.flow.value(call)
    if value.kind != "instance" or value.name not in _SEQUENTIAL:
        return None
    return port.source.of(node.targets[0])


def _adds_after(
    port: FilePort, statements: list[ast.stmt], position: int, target: str
) -> list[tuple[ast.stmt, ast.Call]]:
    """The `add` calls that follow without anything in between, in a `name_scope` or not."""
    found: list[tuple[ast.stmt, ast.Call]] = []
    for node in statements[position:]:
        if isinstance(node, ast.With) and not found:
            inner = _scoped_adds(port, node, target)
            if inner:
                return inner
        call = _add(node, target)
        if call is None:
            break
        found.append((node, call))
    return found


def _scoped_adds(port: FilePort, node: ast.With, target: str) -> list[tuple[ast.stmt, ast.Call]]:
    calls = [_add(statement, target) for statement in node.body]
    scope = node.items[0].context_expr
    named = isinstance(scope, ast.Call) and port.source.of(scope.func) == f"{target}.name_scope"
    if not named or not all(calls):
        return []
    return [(node, call) for call in calls if call is not None]


def _add(node: ast.stmt, target: str) -> ast.Call | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        function = call.func
        adds = isinstance(function, ast.Attribute) and function.attr == "add"
        if not adds or call.keywords or not call.args:
            return None
        if ast.unparse(function.value) == target:  # type: ignore[attr-defined]
            return call
    return None


def _write_layers(port: FilePort, made: ast.stmt, adds: list[tuple[ast.stmt, ast.Call]]) -> None:
    assert isinstance(made, ast.Assign)
    source = port.source
    end = source.span(adds[-1][0])[1]
    end = max(end, source.starts[source.line_of(end)] - 1)
    start = source.span(made)[1]
    comments = [c for c in source.comments if start <= c[0] < end]
    layers = [(source.span(arg)[0], port.render(arg)) for _, call in adds for arg in call.args]
    indent = source.indent(made)[_taken_off(port, made) :]
    port.needs.add("nn")
    target = source.of(made.targets[0])
    line = f"{target} = nn.Sequential({', '.join(text for _, text in layers)})"
    inside = [c for c in comments if not any(_covers(port, call, c) for _, call in adds)]
    if inside or len(indent) + len(line) > _WIDTH or "\n" in line:
        rows = sorted([*layers, *((a, source.text[a:b]) for a, b in inside)])
        lines = [f"{indent}    {t}{'' if t.startswith('#') else ','}" for _, t in rows]
        line = "\n".join([f"{target} = nn.Sequential(", *lines, f"{indent})"])
    source.replace(source.span(made)[0], end, line)
    port.written.add(made)
    port.unwrapped.update(s for s, _ in adds if isinstance(s, ast.With))
    port.removed.update(statement for statement, _ in adds)
    port.counts.idiomatic += len(adds)


def _taken_off(port: FilePort, node: ast.AST) -> int:
    """How far a statement moves to the left, because of scopes around it that go."""
    width = 0
    while (outer := port.parents.get(node)) is not None:
        if isinstance(outer, ast.With) and outer in port.gone:
            width += outer.body[0].col_offset - outer.col_offset
        node = outer
    return width


def _covers(port: FilePort, call: ast.Call, comment: tuple[int, int]) -> bool:
    return any(
        port.source.span(arg)[0] <= comment[0] < port.source.span(arg)[1] for arg in call.args
    )
