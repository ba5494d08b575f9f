"""Gluon's layers as torch's, with MXNet's defaults written out where they differ."""

from __future__ import annotations

import ast

from mxtorch.port import layouts
from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.results import origin_of
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_none
from mxtorch.port.rules.initializers import initializer
from mxtorch.port.values import ARRAY, DEEP, FLAT, UNKNOWN

_MODULES = {"relu": "nn.ReLU()", "sigmoid": "nn.Sigmoid()", "tanh": "nn.Tanh()"}
_MODULES |= {"softrelu": "nn.Softplus()", "softsign": "nn.Softsign()"}
BLOCK = ("prefix", "params")
# How weights are drawn is said of a layer where it is not what `initialize` says.
INIT = (*BLOCK, "weight_initializer", "bias_initializer")


def _in_sequence(match: Match) -> bool:
    """Whether the layer is an argument of `add(...)` or of a Sequential."""
    parent = match.parent
    if not isinstance(parent, ast.Call) or match.node not in parent.args:
        return False
    function = parent.func
    if isinstance(function, ast.Attribute) and function.attr == "add":
        return True
    return match.port.flow.value(parent).name.endswith("Sequential")


def _joins(match: Match) -> bool:
    """Whether the layer may become several modules of the Sequential that it is in."""
    if not _in_sequence(match):
        return False
    made = match.port.sequence.get(match.node)
    if made is not None:
        return layouts.joins(match.port, origin_of(made))
    receiver = getattr(getattr(match.parent, "func", None), "value", None)
    value = match.value(receiver) if receiver is not None else UNKNOWN
    return layouts.joins(match.port, layouts.origin(value))


def _with_activation(match: Match, layer: str) -> str | None:
    """The layer, and its activation as a module of its own."""
    match.need("nn")
    if match.has("activation") and match.text("activation") != "None":
        activation = _MODULES.get(str(match.constant("activation")))
        if activation is None:
            return None
        layer = f"{layer}, {activation}"
    elif not layer.startswith("nn.Flatten(), "):
        return layer
    return layer if _joins(match) else f"nn.Sequential({layer})"


def _numbered(match: Match) -> str | None:
    """A layer of a Sequential by its number, where its modules stand now."""
    node = match.node
    assert isinstance(node, ast.Subscript)
    owner, position = match.value(node.value), layouts.number(node.slice)
    layers = layouts.layers_of(match.port, layouts.origin(owner))
    if position is None or not -len(layers) <= position < len(layers):
        return match.port.splice(node)
    texts = [layouts.modules(match.port, layer) for layer in layers]
    position %= len(layers)
    net = parenthesized(match.text(node.value))
    one, main = texts[position], layouts.main(texts[position])
    attribute = layouts.is_for_weights(match.port, node)
    if not layouts.joins(match.port, layouts.origin(owner)):
        at = f"{net}[{match.text(node.slice)}]"
        return f"{at}[{main}]" if attribute and len(one) > 1 else at
    start = sum(len(t) for t in texts[:position])
    if attribute:
        return f"{net}[{start + main}]"
    return f"{net}[{start}]" if len(one) == 1 else f"{net}[{start}:{start + len(one)}]"


def _alone(match: Match) -> str | None:
    """The weights of a layer that has become two modules are the first one's, or the second's."""
    value = match.value(match.node)
    made = match.port.constructors.get(value.items[1].name) if len(value.items) > 1 else None
    if (
        made is None
        or made in match.port.sequence
        or not layouts.is_for_weights(match.port, match.node)
    ):
        return None
    texts = layouts.modules(match.port, made)
    if len(texts) == 1 or isinstance(match.node, ast.Subscript):
        return None
    return f"{match.port.splice(match.node)}[{layouts.main(texts)}]"


