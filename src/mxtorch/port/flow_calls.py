"""What calls give, and what they hand to functions of the file: the larger part of `flow`."""

from __future__ import annotations

import abc
import ast
from functools import cached_property

from mxtorch.port import names, ranks, results
from mxtorch.port.facts import FileFacts
from mxtorch.port.outside import ClassFacts, Function, Outside
from mxtorch.port.values import ARRAY, UNKNOWN, Value, join, list_of, tuple_of

_SUPER = Value("builtin", "super")


class FlowCalls(abc.ABC):
    """The state of a flow, and its calls; see `flow.Flow`."""

    def __init__(self, facts: FileFacts | None, outside: Outside | None = None) -> None:
        self.facts = facts
        self.outside = outside
        # the module's own names, at its end
        self.scope: dict[str, Value] = {}
        self.values: dict[ast.AST, Value] = {}
        self.classes: dict[str, ClassFacts] = {}
        self.stars: list[ast.ImportFrom] = []
        # what layers are called with, by the call that made them
        self.fed: dict[str, Value] = {}
        # the layers of Sequentials, by the call that made these and the call that added them
        self.content: dict[str, dict[ast.Call, list[Value]]] = {}
        # what parameters are, by function
        self.parameters: dict[Function, dict[str, Value]] = {}
        # what the last round found, and this one
        self._arguments: dict[Function, dict[str, Value]] = {}
        self._passed: dict[Function, dict[str, Value]] = {}
        self._returns: dict[Function, Value] = {}
        self._returned: dict[Function, Value] = {}
        self.functions: dict[str, Function] = {}
        # receivers and the calls of their methods
        self._called: dict[ast.expr, ast.Call] = {}
        self._owner: ClassFacts | None = None
        self._later: list[tuple[Function, dict[str, Value], ClassFacts | None]] = []

    @abc.abstractmethod
    def _visit(self, node: ast.expr, scope: dict[str, Value]) -> Value: ...

    @cached_property
    def is_numpy(self) -> bool:
        """Whether the file's arrays are those of `mx.np`."""
        if self.outside is not None and self.outside.numpy:
            return True
        return any(
            value.is_mxnet() and ".".join(value.name.split(".")[:2]) in results.NUMPY_MODULES
            for value in self.values.values()
        )

    @property
    def recorded(self) -> frozenset[str]:
        """Functions of the file that other files call while they record gradients."""
        return self.outside.recorded if self.outside is not None else frozenset()

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression."""
        return self.values.get(node, UNKNOWN)

    def is_block(self, value: Value) -> bool:
        """Whether calling the value runs a Gluon block (an instance, or a class of blocks)."""
        return any(results.is_block(b) for b in self.lineage(value.name))

    def lineage(self, name: str) -> tuple[str, ...]:
        """A class and its bases, nearest first: the file's own by name, MXNet's dotted."""
        facts = self.facts_of(name)
        if facts is None:
            return names.bases(name) if name.startswith(("mx.", "nlp.")) else (name,)
        found = [name]
        for base in facts.bases:
            if base.name != name:
                found += self.lineage(base.name)
        return tuple(found)

    def _of_Call(self, node: ast.Call, scope: dict[str, Value]) -> Value:
        if isinstance(node.func, ast.Attribute):
            self._called[node.func.value] = node
        function = self._visit(node.func, scope)
        arguments = [self._visit(a, scope) for a in node.args]
        for keyword in node.keywords:
            self._visit(keyword.value, scope)
        given = tuple(arguments)
        if function.kind == "member":
            if function.name.startswith("mx.model.load_"):
                return self._checkpoint(function.name)
            if names.canonical(function.name) == "mx.sym.load":
                return self._saved_net(function.name)
            found = results.call(function.name, len(given) + len(node.keywords))
            if found.kind == "instance":
                for keyword in node.keywords:
                    if keyword.arg == "transform":
                        self._hand_on(keyword.value, found, node)
                if found.name in results.FUNCTIONS and node.args:
                    self._hand_arrays(node, given[0], "Hybrid" in found.name)
                return results.constructed(found.name, node, given)
            return ranks.made(function.name, node, given, found)
        if function.kind == "python":
            return ranks.made(function.name, node, given, results.python_call(function.name, given))
        if function == _SUPER and self._owner is not None and self._owner.bases:
            return Value("instance", self._owner.bases[0].name)
        if function.kind == "builtin":
            return results.builtin_call(function.name, tuple(map(self._iterated, given)))
        if function.kind == "function":
            called = self._function_of(function.name)
            return UNKNOWN if called is None else self._call_function(called, arguments, node, 0)
        if function.kind == "class":
            init = self._method(function.name, "__init__")
            if init is not None:
                self._call_function(init, arguments, node, 1)
            return Value("instance", function.name)
        if function.kind == "instance":
            return self._call_instance(function, arguments, node)
        if function.kind == "method":
            return self._call_method(function, arguments, node, scope)
        handed = function.kind == "unknown" and any(a.kind == "array" for a in arguments)
        return ARRAY if handed else UNKNOWN  # a net or a loss that the function is given

    def _call_function(
        self, function: Function, arguments: list[Value], node: ast.Call, skip: int
    ) -> Value:
        self._pass(function, arguments, node, skip)
        return self.returned(function)

    def returned(self, function: Function) -> Value:
        """What a function gives, of this file or another."""
        if function not in self._returns and self.outside is not None:
            return self.outside.returns.get(function, UNKNOWN)
        return self._returns.get(function, UNKNOWN)

    @property
    def passed(self) -> dict[Function, dict[str, Value]]:
        """What the file's calls hand to functions, its own and others'."""
        return self._arguments

    def facts_of(self, name: str) -> ClassFacts | None:
        """A class of the file, or of one that it imports."""
        if name in self.classes or self.outside is None:
            return self.classes.get(name)
        return self.outside.classes.get(name)

    def _function_of(self, name: str) -> Function | None:
        """A function of the file, or of one that it imports."""
        if name in self.functions or self.outside is None:
            return self.functions.get(name)
        return self.outside.function(name) if "." in name else None

    def _join(self, *values: Value) -> Value:
        """What is known of one of these values; of the program's own classes a base of all."""
        found = join(*values)
        known = [v for v in values if v.kind != "none"]
        if found != UNKNOWN or {v.kind for v in known} not in ({"class"}, {"instance"}):
            return found
        for base in self.lineage(known[0].name):
            if base == "mx.gluon.HybridBlock":
                base = results.BLOCK
            if all(base in self.lineage(v.name) for v in known):
                mine = base.startswith("mx.") or self.facts_of(base) is not None
                return Value(known[0].kind, base) if mine else UNKNOWN
        return UNKNOWN

    def _method(self, cls: str, name: str) -> ast.FunctionDef | None:
        for base in self.lineage(cls):
            facts = self.facts_of(base)
            if facts is not None and name in facts.methods:
                return facts.methods[name]
        return None

    def called(self, node: ast.Call) -> Function | None:
        """The function or method of the program's own that a call calls by its name."""
        function = self.value(node.func)
        if function.kind == "function":
            return self._function_of(function.name)
        owner = function.items[0] if function.kind == "method" else UNKNOWN
        return self._method(owner.name, function.name) if owner.kind == "instance" else None

    def with_heads(self) -> str | None:
        """The one class of the file that was a symbol with losses; None if there are several."""
        found = [
            name
            for name, facts in self.classes.items()
            if any(isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
                   and s.targets[0].id == "heads" for s in facts.node.body)
            and self.is_block(Value("class", name))
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def _checkpoint(self, name: str) -> Value:
        """What the parts of a checkpoint are: the net, its parameters, its running statistics."""
        params = (results.NAMED, results.NAMED)
        if name.endswith("load_params"):
            return tuple_of(*params)
        return tuple_of(self._saved_net(name), *params)

    def _saved_net(self, name: str) -> Value:
        """The net that a file holds: the one that the program itself has made."""
        cls = self.with_heads()
        unknown = Value("unknown", f"the symbol that {name}() gives")
        return unknown if cls is None else Value("instance", cls)

    def _call_instance(self, owner: Value, arguments: list[Value], node: ast.Call) -> Value:
        for name, skip in (("hybrid_forward", 2), ("forward", 1), ("__call__", 1)):
            method = self._method(owner.name, name)
            if method is not None:
                found = self._call_function(method, arguments, node, skip)
                return ARRAY if found.kind == "unknown" and self.is_block(owner) else found
        if "mx.gluon.loss.Loss" in self.lineage(owner.name):
            return results.SAMPLES
        if self.is_block(owner):
            self._feed(owner, arguments)
            if len(owner.items) > 1 and len(arguments) == 1:
                given = owner.items[0]
                if given.kind == "same":
                    return arguments[0] if arguments[0].kind == "array" else ARRAY
                return given
            return results.call_block(
                next(b for b in self.lineage(owner.name) if b.startswith(("mx.", "nlp."))),
                len(arguments),
            )
        return results.CELL if results.is_old_cell(owner.name) else UNKNOWN

    def _call_method(
        self, function: Value, arguments: list[Value], node: ast.Call, scope: dict[str, Value]
    ) -> Value:
        owner = function.items[0]
        if owner.kind == "instance":
            method = self._method(owner.name, function.name)
            if method is not None:
                return self._call_function(method, arguments, node, 1)
            if self.facts_of(owner.name) is not None and self.is_block(owner):
                owner = Value("instance", results.BLOCK)
        if owner.name.startswith(results.DATA) and function.name.startswith("transform"):
            for argument in node.args[:1]:
                self._hand_on(argument, owner, node, first="first" in function.name)
        if owner.kind == "list" and function.name == "append" and arguments:
            self._append(node, arguments[0], scope)
        if function.name == "add" and owner.name in results.SEQUENTIAL and arguments:
            if len(owner.items) > 1:
                added = self.content.setdefault(owner.items[1].name, {})
                added[node] = list(arguments)
            self._add_layer(node, owner, arguments[-1], scope)
        found = results.method(owner, function.name, tuple(arguments), bool(node.keywords))
        return ranks.method(function.name, owner, node, found)

    def layers(self, owner: Value) -> list[Value]:
        """What is known of the layers of a Sequential."""
        added = self.content.get(owner.items[1].name, {}) if len(owner.items) > 1 else {}
        return [value for values in added.values() for value in values]

    def _iterated(self, value: Value) -> Value:
        """A Sequential is a list of its layers to who goes over it."""
        if value.kind == "instance" and value.name in results.SEQUENTIAL:
            found = join(*self.layers(value)) if self.layers(value) else UNKNOWN
            known = found.kind == "instance"
            return list_of(found if known else Value("instance", results.BLOCK))
        if value.kind == "instance" and results.ITERATOR in self.lineage(value.name):
            return list_of(results.BATCH)
        return value

    def _feed(self, owner: Value, arguments: list[Value]) -> None:
        """Note what a layer is called with."""
        if len(owner.items) > 1 and arguments:
            origin = owner.items[1].name
            known = self.fed.get(origin)
            self.fed[origin] = arguments[0] if known is None else join(known, arguments[0])

    def _add_layer(
        self, node: ast.Call, owner: Value, last: Value, scope: dict[str, Value]
    ) -> None:
        """A Sequential gives what its last layer gives."""
        if len(owner.items) < 2:
            return
        given = last.items[0] if len(last.items) > 1 else ARRAY
        if given.kind == "same":
            given = owner.items[0]
        grown = Value("instance", owner.name, (given, owner.items[1]))
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(receiver, ast.Name):
            scope[receiver.id] = grown
        elif isinstance(receiver, ast.Attribute):
            target = self.value(receiver.value)
            facts = self.classes.get(target.name) if target.kind == "instance" else None
            if facts is not None:
                facts.found[receiver.attr] = grown

    def _append(self, node: ast.Call, item: Value, scope: dict[str, Value]) -> None:
        """A list made empty learns what is put into it."""
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        known = self.value(receiver) if receiver is not None else UNKNOWN
        grown = list_of(join(*known.items, item) if known.items else item)
        if isinstance(receiver, ast.Attribute):
            self._bind_attribute(receiver, grown)
        elif isinstance(receiver, ast.Name):
            scope[receiver.id] = grown

    def _hand_on(
        self, argument: ast.expr, dataset: Value, node: ast.Call, first: bool = False
    ) -> None:
        """A function that a data set gives its items to."""
        value = self.value(argument)
        function: ast.AST = argument
        if value.kind == "function":
            function = self._function_of(value.name) or argument
        if isinstance(function, Function) and dataset.name.startswith(results.DATA):
            items = list(results.item_of(dataset).items)
            self._pass(function, items[:1] if first else items, node, 0)

    def _hand_arrays(self, node: ast.Call, value: Value, hybrid: bool) -> None:
        """A function that is a layer: it is given arrays, and `F` first if it is hybrid."""
        function = self._function_of(value.name) if value.kind == "function" else None
        if function is not None:
            given = [a.arg for a in function.args.args]
            first = [Value("namespace", "F")] if hybrid else []
            self._pass(function, [*first, *[ARRAY] * (len(given) - len(first))], node, 0)

    def _pass(self, function: Function, values: list[Value], node: ast.Call, skip: int) -> None:
        """Note what a call hands to a function of the file."""
        passed = self._passed.setdefault(function, {})
        given = function.args
        order = [a.arg for a in (*given.posonlyargs, *given.args)][skip:]
        known = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
        pairs = list(zip(order, values, strict=False))
        pairs += [(k.arg, self.value(k.value)) for k in node.keywords if k.arg in known]
        for name, value in pairs:
            passed[name] = self._join(passed[name], value) if name in passed else value

    def _bind_attribute(self, target: ast.Attribute, value: Value) -> None:
        owner = self.value(target.value)
        facts = self.classes.get(owner.name) if owner.kind == "instance" else None
        if facts is not None:
            known = facts.found.get(target.attr)
            facts.found[target.attr] = value if known is None else self._join(known, value)
