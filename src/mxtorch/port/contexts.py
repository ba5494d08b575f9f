"""Which functions run while gradients are recorded, and which parts of a file only predict."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from mxtorch.port import names
from mxtorch.port.edits import children
from mxtorch.port.flow import Flow
from mxtorch.port.outside import Function
from mxtorch.port.values import Value

RECORDING = frozenset(["mx.autograd.record", "mx.autograd.train_mode"])
_PAUSED = frozenset(["mx.autograd.pause", "mx.autograd.predict_mode"])
# Methods that have to do with gradients, or that set a training up.
_TRAINING = frozenset([
    "backward", "attach_grad", "step", "fit", "forward_backward", "initialize", "init_params",
    "zero_grad", "allreduce_grads", "set_data",
])  # fmt: skip
_NUMBERS = frozenset(["asnumpy", "asscalar", "item", "argmax", "topk"])
_BOTH = frozenset([True, False])
# kinds of callees that are given a net and are not of the file
_STRANGE = ("unknown", "python", "class")


class Contexts:
    """Of one file: where its functions are called from, and what trains.

    `recorded`: functions, as `name` or `Class.name`, that other files call while they record.
    """

    def __init__(self, tree: ast.Module, flow: Flow, recorded: Collection[str] = ()) -> None:
        self._flow = flow
        self._given = recorded
        # the functions around each call of a function: itself, whether it records there
        self._sites: dict[Function, list[tuple[Function | None, bool]]] = {}
        self._ambient: set[Function] = set()
        self._trains: set[Function] = set()
        self._calls: dict[Function, set[Function]] = {}
        self._measures: set[Function] = set()
        self._walk(tree.body, None, False, None)
        self._found = self._settle()

    def _walk(
        self, nodes: Iterable[ast.AST], owner: Function | None, on: bool, cls: str | None
    ) -> None:
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                self._walk(node.body, owner, on, node.name)
            elif isinstance(node, Function):
                self._enter(node, cls)
                self._walk(children(node), node, False, None)
            elif isinstance(node, ast.With):
                records = self._scopes(node) & RECORDING
                if owner is not None and self._is_training(node):
                    self._trains.add(owner)
                self._walk((i.context_expr for i in node.items), owner, on, None)
                self._walk(node.body, owner, on or bool(records), None)
            else:
                if isinstance(node, ast.Call):
                    self._call(node, owner, on)
                self._walk(children(node), owner, on, cls if isinstance(node, ast.If) else None)

    def _enter(self, node: Function, cls: str | None) -> None:
        name = "" if isinstance(node, ast.Lambda) else node.name
        if cls is not None and self._flow.is_block(Value("class", cls)):
            self._ambient.add(node)
        if (f"{cls}.{name}" if cls else name) in self._given:
            self._sites.setdefault(node, []).append((None, True))

    def _call(self, node: ast.Call, owner: Function | None, on: bool) -> None:
        called = self._flow.called(node)
        if called is not None:
            self._sites.setdefault(called, []).append((owner, on))
        if owner is None:
            return
        if called is not None:
            self._calls.setdefault(owner, set()).add(called)
        if self._is_training(node):
            self._trains.add(owner)
        function = node.func
        if isinstance(function, ast.Attribute):
            measured = self._flow.value(function.value).name.startswith("mx.metric.")
            if measured or function.attr in _NUMBERS:
                self._measures.add(owner)

    def _scopes(self, node: ast.With) -> frozenset[str]:
        """What a `with` enters of MXNet's."""
        calls = (i.context_expr for i in node.items)
        values = (self._flow.value(c.func) for c in calls if isinstance(c, ast.Call))
        return frozenset(names.canonical(v.name) for v in values if v.kind == "member")

    def _is_training(self, node: ast.AST) -> bool:
        """Whether a node by itself has to do with gradients, or may."""
        if isinstance(node, ast.With):
            return bool(self._scopes(node) & (RECORDING | _PAUSED))
        if not isinstance(node, ast.Call):
            return False
        value, function = self._flow.value(node.func), node.func
        if isinstance(function, ast.Attribute) and function.attr in _TRAINING:
            return True
        if value.kind == "member":
            return value.name.startswith(("mx.autograd.", "mx.gluon.Trainer", "mx.mod."))
        return value.kind in _STRANGE and self._flow.called(node) is None and any(
            self._is_net(a) for a in (*node.args, *(k.value for k in node.keywords))
        )  # fmt: skip

    def _is_net(self, node: ast.expr) -> bool:
        value = self._flow.value(node)
        return value.kind == "instance" and self._flow.is_block(value)

    def _settle(self) -> dict[Function, frozenset[bool]]:
        found: dict[Function, frozenset[bool]] = dict.fromkeys(self._ambient, _BOTH)
        grew = True
        while grew:
            grew = False
            for function, sites in self._sites.items():
                before = found.get(function, frozenset())
                now = before
                for owner, on in sites:
                    outer = frozenset([False]) if owner is None or owner not in self._sites else (
                        found.get(owner, frozenset())
                    )  # fmt: skip
                    if owner in self._ambient:
                        outer = _BOTH
                    now = now | (frozenset([True]) if on else outer)
                grew |= now != before
                found[function] = now
        return found

    def is_recorded(self, function: Function) -> bool:
        """Whether a function is called where gradients are recorded."""
        return True in self._found.get(function, ())

    def recorded(self) -> list[Function]:
        """The functions that are called where gradients are recorded, also other files'."""
        return [function for function in self._found if self.is_recorded(function)]

    def predicts(self, function: Function) -> bool:
        """Whether a function never runs under `record()` and does nothing that needs gradients.

        One that nobody calls must give numbers, so that it shows what it is for.
        """
        if self.is_recorded(function) or function in self._ambient or self._may_train(function):
            return False
        return bool(self._found.get(function)) or function in self._measures

    def _may_train(self, function: Function) -> bool:
        seen: set[Function] = set()
        waiting = [function]
        while waiting:
            one = waiting.pop()
            if one in self._trains:
                return True
            if one not in seen:
                seen.add(one)
                waiting += self._calls.get(one, ())
        return False

    def is_quiet(self, node: ast.AST) -> bool:
        """Whether nothing in a statement has to do with gradients."""
        for inner in ast.walk(node):
            if self._is_training(inner):
                return False
            called = self._flow.called(inner) if isinstance(inner, ast.Call) else None
            if called is not None and self._may_train(called):
                return False
        return True
