"""`CustomOp` and its property as `autograd.Function` and a function: a first pass over a file.

What `assign` writes becomes what `forward` and `backward` give back; what backward reads of inputs
and outputs is saved. A property becomes a function that reads its options and applies the operator.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mxtorch.port import names
from mxtorch.port.edits import Source, children
from mxtorch.port.flow import Flow
from mxtorch.port.lowering import Lowered, Unclear, rewritten, root_of

_OPERATOR, _PROPERTY = "mx.operator.CustomOp", "mx.operator.CustomOpProp"
_CALLS = re.compile(r"(?:F|mx\.nd|mx\.sym)\.Custom")
_FORWARD = ("in_data", "out_data")
_IGNORED = frozenset(
    ["infer_shape", "infer_type", "infer_storage_type", "declare_backward_dependency",
     "infer_storage_type_backward", "list_arguments", "list_outputs", "create_operator",
     "list_auxiliary_states", "__init__"]
)  # fmt: skip


def lower(text: str) -> Lowered | None:
    """The text with its custom operators as functions; None if it has none.

    Raises SyntaxError if it is not Python.
    """
    if "CustomOp" not in text or not any(package in text for package in names.PACKAGES):
        return None
    found = _File(ast.parse(text), text)
    if not found.properties:
        return None
    return rewritten(text, found.write)


@dataclass
class _Property:
    """A registered property: its operator, and what it says of inputs, outputs and options."""

    node: ast.ClassDef
    registered: str
    function: str
    operator: str = ""
    given: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    parameters: list[tuple[str, str]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    needs_top: bool = True


class _File:
    def __init__(self, tree: ast.Module, text: str) -> None:
        self.tree, self.source, self.flow = tree, Source(text), Flow(tree)
        self.nodes: list[Any] = [tree]
        for node in self.nodes:
            self.nodes.extend(children(node))
        classes = [n for n in self.nodes if isinstance(n, ast.ClassDef)]
        self.operators = {c.name: c for c in classes if _OPERATOR in self.flow.lineage(c.name)}
        found = [self._registered(c) for c in classes if _PROPERTY in self.flow.lineage(c.name)]
        self.properties = {p.registered: p for p in found if p is not None}

    def _registered(self, node: ast.ClassDef) -> _Property | None:
        for call in node.decorator_list:
            name = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                plain = re.sub(r"\W", "_", name.value)
                taken = any(isinstance(n, ast.Name) and n.id == plain for n in self.nodes)
                return _Property(node, name.value, f"{plain}_op" if taken else plain)
        return None

    def write(self) -> str:
        """The text with functions; raises Unclear where an operator does more than they can."""
        root = root_of(self.nodes, self.source)
        by_operator: dict[str, _Property] = {}
        for found in self.properties.values():
            self._read(found)
            if found.operator in by_operator:
                raise Unclear("an operator with two properties", found.node.lineno)
            by_operator[found.operator] = found
        for name, cls in self.operators.items():
            if name not in by_operator:
                raise Unclear(f"{name}, an operator without a property", cls.lineno)
            _Operator(self, cls, by_operator[name]).write(root)
        for found in self.properties.values():
            self._function(found)
        for node in self.nodes:
            if isinstance(node, ast.Call) and self._calls(node):
                self._call(node)
        return self.source.result()

    # properties ----------------------------------------------------------------------------------

    def _read(self, found: _Property) -> None:
        node = found.node
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        odd = sorted(set(methods) - _IGNORED)
        if odd or _names_of(methods.get("list_auxiliary_states"), []):
            raise Unclear(f"a property with {odd[0] if odd else 'states'}", node.lineno)
        found.inputs = _names_of(methods.get("list_arguments"), ["data"])
        found.outputs = _names_of(methods.get("list_outputs"), ["output"])
        if "__init__" in methods:
            self._options(found, methods["__init__"])
        create = methods.get("create_operator")
        given = create.body[-1] if create is not None else None
        made = given.value if isinstance(given, ast.Return) else None
        if not isinstance(made, ast.Call) or ast.unparse(made.func) not in self.operators:
            raise Unclear("a property whose operator shows only at run time", node.lineno)
        found.operator = ast.unparse(made.func)
        texts = [ast.unparse(a) for a in (*made.args, *made.keywords)]
        found.given = ", ".join(text.replace("self.", "") for text in texts)

    def _options(self, found: _Property, method: ast.FunctionDef) -> None:
        given = method.args
        start = len(given.args) - len(given.defaults)
        for position, arg in enumerate(given.args[1:], 1):
            default = given.defaults[position - start] if position >= start else None
            text = "" if default is None else ast.unparse(default)
            found.parameters.append((arg.arg, text))
        for statement in method.body:
            call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("__init__"):
                top = [*call.args[:1], *(k.value for k in call.keywords)]
                found.needs_top = not (top and ast.unparse(top[0]) == "False")
            elif isinstance(statement, ast.Assign):
                found.options.append(self._option(found, statement))
            elif not isinstance(call, ast.Constant):
                raise Unclear("a property's constructor", statement.lineno)

    @staticmethod
    def _option(found: _Property, node: ast.Assign) -> str:
        """`self.limit = float(limit)` without `self`: MXNet hands texts to a property."""
        target = ast.unparse(node.targets[0]).removeprefix("self.")
        value = node.value
        known = {name for name, _ in found.parameters}
        is_number = isinstance(value, ast.Call) and ast.unparse(value.func) in ("float", "int")
        text = ast.unparse(value).replace("self.", "")
        if not is_number:
            text = re.sub(
                r"(?<![\w.])([A-Za-z_]\w*)",
                lambda m: f"str({m.group(1)})" if m.group(1) in known else m.group(1),
                text,
            )
        return f"{target} = {text}"

    def _function(self, found: _Property) -> None:
        """The function that the program calls in the place of `Custom`."""
        node, source = found.node, self.source
        heads: list[Any] = [node, *node.decorator_list]
        first = min(heads, key=lambda n: n.lineno)
        start, end = source.starts[first.lineno - 1], source.starts[node.end_lineno or 1]
        indent = source.indent(node)
        comments = [source.text[a:b] for a, b in source.comments if start <= a < end]
        ordered = sorted(found.parameters, key=lambda p: bool(p[1]))
        given = [*found.inputs, *(f"{n}={d}" if d else n for n, d in ordered)]
        lines = [*comments, f"def {found.function}({', '.join(given)}):"]
        docstring = ast.get_docstring(node)
        lines += [f'    """{docstring}"""'] if docstring else []
        lines += [f"    {option}" for option in found.options]
        lines += [f"    return {found.operator}({found.given})({', '.join(found.inputs)})"]
        source.replace(start, end, "".join(f"{indent}{line}\n" for line in lines))

    # calls ---------------------------------------------------------------------------------------

    def _calls(self, node: ast.Call) -> bool:
        value = self.flow.value(node.func)
        return value.kind == "member" and _CALLS.fullmatch(names.canonical(value.name)) is not None

    def _call(self, node: ast.Call) -> None:
        given = {k.arg: k.value for k in node.keywords if k.arg}
        op_type = given.pop("op_type", None)
        name = op_type.value if isinstance(op_type, ast.Constant) else None
        found = self.properties.get(str(name))
        given.pop("name", None)
        if found is None:
            raise Unclear("Custom of an operator that shows only at run time", node.lineno)
        inputs = [n for n in found.inputs if n in given]
        if len(node.args) + len(inputs) != len(found.inputs):
            raise Unclear("Custom without all of its inputs", node.lineno)
        source = self.source
        source.replace(*source.span(node.func), found.function)
        for keyword in node.keywords:
            if keyword.arg in ("op_type", "name"):
                self._drop(keyword)

    def _drop(self, keyword: ast.keyword) -> None:
        """Take an argument and the comma before or after it away."""
        source = self.source
        start, end = source.span(keyword)
        before = len(source.text[:start].rstrip())
        if source.text[before - 1] == ",":
            source.replace(before - 1, end, "")
        else:
            rest = source.text[end:]
            after = re.match(r"\s*,\s*", rest)
            source.replace(start, end + (after.end() if after else 0), "")


def _names_of(method: ast.FunctionDef | None, default: list[str]) -> list[str]:
    """What a method gives, a list of texts that is written out."""
    if method is None:
        return default
    last = method.body[-1]
    try:
        found = ast.literal_eval(last.value) if isinstance(last, ast.Return) and last.value else 0
    except ValueError:
        found = 0
    if not isinstance(found, (list, tuple)):
        raise Unclear(f"{method.name} that is computed", method.lineno)
    return [str(name) for name in found]


class _Operator:
    """One operator's class on its way."""

    def __init__(self, file: _File, node: ast.ClassDef, found: _Property) -> None:
        self.file, self.node, self.found = file, node, found
        self.source = file.source
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        if not {"forward", "backward"} <= set(methods) or len(node.bases) != 1:
            raise Unclear(f"{node.name} without forward and backward", node.lineno)
        self.forward, self.backward = methods["forward"], methods["backward"]

    def write(self, root: str) -> None:
        """Edit the class."""
        source = self.source
        source.replace(*source.span(self.node.bases[0]), f"{root}.autograd.Function")
        saved = self._method(self.backward, ("out_grad", "in_data", "out_data", "in_grad"), 2)
        self._method(self.forward, _FORWARD, 3, saved)

    def _method(
        self, method: ast.FunctionDef, kinds: tuple[str, ...], first: int, saved: Sequence[str] = ()
    ) -> list[str]:
        """One method: its parameters by name, what it assigns given back; what it reads."""
        source, found = self.source, self.found
        order = [a.arg for a in method.args.args]
        lists = dict(zip(order[first:], kinds, strict=False))
        if len(order) != first + len(kinds) + 1:
            raise Unclear(f"{method.name} with other parameters", method.lineno)
        stored = {
            n.id
            for n in ast.walk(method)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        places = {
            "in_data": [_free(n, stored) for n in found.inputs],
            "out_data": [_free(n, stored) for n in found.outputs],
            "out_grad": [_free(f"grad_{n}", stored) for n in found.outputs],
            "in_grad": [_free(f"grad_of_{n}", stored) for n in found.inputs],
        }
        skipped = {order[-1], *order[1:first]}
        reads, written = self._body(method, lists, places, skipped)
        head = places["in_data"] if method is self.forward else places["out_grad"]
        start = source.span(method.args.args[1])[0]
        source.replace(start, source.span(method.args.args[-1])[1], ", ".join(head))
        indent = source.indent(method.body[0])
        end = source.starts[method.end_lineno or method.lineno]
        newline = "" if source.text[:end].endswith("\n") else "\n"
        lines = self._last(method, places, written, saved)
        source.replace(end, end, newline + "".join(f"{indent}{line}\n" for line in lines))
        wanted = [f"{kind} {i}" for kind in _FORWARD for i in range(len(places[kind]))
                  if f"{kind} {i}" in reads]  # fmt: skip
        if method is self.backward and wanted:
            taken = [places[k][int(i)] for k, i in map(str.split, wanted)]
            comma = "," if len(taken) == 1 else ""
            docstring = ast.get_docstring(method) is not None and len(method.body) > 1
            source.insert_before(
                method.body[1 if docstring else 0],
                f"{', '.join(taken)}{comma} = self.saved_tensors",
            )
        return wanted

    def _last(
        self,
        method: ast.FunctionDef,
        places: dict[str, list[str]],
        written: set[str],
        saved: Sequence[str],
    ) -> list[str]:
        """What a method ends with."""
        if method is self.forward:
            lines = []
            if saved:
                kept = [places[k][int(i)] for k, i in map(str.split, saved)]
                lines.append(f"self.save_for_backward({', '.join(kept)})")
            return [*lines, f"return {', '.join(places['out_data'])}"]
        given = [n if n in written else "None" for n in places["in_grad"]]
        if not self.found.needs_top:
            # what comes from above is the divisor of the loss alone
            top = places["out_grad"][0]
            given = [n if n == "None" else f"{n} * {top}.mean()" for n in given]
        return [f"return {', '.join(given)}"]

    def _body(
        self,
        method: ast.FunctionDef,
        lists: dict[str, str],
        places: dict[str, list[str]],
        skipped: set[str],
    ) -> tuple[set[str], set[str]]:
        """Edit the statements; what is read, by kind and number, and the names that are written."""
        source = self.source
        reads: set[str] = set()
        written: set[str] = set()
        covered: set[ast.AST] = set()
        for node in ast.walk(method):
            if isinstance(node, (ast.Return, ast.Yield, ast.Lambda)):
                raise Unclear(f"{method.name} with {type(node).__name__}", node.lineno)
            target, value = _assigned(node)
            place = _place(target, lists) if target is not None else None
            if place is not None and value is not None and isinstance(node, (ast.Expr, ast.Assign)):
                name = places[place[0]][place[1]]
                start = source.span(node)[0]
                source.replace(start, source.span(value)[0], f"{name} = ")
                source.replace(source.span(value)[1], source.span(node)[1], "")
                written.add(name)
                inside = set(ast.walk(node)) - set(ast.walk(value))
                covered |= inside
        for node in ast.walk(method):
            place = _place(node, lists)
            if place is not None and node not in covered:
                assert isinstance(node, ast.Subscript)
                source.replace(*source.span(node), places[place[0]][place[1]])
                reads.add(f"{place[0]} {place[1]}")
                covered |= set(ast.walk(node))
            elif (
                isinstance(node, ast.Name) and node not in covered and node.id in {*lists, *skipped}
            ):
                raise Unclear(f"{node.id} in {self.node.name}", node.lineno)
        return reads, written


def _free(name: str, stored: set[str]) -> str:
    return f"{name}_given" if name in stored else name


def _assigned(node: ast.AST) -> tuple[ast.AST | None, ast.expr | None]:
    """Where `self.assign(out[0], req[0], x)` or `out[0][:] = x` writes, and what."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        assigns = isinstance(call.func, ast.Attribute) and call.func.attr == "assign"
        return (call.args[0], call.args[2]) if assigns and len(call.args) == 3 else (None, None)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return node.targets[0].value, node.value
    return None, None


def _place(node: ast.AST, lists: dict[str, str]) -> tuple[str, int] | None:
    """`in_data[1]` is the second input."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    kind, index = lists.get(node.value.id), node.slice
    if kind is None or not isinstance(index, ast.Constant) or not isinstance(index.value, int):
        return None
    return kind, index.value
