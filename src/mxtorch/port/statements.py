"""What concerns whole statements: scopes that go, training steps, blocks, lists of layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mxtorch.port import blocks, functions, names, steps
from mxtorch.port.contexts import RECORDING, Contexts
from mxtorch.port.edits import blocks_of, expressions_in
from mxtorch.port.engine import FilePort, common
from mxtorch.port.outcome import Outcome
from mxtorch.port.rule import REGISTRY
from mxtorch.port.trainers import (
    TRAINER,
    WORKERS_OPTIMIZER,
    WORKERS_TRAINER,
    optimizer_of,
)
from mxtorch.port.values import UNKNOWN

# Context managers: gone, or what takes their place.
_GONE = frozenset(["mx.autograd.record", "mx.autograd.train_mode", "mx.name.Prefix"])
_NO_GRAD = frozenset(["mx.autograd.pause", "mx.autograd.predict_mode"])
_REGISTERED = (
    "mx.init.register", "mx.metric.register", "mx.util.use_np", "mx.util.use_np_shape",
    "mx.npx.use_np", "mx.util.use_np_array",
)  # fmt: skip
MAKERS = (TRAINER, WORKERS_TRAINER, WORKERS_OPTIMIZER)
MODULE_MAKERS = ("fit", "init_optimizer")
# Layers that behave otherwise in training.
MODAL = ("Dropout", "BatchNorm", "model_zoo", "Zoneout", "SymbolBlock")


def port_statements(port: FilePort) -> None:
    """Rewrite a file's statements and the expressions in them."""
    modal = any(part in name for name in port.members for part in MODAL)
    if not modal and "dropout" in port.source.text:
        modal = any(name.startswith("mx.gluon.rnn.") for name in port.members)
    modal = modal or any(
        port.flow.value(n.func).name == "mx.autograd.is_training" and port.in_block(n)
        for n in port.of(ast.Call)
    )
    modal = modal or (port.flow.outside is not None and port.flow.outside.modal)
    blocks.find_layers(port)
    _Statements(port, modal).body(port.tree.body)


