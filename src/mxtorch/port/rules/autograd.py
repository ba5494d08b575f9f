"""Gradients of arrays; the training step is in `steps`."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized


def _attach(match: Match) -> str | None:
    if match.has("grad_req") and match.constant("grad_req") != "write":
        return None if match.constant("grad_req") != "add" else _required(match)
    return _required(match)


def _required(match: Match) -> str:
    return f"{parenthesized(match.text('self'))}.requires_grad_()"


def _backward(match: Match) -> str | None:
    """A vector's gradient is that of its sum."""
    if not match.only("self", "retain_graph"):
        return None
    value = match.value("self")
    text = parenthesized(match.text("self"))
    graph = f"retain_graph={match.text('retain_graph')}" if match.has("retain_graph") else ""
    return (
        f"{text}.backward({graph})" if value.name == "scalar" else f"{text}.sum().backward({graph})"
    )


def _function(name: str) -> Writer:
    def write(match: Match) -> str | None:
        match.need("torch")
        return name

    return write


REGISTRY.add(
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
