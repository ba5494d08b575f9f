"""Gluon's recurrent layers and cells.

MXNet holds states in a list. torch's LSTM takes such a list and gives a tuple; its GRU and RNN take
and give one tensor, which `*states` is where `states` is the list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules.layers import sizes_before

_LAYER = "mx.gluon.rnn._RNNLayer"
_CELL = "mx.gluon.rnn.RecurrentCell"
# How weights are drawn shows in `initialize`, not in the layer.
_PLAIN = (
    "prefix", "params", "i2h_weight_initializer", "h2h_weight_initializer",
    "i2h_bias_initializer", "h2h_bias_initializer",
)  # fmt: skip


def _input_size(match: Match) -> str | None:
    """The size of the input as written, as a layer before gives it, or as a run saw it."""
    if match.has("input_size") and match.constant("input_size") != 0:
        return match.text("input_size")
    seen = match.layer.size("input_size")
    return str(seen) if seen is not None else sizes_before(match)


def _recurrent(kind: str) -> Writer:
    def write(match: Match) -> str | None:
        known = ("hidden_size", "num_layers", "layout", "dropout", "bidirectional", "input_size")
        extra = ("projection_size",) if kind == "LSTM" else ("activation",)
        if not match.only(*known, *extra[: kind != "GRU"], *_PLAIN):
            return None
        layout = match.constant("layout") if match.has("layout") else "TNC"
        if layout not in ("TNC", "NTC"):
            return None
        given = _given(match, kind, layout)
        if given is None:
            return None
        return _construct(match, kind, given)

    return write


def _given(match: Match, kind: str, layout: object) -> list[str] | None:
    given = [match.text("hidden_size")]
    if match.has("num_layers"):
        given.append(f"num_layers={match.text('num_layers')}")
    if kind == "RNN":
        activation = match.constant("activation") if match.has("activation") else "relu"
        if activation not in ("relu", "tanh"):
            return None
        given.append(f'nonlinearity="{activation}"')
    if layout == "NTC":
        given.append("batch_first=True")
    for name in ("dropout", "bidirectional"):
        if match.has(name):
            given.append(f"{name}={match.text(name)}")
    if match.has("projection_size") and match.constant("projection_size") is not None:
        given.append(f"proj_size={match.text('projection_size')}")
    return given


def _construct(match: Match, kind: str, given: list[str]) -> str:
    """The call that makes torch's class; where the input's size is not known, when it is."""
    match.need("nn")
    size = _input_size(match)
    if size is None:
        match.note(Code.SIZE, "input_size")
        return f"{match.helper('lazy_recurrent')}(nn.{kind}, {', '.join(given)})"
    return f"nn.{kind}({', '.join([size, *given])})"


def _cell(kind: str) -> Writer:
    def write(match: Match) -> str | None:
        extra = ("activation",) if kind == "RNNCell" else ()
        if not match.only("hidden_size", "input_size", *extra, *_PLAIN):
            return None
        given = [match.text("hidden_size")]
        if match.has("activation"):
            if match.constant("activation") not in ("relu", "tanh"):
                return None
            given.append(f'nonlinearity="{match.constant("activation")}"')
        return _construct(match, kind, given)

    return write


def _call_layer(match: Match) -> str | None:
    """torch always gives the states back, MXNet if it was given some."""
    node = match.node
    assert isinstance(node, ast.Call) and match.receiver is not None
    given = [*node.args, *(k.value for k in node.keywords if k.arg == "states")]
    if any(isinstance(a, ast.Starred) for a in given) or len(given) not in (1, 2):
        return None
    if any(k.arg != "states" for k in node.keywords):
        return None
    layer, inputs = match.text(match.receiver), match.text(given[0])
    if len(given) == 1 or match.value(given[1]).kind == "none":
        return f"{layer}({inputs})[0]"
    states = match.text(given[1])
    kind = match.value(match.receiver).name.rpartition(".")[2]
    if match.value(given[1]).kind == "list" and kind == "LSTM":
        return f"{layer}({inputs}, {states})"
    target = _states_target(match)
    if match.value(given[1]).kind == "list" and kind in ("GRU", "RNN") and target is not None:
        match.port.renamed[target] = f"*{match.port.source.of(target)}"
        return f"{layer}({inputs}, *{states})"
    return f"{match.helper('run_layer')}({layer}, {inputs}, {states})"


def _states_target(match: Match) -> ast.expr | None:
    """The name that the states get, in `output, states = layer(x, states)`."""
    parent = match.parent
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return None
    target = parent.targets[0]
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return None
    states = target.elts[1]
    return states if isinstance(states, (ast.Name, ast.Attribute)) else None


def begin_states(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call) and match.receiver is not None
    texts = [match.text(match.receiver)]
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            texts.append(f"*{match.text(argument.value)}")
        else:
            texts.append(match.text(argument))
    for keyword in node.keywords:
        value = match.text(keyword.value)
        texts.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
    return f"{match.helper('begin_state')}({', '.join(texts)})"


def call_cell(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call) and match.receiver is not None
    if len(node.args) != 2 or node.keywords:
        return None
    texts = [match.text(n) for n in (match.receiver, *node.args)]
    return f"{match.helper('run_cell')}({', '.join(texts)})"


def unrolled(match: Match) -> str | None:
    if not match.only("self", "length", "inputs", "begin_state", "layout", "merge_outputs"):
        return None
    layout = match.constant("layout") if match.has("layout") else "NTC"
    if layout not in ("TNC", "NTC") or not {"length", "inputs"} <= set(match.given):
        return None
    texts = [match.text(a) for a in ("self", "length", "inputs")]
    if match.has("begin_state"):
        texts.append(f"states={match.text('begin_state')}")
    if layout == "TNC":
        texts.append("axis=0")
    if match.has("merge_outputs") and match.constant("merge_outputs") is not None:
        texts.append(f"merge={match.text('merge_outputs')}")
    return f"{match.helper('unroll')}({', '.join(texts)})"


def _reset(match: Match) -> str | None:
    """torch's cells keep nothing between calls."""
    return "" if isinstance(match.parent, ast.Expr) else None


