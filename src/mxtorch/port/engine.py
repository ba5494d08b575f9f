"""The port of one file: expressions that rules match are rewritten in place, the rest is kept.

An expression is replaced as text at its own position, its arguments rewritten first; templates are
syntax trees, so that brackets come out right. What belongs to statements is in `statements`.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mxtorch._core.errors import NotSupportedError
from mxtorch._core.op import Op, lookup
from mxtorch.port import names
from mxtorch.port.calls import as_called, literal, read_signature
from mxtorch.port.codes import Code
from mxtorch.port.edits import Source, children, expressions_in
from mxtorch.port.facts import FileFacts, Layer, Shape
from mxtorch.port.flow import Flow
from mxtorch.port.missing import is_missing
from mxtorch.port.outcome import NO_WISHES, Counts, Outcome, Wishes
from mxtorch.port.outside import Outside
from mxtorch.port.own import NAMING, own_names
from mxtorch.port.positions import place_fstrings
from mxtorch.port.results import BLOCK, known_by, origin_of
from mxtorch.port.rule import REGISTRY, Given, NotGiven, Rule, bind, needs_atom, parenthesized
from mxtorch.port.values import ANOTHER, ARRAY, UNKNOWN, Value
from mxtorch.report.finding import Finding

_ONE_ARGUMENT = re.compile(r"torch\.\w+\(\{\w+\}\)")
# kinds of values that may have methods of any name
_OWN_METHODS = ("instance", "class", "member", "namespace", "device", "python")


@dataclass
class Match:
    """A rule at a place: what its function works with."""

    port: FilePort
    rule: Rule
    node: ast.expr
    given: Mapping[str, ast.expr]
    receiver: ast.expr | None = None

    def text(self, argument: str | ast.AST, default: str | None = None) -> str:
        """The rewritten text of an argument (by name) or of any node."""
        if isinstance(argument, str):
            found = self.given.get(argument)
            if found is None:
                if default is None:
                    raise NotGiven(argument)
                return default
            argument = found
        return self.port.render(argument)

    def value(self, argument: str | ast.AST) -> Value:
        """What is known of an argument, or of any node."""
        node = self.given[argument] if isinstance(argument, str) else argument
        return self.port.flow.value(node)

    def shape(self, argument: str | ast.AST) -> Shape | None:
        """The shape that a run saw of an argument, or of any node."""
        node = self.given[argument] if isinstance(argument, str) else argument
        facts = self.port.facts
        if facts is None:
            return None
        seen = facts.value(node)
        if seen is None and node is self.receiver and isinstance(self.node, ast.Call):
            seen = facts.receiver(self.node)
        return seen.shape if seen is not None else None

    @property
    def layer(self) -> Layer:
        """What a run saw of the layers that this call made."""
        found = self.port.facts.layer(self.node) if self.port.facts is not None else None
        return found or Layer()

    def constant(self, argument: str) -> object:
        """An argument's value if it is written out; else None."""
        node = self.given.get(argument)
        if node is None:
            return None
        try:
            return ast.literal_eval(node)
        except ValueError:
            return None

    def has(self, *arguments: str) -> bool:
        """Whether the call gives one of these arguments."""
        return any(a in self.given for a in arguments)

    def only(self, *arguments: str) -> bool:
        """Whether the call gives no other arguments than these."""
        return set(self.given) <= set(arguments)

    def note(self, code: Code, detail: str = "") -> None:
        """Say something about the place."""
        self.port.note(self.node, code, detail)

    def note_guess(self, what: str) -> None:
        """Say what was taken for granted."""
        self.note(Code.DIFFERS, f"taken for {what}")

    def need(self, *modules: str) -> None:
        """The result uses these modules."""
        self.port.needs.update(modules)

    def helper(self, name: str) -> str:
        """The result calls this function or class of `helpers`."""
        return self.port.use_helper(name)

    @property
    def parent(self) -> ast.AST | None:
        """The node around this one."""
        return self.port.parents.get(self.node)


