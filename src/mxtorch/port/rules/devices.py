"""Devices: `mx.gpu(i)` is a torch.device."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized


def _device(kind: str) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only("device_id", "device_type"):
            return None
        match.need("torch")
        number = match.constant("device_id") if match.has("device_id") else 0
        if kind == "cpu":
            return 'torch.device("cpu")'
        if isinstance(number, int):
            return f'torch.device("cuda:{number}")'
        return f'torch.device("cuda", {match.text("device_id")})'

    return write


def _reset_ctx(match: Match) -> str | None:
    """`net.collect_params().reset_ctx(ctx)`: the module itself moves, to the first of several."""
    owner = match.receiver
    collected = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute)
    if collected and (owner.func.attr != "collect_params" or owner.args or owner.keywords):  # type: ignore[union-attr]
        return None
    net = owner.func.value if collected else owner  # type: ignore[union-attr]
    if net is None or match.value(net).name == "mx.gluon.ParameterDict":
        return None
    kind = match.value("ctx").kind
    if kind == "list":
        match.note(Code.DEVICES)
    device = parenthesized(match.text("ctx")) + ("[0]" if kind == "list" else "")
    return f"{parenthesized(match.text(net))}.to({device})" if kind in ("list", "device") else None


def _error(match: Match) -> str:
    """What torch raises where MXNet raises its error: a CPU build without the device asserts."""
    caught = isinstance(match.parent, ast.ExceptHandler)
    return "(RuntimeError, AssertionError)" if caught else "RuntimeError"


def _context(match: Match) -> str | None:
    """`mx.Context('gpu', 1)`, the kind written out."""
    kind = match.constant("device_type")
    if not match.only("device_type", "device_id") or kind not in ("cpu", "gpu"):
        return None
    return _device("cuda" if kind == "gpu" else "cpu")(match)


REGISTRY.add(
    Rule(
        "Context",
        "call mx.Context",
        _context,
        "c = mx.Context('gpu', 1)",
        'c = torch.device("cuda:1")',
    ),
    Rule(
        "error",
        "call mx.MXNetError",
        lambda m: (
            f"RuntimeError({', '.join(m.text(a) for a in m.node.args)})"
            if isinstance(m.node, ast.Call) and not m.node.keywords
            else None
        ),
        "e = mx.MXNetError('no such file')",
        "e = RuntimeError('no such file')",
        needs=(),
    ),
    *(
        Rule(
            f"reset-ctx-{owner}",
            f"method mx.gluon.{owner}.reset_ctx",
            _reset_ctx,
            f"net{call}.reset_ctx(mx.cpu())",
            'net.to(torch.device("cpu"))',
            params="self, ctx",
            needs=(),
        )
        for owner, call in (("ParameterDict", ".collect_params()"), ("Block", ""))
    ),
    Rule("cpu", "call mx.cpu", _device("cpu"), "c = mx.cpu()", 'c = torch.device("cpu")'),
    Rule("gpu", "call mx.gpu", _device("cuda"), "c = mx.gpu(1)", 'c = torch.device("cuda:1")'),
    Rule(
        "num-gpus",
        "call mx.num_gpus",
        "torch.cuda.device_count()",
        "n = mx.context.num_gpus()",
        "n = torch.cuda.device_count()",
    ),
    Rule(
        "current-context",
        "call mx.current_context",
        "torch.get_default_device()",
        "c = mx.current_context()",
        "c = torch.get_default_device()",
    ),
    Rule(
        "array-context",
        "attr array.context",
        "{self}.device",
        "c = nd.ones((2,)).context",
        "c = torch.ones((2,)).device",
    ),
    Rule("array-ctx", "attr array.ctx", "{self}.device", "c = x.ctx", "c = x.device"),
    Rule(
        "as-in-context",
        "method array.as_in_context",
        "{self}.to({context})",
        "y = x.as_in_context(mx.cpu())",
        'y = x.to(torch.device("cpu"))',
        params="self, context",
    ),
    Rule(
        "copyto-device",
        "method array.copyto",
        lambda m: (
            f"{m.text('self')}.to({m.text('other')}, copy=True)"
            if m.value("other").kind == "device"
            else f"{m.text('other')}.copy_({m.text('self')})"
        ),
        "y = x.copyto(mx.cpu())",
        'y = x.to(torch.device("cpu"), copy=True)',
        params="self, other",
    ),
    Rule(
        "device-type", "attr device.device_type", "{self}.type", "t = c.device_type", "t = c.type"
    ),
    Rule("device-id", "attr device.device_id", "{self}.index", "i = c.device_id", "i = c.index"),
    Rule("waitall", "call mx.nd.waitall", lambda m: "", "nd.waitall()", ""),
    Rule("wait", "method array.wait_to_read", lambda m: "", "x.wait_to_read()", ""),
    Rule(
        "context-class",
        "name mx.Context",
        "torch.device",
        "ok = isinstance(x, mx.Context)",
        "ok = isinstance(x, torch.device)",
    ),
    Rule(
        "error-class",
        "name mx.MXNetError",
        _error,
        "e = mx.MXNetError",
        "e = RuntimeError",
        needs=(),
        note="torch raises RuntimeError, and others",
    ),
)
