"""Which value each expression of a file has: one walk over its syntax tree, names by scope.

The walk goes through statements in order and knows rebinding, so a name that no longer means
MXNet is not taken for it. Bodies of functions come after the module's statements, with what their
callers in the file pass. What flows through arguments, returns and attributes is known a round
later; each round counts from nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from mxtorch.port import names, ranks, results
from mxtorch.port.edits import children
from mxtorch.port.facts import FileFacts
from mxtorch.port.flow_calls import FlowCalls
from mxtorch.port.outside import ClassFacts, Function, Outside, joined
from mxtorch.port.signatures import annotations_of, default_pairs, defaults
from mxtorch.port.values import (
    ARRAY,
    MASK,
    NONE,
    NUMPY,
    SCALAR,
    SHAPE,
    TEXT,
    UNKNOWN,
    Value,
    join,
    list_of,
    tuple_of,
)

_ROUNDS = 5
_FORWARD = ("forward", "hybrid_forward")
_FIRST_ARRAY = {"mx.init.Initializer": (slice(2, 3), ARRAY)}
# Methods that a program derives, by their bases: which parameters are given, and what they are.
_GIVEN: dict[str, dict[str, tuple[slice, Value]]] = {
    "create_state": {"mx.optimizer.Optimizer": (slice(2, 3), ARRAY)},
    "update": {
        "mx.optimizer.Optimizer": (slice(2, 4), ARRAY),
        "mx.metric.EvalMetric": (slice(1, 3), list_of(ARRAY)),
    },
    **dict.fromkeys(
        ("_init_weight", "_init_bias", "_init_gamma", "_init_beta", "_init_default"),
        _FIRST_ARRAY,
    ),
}
_BLOCK = Value("instance", results.BLOCK)
# kinds that leave open what a value is
_ARRAYS = ("mx.nd.NDArray", "mx.np.ndarray")
_UNSURE = ("unknown", "builtin", "method")


class Flow(FlowCalls):
    """The values of one file's expressions.

    `values` maps expression nodes to values; `classes` and `functions` are what the file defines.
    """

    def __init__(
        self, tree: ast.Module, facts: FileFacts | None = None, outside: Outside | None = None
    ) -> None:
        super().__init__(facts, outside)
        self._handlers: dict[type, Any] = {}
        for _ in range(_ROUNDS):
            self._later = []
            self.stars = []
            self.fed = {}
            self.content = {}
            scope = self.scope = {}
            self._statements(tree.body, scope)
            while self._later:
                function, outer, self._owner = self._later.pop(0)
                self._function_body(function, outer)
            if not self._settle():
                break

    def _settle(self) -> bool:
        """Take over what the round found; whether that was more than the last one's."""
        found = [f.found for f in self.classes.values()]
        known = [f.attributes for f in self.classes.values()]
        same = (self._passed, self._returned, found) == (self._arguments, self._returns, known)
        self._arguments, self._passed = self._passed, {}
        self._returns, self._returned = self._returned, {}
        for facts in self.classes.values():
            facts.attributes, facts.found = facts.found, {}
        return not same

    # Statements

    def _statements(self, body: Iterable[ast.stmt], scope: dict[str, Value]) -> None:
        for statement in body:
            kind = type(statement)
            if kind not in self._handlers:
                self._handlers[kind] = getattr(self, f"_on_{kind.__name__}", None)
            handler = self._handlers[kind]
            if handler is not None:
                handler(statement, scope)
            else:
                self._children(statement, scope)

    def _children(self, node: ast.AST, scope: dict[str, Value]) -> None:
        for child in children(node):
            if isinstance(child, ast.expr):
                self._visit(child, scope)
            elif isinstance(child, ast.stmt):
                self._statements([child], scope)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                self._children(child, scope)

    def _on_Import(self, node: ast.Import, scope: dict[str, Value]) -> None:
        for alias in node.names:
            full = alias.name
            root = full.partition(".")[0]
            if root in names.PACKAGES:
                target = names.imported(full if alias.asname else root)
                scope[alias.asname or root] = results.of_mxnet(target)
            else:
                if self.outside is not None:
                    full = self.outside.absolute(full, 0)
                scope[alias.asname or root] = Value("python", full if alias.asname else root)

    def _on_ImportFrom(self, node: ast.ImportFrom, scope: dict[str, Value]) -> None:
        module = node.module or ""
        root = module.partition(".")[0]
        ours = root in names.PACKAGES and not node.level
        if self.outside is not None and not ours:
            module = self.outside.absolute(module, node.level)
        for alias in node.names:
            if alias.name == "*":
                if ours:
                    self.stars.append(node)
                    self._star(names.imported(module), scope)
                elif self.outside is not None and module in self.outside.modules:
                    exported = self.outside.modules[module].names
                    public = (name for name in exported if not name.startswith("_"))
                    scope |= {name: self._of_python(f"{module}.{name}") for name in public}
                continue
            full = f"{module}.{alias.name}"
            value = results.of_mxnet(names.imported(full)) if ours else self._of_python(full)
            scope[alias.asname or alias.name] = value

    def _of_python(self, full: str) -> Value:
        """A dotted name of another module's; of a file of the tree, what it is there."""
        found = self.outside.value(full) if self.outside is not None else None
        return Value("python", full) if found is None else found

    def _star(self, module: str, scope: dict[str, Value]) -> None:
        try:
            found = names.find(names.canonical(module))
        except LookupError:
            return
        for name in getattr(found, "__all__", None) or [n for n in vars(found) if n[0] != "_"]:
            scope[name] = results.of_mxnet(f"{module}.{name}")

    def _on_Assign(self, node: ast.Assign, scope: dict[str, Value]) -> None:
        value = self._visit(node.value, scope)
        for target in node.targets:
            self._bind(target, value, scope)

    def _on_AnnAssign(self, node: ast.AnnAssign, scope: dict[str, Value]) -> None:
        self._visit(node.annotation, scope)
        if node.value is not None:
            self._bind(node.target, self._visit(node.value, scope), scope)

    def _on_AugAssign(self, node: ast.AugAssign, scope: dict[str, Value]) -> None:
        value = results.binary(self._visit(node.target, scope), self._visit(node.value, scope))
        self._bind(node.target, value, scope)

    def _on_For(self, node: ast.For, scope: dict[str, Value]) -> None:
        element = results.elements(self._iterated(self._visit(node.iter, scope)))
        self._bind(node.target, element, scope)
        self._statements(node.body, scope)
        self._bind(node.target, element, scope)  # anew, whatever the body made of it
        self._branches(scope, node.body, node.orelse)

    def _on_If(self, node: ast.If, scope: dict[str, Value]) -> None:
        self._visit(node.test, scope)
        narrowed = self._narrowed(node.test)
        if narrowed is None:
            self._branches(scope, node.body, node.orelse)
            return
        name, value = narrowed
        before = scope.get(name, UNKNOWN)
        other = dict(scope)
        scope[name] = value
        self._statements(node.body, scope)
        self._statements(node.orelse, other)
        after = scope[name] if scope[name] is not value else before
        for key, found in other.items():
            known = scope.get(key, NONE)
            scope[key] = known if known is found else self._join(known, found)
        scope[name] = self._join(after, other[name]) if name in other else after

    def _narrowed(self, test: ast.expr) -> tuple[str, Value] | None:
        """The name that a condition asks the class of, and what it is then."""
        if not isinstance(test, ast.Call) or self.value(test.func) != Value(
            "builtin", "isinstance"
        ):
            return None
        if len(test.args) != 2 or not isinstance(test.args[0], ast.Name):
            return None
        cls = self.value(test.args[1])
        known = self.value(test.args[0])
        if cls.kind != "member" or known.kind not in ("unknown", "builtin"):
            return None
        value = ARRAY if cls.name in _ARRAYS else results.call(cls.name, 0)
        return (test.args[0].id, value) if value.kind in ("instance", "array") else None

    def _on_Try(self, node: ast.Try, scope: dict[str, Value]) -> None:
        for handler in node.handlers:
            if handler.type is not None:
                self._visit(handler.type, scope)
        handlers = [statement for h in node.handlers for statement in h.body]
        self._branches(scope, [*node.body, *node.orelse], handlers)
        self._statements(node.finalbody, scope)

    def _branches(self, scope: dict[str, Value], *ways: list[ast.stmt]) -> None:
        before = dict(scope)
        self._statements(ways[0], scope)
        for way in ways[1:]:
            other = dict(before)
            self._statements(way, other)
            for name, value in other.items():
                if (way and before.get(name) is not value) or name not in scope:
                    known = scope.get(name, NONE)
                    same = known == before.get(name)
                    scope[name] = value if same else self._join(known, value)

    def _on_With(self, node: ast.With, scope: dict[str, Value]) -> None:
        for item in node.items:
            value = self._visit(item.context_expr, scope)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value, scope)
        self._statements(node.body, scope)

    def _on_FunctionDef(self, node: ast.FunctionDef, scope: dict[str, Value]) -> None:
        for expression in [*node.decorator_list, *defaults(node.args), *annotations_of(node)]:
            self._visit(expression, scope)
        scope[node.name] = Value("function", node.name)
        self.functions[node.name] = node
        self._later.append((node, scope, self._owner))

    _on_AsyncFunctionDef = _on_FunctionDef

    def _on_ClassDef(self, node: ast.ClassDef, scope: dict[str, Value]) -> None:
        for expression in [*node.decorator_list, *(k.value for k in node.keywords)]:
            self._visit(expression, scope)
        facts = self.classes.setdefault(node.name, ClassFacts(node))
        facts.bases = tuple(self._visit(base, scope) for base in node.bases)
        scope[node.name] = Value("class", node.name)
        outer, self._owner = self._owner, facts
        inner = dict(scope)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                facts.methods[statement.name] = statement
                heads = [*statement.decorator_list, *annotations_of(statement)]
                for expression in [*heads, *defaults(statement.args)]:
                    self._visit(expression, scope)
                self._later.append((statement, scope, facts))
            else:
                self._statements([statement], inner)
        self._owner = outer

    def _on_Return(self, node: ast.Return, scope: dict[str, Value]) -> None:
        value = self._visit(node.value, scope) if node.value is not None else NONE
        self._give_back(value)

    def _give_back(self, value: Value) -> None:
        known = self._returned.get(self._function)
        self._returned[self._function] = value if known is None else self._join(known, value)

    # Functions

    def _function_body(self, function: Function, outer: dict[str, Value]) -> None:
        scope = dict(outer)
        parameters = self._parameters(function)
        self.parameters[function] = parameters
        scope.update(parameters)
        self._function = function
        if isinstance(function, ast.Lambda):
            self._returned[function] = self._visit(function.body, scope)
        else:
            self._statements(function.body, scope)

    def _parameters(self, function: Function) -> dict[str, Value]:
        passed = self._arguments.get(function, {})
        if self.outside is not None and not isinstance(function, ast.Lambda):
            owned = f"{self._owner.node.name}." if self._owner is not None else ""
            passed = joined([passed, self.outside.given.get(f"{owned}{function.name}", {})])
        given = function.args
        order = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        values = {name: passed.get(name, UNKNOWN) for name in order}
        for arg, default in default_pairs(given):
            if values[arg].kind == "unknown" and arg not in passed:
                values[arg] = self.value(default)
        if given.vararg:
            values[given.vararg.arg] = list_of(passed.get("*", UNKNOWN))
        if given.kwarg:
            values[given.kwarg.arg] = Value("dict", items=(UNKNOWN,))
        owner = self._owner
        if owner is not None and isinstance(function, ast.FunctionDef):
            method = owner.methods.get(function.name) is function
            if method and order:
                values[order[0]] = Value("instance", owner.node.name)
                if function.name in _FORWARD and self.is_block(values[order[0]]):
                    self._forward_parameters(function, order, values)
                elif function.name in _GIVEN:
                    self._given_parameters(owner.node.name, function.name, order, values)
        return values

    def _given_parameters(
        self, cls: str, method: str, order: list[str], values: dict[str, Value]
    ) -> None:
        lineage = self.lineage(cls)
        for base, (places, value) in _GIVEN[method].items():
            if base in lineage:
                for name in order[places]:
                    # a call may show that what is mostly a list is a single array
                    if value is ARRAY or values[name].kind == "unknown":
                        values[name] = value

    def _forward_parameters(
        self, function: ast.FunctionDef, order: list[str], values: dict[str, Value]
    ) -> None:
        inputs = order[1:]
        if function.name == "hybrid_forward" and inputs:
            values[inputs.pop(0)] = Value("namespace", "F")
        optional = {arg for arg, _ in default_pairs(function.args)}
        for name in inputs:
            if values[name].kind in ("unknown", "none") and name not in optional:
                values[name] = ARRAY

    # Expressions

    def _visit(self, node: ast.expr, scope: dict[str, Value]) -> Value:
        kind = type(node)
        if kind not in self._handlers:
            self._handlers[kind] = getattr(self, f"_of_{kind.__name__}", None)
        handler = self._handlers[kind]
        if handler is not None:
            value: Value = handler(node, scope)
        else:
            self._children(node, scope)
            value = UNKNOWN
        if self.facts is not None and value.kind in _UNSURE:
            value = self._observed(node, value)
        self.values[node] = value
        return value

    def _observed(self, node: ast.expr, value: Value) -> Value:
        """What a run saw of an expression that reading does not tell."""
        assert self.facts is not None
        seen = self.facts.value(node)
        parent = self._called.get(node)
        if seen is None and parent is not None:
            seen = self.facts.receiver(parent)
        if seen is None or seen.kind in ("other", "list", "tuple", "dict"):
            return value
        return Value(seen.kind, seen.cls) if seen.kind == "instance" else Value(seen.kind)

    def _of_Name(self, node: ast.Name, scope: dict[str, Value]) -> Value:
        return scope.get(node.id, Value("builtin", node.id))

    def _of_Constant(self, node: ast.Constant, scope: dict[str, Value]) -> Value:
        if node.value is None:
            return NONE
        return TEXT if isinstance(node.value, str) else SCALAR

    def _of_JoinedStr(self, node: ast.JoinedStr, scope: dict[str, Value]) -> Value:
        self._children(node, scope)
        return TEXT

    def _of_FormattedValue(self, node: ast.FormattedValue, scope: dict[str, Value]) -> Value:
        self._children(node, scope)
        return TEXT

    def _of_Attribute(self, node: ast.Attribute, scope: dict[str, Value]) -> Value:
        owner = self._visit(node.value, scope)
        if owner.kind == "namespace":
            if owner.name == "F":
                inner = node.attr in ("random", "linalg", "contrib", "image", "sparse")
                return Value("namespace" if inner else "member", f"F.{node.attr}")
            return results.of_mxnet(f"{owner.name}.{node.attr}")
        if owner.kind == "member":
            return Value("member", f"{owner.name}.{node.attr}")
        if owner.kind == "python":
            return self._of_python(f"{owner.name}.{node.attr}")
        if owner.kind == "instance" and self.facts_of(owner.name) is not None:
            found = self._own_attribute(owner.name, node.attr)
            if found is not None:
                return found
        return results.attribute(owner, node.attr)

    def _own_attribute(self, name: str, attr: str) -> Value | None:
        for cls in self.lineage(name):
            facts = self.facts_of(cls)
            if facts is not None:
                known = [d[attr] for d in (facts.attributes, facts.found) if attr in d]
                if known:
                    return self._join(*known)
        return None

    def _of_BinOp(self, node: ast.BinOp, scope: dict[str, Value]) -> Value:
        return results.binary(self._visit(node.left, scope), self._visit(node.right, scope))

    def _of_UnaryOp(self, node: ast.UnaryOp, scope: dict[str, Value]) -> Value:
        value = self._visit(node.operand, scope)
        return value if not isinstance(node.op, ast.Not) else SCALAR

    def _of_Compare(self, node: ast.Compare, scope: dict[str, Value]) -> Value:
        sides = [self._visit(s, scope) for s in (node.left, *node.comparators)]
        if isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            return SCALAR
        kinds = {s.kind for s in sides}
        return MASK if "array" in kinds else NUMPY if "numpy" in kinds else SCALAR

    def _of_BoolOp(self, node: ast.BoolOp, scope: dict[str, Value]) -> Value:
        return join(*(self._visit(v, scope) for v in node.values))

    def _of_IfExp(self, node: ast.IfExp, scope: dict[str, Value]) -> Value:
        self._visit(node.test, scope)
        return self._join(self._visit(node.body, scope), self._visit(node.orelse, scope))

    def _of_Subscript(self, node: ast.Subscript, scope: dict[str, Value]) -> Value:
        owner = self._visit(node.value, scope)
        self._visit(node.slice, scope)
        if owner.kind == "instance" and owner.name.startswith(results.DATA):
            return results.item_of(owner)
        if owner.kind == "instance" and owner.name == "mx.gluon.ParameterDict":
            return Value("instance", "mx.gluon.Parameter")
        if owner.kind == "shape":
            return SHAPE if isinstance(node.slice, ast.Slice) else SCALAR
        if owner.kind == "instance" and self.is_block(owner):
            return self._layer_at(owner, node.slice)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        scalars = all(self.value(part).kind == "scalar" for part in parts)
        element = ranks.element(owner, node.slice, scalars)
        if element is not None:
            return element
        if isinstance(node.slice, ast.Slice) and owner.kind in ("list", "tuple"):
            return list_of(owner.item)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if owner.kind == "tuple" and isinstance(index, int) and -len(owner.items) <= index:
            return owner.items[index] if index < len(owner.items) else UNKNOWN
        return owner.item

    def _layer_at(self, owner: Value, index: ast.expr) -> Value:
        layers = self.layers(owner)
        position = index.value if isinstance(index, ast.Constant) else None
        if isinstance(position, int) and position < len(layers):
            return layers[position] if layers[position].kind == "instance" else _BLOCK
        found = join(*layers) if layers and not isinstance(index, ast.Slice) else _BLOCK
        return found if found.kind == "instance" else _BLOCK

    def _of_Tuple(self, node: ast.Tuple, scope: dict[str, Value]) -> Value:
        items = [self._visit(e, scope) for e in node.elts]
        return SHAPE if items and all(i.kind == "scalar" for i in items) else tuple_of(*items)

    def _of_List(self, node: ast.List, scope: dict[str, Value]) -> Value:
        items = [self._visit(e, scope) for e in node.elts]
        return list_of(self._join(*items)) if items else Value("list")

    def _of_Dict(self, node: ast.Dict, scope: dict[str, Value]) -> Value:
        self._children(node, scope)
        return Value("dict", items=(self._join(*(self.value(v) for v in node.values)),))

    def _of_Starred(self, node: ast.Starred, scope: dict[str, Value]) -> Value:
        return self._visit(node.value, scope).item

    def _comprehension(
        self, node: ast.ListComp | ast.GeneratorExp, scope: dict[str, Value]
    ) -> Value:
        inner = dict(scope)
        for generator in node.generators:
            self._bind(
                generator.target,
                results.elements(self._iterated(self._visit(generator.iter, inner))),
                inner,
            )
            for test in generator.ifs:
                self._visit(test, inner)
        return list_of(self._visit(node.elt, inner))

    def _of_ListComp(self, node: ast.ListComp, scope: dict[str, Value]) -> Value:
        return self._comprehension(node, scope)

    def _of_GeneratorExp(self, node: ast.GeneratorExp, scope: dict[str, Value]) -> Value:
        return self._comprehension(node, scope)

    def _of_DictComp(self, node: ast.DictComp, scope: dict[str, Value]) -> Value:
        inner = dict(scope)
        for generator in node.generators:
            self._bind(
                generator.target,
                results.elements(self._iterated(self._visit(generator.iter, inner))),
                inner,
            )
        self._visit(node.key, inner)
        return Value("dict", items=(self._visit(node.value, inner),))

    def _of_Lambda(self, node: ast.Lambda, scope: dict[str, Value]) -> Value:
        self._later.append((node, dict(scope), None))
        name = f"lambda {results.origin_of(node)}"
        self.functions[name] = node
        return Value("function", name)

    def _of_Yield(self, node: ast.Yield, scope: dict[str, Value]) -> Value:
        value = self._visit(node.value, scope) if node.value is not None else NONE
        self._give_back(list_of(value))
        return UNKNOWN

    def _of_YieldFrom(self, node: ast.YieldFrom, scope: dict[str, Value]) -> Value:
        self._give_back(list_of(results.elements(self._visit(node.value, scope))))
        return UNKNOWN

    def _of_NamedExpr(self, node: ast.NamedExpr, scope: dict[str, Value]) -> Value:
        value = self._visit(node.value, scope)
        self._bind(node.target, value, scope)
        return value

    # Binding

    def _bind(self, target: ast.expr, value: Value, scope: dict[str, Value]) -> None:
        self.values[target] = value
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part, item in zip(
                target.elts, results.unpacked(value, len(target.elts)), strict=True
            ):
                self._bind(part, item, scope)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, list_of(value), scope)
        else:
            self._children(target, scope)
            if isinstance(target, ast.Attribute):
                self._bind_attribute(target, value)