class FilePort:
    """One file on its way from MXNet to PyTorch."""

    # the text of the helpers, once it is known
    block = ""

    def __init__(
        self,
        text: str,
        path: str = "<text>",
        facts: FileFacts | None = None,
        wishes: Wishes = NO_WISHES,
        outside: Outside | None = None,
    ) -> None:
        self.path = path
        self.facts = facts
        self.tree = ast.parse(text)
        self.source = Source(text)
        self.parents: dict[ast.AST, ast.AST] = {}
        # all nodes, outer ones first
        self.nodes: list[ast.AST] = [self.tree]
        self._by_type: dict[type, list[ast.AST]] = {}
        for node in self.nodes:
            self._by_type.setdefault(type(node), []).append(node)
            for child in children(node):
                self.parents[child] = node
                self.nodes.append(child)
        place_fstrings(self.nodes, self.source)
        self.flow = Flow(self.tree, facts, outside)
        self.parallel, make = wishes.parallel, wishes.carrier
        names = set(self.own_names).union(node.id for node in self.of(ast.Name))
        self.carrier = None if make is None else make(names)
        self.needs: set[str] = set()
        # helpers, and what they are called in the file
        self.helpers: dict[str, str] = {}
        self.findings: list[Finding] = []
        # what a person must do, and where
        self.to_do: list[tuple[ast.AST, Code, str]] = []
        self.counts = Counts()
        self.outcomes: dict[ast.AST, Outcome] = {}
        self.unclear: dict[ast.expr, str] = {}  # what is not understood: what it is called
        self.removed: set[ast.stmt] = set()
        # statements that are written already
        self.written: set[ast.stmt] = set()
        # `with` statements that went or became torch's
        self.unwrapped: set[ast.stmt] = set()
        self.gone: set[ast.stmt] = set()  # those that went
        # whether a seed has brought cuDNN's flag along
        self.seeded = False
        # names of the file's for modules of MXNet's
        self.aliases: set[str] = set()
        self.static: set[str] = set()  # functions with gradients of their own
        self.roots: set[str] = set()  # names under which MXNet is still used
        # a layer of a Sequential and those before it
        self.before: dict[ast.expr, list[ast.expr]] = {}
        # and the call that made the Sequential
        self.sequence: dict[ast.expr, ast.Call] = {}
        # Sequentials whose layers stay one module each, once that was asked
        self.one_to_one: frozenset[str] | None = None
        # the divisors of gradients at calls that clip them
        self.divided: dict[ast.Call, ast.expr] = {}
        # texts that statements give to expressions in them
        self.renamed: dict[ast.AST, str] = {}
        self._rendered: dict[ast.AST, str] = {}
        self._kept: dict[ast.AST, list[tuple[int, int]]] = {}
        self._noted: set[tuple[int, str]] = set()

    def of(self, *types: type) -> Iterator[Any]:
        """The nodes of these types."""
        for one in types:
            yield from self._by_type.get(one, [])

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Names that the file gives to things of its own."""
        return own_names(self.of(*NAMING), self.parents, self.namespaces)

    @cached_property
    def namespaces(self) -> frozenset[ast.arg]:
        """Parameters through which only `F` is handed on; they go."""
        return frozenset(
            arg
            for node in self.of(ast.FunctionDef, ast.AsyncFunctionDef)
            for arg in node.args.args
            if self.flow.parameters.get(node, {}).get(arg.arg, UNKNOWN).kind == "namespace"
        )

    @cached_property
    def members(self) -> frozenset[str]:
        """The names of MXNet that the file uses."""
        values = self.flow.values.values()
        return frozenset(v.name for v in values if v.kind == "member")

    @cached_property
    def switches_gradients(self) -> bool:
        """Whether the file asks, outside of modules, if it is recording: then that is kept."""
        return any(
            (name := self.flow.value(n.func).name).startswith("mx.autograd.is_")
            and (name.endswith("is_recording") or not self.in_block(n))
            for n in self.of(ast.Call)
        )

    @cached_property
    def constructors(self) -> dict[str, ast.Call]:
        """The calls that make layers, as values name them."""
        return {
            value.items[1].name: node
            for node, value in self.flow.values.items()
            if isinstance(node, ast.Call) and value.kind == "instance" and len(value.items) > 1
            if value.items[1].kind == "origin" and value.items[1].name == origin_of(node)
        }

    @cached_property
    def layers(self) -> list[tuple[int, ast.Call, str]]:
        """The layers that the file makes: line, call and class."""
        return [
            (node.lineno, node, value.name)
            for node, value in self.flow.values.items()
            if isinstance(node, ast.Call)
            and value.kind == "instance"
            and value.name.startswith("mx.gluon.nn.")
        ]

    def note(self, node: ast.AST, code: Code, detail: str = "") -> None:
        """Say something about a place; once for a line."""
        line = getattr(node, "lineno", 1)
        message = f"{code.text}{': ' if detail else ''}{detail}"
        if (line, message) in self._noted:
            return
        self._noted.add((line, message))
        if code.act:
            self.to_do.append((node, code, message))
        column = getattr(node, "col_offset", 0) + 1
        self.findings.append(Finding(self.path, line, column, code.number, message, code.act))

    def use_helper(self, name: str) -> str:
        """Carry a helper along; what it is called in the file."""
        free = name not in self.own_names
        return self.helpers.setdefault(name, name if free else f"{name}_of_mxnet")

    def in_block(self, node: ast.AST) -> bool:
        """Whether a node is part of a Gluon block of the file."""
        outer: ast.AST | None = node
        while outer is not None:
            if isinstance(outer, ast.ClassDef):
                return self.flow.is_block(Value("class", outer.name))
            outer = self.parents.get(outer)
        return False

    # Expressions

    def render(self, node: ast.AST) -> str:
        """The text of an expression after the port."""
        if node not in self._rendered:
            self._rendered[node] = self._render(node)
        return self._rendered[node]

    def rendered(self, node: ast.AST) -> str | None:
        """The text that an expression got; None if nothing asked for it alone."""
        return self._rendered.get(node)

    def rename(self, node: ast.AST, text: str) -> None:
        """Give an expression its text, also if it had one already."""
        self.renamed[node] = self._rendered[node] = text

    def _render(self, node: ast.AST) -> str:
        if node in self.renamed:
            return self.renamed[node]
        if isinstance(node, ast.expr):
            if isinstance(node, ast.Call) and self._hands_on(node):
                return self._without_namespaces(node)
            written = self._by_rule(node)
            if written is not None:
                return written
        return self.splice(node)

    def _hands_on(self, node: ast.Call) -> bool:
        """Whether a call hands `F` to a function of the file's own."""
        if self.flow.value(node.func).kind not in ("function", "method"):
            return False
        return any(self.flow.value(a).kind == "namespace" for a in node.args)

    def _without_namespaces(self, node: ast.Call) -> str:
        kept = [a for a in node.args if self.flow.value(a).kind != "namespace"]
        texts = [self.render(a) for a in kept]
        for keyword in node.keywords:
            text = self.render(keyword.value)
            texts.append(f"{keyword.arg}={text}" if keyword.arg else f"**{text}")
        return f"{self.render(node.func)}({', '.join(texts)})"

    def splice(self, node: ast.AST) -> str:
        """The node's own text with its parts rewritten."""
        start, end = self.source.span(node)
        parts, position = [], start
        for child in sorted(expressions_in(node), key=lambda c: self.source.span(c)):
            first, last = self.source.span(child)
            old, new = self.source.text[first:last], self.render(child)
            if first < position:
                continue
            if old != new and needs_atom(self.parents.get(child), child):
                text = self.source.text
                bracketed = text[position:first].endswith("(") and text[last : last + 1] == ")"
                if bracketed and parenthesized(new) == new:
                    first, last = first - 1, last + 1  # its brackets are no longer needed
                new = new if bracketed else parenthesized(new)
            parts += [self.source.text[position:first], new]
            position = last
        return "".join([*parts, self.source.text[position:end]])

    def _by_rule(self, node: ast.expr) -> str | None:
        for key, receiver in self.keys(node):
            for rule in REGISTRY.find(key):
                written = self._apply(rule, node, receiver)
                if written is not None:
                    self.counts.idiomatic += 1
                    self.needs.update(rule.needs)
                    self.outcomes[node] = Outcome("equivalent" if rule.note else "exact", rule.note)
                    if rule.note:
                        self.note(node, Code.DIFFERS, rule.note)
                    return written
        return self._without_rule(node)

    def keys(self, node: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
        """What rules may match a node by, the nearest class first, with the receiver."""
        if isinstance(node, ast.Call):
            yield from self._call_keys(node)
        elif isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
            value = self.flow.value(node)
            if value.kind == "instance" and value.name.startswith("mx.gluon.nn."):
                yield f"layer {value.name}", None
            called = getattr(self.parents.get(node), "func", None) is node
            if value.kind == "member" and not called:
                yield f"name {common(value.name)}", None
            if isinstance(node, ast.Attribute):
                for owner in self.owners(self.flow.value(node.value)):
                    yield f"attr {owner}.{node.attr}", node.value
        elif isinstance(node, ast.Compare):
            kinds = {self.flow.value(n).kind for n in (node.left, *node.comparators)}
            if self.flow.value(node).kind == "array":
                yield f"compare {self.owners(ARRAY)[0]}", None
            elif kinds & {"dtype", "grad_req"}:
                yield f"compare {min(kinds & {'dtype', 'grad_req'})}", None
        elif isinstance(node, ast.Subscript):
            owner_value = self.flow.value(node.value)
            for owner in self.owners(owner_value):
                yield f"item {owner}", node.value
            if owner_value.kind == "numpy":
                yield "item numpy", node.value

    def _call_keys(self, node: ast.Call) -> Iterator[tuple[str, ast.expr | None]]:
        function = self.flow.value(node.func)
        if function.kind == "member":
            yield f"call {common(function.name)}", None
            is_symbol = function.name.startswith("mx.sym.")
            op = None if is_symbol else names.operator(common(function.name))
            if op is not None:
                yield f"op {op.name}", None
        elif function.kind == "class":
            for owner in self.flow.lineage(function.name):
                yield f"new {owner}", None
        elif function.kind == "instance":
            for owner in self.owners(function):
                yield f"calling {owner}", node.func
        elif function.kind == "builtin" and isinstance(node.func, ast.Name):
            yield f"builtin {node.func.id}", None
        elif isinstance(node.func, ast.Attribute):
            receiver = node.func.value
            value = self.flow.value(receiver)
            if value.kind in ("unknown", "list"):
                value = known_by(node.func.attr) or value
            elif value.kind not in _OWN_METHODS and node.func.attr in ("asnumpy", "asscalar"):
                value = ARRAY
            for owner in self.owners(value):
                yield f"method {owner}.{node.func.attr}", receiver
            op = names.method(node.func.attr) if value.kind == "array" else None
            if op is not None:
                yield f"op {op.name}", receiver

    def owners(self, value: Value) -> tuple[str, ...]:
        """The names by which rules know a value's class."""
        if value.kind == "array":
            return ("ndarray", "array") if self.flow.is_numpy else ("array",)
        if value.kind == "instance":
            return self.flow.lineage(value.name)
        return ("device",) if value.kind == "device" else ()

    def _apply(self, rule: Rule, node: ast.expr, receiver: ast.expr | None) -> str | None:
        given = self._given(rule, node, receiver)
        if callable(rule.to):
            with contextlib.suppress(NotGiven):
                return rule.to(Match(self, rule, node, Given(given or {}), receiver))
            return None
        if given is None:
            return None
        for template in rule.templates:
            if template.fits(given, rule.drop):
                texts = {n: self.render(v) for n, v in given.items() if n in template.holes}
                return template.fill(texts)
        return None

    def _drops(self, node: ast.expr, written: str) -> bool:
        """Whether a rule took no notice of arguments that the call unpacks."""
        if not isinstance(node, ast.Call):
            return False
        unpacked = [a.value for a in node.args if isinstance(a, ast.Starred)]
        unpacked += [k.value for k in node.keywords if k.arg is None]
        return any(self.render(part) not in written for part in unpacked)

    def _given(
        self, rule: Rule, node: ast.expr, receiver: ast.expr | None
    ) -> dict[str, ast.expr] | None:
        """The arguments by name, the receiver as `self`; None if they cannot be told."""
        if not isinstance(node, ast.Call):
            return {"self": receiver} if receiver is not None else {}
        signature = self._signature(rule)
        if signature is None:
            return None
        given = bind(signature, node, receiver)
        if given is not None and receiver is not None and not rule.on.startswith("op "):
            first = next(iter(signature.parameters))
            given["self"] = given.pop(first, receiver)
        return given

    def _signature(self, rule: Rule) -> inspect.Signature | None:
        if rule.params is not None:
            return read_signature(rule.params)
        kind, _, name = rule.on.partition(" ")
        if kind == "op":
            op = lookup(name)
            return None if op is None else as_called(op)
        if kind == "method":
            name = re.sub(r"^array\.", "mx.nd.NDArray.", name)
        return names.signature(name)

    def _without_rule(self, node: ast.expr) -> str | None:
        """An operator's call goes to mxtorch's own; anything else of MXNet stays and is noted."""
        if isinstance(node, ast.Call):
            return self._call_without_rule(node)
        if isinstance(self.parents.get(node), ast.Attribute):
            return None
        value = self.flow.value(node)
        function = self.function(value.name) if value.kind == "member" else None
        if function is not None:
            self.counts.idiomatic += 1
            self.needs.add("torch")
            self.outcomes[node] = Outcome("exact")
            return function
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if isinstance(node, (ast.Attribute, ast.Name)) and value.is_mxnet() and is_read:
            self.leave(node, value.name)
        elif is_read and is_missing(node, self.flow, self.parents):
            self.leave(node, f"mx.nd.NDArray.{node.attr}")
        return None

    def function(self, name: str) -> str | None:
        """torch's function for one of MXNet's that is not called."""
        for rule in REGISTRY.find(f"call {common(name)}"):
            if rule.function:
                return rule.function
            if isinstance(rule.to, str) and _ONE_ARGUMENT.fullmatch(rule.to):
                return rule.to.partition("(")[0]
        return None

    def _call_without_rule(self, node: ast.Call) -> str | None:
        function = self.flow.value(node.func)
        if function.kind == "member":
            if function.name.startswith(("mx.nd.", "F.")):
                return self._operator_call(node, names.operator(function.name), None)
            return None
        if not isinstance(node.func, ast.Attribute) or function.kind == "instance":
            return None
        receiver = node.func.value
        source = self.flow.value(receiver)
        if source.kind == "unknown" and source.name and node not in self.renamed:
            self.counts.left += 1
            self.outcomes[node.func] = Outcome("by hand")
            if source == ANOTHER and isinstance(receiver, ast.Name):
                self.roots.add(receiver.id)
            self.unclear[node.func] = f"*.{node.func.attr}"
            detail = f"{node.func.attr} of {source.name}"
            self.note(node, Code.BY_HAND, detail)
            return None
        owners = self.owners(self.flow.value(receiver))
        if "array" in owners:
            written = self._operator_call(node, names.method(node.func.attr), receiver)
            if written is None and node not in self.renamed:
                self.leave(node.func, f"mx.nd.NDArray.{node.func.attr}")
            return written
        mine = next((o for o in owners if o.startswith(("mx.", *names.FOREIGN))), None)
        own = node.func.attr == "__init__" or self._is_own(owners, node.func.attr)
        if owners[:1] == (BLOCK,) and not names.exists(f"{BLOCK}.{node.func.attr}"):
            return None  # of a class of the program's own, which one is not known
        if mine is not None and not own:
            of_symbol = f"mx.sym.Symbol.{node.func.attr}"  # of a symbol that became a block
            known = names.exists(f"{mine}.{node.func.attr}") or not names.exists(of_symbol)
            self.leave(node.func, f"{mine}.{node.func.attr}" if known else of_symbol)
        return None

    def _is_own(self, owners: tuple[str, ...], name: str) -> bool:
        """Whether the file defines the method itself."""
        classes = filter(None, map(self.flow.facts_of, owners))
        return any(name in c.methods or name in c.attributes for c in classes)

    def _operator_call(
        self, node: ast.Call, op: Op | None, receiver: ast.expr | None
    ) -> str | None:
        """The call as one of `mxtorch.ops`: arrays by position, attributes by keyword."""
        given = None if op is None else bind(as_called(op), node, receiver)
        if op is None or given is None:
            return None
        name = self._body(op, node) if self.carrier is not None else None
        inputs = [i.name for i in op.inputs]
        while inputs and inputs[-1] not in given:
            inputs.pop()
        texts = [self.render(given[name]) if name in given else "None" for name in inputs]
        for key, attribute in given.items():
            if key not in inputs:
                texts.append(f"{key}={self._attribute_text(op, key, attribute)}")
        self.counts.operators += 1
        self.outcomes[node] = Outcome("operator", f"mxtorch.ops.{op.name}")
        if name is not None:
            return f"{name}({', '.join(texts)})"
        self.needs.add("mxtorch.ops")
        self.note(node, Code.OPERATOR, f"mxtorch.ops.{op.name}")
        return f"mxtorch.ops.{op.name}({', '.join(texts)})"

    def _body(self, op: Op, node: ast.expr) -> str | None:
        """The name of the operator's body in the file, if it can go along."""
        assert self.carrier is not None
        try:
            return self.carrier.function(op)
        except NotSupportedError as error:
            self.note(node, Code.NOT_ALONE, str(error))
            return None

    def _attribute_text(self, op: Op, name: str, node: ast.expr) -> str:
        read = op.attrs[name].read if self.carrier is not None and name in op.attrs else None
        if read is not None and isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp)):
            with contextlib.suppress(ValueError, TypeError):
                return literal(read(ast.literal_eval(node)))
        if name == "dtype" and isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.needs.add("torch")
            return f"torch.{node.value}"
        return self.render(node)

    def leave(self, node: ast.expr, name: str) -> None:
        """Note a use of MXNet that stays as it is."""
        self.counts.left += 1
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name):
            self.roots.add(root.id)
        known = name.startswith(names.FOREIGN) or names.exists(common(names.canonical(name)))
        self.outcomes[node] = Outcome("by hand" if known else "unknown")
        self.note(node, Code.BY_HAND if known else Code.UNKNOWN, name)


def common(name: str) -> str:
    """`F.relu` is `mx.nd.relu` to the rules."""
    return names.canonical("mx.nd." + name.removeprefix("F.")) if name.startswith("F.") else name
