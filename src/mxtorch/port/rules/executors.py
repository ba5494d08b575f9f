"""Executors of symbols, which are modules with heads now."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule
from mxtorch.port.rules._common import same

_EXECUTOR = "mx.executor.Executor"
# what says where, not what, is computed
_PLACES = ("ctx", "group2ctx", "shared_exec", "shared_buffer", "shared_arg_names")


def _on_cpu(match: Match) -> bool:
    """Whether the arrays lie where new ones do."""
    node = match.given.get("ctx")
    return node is None or match.text(node) == 'torch.device("cpu")'


def _bind(match: Match) -> str | None:
    given = ("args", "args_grad", "grad_req", "aux_states")
    if not match.only("self", *given, *_PLACES) or not match.has("args"):
        return None
    texts = [match.text("self"), match.text("args")]
    texts += [f"{name}={match.text(name)}" for name in given[1:] if match.has(name)]
    return f"{match.helper('Executor')}({', '.join(texts)})"


def _simple_bind(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call)
    if len(node.args) > 1 or any(k.arg is None for k in node.keywords) or not _on_cpu(match):
        return None
    texts = [match.text("self")]
    for keyword in node.keywords:
        if keyword.arg in ("type_dict", "stype_dict"):
            return None
        if keyword.arg not in _PLACES:
            texts.append(f"{keyword.arg}={match.text(keyword.value)}")
    return f"{match.helper('simple_bind')}({', '.join(texts)})"


_METHODS = {
    "forward": "o = e.forward(is_train=True)",
    "backward": "e.backward()",
    "copy_params_from": "e.copy_params_from({}, {})",
    "reshape": "f = e.reshape(data=(1, 4))",
}
_ATTRIBUTES = ("outputs", "arg_dict", "grad_dict", "aux_dict", "arg_arrays", "grad_arrays",
               "aux_arrays")  # fmt: skip
REGISTRY.add(
    Rule(
        "bind",
        "method mx.gluon.Block.bind",
        _bind,
        "e = net.bind(mx.cpu(), {'data': x}, grad_req='null')",
        "e = Executor(net, {'data': x}, grad_req='null')",
        needs=(),
        params="self, ctx, args, args_grad=None, grad_req='write', aux_states=None,"
        " group2ctx=None, shared_exec=None",
    ),
    Rule(
        "simple-bind",
        "method mx.gluon.Block.simple_bind",
        _simple_bind,
        "e = net.simple_bind(mx.cpu(), grad_req='add', data=(2, 4))",
        "e = simple_bind(net, grad_req='add', data=(2, 4))",
        needs=(),
        params="self, ctx, grad_req='write', **shapes",
    ),
    *(
        Rule(f"executor-{name}", f"method {_EXECUTOR}.{name}", same, text, text, needs=())
        for name, text in _METHODS.items()
    ),
    *(
        Rule(f"executor-{name}", f"attr {_EXECUTOR}.{name}", same, f"v = e.{name}",
             f"v = e.{name}", needs=())
        for name in _ATTRIBUTES
    ),
)  # fmt: skip