def _around(helper: str, *arguments: str) -> Writer:
    """A cell around others, which is a class of the file's own."""

    def write(match: Match) -> str | None:
        if not match.only(*arguments, "prefix", "params", "output_prefix"):
            return None
        texts = [match.text(arguments[0])]
        texts += [f"{_NAMES.get(a, a)}={match.text(a)}" for a in arguments[1:] if match.has(a)]
        return f"{match.helper(helper)}({', '.join(texts)})"

    return write


_NAMES = {"r_cell": "right", "zoneout_outputs": "outputs", "zoneout_states": "states"}
_AROUND = {
    "BidirectionalCell": ("Bidirectional", "l_cell", "r_cell"),
    "ResidualCell": ("Residual", "base_cell"),
    "ZoneoutCell": ("Zoneout", "base_cell", "zoneout_outputs", "zoneout_states"),
}


def cells_around(room: str, short: str) -> Iterator[Rule]:
    """The rules for cells around cells, of a room of MXNet's that a program calls `short`."""
    for cls, (helper, *arguments) in _AROUND.items():
        both = cls == "BidirectionalCell"
        given, made = ("cell, cell", "cell, right=cell") if both else ("cell", "cell")
        yield Rule(
            f"{short}-{cls}",
            f"call {room}.{cls}",
            _around(helper, *arguments),
            f"whole = {short}.{cls}({given})",
            f"whole = {helper}({made})",
            needs=(),
        )


_RULES = [
    *(
        Rule(
            kind,
            f"call mx.gluon.rnn.{kind}",
            _recurrent(kind),
            f"layer = rnn.{kind}(5, input_size=4)",
            f"layer = nn.{kind}(4, 5" + (', nonlinearity="relu")' if kind == "RNN" else ")"),
        )
        for kind in ("RNN", "LSTM", "GRU")
    ),
    *(
        Rule(
            kind,
            f"call mx.gluon.rnn.{kind}",
            _cell(kind),
            f"cell = rnn.{kind}(5, input_size=4)",
            f"cell = nn.{kind}(4, 5)",
        )
        for kind in ("RNNCell", "LSTMCell", "GRUCell")
    ),
    *(
        Rule(
            name,
            f"call mx.gluon.rnn.{name}",
            lambda m: "nn.ModuleList()" if m.only("prefix", "params") else None,
            f"cell = rnn.{name}()",
            "cell = nn.ModuleList()",
            needs=("nn",),
        )
        for name in ("SequentialRNNCell", "HybridSequentialRNNCell")
    ),
    *cells_around("mx.gluon.rnn", "rnn"),
    Rule(
        "DropoutCell",
        "call mx.gluon.rnn.DropoutCell",
        lambda m: f"nn.Dropout({m.text('rate')})" if m.only("rate", "prefix", "params") else None,
        "cell = rnn.DropoutCell(0.5)",
        "cell = nn.Dropout(0.5)",
        needs=("nn",),
    ),
    *(
        Rule(
            f"add-to-{name}",
            f"method mx.gluon.rnn.{name}.add",
            "{self}.append({cell})",
            "cell.add(rnn.LSTMCell(3, input_size=3))",
            "cell.append(nn.LSTMCell(3, 3))",
            params="self, cell",
        )
        for name in ("SequentialRNNCell", "HybridSequentialRNNCell")
    ),
    Rule(
        "call-recurrent",
        f"calling {_LAYER}",
        _call_layer,
        "out = layer(x)",
        "out = layer(x)[0]",
    ),
    Rule(
        "begin-state",
        f"method {_LAYER}.begin_state",
        begin_states,
        "states = layer.begin_state(batch_size=2)",
        "states = begin_state(layer, batch_size=2)",
    ),
    Rule(
        "begin-state-of-cell",
        f"method {_CELL}.begin_state",
        begin_states,
        "states = cell.begin_state(batch_size=2)",
        "states = begin_state(cell, batch_size=2)",
    ),
    Rule(
        "call-cell",
        f"calling {_CELL}",
        call_cell,
        "out = cell(x, states)[0]",
        "out = run_cell(cell, x, states)[0]",
    ),
    Rule(
        "unroll",
        f"method {_CELL}.unroll",
        unrolled,
        "out = cell.unroll(1, x.reshape((2, 1, 3)), merge_outputs=True)[0]",
        "out = unroll(cell, 1, x.reshape(2, 1, 3), merge=True)[0]",
        params="self, length, inputs, begin_state=None, layout='NTC', merge_outputs=None,"
        " valid_length=None",
    ),
    Rule("reset-cell", f"method {_CELL}.reset", _reset, "cell.reset()", ""),
]
REGISTRY.add(*_RULES)
