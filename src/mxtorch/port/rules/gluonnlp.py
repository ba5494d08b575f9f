"""gluonnlp's TransformerEncoder. MXNet's toolkit for language; no other name of it has a rule."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule

_ARGUMENTS = (
    "num_layers", "units", "hidden_size", "max_length", "num_heads", "scale_embed", "norm_inputs",
    "dropout",
)  # fmt: skip
# How weights are drawn shows in `initialize`.
_PLAIN = ("prefix", "params", "weight_initializer", "bias_initializer")
_DEFAULTS = {
    "attention_cell": "multi_head", "scaled": True, "use_residual": True,
    "output_attention": False, "output_all_encodings": False,
}  # fmt: skip


def _encoder(match: Match) -> str | None:
    if not match.only(*_ARGUMENTS, *_PLAIN, *_DEFAULTS):
        return None
    if any(match.has(n) and match.constant(n) != d for n, d in _DEFAULTS.items()):
        return None
    given = [f"{n}={match.text(n)}" for n in _ARGUMENTS if match.has(n)]
    return f"{match.helper('TransformerEncoder')}({', '.join(given)})"


def _call(match: Match) -> str:
    """The helper takes and gives what gluonnlp's does: the batch first."""
    return match.port.splice(match.node)


REGISTRY.add(
    Rule(
        "TransformerEncoder",
        "call nlp.TransformerEncoder",
        _encoder,
        "net = nlp.model.TransformerEncoder(units=8, num_heads=2)",
        "net = TransformerEncoder(units=8, num_heads=2)",
        params=f"{', '.join(f'{n}=None' for n in (*_ARGUMENTS, *_PLAIN, *_DEFAULTS))}",
        needs=(),
        note="torch has one more dropout, inside the feed-forward part; both have 0 by default",
    ),
    Rule(
        "call-TransformerEncoder",
        "calling nlp.TransformerEncoder",
        _call,
        "out = encoder(x.reshape((1, 2, 3)))[0]",
        "out = encoder(x.reshape(1, 2, 3))[0]",
        needs=(),
    ),
)
