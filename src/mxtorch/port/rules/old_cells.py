"""The cells of `mx.rnn`, which Module's nets are made of; and sentences in buckets."""

from __future__ import annotations

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import same
from mxtorch.port.rules.recurrent import begin_states, call_cell, cells_around, unrolled

_BASE = "mx.rnn.BaseRNNCell"
_MODES = {
    "lstm": ("LSTM", ""), "gru": ("GRU", ""), "rnn_tanh": ("RNN", ""),
    "rnn_relu": ("RNN", 'nonlinearity="relu"'),
}  # fmt: skip


def _named(match: Match, made: str, prefix: str) -> str:
    """Cells of `mx.rnn` name their parameters; files and `get_params` have these names."""
    given = match.text("prefix") if match.has("prefix") else repr(prefix)
    texts = [made, given]
    if "LSTM" in made:
        texts.append(match.text("forget_bias", "1.0"))
    match.note(Code.SIZE, "input_size")
    return f"{match.helper('named_cell')}({', '.join(texts)})"


def _cell(kind: str, prefix: str) -> Writer:
    def write(match: Match) -> str | None:
        extra = {"RNNCell": ("activation",), "LSTMCell": ("forget_bias",)}.get(kind, ())
        if not match.only("num_hidden", "prefix", *extra):
            return None
        texts = [f"nn.{kind}", match.text("num_hidden")]
        if match.has("activation"):
            if match.constant("activation") not in ("relu", "tanh"):
                return None
            texts.append(f'nonlinearity="{match.constant("activation")}"')
        match.need("nn")
        return _named(match, f"{match.helper('lazy_recurrent')}({', '.join(texts)})", prefix)

    return write


def _fused(match: Match) -> str | None:
    """All layers at once; `unroll` gives the last states too, whether asked for or not."""
    own = ("num_hidden", "num_layers", "mode", "bidirectional", "dropout")
    if not match.only(*own, "get_next_state", "forget_bias", "prefix"):
        return None
    mode = match.constant("mode") if match.has("mode") else "lstm"
    if mode not in _MODES:
        return None
    kind, option = _MODES[str(mode)]
    texts = [f"nn.{kind}", match.text("num_hidden")]
    texts += [f"{n}={match.text(n)}" for n in ("num_layers", "bidirectional", "dropout")
              if match.has(n)]  # fmt: skip
    texts += [option] if option else []
    match.need("nn")
    made = f"{match.helper('lazy_recurrent')}({', '.join(texts)})"
    match.note(Code.SIZE, "input_size")
    given = match.text("prefix") if match.has("prefix") else repr(f"{mode}_")
    return f"{match.helper('named_cell')}({made}, {given})"


_SENTENCES = (
    "sentences", "batch_size", "buckets", "invalid_label", "data_name", "label_name", "layout",
)  # fmt: skip


def _sentences(match: Match) -> str | None:
    if not match.only(*_SENTENCES):
        return None
    texts = [match.text(n) for n in _SENTENCES[:2] if match.has(n)]
    texts += [f"{n}={match.text(n)}" for n in _SENTENCES[2:] if match.has(n)]
    return f"{match.helper('SentenceIter')}({', '.join(texts)})"


def _encode(match: Match) -> str | None:
    own = ("sentences", "vocab", "invalid_label", "invalid_key", "start_label")
    if not match.only(*own) or not match.has("sentences"):
        return None
    texts = [match.text("sentences")]
    texts += [f"{n}={match.text(n)}" for n in own[1:] if match.has(n)]
    return f"{match.helper('encode_sentences')}({', '.join(texts)})"


def _kind(name: str, prefix: str) -> Rule:
    bias = ", 1.0" if name == "LSTMCell" else ""
    return Rule(
        f"old-{name}",
        f"call mx.rnn.{name}",
        _cell(name, prefix),
        f"cell = mx.rnn.{name}(8, prefix='a_')",
        f"cell = named_cell(lazy_recurrent(nn.{name}, 8), 'a_'{bias})",
    )


REGISTRY.add(
    _kind("RNNCell", "rnn_"),
    _kind("LSTMCell", "lstm_"),
    _kind("GRUCell", "gru_"),
    *cells_around("mx.rnn", "mx.rnn"),
    Rule(
        "FusedRNNCell",
        "call mx.rnn.FusedRNNCell",
        _fused,
        "cell = mx.rnn.FusedRNNCell(8, num_layers=2, prefix='a_')",
        "cell = named_cell(lazy_recurrent(nn.LSTM, 8, num_layers=2), 'a_')",
    ),
    Rule(
        "old-SequentialRNNCell",
        "call mx.rnn.SequentialRNNCell",
        lambda match: "nn.ModuleList()" if match.only() else None,
        "cell = mx.rnn.SequentialRNNCell()",
        "cell = nn.ModuleList()",
        needs=("nn",),
    ),
    Rule(
        "old-DropoutCell",
        "call mx.rnn.DropoutCell",
        lambda m: f"nn.Dropout({m.text('dropout')})" if m.only("dropout", "prefix") else None,
        "cell = mx.rnn.DropoutCell(0.5)",
        "cell = nn.Dropout(0.5)",
        needs=("nn",),
    ),
    Rule(
        "add-to-old-cells",
        "method mx.rnn.SequentialRNNCell.add",
        "{self}.append({cell})",
        "cells.add(mx.rnn.DropoutCell(0.5))",
        "cells.append(nn.Dropout(0.5))",
    ),
    Rule(
        "call-old-cell",
        f"calling {_BASE}",
        call_cell,
        "out = cell(x, states)[0]",
        "out = run_cell(cell, x, states)[0]",
    ),
    Rule(
        "begin-state-of-old-cell",
        f"method {_BASE}.begin_state",
        begin_states,
        "states = cell.begin_state()",
        "states = begin_state(cell)",
    ),
    Rule(
        "unroll-old-cell",
        f"method {_BASE}.unroll",
        unrolled,
        "out = cell.unroll(2, x, merge_outputs=True)[0]",
        "out = unroll(cell, 2, x, merge=True)[0]",
        params="self, length, inputs, begin_state=None, layout='NTC', merge_outputs=None",
    ),
    Rule(
        "reset-old-cell",
        f"method {_BASE}.reset",
        lambda match: "",
        "cell.reset()",
        "",
    ),
    Rule(
        "BucketSentenceIter",
        "call mx.rnn.BucketSentenceIter",
        _sentences,
        "i = mx.rnn.BucketSentenceIter(s, 8, buckets=[5], invalid_label=0)",
        "i = SentenceIter(s, 8, buckets=[5], invalid_label=0)",
        needs=(),
    ),
    Rule(
        "encode_sentences",
        "call mx.rnn.encode_sentences",
        _encode,
        "s, vocab = mx.rnn.encode_sentences([['a', 'b']], start_label=1)",
        "s, vocab = encode_sentences([['a', 'b']], start_label=1)",
        needs=(),
    ),
    Rule(
        "default-bucket-key",
        "attr mx.rnn.BucketSentenceIter.default_bucket_key",
        same,
        "k = mx.rnn.BucketSentenceIter([], 8, buckets=[5]).default_bucket_key",
        "k = SentenceIter([], 8, buckets=[5]).default_bucket_key",
        needs=(),
    ),
)
