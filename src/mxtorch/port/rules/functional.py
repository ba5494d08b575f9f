"""The operators behind layers, called as functions."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_false, is_true

_ACTIVATIONS = {
    "relu": "torch.relu({})",
    "sigmoid": "torch.sigmoid({})",
    "tanh": "torch.tanh({})",
    "softrelu": "F.softplus({})",
    "softsign": "F.softsign({})",
    "log_sigmoid": "F.logsigmoid({})",
    "mish": "F.mish({})",
}


def _written(match: Match, template: str, argument: str) -> str:
    match.need("F" if template.startswith("F.") else "torch")
    return template.format(match.text(argument))


def _activation(match: Match) -> str | None:
    template = _ACTIVATIONS.get(str(match.constant("act_type")))
    return None if template is None else _written(match, template, "data")


def _leaky(match: Match) -> str | None:
    kind = match.constant("act_type") if match.has("act_type") else "leaky"
    data, slope = match.text("data"), match.text("slope", "0.25")
    match.need("F")
    if kind == "prelu" and match.has("gamma"):
        return f"F.prelu({data}, {match.text('gamma')})"
    if not match.only("data", "act_type", "slope"):
        return None
    return {
        "leaky": f"F.leaky_relu({data}, {slope})",
        "elu": f"F.elu({data}, {slope})",
        "selu": f"F.selu({data})",
        "gelu": f"F.gelu({data})",
    }.get(str(kind))


def _axes(match: Match) -> int | None:
    kernel = match.constant("kernel")
    return len(kernel) if isinstance(kernel, tuple) and len(kernel) in (1, 2, 3) else None


def _convolution(kind: str) -> Writer:
    names = {"stride": "stride", "pad": "padding", "dilate": "dilation", "num_group": "groups"}
    names |= {"adj": "output_padding"}
    dropped = ("kernel", "num_filter", "no_bias", "workspace", "cudnn_tune", "cudnn_off")

    def write(match: Match) -> str | None:
        axes = _axes(match)
        if axes is None or not match.only("data", "weight", "bias", *names, *dropped):
            return None
        given = [match.text("data"), match.text("weight")]
        if match.has("bias"):
            given.append(match.text("bias"))
        given += [f"{to}={match.text(a)}" for a, to in names.items() if match.has(a)]
        match.need("F")
        return f"F.{kind}{axes}d({', '.join(given)})"

    return write


def _pooling(match: Match) -> str | None:
    known = ("data", "kernel", "pool_type", "stride", "pad", "global_pool", "count_include_pad")
    kind = match.constant("pool_type") if match.has("pool_type") else "max"
    if not match.only(*known) or kind not in ("max", "avg"):
        return None
    data = match.text("data")
    if is_true(match, "global_pool"):
        reduced = {"max": "amax", "avg": "mean"}[str(kind)]
        axes = _axes(match)
        if axes is None:
            return None
        dims = tuple(range(2, 2 + axes))
        return f"{parenthesized(data)}.{reduced}(dim={dims}, keepdim=True)"
    axes = _axes(match)
    if axes is None:
        return None
    given = [data, match.text("kernel"), f"stride={match.text('stride', '1')}"]
    if match.has("pad"):
        given.append(f"padding={match.text('pad')}")
    if match.has("count_include_pad") and kind == "avg":
        given.append(f"count_include_pad={match.text('count_include_pad')}")
    match.need("F")
    return f"F.{kind}_pool{axes}d({', '.join(given)})"


def _linear(match: Match) -> str | None:
    known = ("data", "weight", "bias", "num_hidden", "no_bias", "flatten")
    if not match.only(*known) or not match.has("weight"):
        return None
    data = match.text("data")
    if not is_false(match, "flatten"):
        data = f"{parenthesized(data)}.flatten(1)"
    bias = f", {match.text('bias')}" if match.has("bias") else ""
    match.need("F")
    return f"F.linear({data}, {match.text('weight')}{bias})"


def _embedding(match: Match) -> str | None:
    if not match.only("data", "weight", "input_dim", "output_dim"):
        return None
    match.need("F")
    return f"F.embedding({parenthesized(match.text('data'))}.long(), {match.text('weight')})"


def _upsampling(match: Match) -> str | None:
    """The nearest element; MXNet's bilinear one is a convolution with weights of its own."""
    node = match.node
    keywords = {k.arg: k.value for k in getattr(node, "keywords", [])}
    known = {"scale", "sample_type"}
    if len(getattr(node, "args", [])) != 1 or set(keywords) != known:
        return None
    if getattr(keywords["sample_type"], "value", None) != "nearest":
        return None
    match.need("F")
    data = match.text(node.args[0])  # type: ignore[attr-defined]
    return f"F.interpolate({data}, scale_factor={match.text(keywords['scale'])})"


def _unit_length(match: Match) -> str | None:
    if not match.only("data", "mode"):
        return None
    mode = match.constant("mode") if match.has("mode") else "instance"
    match.need("F")
    data = match.text("data")
    if mode == "channel":
        return f"F.normalize({data}, dim=1)"
    if mode == "instance" and match.value("data").name == "flat":
        return f"F.normalize({data}, dim=1)"
    if mode == "instance" and match.value("data").name != "deep":
        match.note_guess("an array of two axes")
        return f"F.normalize({data}, dim=1)"
    return None


