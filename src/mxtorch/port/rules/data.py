"""Data sets and loaders."""

from __future__ import annotations

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, parenthesized


def _loader(match: Match) -> str | None:
    known = ("dataset", "batch_size", "shuffle", "last_batch", "num_workers", "pin_memory")
    if not match.only(*known):
        return None
    texts = [match.text("dataset")]
    for name in ("batch_size", "shuffle", "num_workers", "pin_memory"):
        if match.has(name):
            texts.append(f"{name}={match.text(name)}")
    if match.has("last_batch"):
        wanted = match.constant("last_batch")
        if wanted not in ("keep", "discard"):
            return None
        if wanted == "discard":
            texts.append("drop_last=True")
    match.need("DataLoader")
    return f"DataLoader({', '.join(texts)})"


def _tensors(match: Match) -> str | None:
    node = match.node
    texts = []
    for argument in getattr(node, "args", []):
        kind = match.value(argument).kind
        if kind == "numpy":
            match.need("torch")
            texts.append(f"torch.from_numpy({match.text(argument)})")
        elif kind == "array":
            texts.append(match.text(argument))
        else:
            return None
    match.need("TensorDataset")
    return f"TensorDataset({', '.join(texts)})"


def _split_and_load(match: Match) -> str | None:
    """All of the batch on the first device: one net is on one device."""
    if match.value("ctx_list").kind != "list":
        return None
    match.note(Code.DEVICES)
    return f"[{parenthesized(match.text('data'))}.to({parenthesized(match.text('ctx_list'))}[0])]"


def _split_data(match: Match) -> str | None:
    if not match.only("data", "num_slice", "batch_axis", "even_split"):
        return None
    axis = f", dim={match.text('batch_axis')}" if match.has("batch_axis") else ""
    return f"{parenthesized(match.text('data'))}.tensor_split({match.text('num_slice')}{axis})"


REGISTRY.add(
    Rule(
        "split-data",
        "call mx.gluon.utils.split_data",
        _split_data,
        "parts = gluon.utils.split_data(x, 2)",
        "parts = x.tensor_split(2)",
    ),
    Rule(
        "split-and-load",
        "call mx.gluon.utils.split_and_load",
        _split_and_load,
        "parts = gluon.utils.split_and_load(x, [mx.cpu()])",
        'parts = [x.to([torch.device("cpu")][0])]',
    ),
    Rule(
        "DataLoader",
        "call mx.gluon.data.DataLoader",
        _loader,
        "d = gluon.data.DataLoader(s, batch_size=8, shuffle=True)",
        "d = DataLoader(s, batch_size=8, shuffle=True)",
    ),
    Rule(
        "ArrayDataset",
        "call mx.gluon.data.ArrayDataset",
        _tensors,
        "s = gluon.data.ArrayDataset(x, y)",
        "s = TensorDataset(x, y)",
    ),
)
