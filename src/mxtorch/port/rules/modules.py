"""The Module API: a net with heads, and a small trainer that has Module's methods."""

from __future__ import annotations

import ast
from dataclasses import replace

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import is_none, same
from mxtorch.port.rules.initializers import initializer
from mxtorch.port.rules.metrics import made as metric
from mxtorch.port.rules.trainer import optimizer
from mxtorch.port.trainers import Options, assigned, optimizer_of

MODULE = "mx.mod.Module"
FEED_FORWARD = "mx.model.FeedForward"
_BASE = "mx.mod.BaseModule"
_UNIFORM = "lambda weight: nn.init.uniform_(weight, -0.01, 0.01)"
_LOCAL = ("local", "device", "", None)


def _head(name: str, *arguments: str) -> Writer:
    """What a graph ends with, without its input: a head of the class."""

    def write(match: Match) -> str | None:
        node = match.node
        assert isinstance(node, ast.Call)
        given = {k.arg: k.value for k in node.keywords if k.arg}
        known = ("label", *arguments)
        if node.args or set(given) - set(known) or not match.port.in_block(node):
            return None
        texts = [f"{k}={match.text(v)}" for k, v in given.items()]
        return f"{match.helper(name)}({', '.join(texts)})"

    return write


def _module(match: Match) -> str | None:
    if not match.only("symbol", "data_names", "label_names", "context", "logger"):
        return None
    net = net_of(match)
    if net is None:
        return None
    texts = [f"{n}={match.text(n)}" for n in ("data_names", "label_names", "logger")
             if match.has(n)]  # fmt: skip
    return f"{match.helper('ModuleTrainer')}({', '.join([on_device(match, net), *texts])})"


def net_of(match: Match) -> str | None:
    """The net that the first pass has made of a call's symbol; None if it has not."""
    node = match.given.get("symbol")
    value = match.value(node) if node is not None else None
    if node is None or value is None or value.kind != "instance":
        return None
    if not match.port.flow.is_block(value):
        return None
    text = match.text(node)
    if _is_used_before(match, node):
        made = assigned(match.port, node)
        if not isinstance(made, ast.Call) or match.value(made.func).kind != "class":
            return None
        text = match.text(made)
    return text


def _is_used_before(match: Match, node: ast.expr) -> bool:
    """Whether a Module above is made of the same symbol: each has parameters of its own."""
    text = match.port.source.of(node)
    return isinstance(node, ast.Name) and any(
        call.lineno < match.node.lineno
        and match.value(call.func).name in (MODULE, FEED_FORWARD)
        and text in map(match.port.source.of, (*call.args, *(k.value for k in call.keywords)))
        for call in match.port.of(ast.Call)
    )


def on_device(match: Match, net: str, argument: str = "context") -> str:
    """The net, on the first of the devices that the call names."""
    context = match.given.get(argument)
    if context is None or is_none(match, argument):
        return net
    device = match.text(context)
    if match.value(context).kind == "list":
        match.note(Code.DEVICES)
        device = f"{parenthesized(device)}[0]"
    return f"{parenthesized(net)}.to({device})"


def _bucketing(match: Match) -> str | None:
    """A net that takes the key of a bucket, as the first pass has made it."""
    node = match.given.get("sym_gen")
    names = ("sym_gen", "default_bucket_key", "logger", "context")
    if node is None or not match.only(*names) or not match.has("default_bucket_key"):
        return None
    value = match.value(node)
    if value.kind != "instance" or not match.port.flow.is_block(value):
        return None
    texts = [on_device(match, match.text(node)), match.text("default_bucket_key")]
    texts += [f"logger={match.text('logger')}"] if match.has("logger") else []
    return f"{match.helper('BucketingTrainer')}({', '.join(texts)})"


def _optimizer(match: Match) -> list[str] | None:
    """The function that makes the optimizer, and what gradients are scaled by, as arguments."""
    node = match.given.get("optimizer")
    found = Options("sgd") if node is None else optimizer_of(match.port, node, match.given)
    if node is None and match.has("optimizer_params"):
        name = ast.Constant("sgd")
        found = optimizer_of(match.port, name, match.given)
    if found is None or not _is_local(match):
        return None
    # a name without options stands for options that have this rate
    by_name = node is None or match.value(node).kind == "text"
    return maker(match, found, None if match.has("optimizer_params") or not by_name else "0.01")


def maker(match: Match, found: Options, rate: str | None = None) -> list[str] | None:
    """The function that makes such an optimizer, and what gradients are scaled by."""
    values = dict(found.values)
    clip = values.pop("clip_gradient", None)
    scale = values.pop("rescale_grad", None)
    if found.is_averaged and clip is not None:
        return None  # what is clipped is the average over processes, which is taken later here
    made = optimizer(match, replace(found, values=values), "params", rate)
    if made is None:
        return None
    bounds = {"scale": scale, "clip": clip}
    more = [f"{name}={match.text(node)}" for name, node in bounds.items() if node is not None]
    return [f"lambda params: {made}", *more]


