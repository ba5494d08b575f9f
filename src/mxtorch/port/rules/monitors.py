"""Monitors of modules, and their summaries."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, parenthesized
from mxtorch.port.rules._common import helper_call, same

_MONITOR = "mx.mon.Monitor"
_WHAT = "of modules' outputs and of parameters, not of functions, inputs and gradients"


def _install(match: Match) -> str | None:
    if not match.only("self", "mon"):
        return None
    return f"{match.text('mon')}.install({parenthesized(match.text('self'))}.net)"


def _summary(match: Match) -> str | None:
    """What torch prints of a module."""
    node = match.given.get("symbol")
    is_net = node is not None and match.port.flow.is_block(match.value(node))
    if not is_net or not match.only("symbol", "shape", "line_length", "positions"):
        return None
    return f"print({match.text('symbol')})"


REGISTRY.add(
    Rule(
        "print-summary",
        "call mx.viz.print_summary",
        _summary,
        "mx.viz.print_summary(net, shape={'data': (1, 3)})",
        "print(net)",
        needs=(),
        note="the layers with their options, without shapes and counts",
    ),
    Rule(
        "Monitor",
        f"call {_MONITOR}",
        helper_call("Monitor", "interval", "stat_func", "pattern", "sort"),
        "m = mx.mon.Monitor(10, pattern='.*weight')",
        "m = Monitor(10, pattern='.*weight')",
        needs=(),
        note=_WHAT,
    ),
    Rule(
        "install-monitor",
        "method mx.mod.BaseModule.install_monitor",
        _install,
        "m.install_monitor(w)",
        "w.install(m.net)",
        needs=(),
        params="self, mon",
    ),
    *(
        Rule(
            f"monitor-{name}",
            f"method {_MONITOR}.{name}",
            same,
            text,
            text,
            needs=(),
        )
        for name, text in (
            ("tic", "w.tic()"),
            ("toc", "v = w.toc()"),
            ("toc_print", "w.toc_print()"),
        )
    ),
)
