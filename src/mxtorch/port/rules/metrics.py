"""Metrics: small classes with MXNet's `update`, `get` and `reset`, written into the file."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import call_in_order, same
from mxtorch.port.trainers import assigned

# MXNet's class, the helper, the arguments that both have in this order.
_CLASSES = {
    "Accuracy": ("Accuracy", ("axis", "name")),
    "TopKAccuracy": ("TopKAccuracy", ("top_k", "name")),
    "F1": ("F1", ("name", "average")),
    "MCC": ("MCC", ("name", "average")),
    "MAE": ("MAE", ("name",)),
    "MSE": ("MSE", ("name",)),
    "RMSE": ("RMSE", ("name",)),
    "CrossEntropy": ("CrossEntropy", ("eps", "name")),
    "NegativeLogLikelihood": ("CrossEntropy", ("eps", "name")),
    "Perplexity": ("Perplexity", ("ignore_label", "axis", "name")),
    "PearsonCorrelation": ("PearsonCorrelation", ("name",)),
    "Loss": ("Loss", ("name",)),
    "CompositeEvalMetric": ("CompositeMetric", ("metrics", "name")),
}
# The names that `mx.metric.create` and `Module.fit` take.
_BY_NAME = {
    "acc": "Accuracy", "accuracy": "Accuracy", "ce": "CrossEntropy",
    "crossentropy": "CrossEntropy", "f1": "F1",
    "mcc": "MCC", "mae": "MAE", "mse": "MSE", "rmse": "RMSE",
    "loss": "Loss", "nll_loss": "NegativeLogLikelihood", "pearsonr": "PearsonCorrelation",
    "perplexity": "Perplexity", "top_k_accuracy": "TopKAccuracy", "top_k_acc": "TopKAccuracy",
}  # fmt: skip
_BASE = "mx.metric.EvalMetric"
_REGISTER = ("mx.metric.register", "mx.metric.EvalMetric.register")


def _made(cls: str) -> Writer:
    helper, arguments = _CLASSES[cls]

    def write(match: Match) -> str | None:
        if not match.only(*arguments):
            return None
        given = [f"{a}={match.text(a)}" for a in arguments if match.has(a)]
        if cls == "NegativeLogLikelihood" and not match.has("name"):
            given.append('name="nll-loss"')
        return f"{match.helper(helper)}({', '.join(given)})"

    return write


def named(match: Match, name: str) -> str | None:
    """The metric of that name."""
    cls = _BY_NAME.get(name.lower())
    if cls is None:
        return None
    options = 'name="nll-loss"' if cls == "NegativeLogLikelihood" else ""
    return f"{match.helper(_CLASSES[cls][0])}({options})"


def _create(match: Match) -> str | None:
    """`mx.metric.create('acc')`; a list makes a composite, a metric or a function stays itself."""
    own = _own_class(match, match.constant("metric"))
    if own is not None:
        node = match.node
        assert isinstance(node, ast.Call)
        options = [match.text(a) for a in node.args[1:]]
        options += [f"{k.arg}={match.text(k.value)}" for k in node.keywords if k.arg != "metric"]
        return f"{own}({', '.join(options)})"
    if match.only("metric"):
        return made(match, match.given["metric"])
    cls = _BY_NAME.get(str(match.constant("metric")).lower())
    arguments = _CLASSES[cls][1] if cls is not None else ()
    if cls is None or not match.only("metric", *arguments):
        return None
    given = [f"{a}={match.text(a)}" for a in arguments if match.has(a)]
    return f"{match.helper(_CLASSES[cls][0])}({', '.join(given)})"


def _own_class(match: Match, name: object) -> str | None:
    """The file's own metric that is registered under a name."""
    for cls in match.port.of(ast.ClassDef):
        registered = any(match.port.flow.value(d).name in _REGISTER for d in cls.decorator_list)
        if registered and isinstance(name, str) and cls.name.lower() == name.lower():
            return cls.name
    return None