def _drawn(match: Match, layer: str) -> str:
    """The layer, with the initializers that it is given."""
    given = []
    for name in ("weight", "bias"):
        node = match.given.get(f"{name}_initializer")
        if node is None or is_none(match, f"{name}_initializer"):
            continue
        if name == "bias" and match.constant("bias_initializer") == "zeros":
            continue
        written = initializer(match, node)
        if written is None:
            match.note(Code.DIFFERS, f"`initialize` says how {name}s are drawn")
        else:
            given.append(f"{name}={written}")
    return f"{match.helper('initialized')}({layer}, {', '.join(given)})" if given else layer


def _shares(match: Match) -> bool:
    """Whether it is clear whose weights a layer has: its own, or those of `params=other.params`."""
    node = match.given.get("params")
    if node is None or is_none(match, "params"):
        return True
    return isinstance(node, ast.Attribute) and node.attr == "params"


def _shared(match: Match, layer: str) -> str:
    """The layer with the weights of another, where it is given them."""
    node = match.given.get("params")
    if not isinstance(node, ast.Attribute):
        return layer
    return f"{match.helper('sharing')}({layer}, {match.text(node.value)})"


def _bias(match: Match) -> str:
    return f", bias={match.text('use_bias')}" if match.has("use_bias") else ""


# Layers through which the number of features or channels passes unchanged.
_THROUGH = [
    "Activation",
    "Dropout",
    "BatchNorm",
    "LeakyReLU",
    "ELU",
    "SELU",
    "GELU",
    "Swish",
    "LayerNorm",
    "InstanceNorm",
    "PReLU",
]


def features_before(
    match: Match, layers: tuple[str, ...], arguments: tuple[str, ...], pools: bool = False
) -> str | None:
    """What the layers before this one in a Sequential give, if one of them says it."""
    for node in reversed(match.port.before.get(match.node, [])):
        if not isinstance(node, ast.Call):
            return None
        name = match.port.flow.value(node).name.rpartition(".")[2]
        if name in layers:
            given = {k.arg: k.value for k in node.keywords}
            size = node.args[0] if node.args else given.get(arguments[0])
            return match.text(size) if isinstance(size, (ast.Constant, ast.Name)) else None
        if name not in _THROUGH and not (pools and "Pool" in name):
            return None
    return None


def sizes_before(match: Match) -> str | None:
    """The number of features that the layers before this one in a Sequential give."""
    for node in reversed(match.port.before.get(match.node, [])):
        if not isinstance(node, ast.Call):
            return None
        name = match.port.flow.value(node).name.rpartition(".")[2]
        if name in _THROUGH:
            continue
        position, keyword = {"Embedding": (1, "output_dim"), "Dense": (0, "units")}.get(
            name, (0, "hidden_size")
        )
        if name not in ("Embedding", "Dense", "RNN", "LSTM", "GRU") or (
            {k.arg for k in node.keywords} & {"bidirectional", "projection_size"}
        ):
            return None
        given = {k.arg: k.value for k in node.keywords}
        size = node.args[position] if len(node.args) > position else given.get(keyword)
        return match.text(size) if isinstance(size, (ast.Constant, ast.Name)) else None
    return None


def _dense(match: Match) -> str | None:
    known = ("units", "activation", "use_bias", "flatten", "in_units", "dtype", *INIT)
    if not match.only(*known) or not _shares(match):
        return None
    units = match.text("units")
    before = features_before(match, ("Dense",), ("units",))
    seen = match.layer
    if not match.has("in_units"):
        before = before or size_text(seen.size("in_units"))
    if before is not None and not match.has("in_units"):
        layer = f"nn.Linear({before}, {units}{_bias(match)})"
    elif match.has("in_units") and match.constant("in_units") != 0:
        layer = f"nn.Linear({match.text('in_units')}, {units}{_bias(match)})"
    else:
        match.note(Code.SIZE, "in_units")
        layer = f"nn.LazyLinear({units}{_bias(match)})"
    layer = _shared(match, _drawn(match, layer))
    if _flattens(match, lazy="nn.Lazy" in layer):
        layer = f"nn.Flatten(), {layer}"
    return _with_activation(match, layer)


def size_text(size: int | None) -> str | None:
    return None if size is None else str(size)


