"""Data sets and loaders."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_true, same

# MXNet's argument of DataLoader and torch's.
_LOADER = {
    "batch_size": "batch_size", "shuffle": "shuffle", "sampler": "sampler",
    "batch_sampler": "batch_sampler", "batchify_fn": "collate_fn", "num_workers": "num_workers",
    "pin_memory": "pin_memory", "timeout": "timeout",
}  # fmt: skip
# Arguments that change nothing in what comes out.
_SPEED = ("pin_device_id", "prefetch", "thread_pool", "auto_reload")


def _loader(match: Match) -> str | None:
    if not match.only("dataset", "last_batch", *_LOADER, *_SPEED):
        return None
    texts = [match.text("dataset")]
    texts += [f"{to}={match.text(a)}" for a, to in _LOADER.items() if match.has(a)]
    if match.has("last_batch"):
        wanted = match.constant("last_batch")
        if wanted == "rollover" and not match.has("sampler", "batch_sampler"):
            return f"{match.helper('rolling_loader')}({', '.join(texts)})"
        if wanted not in ("keep", "discard"):
            return None
        if wanted == "discard":
            texts.append("drop_last=True")
    match.need("DataLoader")
    return f"DataLoader({', '.join(texts)})"


def _is_of_numpy(match: Match, node: ast.expr) -> bool:
    """Whether an expression is a tuple of NumPy arrays."""
    value = match.value(node)
    return value.kind == "tuple" and all(item.kind == "numpy" for item in value.items)


def _tensors(match: Match) -> str | None:
    """Arrays go into a TensorDataset; a single array is a data set itself."""
    node = match.node
    given = getattr(node, "args", [])
    unpacked = [a for a in given if isinstance(a, ast.Starred)]
    if len(given) == 1 and unpacked and _is_of_numpy(match, unpacked[0].value):
        match.need("TensorDataset", "torch")
        return f"TensorDataset(*map(torch.from_numpy, {match.text(unpacked[0].value)}))"
    if not given or any(match.value(a).kind != "array" for a in unpacked):
        return None
    kinds = [match.value(a).kind for a in given]
    texts = []
    for argument, kind in zip(given, kinds, strict=True):
        starred = isinstance(argument, ast.Starred)
        text = f"*{match.text(argument.value)}" if starred else match.text(argument)
        texts.append(f"torch.from_numpy({text})" if kind == "numpy" else text)
    if len(given) == 1 and not unpacked:
        return texts[0]
    if all(kind in ("numpy", "array") for kind in kinds):
        match.need("TensorDataset", *(["torch"] if "numpy" in kinds else []))
        return f"TensorDataset({', '.join(texts)})"
    return f"list(zip({', '.join(match.text(a) for a in given)}))"


def _transform(first: bool) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only("self", "fn", "lazy") or not match.has("fn"):
            return None
        option = ", first=True" if first else ""
        text = f"{match.helper('Transformed')}({match.text('self')}, {match.text('fn')}{option})"
        lazy = match.constant("lazy") if match.has("lazy") else True
        if not isinstance(lazy, bool):
            return None
        return text if lazy else f"list({text})"

    return write


def _filter(match: Match) -> str:
    data, function = match.text("self"), parenthesized(match.text("fn"))
    return f"[item for item in {data} if {function}(item)]"


def _take(match: Match) -> str:
    count, data = match.text("count"), match.text("self")
    return f"[{parenthesized(data)}[i] for i in range({count})]"


def _sampler(cls: str) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only("length"):
            return None
        match.need("samplers")
        return f"{cls}(range({match.text('length')}))"

    return write


def _batch_sampler(match: Match) -> str | None:
    last = match.constant("last_batch") if match.has("last_batch") else "keep"
    if last not in ("keep", "discard"):
        return None
    match.need("samplers")
    texts = [match.text("sampler"), match.text("batch_size"), str(last == "discard")]
    return f"BatchSampler({', '.join(texts)})"


_NAMES = ("data_name", "label_name")


def _iterator(match: Match) -> str | None:
    names = ("data", "label", "batch_size", "shuffle", "last_batch_handle")
    if not match.only(*names, *_NAMES, "layout"):
        return None
    handle = match.constant("last_batch_handle") if match.has("last_batch_handle") else "pad"
    rolls = handle == "roll_over" and not is_true(match, "shuffle")
    if handle not in ("pad", "discard") and not rolls:
        return None
    texts = [match.text("data")] if match.has("data") else []
    texts += [f"{n}={match.text(n)}" for n in (*names[1:], *_NAMES) if match.has(n)]
    return f"{match.helper('ArrayIter')}({', '.join(texts)})"


def iterator_base(match: Match) -> str:
    """The class that a program's own iterators come from."""
    return match.helper("DataIter")


