"""Gradients of arrays; the training step is in `steps`."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_none


def _attach(match: Match) -> str | None:
    if match.has("grad_req") and match.constant("grad_req") != "write":
        return None if match.constant("grad_req") != "add" else _required(match)
    return _required(match)


def _required(match: Match) -> str:
    return f"{parenthesized(match.text('self'))}.requires_grad_()"


def _backward(match: Match) -> str | None:
    """A vector's gradient is that of its sum."""
    if not match.only("self", "out_grad", "retain_graph", "train_mode"):
        return None
    value = match.value("self")
    text = parenthesized(match.text("self"))
    graph = f"retain_graph={match.text('retain_graph')}" if match.has("retain_graph") else ""
    if match.has("out_grad") and not is_none(match, "out_grad"):
        rest = f", {graph}" if graph else ""
        return f"{text}.backward({match.text('out_grad')}{rest})"
    if value.name == "scalar":
        return f"{text}.backward({graph})"
    if match.port.switches_gradients:
        match.need("torch")
        return f"{text}.backward({', '.join(filter(None, [f'torch.ones_like({text})', graph]))})"
    return f"{text}.sum().backward({graph})"


def _all_backward(match: Match) -> str | None:
    """`autograd.backward` of one array, or of several."""
    if not match.only("heads", "head_grads", "retain_graph", "train_mode"):
        return None
    graph = f"retain_graph={match.text('retain_graph')}" if match.has("retain_graph") else ""
    heads, head_grads = match.given["heads"], match.given.get("head_grads")
    if head_grads is not None and not is_none(match, "head_grads"):
        match.need("torch")
        rest = f", {graph}" if graph else ""
        given = f"{match.text(heads)}, {match.text(head_grads)}"
        return f"torch.autograd.backward({given}{rest})"
    if isinstance(heads, (ast.List, ast.Tuple)) and len(heads.elts) == 1:
        heads = heads.elts[0]
    if match.value(heads).kind == "array":
        return f"{parenthesized(match.text(heads))}.sum().backward({graph})"
    total = f"sum(head.sum() for head in {match.text(heads)})"
    return f"{total}.backward({graph})"


def _grad(match: Match) -> str | None:
    """Gradients without buffers."""
    known = ("heads", "variables", "head_grads", "retain_graph", "create_graph", "train_mode")
    if not match.only(*known):
        return None
    heads, variables = match.given["heads"], match.text("variables")
    options = "".join(
        f", {name}={match.text(name)}"
        for name in ("retain_graph", "create_graph")
        if match.has(name)
    )
    match.need("torch")
    if match.has("head_grads") and not is_none(match, "head_grads"):
        given = f"{match.text(heads)}, {variables}, {match.text('head_grads')}"
        return f"torch.autograd.grad({given}{options})"
    if match.value(heads).kind == "array":
        text = parenthesized(match.text(heads))
        total = text if match.value(heads).name == "scalar" else f"{text}.sum()"
        if total != text and match.port.switches_gradients:
            variables += f", torch.ones_like({text})"
            total = text
    else:
        total = f"[head.sum() for head in {match.text(heads)}]"
    return f"torch.autograd.grad({total}, {variables}{options})"


def _is_training(match: Match) -> str:
    """A module knows it; elsewhere it is where gradients are recorded."""
    if match.port.in_block(match.node):
        return "self.training"
    match.need("torch")
    return "torch.is_grad_enabled()"


def _function(name: str) -> Writer:
    def write(match: Match) -> str | None:
        match.need("torch")
        return name

    return write


def _instance(match: Match) -> str | None:
    """`Own()` is `Own.apply`; what a constructor took is bound to it."""
    node = match.node
    assert isinstance(node, ast.Call)
    name = match.value(node.func).name
    if name not in match.port.static or node.keywords:
        return None
    applied = f"{match.text(node.func)}.apply"
    if not node.args:
        return applied
    match.need("functools")
    return f"functools.partial({', '.join([applied, *(match.text(a) for a in node.args)])})"


def _context(match: Match) -> str:
    return match.port.splice(match.node)


REGISTRY.add(
    Rule(
        "new-Function",
        "new mx.autograd.Function",
        _instance,
        "own = Own()",
        "own = Own.apply",
        needs=(),
    ),
    *(
        Rule(
            name,
            f"{kind} mx.autograd.Function.{name}",
            _context,
            f"self.{name}{end}",
            f"ctx.{name}{end}",
            needs=(),
        )
        for kind, name, end in (
            ("method", "save_for_backward", "(x)"),
            ("attr", "saved_tensors", ""),
        )
    ),
    Rule(
        "attach-grad",
        "method array.attach_grad",
        _attach,
        "x.attach_grad()",
        "x.requires_grad_()",
        params="self, grad_req='write', stype=None",
    ),
    Rule(
        "backward",
        "method array.backward",
        _backward,
        "y.backward()",
        "y.sum().backward()",
        params="self, out_grad=None, retain_graph=False, train_mode=True",
    ),
    Rule(
        "backward-of-several",
        "call mx.autograd.backward",
        _all_backward,
        "autograd.backward(y)",
        "y.sum().backward()",
        needs=(),
    ),
    Rule(
        "autograd-grad",
        "call mx.autograd.grad",
        _grad,
        "g = autograd.grad(y, x, retain_graph=True)",
        "g = torch.autograd.grad(y.sum(), x, retain_graph=True)",
    ),
    Rule(
        "is-training",
        "call mx.autograd.is_training",
        _is_training,
        "ok = autograd.is_training()",
        "ok = torch.is_grad_enabled()",
        needs=(),
    ),
    Rule(
        "is-recording",
        "call mx.autograd.is_recording",
        "torch.is_grad_enabled()",
        "ok = autograd.is_recording()",
        "ok = torch.is_grad_enabled()",
    ),
    Rule(
        "detach",
        "method array.detach",
        "{self}.detach()",
        "y = x.detach()",
        "y = x.detach()",
        params="self",
    ),
    Rule("grad", "attr array.grad", "{self}.grad", "g = x.grad", "g = x.grad"),
    Rule(
        "stop-gradient",
        "call mx.nd.stop_gradient",
        "{data}.detach()",
        "y = nd.stop_gradient(x)",
        "y = x.detach()",
    ),
    Rule(
        "block-grad",
        "call mx.nd.BlockGrad",
        "{data}.detach()",
        "y = nd.BlockGrad(x)",
        "y = x.detach()",
    ),
    Rule(
        "function",
        "name mx.autograd.Function",
        _function("torch.autograd.Function"),
        "class F(autograd.Function): pass",
        "class F(torch.autograd.Function): pass",
        note="forward and backward become static methods with a ctx",
    ),
)
