"""Operators of `nd.contrib` and `nd.image`, and the rarer ones of `nd`."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import helper_call, is_false, is_simple


def _resize(match: Match) -> str | None:
    if not match.only("data", "height", "width", "align_corners"):
        return None
    if not match.has("height") or not match.has("width"):
        return None
    size = f"({match.text('height')}, {match.text('width')})"
    corners = match.text("align_corners", "True")
    data = match.text("data")
    return f'F.interpolate({data}, {size}, mode="bilinear", align_corners={corners})'


def _pool(match: Match) -> str | None:
    if not match.only("data", "output_size"):
        return None
    return f"F.adaptive_avg_pool2d({match.text('data')}, {match.text('output_size', '1')})"


def _softmax(match: Match) -> str | None:
    """Over channels; over everything but the batch there is no function."""
    if not match.only("data", "mode") or match.constant("mode") != "channel":
        return None
    return f"torch.softmax({match.text('data')}, dim=1)"


def _sequence(step: str, whole: str) -> Writer:
    """Of whole sequences, time first; with lengths MXNet's operator is kept."""

    def write(match: Match) -> str | None:
        used = match.has("use_sequence_length") and not is_false(match, "use_sequence_length")
        if used or not match.only("data", "use_sequence_length", "axis"):
            return None
        if match.has("axis") and match.constant("axis") != 0:
            return None
        data = parenthesized(match.text("data"))
        return f"{data}{step}" if step else whole.format(data)

    return write


def _moments(match: Match) -> str | None:
    if not match.only("data", "axes", "keepdims"):
        return None
    texts = [match.text("data")]
    texts += [f"dim={match.text('axes')}"] if match.has("axes") else []
    texts += [f"keepdim={match.text('keepdims')}"] if match.has("keepdims") else []
    return f"torch.var_mean({', '.join(texts)}, correction=0)[::-1]"


def _stretch(match: Match) -> str | None:
    """0 stands for the size that is there, which is -1 to torch."""
    node = match.given.get("shape")
    if not match.only("data", "shape") or not isinstance(node, (ast.Tuple, ast.List)):
        return None
    zero = [isinstance(e, ast.Constant) and e.value == 0 for e in node.elts]
    sizes = ["-1" if z else match.text(e) for z, e in zip(zero, node.elts, strict=True)]
    return f"{parenthesized(match.text('data'))}.expand({', '.join(sizes)})"


def _shuffle(match: Match) -> str | None:
    if not match.only("data") or not is_simple(match.given["data"]):
        return None
    data = match.text("data")
    return f"{data}[torch.randperm(len({data}))]"


def _multinomial(match: Match) -> str | None:
    """Class numbers by probabilities, one for each row or as many as asked for."""
    if not match.only("data", "shape", "dtype"):
        return None
    kind = match.constant("dtype") if match.has("dtype") else "int32"
    count = match.text("shape") if match.has("shape") else "1"
    if kind not in ("int32", "int64") or not (count.isidentifier() or count.isdigit()):
        return None
    drawn = f"torch.multinomial({match.text('data')}, {count}, replacement=True)"
    drawn += "" if match.has("shape") else ".squeeze(-1)"
    return drawn if kind == "int64" else f"{drawn}.int()"