class _Statements:
    def __init__(self, port: FilePort, modal: bool) -> None:
        self.port = port
        self.modal = modal
        self.recording = False
        self.contexts = Contexts(port.tree, port.flow, port.flow.recorded)
        # whether the function around goes without gradients as a whole
        self.graphless = port.switches_gradients
        self.wrapped: set[ast.stmt] = set()
        # functions whose nets are being looked for
        self.asked: list[ast.FunctionDef] = []
        # where nets were put in predict mode
        self.quiet: set[tuple[ast.stmt, str]] = set()

    def body(self, statements: list[ast.stmt]) -> None:
        """Port a block of statements."""
        port = self.port
        blocks.gather_layers(port, statements)
        steps.port_steps(port, statements)
        for statement in statements:
            if statement not in port.removed and statement not in port.written:
                self.statement(statement)
        left = [s for s in statements if s not in port.removed]
        if statements and not left and not isinstance(port.parents[statements[0]], ast.Module):
            first = statements[0]
            start, end = port.source.span(first)
            line = port.source.starts[first.lineno - 1]
            port.source.edits = [e for e in port.source.edits if not line <= e.start < end]
            port.source.replace(start, end, "pass")

    def statement(self, node: ast.stmt) -> None:
        """Port one statement."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        if isinstance(node, ast.With) and self._with(node):
            return
        if isinstance(node, ast.Assign) and (self._alias(node) or self._request(node)):
            return
        if isinstance(node, ast.Assign) and blocks.port_constant(self.port, node):
            return
        if isinstance(node, ast.Assign) and self._of_trainers(node):
            return
        if isinstance(node, ast.ClassDef):
            self._registered(node)
            blocks.port_class(self.port, node)
            if functions.is_function(self.port, node.name):
                if functions.port_function(self.port, node):
                    self.port.static.add(node.name)
                else:
                    self.port.leave(node.bases[0], functions.BASE)
        if isinstance(node, ast.FunctionDef):
            blocks.drop_namespaces(self.port, node)
            self._function(node)
            return
        if isinstance(node, ast.Expr) and self.port.render(node.value) == "":
            remove(self.port, node)
            return
        self._modes(node)
        self._inside(node)

    def _inside(self, node: ast.stmt) -> None:
        self._own_expressions(node)
        for block in blocks_of(node):
            self.body(block)

    def _function(self, node: ast.FunctionDef) -> None:
        """A function that only predicts goes without gradients; one under `record()` has them."""
        recording, graphless = self.recording, self.graphless
        self.recording = recording or self.contexts.is_recorded(node)
        predicts = not self.port.in_block(node) and self.contexts.predicts(node)
        if not graphless and predicts and self._nets(node):
            self.graphless = True
            self.port.needs.add("torch")
            self.port.source.insert_before(node, "@torch.no_grad()")
        self._inside(node)
        self.recording, self.graphless = recording, graphless

    def _registered(self, node: ast.ClassDef) -> None:
        """`@mx.init.register` goes: classes are used by what they are called in the file."""
        port = self.port
        for decorator in node.decorator_list:
            if port.flow.value(decorator).name in _REGISTERED:
                start = port.source.starts[decorator.lineno - 1]
                port.source.replace(start, port.source.starts[decorator.lineno], "")
                port.rename(decorator, port.source.of(decorator))
                port.counts.idiomatic += 1
                port.outcomes[decorator] = Outcome("exact")

    def _alias(self, node: ast.Assign) -> bool:
        """Something of MXNet's under another name: what uses the name says all."""
        value, target = self.port.flow.value(node.value), node.targets[0]
        if not value.is_mxnet() or len(node.targets) > 1 or not isinstance(target, ast.Name):
            return False
        if value.kind == "member" and not self._is_callable_once(value.name, target.id):
            return False
        if target.id in self.port.roots:
            return False
        self.port.aliases.add(target.id)
        remove(self.port, node)
        self.port.counts.idiomatic += 1
        return True

    def _of_trainers(self, node: ast.Assign) -> bool:
        """An optimizer that only trainers are given: where they are made, its options stand."""
        port, target = self.port, node.targets[0]
        made = port.flow.value(node.value.func) if isinstance(node.value, ast.Call) else UNKNOWN
        if len(node.targets) > 1 or not isinstance(target, ast.Name):
            return False
        if made.kind != "member" or not made.name.startswith(("mx.optimizer.", WORKERS_OPTIMIZER)):
            return False
        uses = [n for n in port.of(ast.Name) if n.id == target.id and n is not target]
        for use in uses:
            call = port.parents[use]
            if isinstance(call, ast.Assign) and optimizer_of(port, call.value, {}) is not None:
                continue  # the same name with Horovod's wrapper around it, or without
            call = port.parents[call] if isinstance(call, ast.keyword) else call
            if not isinstance(call, ast.Call) or use is call.func or not self._makes(call):
                return False
        found = optimizer_of(port, node.value, {})
        # no trainer is made of one that averages and then clips: its name is still needed
        if not uses or found is None or (found.is_averaged and "clip_gradient" in found.values):
            return False
        remove(port, node)
        port.counts.idiomatic += 1
        port.outcomes[node.value] = Outcome("exact")
        return True

    def _makes(self, call: ast.Call) -> bool:
        """Whether a call makes the optimizer that it is told of."""
        flow, function = self.port.flow, call.func
        if flow.value(function).name in MAKERS:
            return True
        if not isinstance(function, ast.Attribute) or function.attr not in MODULE_MAKERS:
            return False
        return flow.value(function.value).name.startswith("mx.mod.")

    def _request(self, node: ast.Assign) -> bool:
        """`p.grad_req = 'null'`; gradients that add up are torch's own way."""
        target, value = node.targets[0], node.value
        if not isinstance(target, ast.Attribute) or not isinstance(value, ast.Constant):
            return False
        owner = self.port.flow.value(target.value)
        if target.attr != "grad_req" or owner.name != "mx.gluon.Parameter":
            return False
        if value.value == "add":
            remove(self.port, node)
        else:
            text = f"{self.port.render(target.value)}.requires_grad = {value.value != 'null'}"
            self.port.source.replace(*self.port.source.span(node), text)
            self.port.written.add(node)
        self.port.counts.idiomatic += 1
        return True

    def _is_callable_once(self, name: str, target: str) -> bool:
        """Whether a name of the file stands for one function or class of MXNet, and is called."""
        stores = uses = 0
        for node in self.port.of(ast.Name):
            if node.id == target:
                called = self.port.parents[node]
                stores += isinstance(node.ctx, ast.Store)
                uses += isinstance(called, ast.Call) and called.func is node
                if isinstance(node.ctx, ast.Load) and self.port.flow.value(node).name != name:
                    return False
        return stores == 1 and uses > 0 and callable(names.find_or_none(names.canonical(name)))

    def _own_expressions(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            text = self.port.render(node.value)  # it may rename a target
            if isinstance(node, ast.Assign) and self._writes_numpy(node):
                self.port.needs.add("torch")
                self.port.rename(node.value, f"torch.as_tensor({text})")
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._setting(target)
        for expression in expressions_in(node):
            self._edit(expression)
        for handler in getattr(node, "handlers", []):
            if handler.type is not None:
                self._edit(handler.type)

    def _writes_numpy(self, node: ast.Assign) -> bool:
        """Whether a NumPy array is written into a part of an NDArray."""
        flow, target = self.port.flow, node.targets[0]
        if not isinstance(target, ast.Subscript) or flow.value(target.value).kind != "array":
            return False
        return flow.value(node.value).kind == "numpy"

    def _setting(self, target: ast.expr) -> None:
        """An attribute of one of MXNet's objects that is set has no counterpart."""
        if isinstance(target, ast.Attribute):
            owner = self.port.flow.value(target.value)
            if owner.kind == "instance" and self.port.flow.is_block(owner):
                return  # a module's parts are set alike
            owners = self.port.owners(owner)
            known = any(REGISTRY.find(f"attr {o}.{target.attr}") for o in owners)
            if known:
                self.port.counts.idiomatic += 1
                self.port.outcomes[target] = Outcome("exact")
            elif owners and owners[0].startswith("mx."):
                self.port.leave(target, f"{owners[0]}.{target.attr}")

    def _edit(self, expression: ast.AST) -> None:
        source = self.port.source
        start, end = source.span(expression)
        text = self.port.render(expression)
        if text != source.text[start:end]:
            source.replace(start, end, text)

    def _with(self, node: ast.With) -> bool:
        scopes = [item.context_expr for item in node.items]
        names = [self._scope(scope) for scope in scopes]
        if all(n in _GONE or n == "name_scope" for n in names):
            self._training(node, names, scopes)
            return True
        if len(names) == 1 and names[0] in _NO_GRAD:
            self.port.needs.add("torch")
            self.port.unwrapped.add(node)
            start, end = self.port.source.span(node.items[0].context_expr)
            self.port.source.replace(start, end, "torch.no_grad()")
            self.body(node.body)
            return True
        return names == ["mx.contrib.amp.scale_loss"] and self._scaled(node)

    def _scaled(self, node: ast.With) -> bool:
        """`scale_loss(loss, trainer)`: the loss, scaled by the trainer's scaler."""
        call, name = node.items[0].context_expr, node.items[0].optional_vars
        if not isinstance(call, ast.Call) or not isinstance(name, ast.Name) or call.keywords:
            return False
        if len(call.args) != 2 or self.port.flow.value(call.args[0]).kind != "array":
            return False
        loss, trainer = (self.port.render(a) for a in call.args)
        source, body = self.port.source, node.body[0]
        end = source.text.index(":", source.span(name)[1]) + 1
        line = source.line_of(end)
        if body.lineno == line:
            return False
        source.replace(source.span(node)[0], end, f"{name.id} = {trainer}.scaler.scale({loss})")
        source.dedent(line + 1, node.end_lineno or line, body.col_offset - node.col_offset)
        self.port.unwrapped.add(node)
        self.port.counts.idiomatic += 1
        self.port.outcomes[call] = Outcome("exact")
        self.body(node.body)
        return True

    def _training(self, node: ast.With, names: list[str], scopes: list[ast.expr]) -> None:
        """`record()`: nets are in train mode; the scope itself goes, or turns gradients on."""
        self.port.unwrapped.add(node)
        outer = self.recording
        quiet = any(_is_quiet(scope) for scope in scopes)
        training = "mx.autograd.record" in names or "mx.autograd.train_mode" in names
        self.recording = outer or training
        if self.recording and not outer and self.modal:
            for net in self._nets(node):
                mode = "eval" if quiet else "train"
                self.port.source.insert_before(node, f"{net}.{mode}()")
        if training and self.port.switches_gradients:
            self.port.needs.add("torch")
            first, last = node.items[0].context_expr, node.items[-1].context_expr
            start, end = self.port.source.span(first)[0], self.port.source.span(last)[1]
            self.port.source.replace(start, end, "torch.enable_grad()")
        else:
            self.port.gone.add(node)
            unwrap(self.port, node)
        self.body(node.body)
        self.recording = outer

    def _scope(self, expression: ast.expr) -> str:
        if isinstance(expression, ast.Call):
            value = self.port.flow.value(expression.func)
            if value.kind == "method" and value.name == "name_scope":
                return "name_scope"
            return common(value.name) if value.kind == "member" else ""
        return ""

    def _modes(self, node: ast.stmt) -> None:
        """A net that is used outside `record()` is in MXNet's predict mode."""
        if self.recording or self.port.in_block(node):
            return
        for expression in expressions_in(node):
            for net in self._nets(expression):
                place = self._before_loops(node, net)
                if self.modal and (place, net) not in self.quiet:
                    self.quiet.add((place, net))
                    self.port.source.insert_before(place, f"{net}.eval()")
                self._without_gradients(node, place)

    def _without_gradients(self, node: ast.stmt, place: ast.stmt) -> None:
        """A loop that only predicts, or a prediction that a training uses, keeps no graph."""
        if self.graphless or self.wrapped.intersection((node, place)):
            return
        loop = isinstance(place, (ast.For, ast.While)) and self.contexts.is_quiet(place)
        if not loop and not (isinstance(node, ast.Assign) and self._is_trained_on(node)):
            return
        whole = place if loop else node
        if self.port.source.wrap(whole, "with torch.no_grad():"):
            self.port.needs.add("torch")
            self.wrapped.update(n for n in ast.walk(whole) if isinstance(n, ast.stmt))

    def _is_trained_on(self, node: ast.Assign) -> bool:
        """Whether what a statement computes is used under `record()` in the same function."""
        if not self.contexts.is_quiet(node):
            return False
        bound = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        outer = self.port.parents[node]
        while not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            outer = self.port.parents[outer]
        return any(
            isinstance(n, ast.Name) and n.id in bound and isinstance(n.ctx, ast.Load)
            for scope in ast.walk(outer)
            if isinstance(scope, ast.With) and {self._scope(i.context_expr) for i in scope.items}
            & RECORDING
            for n in ast.walk(scope)
        )  # fmt: skip

    def _before_loops(self, node: ast.stmt, net: str) -> ast.stmt:
        """The outermost loop around a statement in which the net is given and only predicts."""
        place = node
        outer = self.port.parents[node]
        while not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            if isinstance(outer, (ast.For, ast.While)):
                if _may_change(outer, net):
                    break
                place = outer
            outer = self.port.parents[outer]
        return place

    def _nets(self, node: ast.AST) -> list[str]:
        """The nets that run in a statement, also by functions that run under `record()` too."""
        found: dict[str, None] = {}
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                if isinstance(call.func, (ast.Name, ast.Attribute)):
                    net: ast.expr = call.func
                    if isinstance(net, ast.Attribute) and net.attr == "unroll":
                        net = net.value
                    if self._is_net(net):
                        found[ast.unparse(net)] = None
                for name in self._nets_of_call(call):
                    found[name] = None
        return list(found)

    def _is_net(self, node: ast.expr) -> bool:
        value = self.port.flow.value(node)
        loss = "mx.gluon.loss.Loss" in self.port.flow.lineage(value.name)
        return value.kind == "instance" and self.port.flow.is_block(value) and not loss

    def _nets_of_call(self, call: ast.Call) -> Iterator[str]:
        """The nets that a function runs which leaves their mode to its callers."""
        function = self.port.flow.called(call)
        if function is None or not self.contexts.is_recorded(function):
            return
        if isinstance(call.func, ast.Attribute) and self._is_net(call.func.value):
            yield ast.unparse(call.func.value)
            return
        given = [*call.args, *(k.value for k in call.keywords)]
        yield from (ast.unparse(a) for a in given if self._is_net(a))
        if function in self.asked or not isinstance(function, ast.FunctionDef):
            return
        self.asked.append(function)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        bound = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        bound |= {n.id for n in ast.walk(function)
                  if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
        for name in self._nets(function):
            root, _, rest = name.partition(".")
            if root not in bound:
                yield name
            elif root == "self" and receiver is not None and rest:
                yield f"{ast.unparse(receiver)}.{rest}"
        self.asked.pop()


def _may_change(loop: ast.For | ast.While, net: str) -> bool:
    """Whether a loop binds the net, trains, or hands the net to a function that may."""
    root = net.partition(".")[0]
    for node in ast.walk(loop):
        if isinstance(node, ast.Name):
            if node.id == root and isinstance(node.ctx, ast.Store):
                return True
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            return True
        elif isinstance(node, ast.Call):
            given = [*node.args, *(k.value for k in node.keywords)]
            if any(ast.unparse(argument) in (root, net) for argument in given):
                return True
    return False


def _is_quiet(scope: ast.expr) -> bool:
    """`record(train_mode=False)`."""
    given = [*scope.args, *(k.value for k in scope.keywords)] if isinstance(scope, ast.Call) else []
    return any(isinstance(a, ast.Constant) and a.value is False for a in given)


def unwrap(port: FilePort, node: ast.With) -> None:
    """Take a `with` line away and its body one step to the left."""
    source = port.source
    first = source.starts[node.lineno - 1]
    body = node.body[0]
    if body.lineno == source.line_of(source.span(node.items[-1].context_expr)[1]):
        source.replace(*_header(port, node), "")
        return
    start = source.starts[body.lineno - 1]
    # comments between the two lines stay
    between = source.text[first:start].split("\n", 1)
    header_end = first + len(between[0]) + 1
    while port.source.line_of(header_end) <= node.items[-1].context_expr.end_lineno:  # type: ignore[operator]
        header_end = source.starts[source.line_of(header_end)]
    comment = [c for c in source.comments if first <= c[0] < header_end]
    text = "".join(f"{source.indent(node)}{source.text[a:b]}\n" for a, b in comment)
    source.replace(first, header_end, text)
    by = body.col_offset - node.col_offset
    source.dedent(source.line_of(header_end), node.end_lineno or node.lineno, by)


def _header(port: FilePort, node: ast.With) -> tuple[int, int]:
    return port.source.span(node)[0], port.source.span(node.body[0])[0]


def remove(port: FilePort, node: ast.stmt) -> None:
    """Take a statement away, with its line if it stands alone on it."""
    start, end = port.source.whole_lines(node)
    comments = [c for c in port.source.comments if start <= c[0] < end]
    text = "".join(f"{port.source.indent(node)}{port.source.text[a:b]}\n" for a, b in comments)
    port.source.replace(start, end, text)
    port.removed.add(node)