def _flattens(match: Match, lazy: bool) -> bool:
    """Whether the layer of a Sequential needs a Flatten: no harm is done where it has two axes."""
    if match.constant("flatten") is False or not _in_sequence(match):
        return False
    if _after_images(match) or match.layer.flattens:
        return True
    made = match.port.sequence.get(match.node)
    if made is None:
        receiver = getattr(getattr(match.parent, "func", None), "value", None)
        given = match.value(receiver).items if receiver is not None else ()
        if given and given[0].kind == "array":
            return given[0] == DEEP or (lazy and given[0] != FLAT)
        origin = given[1].name if len(given) > 1 else ""
    else:
        before = [match.value(n).items for n in match.port.before.get(match.node, [])]
        gives = [items[0] if items else ARRAY for items in before]
        known = [g for g in gives if g.kind != "same"]
        if known:
            return known[-1] == DEEP or (lazy and known[-1] != FLAT)
        origin = origin_of(made)
    fed = match.port.flow.fed.get(origin, ARRAY)
    return fed == DEEP or (lazy and fed != FLAT)


def _call_dense(match: Match) -> str | None:
    """MXNet's joins all axes but the first."""
    node = match.node
    assert isinstance(node, ast.Call)
    layer = match.value(node.func)
    if len(node.args) != 1 or node.keywords or len(layer.items) < 2:
        return match.port.splice(node)
    made = match.port.constructors.get(layer.items[1].name)
    seen = match.port.facts.layer(made) if made is not None and match.port.facts else None
    lazy = made is not None and "in_units" not in {k.arg for k in made.keywords}
    given = match.value(node.args[0])
    deep = given == DEEP or (seen.flattens if seen is not None else lazy and given != FLAT)
    if layer.items[0] != FLAT or not deep:
        return match.port.splice(node)
    argument = parenthesized(match.text(node.args[0]))
    return f"{match.text(node.func)}({argument}.flatten(1))"


def _after_images(match: Match) -> bool:
    """Whether the layers before this one give images, which a Dense flattens."""
    for node in reversed(match.port.before.get(match.node, [])):
        name = match.port.flow.value(node).name.rpartition(".")[2]
        if "Conv" in name or "Pool" in name:
            return True
        if name not in _THROUGH:
            return False
    return False


_CONV = ("kernel_size", "strides", "padding", "dilation", "groups")


def _conv(kind: str, axes: int) -> Writer:
    layout = {1: "NCW", 2: "NCHW", 3: "NCDHW"}[axes]

    def write(match: Match) -> str | None:
        known = ("channels", *_CONV, "activation", "use_bias", "in_channels", "layout", *INIT)
        if not match.only(*known, "output_padding") or not _shares(match):
            return None
        if match.has("layout") and match.constant("layout") != layout:
            return None
        first = match.text("channels")
        lazy = not match.has("in_channels") or match.constant("in_channels") == 0
        before = features_before(match, (f"Conv{axes}D",), ("channels",), pools=True)
        before = before or size_text(match.layer.size("in_channels"))
        if lazy and before is not None:
            first, lazy = f"{before}, {first}", False
        elif lazy:
            match.note(Code.SIZE, "in_channels")
        else:
            first = f"{match.text('in_channels')}, {first}"
        given = [f"kernel_size={match.text('kernel_size')}"]
        names = {"strides": "stride", "padding": "padding", "dilation": "dilation"}
        names |= {"groups": "groups", "output_padding": "output_padding"}
        given += [f"{to}={match.text(a)}" for a, to in names.items() if match.has(a)]
        layer = (
            f"nn.{'Lazy' if lazy else ''}{kind}{axes}d({first}, {', '.join(given)}{_bias(match)})"
        )
        return _with_activation(match, _shared(match, _drawn(match, layer)))

    return write