def _is_local(match: Match) -> bool:
    return not match.has("kvstore") or match.constant("kvstore") in _LOCAL


def _init_optimizer(match: Match) -> str | None:
    if not match.only("self", "kvstore", "optimizer", "optimizer_params"):
        return None
    given = _optimizer(match)
    trainer = parenthesized(match.text("self"))
    return None if given is None else f"{trainer}.init_optimizer({', '.join(given)})"


def filler(match: Match) -> str | None:
    """The function that fills weights, of the call's `initializer`."""
    match.need("nn")
    if not match.has("initializer"):
        return _UNIFORM
    if is_none(match, "initializer"):
        return "lambda weight: weight"
    return initializer(match, match.given["initializer"])


_PARAMETERS = ("arg_params", "aux_params", "allow_missing")


def _init_params(match: Match) -> str | None:
    if not match.only("self", "initializer", *_PARAMETERS, "force_init"):
        return None
    function = filler(match)
    if function is None:
        return None
    texts = [function]
    texts += [f"{n}={match.text(n)}" for n in (*_PARAMETERS, "force_init") if match.has(n)]
    return f"{parenthesized(match.text('self'))}.init_params({', '.join(texts)})"


_FIT = (
    "self", "train_data", "eval_data", "eval_metric", "num_epoch", "begin_epoch", "initializer",
    "optimizer", "optimizer_params", "kvstore",
)  # fmt: skip
_CALLBACKS = ("batch_end_callback", "epoch_end_callback", "eval_end_callback", "monitor")


def _fit(match: Match) -> str | None:
    if not match.only(*_FIT, *_PARAMETERS, *_CALLBACKS) or not match.has("train_data", "num_epoch"):
        return None
    made, function = _optimizer(match), filler(match)
    measured = metric(match, match.given.get("eval_metric", ast.Constant("acc")))
    if made is None or function is None or measured is None:
        return None
    texts = [match.text("train_data"), made[0], function, measured, match.text("num_epoch")]
    texts += made[1:]
    for name in ("eval_data", "begin_epoch", *_PARAMETERS, *_CALLBACKS):
        if match.has(name):
            texts.append(f"{name}={match.text(name)}")
    indent = match.port.source.indent(match.node)
    inside = "".join(f"\n{indent}    {text}," for text in texts)
    return f"{parenthesized(match.text('self'))}.fit({inside}\n{indent})"


def _score(match: Match) -> str | None:
    if not match.only("self", "eval_data", "eval_metric", "num_batch"):
        return None
    measured = metric(match, match.given["eval_metric"])
    if measured is None:
        return None
    more = f", {match.text('num_batch')}" if match.has("num_batch") else ""
    trainer = parenthesized(match.text("self"))
    return f"{trainer}.score({match.text('eval_data')}, {measured}{more})"


def _bind(match: Match) -> str | None:
    if not match.only("self", "data_shapes", "label_shapes", "for_training", "inputs_need_grad"):
        return None
    if match.has("inputs_need_grad") and match.constant("inputs_need_grad") is not False:
        return None
    texts = [match.text("data_shapes")]
    texts += [f"{n}={match.text(n)}" for n in ("label_shapes", "for_training") if match.has(n)]
    return f"{parenthesized(match.text('self'))}.bind({', '.join(texts)})"


def _speedometer(match: Match) -> str | None:
    if not match.only("batch_size", "frequent", "auto_reset"):
        return None
    texts = [f"{n}={match.text(n)}" for n in match.given]
    return f"{match.helper('Speedometer')}({', '.join(texts)})"


def _checkpoint(match: Match) -> str | None:
    if not match.only("prefix", "period"):
        return None
    period = f", {match.text('period')}" if match.has("period") else ""
    return f"{match.helper('save_every')}({match.text('prefix')}{period})"


def _batch(match: Match) -> str | None:
    """Shapes and numbers of rows, which nobody needs, are left out."""
    kept = ("data", "label", "pad", "bucket_key")
    if not match.only(*kept, "index", "provide_data", "provide_label"):
        return None
    texts = [f"{n}={match.text(n)}" for n in kept if match.has(n)]
    return f"{match.helper('Batch')}({', '.join(texts)})"