_STREAM = "torch's random numbers are others for the same seed"
REGISTRY.add(
    Rule(
        "BilinearResize2D",
        "op _contrib_BilinearResize2D",
        _resize,
        "y = nd.contrib.BilinearResize2D(x, height=4, width=6)",
        'y = F.interpolate(x, (4, 6), mode="bilinear", align_corners=True)',
        needs=("F",),
    ),
    Rule(
        "AdaptiveAvgPooling2D",
        "op _contrib_AdaptiveAvgPooling2D",
        _pool,
        "y = nd.contrib.AdaptiveAvgPooling2D(x, output_size=(1, 2))",
        "y = F.adaptive_avg_pool2d(x, (1, 2))",
        needs=("F",),
    ),
    Rule(
        "SoftmaxActivation",
        "op SoftmaxActivation",
        _softmax,
        "y = nd.SoftmaxActivation(x, mode='channel')",
        "y = torch.softmax(x, dim=1)",
    ),
    Rule(
        "smooth-l1",
        "op smooth_l1",
        helper_call("smooth_l1", "data", "scalar"),
        "y = nd.smooth_l1(x, scalar=2.0)",
        "y = smooth_l1(x, scalar=2.0)",
        needs=(),
    ),
    Rule(
        "broadcast-axis",
        "op broadcast_axis",
        helper_call("stretch", "data", "axis", "size"),
        "y = nd.broadcast_axis(x[0:1], axis=0, size=3)",
        "y = stretch(x[0:1], axis=0, size=3)",
        needs=(),
    ),
    Rule(
        "argmax-channel",
        "op argmax_channel",
        "{data}.argmax(1)",
        "i = nd.argmax_channel(x)",
        "i = x.argmax(1)",
        needs=(),
        note="argmax gives int64, MXNet's the array's own type",
    ),
    *(
        Rule(
            f"{name.replace('_', '-')}-method",
            f"method array.{name}",
            f"torch.{name}({{self}})",
            f"y = x.{name}()",
            f"y = torch.{name}(x)",
            params="self",
        )
        for name in ("zeros_like", "ones_like")
    ),
    Rule(
        "tile-method",
        "op tile",
        "torch.tile({data}, {reps})",
        "y = x.tile((2, 1))",
        "y = torch.tile(x, (2, 1))",
    ),
    Rule(
        "stretch-to",
        "op broadcast_to",
        _stretch,
        "y = nd.broadcast_to(x[0:1], shape=(4, 0))",
        "y = x[0:1].expand(4, -1)",
        needs=(),
    ),
    Rule(
        "moments",
        "op moments",
        _moments,
        "m, v = nd.moments(x, axes=(0,))",
        "m, v = torch.var_mean(x, dim=(0,), correction=0)[::-1]",
    ),
    Rule(
        "softmax-cross-entropy",
        "op softmax_cross_entropy",
        'F.cross_entropy({data}, {label}.long(), reduction="sum").reshape(1)',
        "l = nd.softmax_cross_entropy(x, i)",
        "l = F.cross_entropy(x, i.long(), reduction='sum').reshape(1)",
        needs=("F",),
    ),
    Rule(
        "nd-batch-take",
        "op batch_take",
        "{a}.gather(1, {indices}.long().reshape(-1, 1)).flatten()",
        "y = nd.batch_take(x, i)",
        "y = x.gather(1, i.long().reshape(-1, 1)).flatten()",
        needs=(),
    ),
    Rule(
        "sequence-last",
        "op SequenceLast",
        _sequence("[-1]", ""),
        "y = nd.SequenceLast(x)",
        "y = x[-1]",
        needs=(),
    ),
    Rule(
        "sequence-reverse",
        "op SequenceReverse",
        _sequence(".flip(0)", ""),
        "y = nd.SequenceReverse(x)",
        "y = x.flip(0)",
        needs=(),
    ),
    Rule(
        "gammaln",
        "op gammaln",
        "torch.lgamma({data})",
        "y = nd.gammaln(x)",
        "y = torch.lgamma(x)",
    ),
    Rule(
        "image-to-tensor",
        "op _image_to_tensor",
        "{data}.movedim(-1, -3).float() / 255",
        "y = nd.image.to_tensor(x)",
        "y = x.movedim(-1, -3).float() / 255",
        needs=(),
    ),
    Rule(
        "image-normalize",
        "op _image_normalize",
        helper_call("normalize", "data", "mean", "std"),
        "y = nd.image.normalize(x, mean=0.5, std=2.0)",
        "y = normalize(x, mean=0.5, std=2.0)",
        needs=(),
    ),
    Rule(
        "shuffle",
        "call mx.nd.random.shuffle",
        _shuffle,
        "y = nd.random.shuffle(x)",
        "y = x[torch.randperm(len(x))]",
        note=_STREAM,
    ),
    *(
        Rule(
            f"multinomial-{name.rpartition('.')[2]}",
            f"call mx.{name}",
            _multinomial,
            f"i = {name}(x)",
            "i = torch.multinomial(x, 1, replacement=True).squeeze(-1).int()",
            note=_STREAM,
            params="data, shape=None, get_prob=False, dtype='int32'",
        )
        for name in ("nd.random.multinomial", "nd.sample_multinomial")
    ),
    Rule(
        "as-nd-ndarray",
        "method array.as_nd_ndarray",
        "{self}",
        "y = x.as_nd_ndarray()",
        "y = x",
        params="self",
        needs=(),
    ),
    Rule(
        "stype",
        "attr array.stype",
        lambda match: f"{match.helper('storage_type')}({match.text('self')})",
        "s = x.stype",
        "s = storage_type(x)",
        needs=(),
        note="gradients of embeddings are dense",
    ),
    Rule(
        "from-numpy",
        "call mx.nd.from_numpy",
        "torch.from_numpy({ndarray})",
        "y = nd.from_numpy(x.asnumpy())",
        "y = torch.from_numpy(x.detach().cpu().numpy().copy())",
        drop=("zero_copy",),
    ),
)