def _pool(kind: str, axes: int) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only(
            "pool_size", "strides", "padding", "ceil_mode", "count_include_pad", *BLOCK
        ):
            return None
        size = match.text("pool_size", "2")
        given = [size]
        names = {"strides": "stride", "padding": "padding", "ceil_mode": "ceil_mode"}
        names |= {"count_include_pad": "count_include_pad"}
        given += [f"{to}={match.text(a)}" for a, to in names.items() if match.has(a)]
        match.need("nn")
        return f"nn.{kind}Pool{axes}d({', '.join(given)})"

    return write


def _activation(match: Match) -> str | None:
    if not match.only("activation", *BLOCK):
        return None
    match.need("nn")
    return _MODULES.get(str(match.constant("activation")))


def _call_embedding(match: Match) -> str | None:
    """MXNet's indices may be floats."""
    node = match.node
    assert isinstance(node, ast.Call)
    if len(node.args) != 1 or node.keywords:
        return None
    return f"{match.text(node.func)}({parenthesized(match.text(node.args[0]))}.long())"


def _new(match: Match) -> str | None:
    """A block of the file is made without `prefix` and `params`."""
    node = match.node
    assert isinstance(node, ast.Call)
    if not any(k.arg in BLOCK for k in node.keywords):
        return match.port.splice(node)
    given = [match.text(a) for a in node.args]
    given += [
        f"{k.arg}={match.text(k.value)}" if k.arg else f"**{match.text(k.value)}"
        for k in node.keywords
        if k.arg not in BLOCK
    ]
    return f"{match.text(node.func)}({', '.join(given)})"


def _sequential(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call)
    if node.args or any(k.arg not in BLOCK for k in node.keywords):
        return None
    match.need("nn")
    return "nn.Sequential()"


def _add(match: Match) -> str | None:
    node = match.node
    assert isinstance(node, ast.Call)
    texts = [match.text(a) for a in node.args]
    net = match.text(match.receiver) if match.receiver is not None else ""
    if not isinstance(match.parent, ast.Expr) or node.keywords:
        return None
    one = len(texts) == 1 and not isinstance(node.args[0], ast.Starred)
    if one and not texts[0].endswith(("nn.ReLU()", "nn.Sigmoid()", "nn.Tanh()")):
        return f"{net}.append({texts[0]})"
    return f"{net}.extend([{', '.join(texts)}])"


def _simple(name: str, to: str, before: str, **facts: object) -> Rule:
    holes = facts.pop("params", "")
    drop: tuple[str, ...] = facts.pop("drop", ())  # type: ignore[assignment]
    return Rule(
        name,
        f"call mx.gluon.nn.{name}",
        to,
        f"layer = nn.{before}",
        f"layer = {facts.pop('after')}",
        drop=(*BLOCK, *drop),
        needs=("nn",),
        params=f"{holes}{', ' if holes else ''}prefix=None, params=None",
        note=str(facts.pop("note", "")),
    )