_SOFTMAX = (
    "grad_scale", "ignore_label", "use_ignore", "multi_output", "preserve_shape", "normalization",
)  # fmt: skip
_HEADS = {
    "SoftmaxOutput": ("SoftmaxHead", _SOFTMAX),
    "LinearRegressionOutput": ("LinearHead", ("grad_scale",)),
    "LogisticRegressionOutput": ("LogisticHead", ("grad_scale",)),
    "MAERegressionOutput": ("AbsoluteHead", ("grad_scale",)),
    "MakeLoss": ("LossHead", ("grad_scale", "normalization")),
    "make_loss": ("LossHead", ()),
    "BlockGrad": ("ConstantHead", ()),
    "stop_gradient": ("ConstantHead", ()),
}
_METHODS = {
    "forward": "m.forward(b, is_train=True)",
    "backward": "m.backward()",
    "update": "m.update()",
    "forward_backward": "m.forward_backward(b)",
    "update_metric": "m.update_metric(e, b.label)",
    "get_outputs": "o = m.get_outputs()",
    "get_params": "p = m.get_params()",
    "set_params": "m.set_params({}, {})",
    "predict": "p = m.predict(i)",
    "iter_predict": "p = m.iter_predict(i)",
    "save_checkpoint": "m.save_checkpoint('a', 1)",
    "save_params": "m.save_params('a.params')",
    "load_params": "m.load_params('a.params')",
}
_FILE = "the file is torch's, with MXNet's names in it"
_ABOUT = {
    "save_checkpoint": _FILE,
    "save_params": _FILE,
    "load_params": "a file that MXNet wrote is read too",
}
_SYMBOL = """\
def get_symbol():
    data = mx.sym.var('data')
    net = mx.sym.FullyConnected(data, num_hidden=2, name='fc')
    return {head}"""
_CLASS = """\
class Symbol(nn.Module):
    heads = ({head},)

    def __init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(2)

    def forward(self, data):
        net = self.fc(data.flatten(1))
        return net"""


def _head_rule(name: str) -> Rule:
    helper, arguments = _HEADS[name]
    labelled = "label" if "Output" in name else ""
    before = f"mx.sym.{name}(net, name='a')"
    after = f'{helper}(label="a_label")' if labelled else f"{helper}()"
    return Rule(
        f"head-{name}",
        f"call mx.sym.{name}",
        _head(helper, *arguments),
        _SYMBOL.format(head=before),
        _CLASS.format(head=after),
        needs=(),
    )


REGISTRY.add(
    *map(_head_rule, _HEADS),
    Rule(
        "Module",
        f"call {MODULE}",
        _module,
        "m = mx.mod.Module(net, context=mx.cpu())",
        'm = ModuleTrainer(net.to(torch.device("cpu")))',
        needs=(),
    ),
    Rule(
        "BucketingModule",
        "call mx.mod.BucketingModule",
        _bucketing,
        "m = mx.mod.BucketingModule(sym_gen, default_bucket_key=8)",
        "m = BucketingTrainer(SymGen(), 8)",
        needs=(),
    ),
    Rule(
        "module-bind",
        f"method {_BASE}.bind",
        _bind,
        "m.bind(data_shapes=i.provide_data, label_shapes=i.provide_label)",
        "m.bind(i.provide_data, label_shapes=i.provide_label)",
        needs=(),
    ),
    Rule(
        "module-init-params",
        f"method {_BASE}.init_params",
        _init_params,
        "m.init_params(mx.init.Xavier())",
        "m.init_params(nn.init.xavier_uniform_)",
        needs=(),
    ),
    Rule(
        "module-init-optimizer",
        f"method {_BASE}.init_optimizer",
        _init_optimizer,
        "m.init_optimizer(optimizer='sgd', optimizer_params=(('learning_rate', 0.1),))",
        "m.init_optimizer(lambda params: torch.optim.SGD(params, lr=0.1))",
        needs=(),
    ),
    Rule(
        "module-fit",
        f"method {_BASE}.fit",
        _fit,
        "m.fit(i, optimizer='sgd', optimizer_params={'learning_rate': 0.1}, num_epoch=2)",
        "m.fit(\n    i,\n    lambda params: torch.optim.SGD(params, lr=0.1),\n"
        f"    {_UNIFORM},\n    Accuracy(),\n    2,\n)",
        needs=(),
    ),
    Rule(
        "module-score",
        f"method {_BASE}.score",
        _score,
        "s = m.score(i, 'acc')",
        "s = m.score(i, Accuracy())",
        needs=(),
    ),
    *(
        Rule(
            f"module-{name.replace('_', '-')}",
            f"method {_BASE}.{name}",
            same,
            text,
            text,
            needs=(),
            note=_ABOUT.get(name, ""),
        )
        for name, text in _METHODS.items()
    ),
    Rule(
        "Speedometer",
        "call mx.callback.Speedometer",
        _speedometer,
        "c = mx.callback.Speedometer(32, 100)",
        "c = Speedometer(batch_size=32, frequent=100)",
        needs=(),
    ),
    Rule(
        "do-checkpoint",
        "call mx.callback.do_checkpoint",
        _checkpoint,
        "c = mx.callback.do_checkpoint('a')",
        "c = save_every('a')",
        needs=(),
        note=_FILE,
    ),
    Rule(
        "DataBatch",
        "call mx.io.DataBatch",
        _batch,
        "b = mx.io.DataBatch([x], [y])",
        "b = Batch(data=[x], label=[y])",
        needs=(),
    ),
)
