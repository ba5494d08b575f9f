"""mx.profiler: torch's, behind functions of the same names."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer

_WHAT = "torch's profiler, of all operators"


def _config(match: Match) -> str | None:
    """Where the trace goes; what is profiled is everything."""
    node = match.node
    assert isinstance(node, ast.Call)
    given = {k.arg: k.value for k in node.keywords}
    if node.args or None in given or not isinstance(match.parent, ast.Expr):
        return None
    name = match.text(given["filename"]) if "filename" in given else '"profile.json"'
    return f"{match.helper('Profiler')}.set_config({name})"


def _function(name: str, argument: str = "") -> Writer:
    def write(match: Match) -> str | None:
        known = (argument, "profile_process", "finished")
        if not match.only(*filter(None, known)) or match.constant("finished") is False:
            return None
        text = match.text(argument) if argument and match.has(argument) else ""
        return f"{match.helper('Profiler')}.{name}({text})"

    return write


REGISTRY.add(
    *(
        Rule(
            name.replace("_", "-"),
            f"call mx.profiler.{name}",
            write,
            f"{use}mx.profiler.{name}({given})",
            f"{use}Profiler.{to}",
            needs=(),
            params=params,
            note=_WHAT if "config" in name else "",
        )
        for name, write, use, given, to, params in (
            ("set_config", _config, "", "profile_all=True, filename='a.json'",
             "set_config('a.json')", "**options"),
            ("profiler_set_config", _config, "", "mode='all', filename='a.json'",
             "set_config('a.json')", "**options"),
            ("set_state", _function("set_state", "state"), "", "'run'", "set_state('run')",
             "state='stop', profile_process='worker'"),
            ("profiler_set_state", _function("set_state", "state"), "", "'run'",
             "set_state('run')", "state='stop'"),
            ("dump", _function("dump"), "", "", "dump()",
             "finished=True, profile_process='worker'"),
            ("dumps", _function("dumps"), "t = ", "", "dumps()", "reset=False"),
        )
    ),
)  # fmt: skip