_DIMS = (1, 2, 3)
_LAYERS = [
    Rule(
        "Dense",
        "call mx.gluon.nn.Dense",
        _dense,
        "layer = nn.Dense(3, in_units=4)",
        "layer = nn.Linear(4, 3)",
    ),
    *(
        Rule(
            f"Conv{d}D",
            f"call mx.gluon.nn.Conv{d}D",
            _conv("Conv", d),
            f"layer = nn.Conv{d}D(8, 3, in_channels=1)",
            f"layer = nn.Conv{d}d(1, 8, kernel_size=3)",
        )
        for d in _DIMS
    ),
    *(
        Rule(
            f"Conv{d}DTranspose",
            f"call mx.gluon.nn.Conv{d}DTranspose",
            _conv("ConvTranspose", d),
            f"layer = nn.Conv{d}DTranspose(8, 3, in_channels=1)",
            f"layer = nn.ConvTranspose{d}d(1, 8, kernel_size=3)",
        )
        for d in _DIMS
    ),
    *(
        Rule(
            f"{k}Pool{d}D",
            f"call mx.gluon.nn.{k}Pool{d}D",
            _pool(k, d),
            f"layer = nn.{k}Pool{d}D(2, 2)",
            f"layer = nn.{k}Pool{d}d(2, stride=2)",
        )
        for d in _DIMS
        for k in ("Max", "Avg")
    ),
    *(
        Rule(
            f"Global{k}Pool{d}D",
            f"call mx.gluon.nn.Global{k}Pool{d}D",
            f"nn.Adaptive{k}Pool{d}d(1)",
            f"layer = nn.Global{k}Pool{d}D()",
            f"layer = nn.Adaptive{k}Pool{d}d(1)",
            drop=BLOCK,
            needs=("nn",),
        )
        for d in _DIMS
        for k in ("Max", "Avg")
    ),
    Rule(
        "Activation",
        "call mx.gluon.nn.Activation",
        _activation,
        "layer = nn.Activation('relu')",
        "layer = nn.ReLU()",
    ),
    _simple(
        "Dropout", "nn.Dropout({rate})", "Dropout(0.5)", after="nn.Dropout(0.5)", params="rate"
    ),
    _simple("PReLU", "nn.PReLU()", "PReLU()", after="nn.PReLU()", params="alpha_initializer=None"),
    _simple("Flatten", "nn.Flatten()", "Flatten()", after="nn.Flatten()"),
    _simple(
        "LeakyReLU",
        "nn.LeakyReLU({alpha})",
        "LeakyReLU(0.1)",
        after="nn.LeakyReLU(0.1)",
        params="alpha",
    ),
    _simple("ELU", "nn.ELU(alpha={alpha})", "ELU()", after="nn.ELU()", params="alpha=1.0"),
    _simple("SELU", "nn.SELU()", "SELU()", after="nn.SELU()"),
    _simple("GELU", "nn.GELU()", "GELU()", after="nn.GELU()"),
    _simple(
        "Embedding",
        "nn.Embedding({input_dim}, {output_dim})",
        "Embedding(10, 4)",
        after="nn.Embedding(10, 4)",
        params="input_dim, output_dim, dtype='float32', weight_initializer=None, sparse_grad=False",
        drop=("dtype", "weight_initializer", "sparse_grad"),
    ),
    *(
        Rule(
            f"item-{k}",
            f"item mx.gluon.nn.{k}",
            _numbered,
            "layer = net[1]",
            "layer = net[1]",
            needs=(),
        )
        for k in ("Sequential", "HybridSequential")
    ),
    *(
        Rule(
            f"weights-of-{k}",
            f"layer mx.gluon.nn.{k}",
            _alone,
            "p = layer.weight",
            "p = layer[0].weight",
            needs=(),
        )
        for k in ("Dense", "Conv1D", "Conv2D", "Conv3D")
    ),
    Rule(
        "Sequential",
        "call mx.gluon.nn.Sequential",
        _sequential,
        "net = nn.Sequential()",
        "net = nn.Sequential()",
    ),
    Rule(
        "HybridSequential",
        "call mx.gluon.nn.HybridSequential",
        _sequential,
        "net = nn.HybridSequential()",
        "net = nn.Sequential()",
    ),
    Rule(
        "add",
        "method mx.gluon.nn.Sequential.add",
        _add,
        "net.add(nn.Flatten())",
        "net.append(nn.Flatten())",
    ),
    Rule(
        "hybrid-add",
        "method mx.gluon.nn.HybridSequential.add",
        _add,
        "net.add(nn.Flatten())",
        "net.append(nn.Flatten())",
    ),
    *(
        Rule(
            f"new-{k}",
            f"new mx.gluon.{k}",
            _new,
            "net = Net(prefix='a_')",
            "net = Net()",
        )
        for k in ("Block", "HybridBlock")
    ),
    Rule(
        "call-Dense",
        "calling mx.gluon.nn.Dense",
        _call_dense,
        "out = layer(x.reshape((2, 1, 3)))",
        "out = layer(x.reshape(2, 1, 3).flatten(1))",
    ),
    Rule(
        "call-Embedding",
        "calling mx.gluon.nn.Embedding",
        _call_embedding,
        "out = layer(x)",
        "out = layer(x.long())",
    ),
]

REGISTRY.add(*_LAYERS)