def made(match: Match, node: ast.expr) -> str | None:
    """The metric that a name, a list, a function or a metric stands for."""
    behind = assigned(match.port, node)
    if isinstance(behind, (ast.List, ast.Tuple)):
        node = behind
    kind = match.value(node)
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [_one(match, element) for element in node.elts]
        if None in parts:
            return None
        return f"{match.helper('CompositeMetric')}([{', '.join(filter(None, parts))}])"
    if kind.kind == "instance" and kind.name.startswith("mx.metric."):
        return match.text(node)
    return _one(match, node)


def _one(match: Match, node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        own = _own_class(match, node.value)
        return named(match, node.value) if own is None else f"{own}()"
    value = match.value(node)
    if value.kind == "function":
        return f"{match.helper('CustomMetric')}({match.text(node)})"
    return match.text(node) if value.kind == "instance" else None


def _custom(match: Match) -> str | None:
    """`mx.metric.np(f)` and `CustomMetric(f)`."""
    function = "feval" if match.has("feval") else "numpy_feval"
    if not match.only(function, "name"):
        return None
    given = [match.text(function)]
    if match.has("name"):
        given.append(f"name={match.text('name')}")
    return f"{match.helper('CustomMetric')}({', '.join(given)})"


_METHODS = {
    "update": "m.update([x], [y])",
    "get": "v = m.get()",
    "get_name_value": "v = m.get_name_value()",
    "reset": "m.reset()",
}
_PAIRS = {
    "Accuracy": ("", ""),
    "TopKAccuracy": ("top_k=5", "top_k=5"),
    "NegativeLogLikelihood": ("", 'name="nll-loss"'),
    "Perplexity": ("None", "ignore_label=None"),
}
REGISTRY.add(
    *(
        Rule(
            cls,
            f"call mx.metric.{cls}",
            _made(cls),
            f"m = mx.metric.{cls}({_PAIRS.get(cls, ('', ''))[0]})",
            f"m = {helper}({_PAIRS.get(cls, ('', ''))[1]})",
            needs=(),
        )
        for cls, (helper, _) in _CLASSES.items()
    ),
    Rule(
        "metric-by-name",
        "call mx.metric.create",
        _create,
        "m = mx.metric.create(['acc', 'ce'])",
        "m = CompositeMetric([Accuracy(), CrossEntropy()])",
        needs=(),
        params="metric, **options",
    ),
    Rule(
        "metric-of-function",
        "call mx.metric.np",
        _custom,
        "m = mx.metric.np(max)",
        "m = CustomMetric(max)",
        needs=(),
    ),
    Rule(
        "CustomMetric",
        "call mx.metric.CustomMetric",
        _custom,
        "m = mx.metric.CustomMetric(max, name='gap')",
        "m = CustomMetric(max, name='gap')",
        needs=(),
    ),
    Rule(
        "metric-class",
        f"name {_BASE}",
        lambda m: m.helper("Metric"),
        "class Gap(mx.metric.EvalMetric): pass",
        "class Gap(Metric): pass",
        needs=(),
    ),
    Rule(
        "check-label-shapes",
        "call mx.metric.check_label_shapes",
        call_in_order("check_label_shapes", "labels", "preds", "wrap", "shape"),
        "a, b = mx.metric.check_label_shapes([x], [y])",
        "a, b = check_label_shapes([x], [y])",
        needs=(),
    ),
    *(
        Rule(
            f"metric-{name}",
            f"method {_BASE}.{name}",
            same,
            before,
            before,
            needs=(),
        )
        for name, before in _METHODS.items()
    ),
    Rule(
        "metric-add",
        "method mx.metric.CompositeEvalMetric.add",
        same,
        "m.add(mx.metric.Loss())",
        "m.add(Loss())",
        needs=(),
    ),
    *(
        Rule(
            f"metric-{name}",
            f"attr {_BASE}.{name}",
            same,
            f"v = m.{name}",
            f"v = m.{name}",
            needs=(),
        )
        for name in ("name", "sum_metric", "num_inst")
    ),
)