def _sequence_mask(match: Match) -> str | None:
    if not match.only("data", "sequence_length", "use_sequence_length", "value", "axis"):
        return None
    if not is_true(match, "use_sequence_length"):
        return match.text("data") if not match.has("use_sequence_length") else None
    given = [match.text("data"), match.text("sequence_length")]
    given += [f"{a}={match.text(a)}" for a in ("value", "axis") if match.has(a)]
    return f"{match.helper('sequence_mask')}({', '.join(given)})"


def _layer_norm(match: Match) -> str | None:
    axis = match.constant("axis") if match.has("axis") else -1
    if not match.only("data", "gamma", "beta", "axis", "eps") or axis != -1:
        return None
    match.need("F")
    gamma, beta = match.text("gamma"), match.text("beta")
    eps = f", {match.text('eps')}" if match.has("eps") else ""
    return f"F.layer_norm({match.text('data')}, {gamma}.shape, {gamma}, {beta}{eps})"


def _dropout(match: Match) -> str | None:
    """A module's own switch, in a block; `mode='always'` drops without one."""
    if not match.only("data", "p", "mode"):
        return None
    always = match.constant("mode") == "always" if match.has("mode") else False
    if not always and not match.port.in_block(match.node):
        return None
    match.need("F")
    training = "training=True" if always else "training=self.training"
    return f"F.dropout({match.text('data')}, {match.text('p', '0.5')}, {training})"


REGISTRY.add(
    Rule(
        "nd-Activation",
        "op Activation",
        _activation,
        "y = nd.Activation(x, act_type='softrelu')",
        "y = F.softplus(x)",
        needs=(),
    ),
    Rule(
        "nd-LeakyReLU",
        "op LeakyReLU",
        _leaky,
        "y = nd.LeakyReLU(x, slope=0.1)",
        "y = F.leaky_relu(x, 0.1)",
        needs=(),
    ),
    Rule(
        "nd-Convolution",
        "op Convolution",
        _convolution("conv"),
        "y = nd.Convolution(x, w, kernel=(3, 3), pad=(1, 1), num_filter=1, no_bias=True)",
        "y = F.conv2d(x, w, padding=(1, 1))",
        needs=(),
    ),
    Rule(
        "nd-Deconvolution",
        "op Deconvolution",
        _convolution("conv_transpose"),
        "y = nd.Deconvolution(x, w, kernel=(3, 3), stride=(2, 2), num_filter=1)",
        "y = F.conv_transpose2d(x, w, stride=(2, 2))",
        needs=(),
    ),
    Rule(
        "nd-Pooling",
        "op Pooling",
        _pooling,
        "y = nd.Pooling(x, kernel=(2, 2), pool_type='avg')",
        "y = F.avg_pool2d(x, (2, 2), stride=1)",
        needs=(),
    ),
    Rule(
        "nd-FullyConnected",
        "op FullyConnected",
        _linear,
        "z = nd.FullyConnected(x, y, None, num_hidden=2, no_bias=True, flatten=False)",
        "z = F.linear(x, y, None)",
        needs=(),
    ),
    Rule(
        "nd-Embedding",
        "op Embedding",
        _embedding,
        "y = nd.Embedding(i, w, input_dim=2, output_dim=2)",
        "y = F.embedding(i.long(), w)",
        needs=(),
        note="indices out of range raise",
    ),
    Rule(
        "nd-UpSampling",
        "op UpSampling",
        _upsampling,
        "y = nd.UpSampling(x, scale=2, sample_type='nearest')",
        "y = F.interpolate(x, scale_factor=2)",
        needs=(),
    ),
    Rule(
        "nd-L2Normalization",
        "op L2Normalization",
        _unit_length,
        "y = nd.L2Normalization(x)",
        "y = F.normalize(x, dim=1)",
        needs=(),
        note="MXNet adds its eps to the sum of squares",
    ),
    Rule(
        "nd-SequenceMask",
        "op SequenceMask",
        _sequence_mask,
        "y = nd.SequenceMask(x, n, use_sequence_length=True)",
        "y = sequence_mask(x, n)",
    ),
    Rule(
        "nd-LayerNorm",
        "op LayerNorm",
        _layer_norm,
        "y = nd.LayerNorm(x, g, b)",
        "y = F.layer_norm(x, g.shape, g, b)",
        needs=(),
    ),
    Rule(
        "nd-Dropout",
        "op Dropout",
        _dropout,
        "y = nd.Dropout(x, p=0.1, mode='always')",
        "y = F.dropout(x, 0.1, training=True)",
        needs=(),
    ),
    Rule(
        "hard-sigmoid",
        "op hard_sigmoid",
        lambda m: (
            f"({m.text('alpha', '0.2')} * {parenthesized(m.text('data'))}"
            f" + {m.text('beta', '0.5')}).clamp(0, 1)"
        ),
        "y = nd.hard_sigmoid(x)",
        "y = (0.2 * x + 0.5).clamp(0, 1)",
    ),
    Rule(
        "softsign",
        "op softsign",
        "F.softsign({data})",
        "y = nd.softsign(x)",
        "y = F.softsign(x)",
        needs=("F",),
    ),
    Rule(
        "softmin",
        "op softmin",
        lambda m: (
            f"torch.softmax(-{parenthesized(m.text('data'))}, dim={m.text('axis', '-1')})"
            if m.only("data", "axis")
            else None
        ),
        "y = nd.softmin(x)",
        "y = torch.softmax(-x, dim=-1)",
    ),
)