def _split_and_load(match: Match) -> str | None:
    """The parts: those of this process on its device, or each on the device of its own."""
    devices = match.given.get("ctx_list")
    if isinstance(devices, (ast.List, ast.Tuple)) and len(devices.elts) == 1:
        device = match.text(devices.elts[0])
        return f"[{parenthesized(match.text('data'))}.to({device})]"
    texts = [match.text("data"), match.text("ctx_list")]
    texts += [f"{n}={match.text(n)}" for n in ("batch_axis", "even_split") if match.has(n)]
    if match.port.parallel == "dp":
        return f"{match.helper('split_over')}({', '.join(texts)})"
    match.note(Code.DEVICES)
    return f"{match.helper('split_and_load')}({', '.join(texts)})"


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
        'parts = [x.to(torch.device("cpu"))]',
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
    Rule(
        "SimpleDataset",
        "call mx.gluon.data.SimpleDataset",
        lambda m: m.text("data"),
        "s = gluon.data.SimpleDataset([1, 2])",
        "s = [1, 2]",
        needs=(),
    ),
    Rule(
        "Dataset",
        "name mx.gluon.data.Dataset",
        "Dataset",
        "class Words(gluon.data.Dataset): pass",
        "class Words(Dataset): pass",
        needs=("Dataset",),
    ),
    Rule(
        "transform",
        "method mx.gluon.data.Dataset.transform",
        _transform(False),
        "s = gluon.data.SimpleDataset([1, 2]).transform(abs)",
        "s = Transformed([1, 2], abs)",
        needs=(),
    ),
    Rule(
        "transform-first",
        "method mx.gluon.data.Dataset.transform_first",
        _transform(True),
        "s = gluon.data.ArrayDataset(x, y).transform_first(abs)",
        "s = Transformed(TensorDataset(x, y), abs, first=True)",
        needs=(),
    ),
    Rule(
        "filter",
        "method mx.gluon.data.Dataset.filter",
        _filter,
        "s = gluon.data.SimpleDataset([1, 2]).filter(bool)",
        "s = [item for item in [1, 2] if bool(item)]",
        needs=(),
    ),
    Rule(
        "take-items",
        "method mx.gluon.data.Dataset.take",
        _take,
        "s = gluon.data.SimpleDataset([1, 2]).take(1)",
        "s = [[1, 2][i] for i in range(1)]",
        needs=(),
        params="self, count",
    ),
    Rule(
        "SequentialSampler",
        "call mx.gluon.data.SequentialSampler",
        _sampler("SequentialSampler"),
        "s = gluon.data.SequentialSampler(3)",
        "s = SequentialSampler(range(3))",
        needs=(),
        params="length",
    ),
    Rule(
        "RandomSampler",
        "call mx.gluon.data.RandomSampler",
        _sampler("RandomSampler"),
        "s = gluon.data.RandomSampler(3)",
        "s = RandomSampler(range(3))",
        needs=(),
    ),
    Rule(
        "BatchSampler",
        "call mx.gluon.data.BatchSampler",
        _batch_sampler,
        "s = gluon.data.BatchSampler(gluon.data.SequentialSampler(3), 2, 'discard')",
        "s = BatchSampler(SequentialSampler(range(3)), 2, True)",
        needs=(),
    ),
    Rule(
        "NDArrayIter",
        "call mx.io.NDArrayIter",
        _iterator,
        "i = mx.io.NDArrayIter(x, y, batch_size=2)",
        "i = ArrayIter(x, label=y, batch_size=2)",
        needs=(),
    ),
    *(
        Rule(
            f"iterator-{name}",
            f"method mx.io.DataIter.{name}",
            same,
            f"{'b = ' if name == 'next' else ''}i.{name}()",
            f"{'b = ' if name == 'next' else ''}i.{name}()",
            needs=(),
        )
        for name in ("reset", "next")
    ),
    *(
        Rule(
            f"iterator-{name}",
            f"attr mx.io.DataIter.{name}",
            same,
            f"n = i.{name}",
            f"n = i.{name}",
            needs=(),
        )
        for name in ("batch_size", "num_data", "provide_data", "provide_label")
    ),
    *(
        Rule(
            f"batch-{name}",
            f"attr mx.io.DataBatch.{name}",
            same,
            f"v = next(i).{name}",
            f"v = next(i).{name}",
            needs=(),
        )
        for name in ("data", "label", "pad", "bucket_key")
    ),
)
