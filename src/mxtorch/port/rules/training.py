"""Parameters, initialization, optimizers, metrics."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, parenthesized

# MXNet's optimizer, torch's, and torch's name of each option (None: the default, no counterpart).
_OPTIMIZERS: dict[str, tuple[str, dict[str, str | None]]] = {
    "sgd": ("SGD", {"momentum": "momentum"}),
    "nag": ("SGD", {"momentum": "momentum"}),
    "adam": ("Adam", {"beta1": "betas", "beta2": "betas", "epsilon": "eps"}),
    "adagrad": ("Adagrad", {"eps": "eps"}),
    "adadelta": ("Adadelta", {"rho": "rho", "epsilon": "eps"}),
    "rmsprop": ("RMSprop", {"gamma1": "alpha", "epsilon": "eps"}),
}
# MXNet's defaults that are not torch's.
_DEFAULTS: dict[str, dict[str, str]] = {
    "sgd": {"lr": "0.01"},
    "nag": {"lr": "0.1"},
    "adam": {},
    "adagrad": {"eps": "1e-07"},
    "adadelta": {"rho": "0.9", "eps": "1e-05", "lr": "1.0"},
    "rmsprop": {"lr": "0.001", "alpha": "0.9", "eps": "1e-08"},
}


def _trainer(match: Match) -> str | None:
    if not match.only("params", "optimizer", "optimizer_params", "kvstore"):
        return None
    name = str(match.constant("optimizer")).lower()
    if name not in _OPTIMIZERS:
        return None
    params = _parameters(match)
    options = _options(match, name)
    if params is None or options is None:
        return None
    match.need("torch")
    texts = "".join(f", {key}={value}" for key, value in options.items())
    return f"torch.optim.{_OPTIMIZERS[name][0]}({params}{texts})"


def _parameters(match: Match) -> str | None:
    """What the optimizer updates: `net.parameters()`."""
    node = match.given["params"]
    net = _collected(node)
    if net is not None:
        return f"{parenthesized(match.text(net))}.parameters()"
    return match.text(node) if match.value("params").kind == "list" else None


def _options(match: Match, name: str) -> dict[str, str] | None:
    """The optimizer's options by torch's names; None if one has no counterpart."""
    known: dict[str, str | None] = {"learning_rate": "lr", "wd": "weight_decay"}
    known |= _OPTIMIZERS[name][1]
    found = dict(_DEFAULTS[name])
    given = match.given.get("optimizer_params")
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(given, ast.Dict):
        for key, value in zip(given.keys, given.values, strict=True):
            if not isinstance(key, ast.Constant):
                return None
            pairs.append((str(key.value), value))
    elif (
        isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "dict"
    ):
        pairs = [(k.arg or "", k.value) for k in given.keywords]
    elif given is not None:
        return None
    betas = {"beta1": "0.9", "beta2": "0.999"}
    for option, node in pairs:
        to = known.get(option)
        if to is None:
            return None
        if to == "betas":
            betas[option] = match.text(node)
            found["betas"] = f"({betas['beta1']}, {betas['beta2']})"
        else:
            found[to] = match.text(node)
    if name == "nag" and "momentum" in found:
        found["nesterov"] = "True"
    return {key: found[key] for key in sorted(found, key=lambda k: (k != "lr", k))}


# Initializers: what fills one weight.
_INITS = {
    "Xavier": "nn.init.xavier_uniform_",
    "Zero": "nn.init.zeros_",
    "One": "nn.init.ones_",
}


def _initializer(match: Match, node: ast.expr | None) -> str | None:
    """A function that fills a tensor, for an initializer's call or name."""
    if node is None:
        return "lambda weight: nn.init.uniform_(weight, -0.07, 0.07)"
    if not isinstance(node, ast.Call):
        return None
    name = match.port.flow.value(node.func).name.rpartition(".")[2]
    arguments = [match.text(a) for a in node.args] + [match.text(k.value) for k in node.keywords]
    if name in _INITS and not arguments:
        return _INITS[name]
    if name == "Normal" and len(arguments) <= 1:
        return f"lambda weight: nn.init.normal_(weight, 0, {(*arguments, '0.01')[0]})"
    if name == "Uniform" and len(arguments) <= 1:
        scale = parenthesized((*arguments, "0.07")[0])
        return f"lambda weight: nn.init.uniform_(weight, -{scale}, {scale})"
    if name == "Constant" and len(arguments) == 1:
        return f"lambda weight: nn.init.constant_(weight, {arguments[0]})"
    return None


def _initialize(match: Match) -> str | None:
    if not match.only("self", "init", "ctx", "force_reinit", "verbose"):
        return None
    init = match.given.get("init")
    if isinstance(init, ast.Constant) and init.value is None:
        init = None
    function = _initializer(match, init)
    if function is None:
        return None
    net = match.text("self")
    helper = match.helper("initialize")
    match.need("nn")
    ctx = match.given.get("ctx")
    if isinstance(ctx, ast.Constant) and ctx.value is None:
        ctx = None
    if ctx is not None and match.value("ctx").kind == "device":
        return f"{helper}({net}.to({match.text('ctx')}), {function})"
    if ctx is not None and match.value("ctx").kind == "list":
        match.note(Code.DEVICES)
        return f"{helper}({net}.to({parenthesized(match.text('ctx'))}[0]), {function})"
    return None if ctx is not None else f"{helper}({net}, {function})"


def _items(match: Match) -> str | None:
    """`net.collect_params().items()` in one step."""
    net = _collected(match.receiver)
    if net is None:
        return None
    assert isinstance(match.node, ast.Call) and isinstance(match.node.func, ast.Attribute)
    wanted = "named_parameters" if match.node.func.attr == "items" else "parameters"
    return f"{parenthesized(match.text(net))}.{wanted}()"


def _collected(node: ast.expr | None) -> ast.expr | None:
    """The net of a `net.collect_params()` without a pattern."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return None
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "collect_params":
        return function.value
    return None


def _all_parameters(match: Match) -> str | None:
    if not match.only("self"):
        return None
    return f"dict({parenthesized(match.text('self'))}.named_parameters())"


def _parameter(match: Match) -> str | None:
    """A parameter of a block's own: `self.params.get(name, shape=…, init=…)`."""
    owner = match.receiver
    own = isinstance(owner, ast.Attribute) and owner.attr == "params"
    known = ("self", "name", "shape", "init", "dtype", "allow_deferred_init")
    if not own or not match.only(*known) or not match.has("shape"):
        return None
    match.need("torch", "nn")
    made = f"torch.empty({match.text('shape')})"
    init = match.given.get("init")
    if isinstance(init, ast.Constant) and init.value in ("zeros", "ones"):
        made = f"torch.{init.value}({match.text('shape')})"
        return f"nn.Parameter({made})"
    function = _initializer(match, init)
    if function is None:
        return None
    if function.startswith("lambda"):
        return f"nn.Parameter({_inlined(function, made)})"
    return f"nn.Parameter({function}({made}))"


def _inlined(function: str, argument: str) -> str:
    """`lambda weight: f(weight, 0)` called with an argument."""
    return function.partition(": ")[2].replace("(weight", f"({argument}", 1)


def _data(match: Match) -> str | None:
    """The parameter itself, which gradients reach; its memory where it is written to."""
    parent = match.parent
    written = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store)
    text = parenthesized(match.text("self"))
    return f"{text}.data" if written else text


def _gone(match: Match) -> str | None:
    return "" if isinstance(match.parent, ast.Expr) else None


REGISTRY.add(
    Rule(
        "Trainer",
        "call mx.gluon.Trainer",
        _trainer,
        "trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 1e-3})",
        "trainer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=1e-3)",
    ),
    Rule(
        "initialize",
        "method mx.gluon.Block.initialize",
        _initialize,
        "net.initialize(mx.init.Xavier())",
        "initialize(net, nn.init.xavier_uniform_)",
    ),
    Rule("hybridize", "method mx.gluon.Block.hybridize", _gone, "net.hybridize()", ""),
    Rule(
        "register-child",
        "method mx.gluon.Block.register_child",
        _gone,
        "net.register_child(layer)",
        "",
    ),
    Rule(
        "collect-params",
        "method mx.gluon.Block.collect_params",
        _all_parameters,
        "p = net.collect_params()",
        "p = dict(net.named_parameters())",
    ),
    Rule(
        "params-items",
        "method mx.gluon.ParameterDict.items",
        _items,
        "p = net.collect_params().items()",
        "p = net.named_parameters()",
    ),
    Rule(
        "params-values",
        "method mx.gluon.ParameterDict.values",
        _items,
        "p = net.collect_params().values()",
        "p = net.parameters()",
    ),
    Rule(
        "params-get",
        "method mx.gluon.ParameterDict.get",
        _parameter,
        "w = self.params.get('w', shape=(3, 4), init='zeros')",
        "w = nn.Parameter(torch.zeros((3, 4)))",
        params="self, name, shape=None, init=None, dtype=None, allow_deferred_init=None",
    ),
    Rule(
        "parameter-data",
        "method mx.gluon.Parameter.data",
        _data,
        "w = p.data()",
        "w = p",
        params="self, ctx=None",
    ),
    Rule(
        "parameter-grad",
        "method mx.gluon.Parameter.grad",
        "{self}.grad",
        "g = p.grad()",
        "g = p.grad",
        params="self",
    ),
    Rule(
        "parameter-set",
        "method mx.gluon.Parameter.set_data",
        "{self}.data.copy_({data})",
        "p.set_data(x)",
        "p.data.copy_(x)",
        params="self, data",
    ),
    Rule(
        "parameter-shape",
        "attr mx.gluon.Parameter.shape",
        "{self}.shape",
        "s = p.shape",
        "s = p.shape",
    ),
    Rule(
        "save-parameters",
        "method mx.gluon.Block.save_parameters",
        "torch.save({self}.state_dict(), {filename})",
        "net.save_parameters('a.params')",
        "torch.save(net.state_dict(), 'a.params')",
        params="self, filename",
    ),
    Rule(
        "load-parameters",
        "method mx.gluon.Block.load_parameters",
        "{self}.load_state_dict(torch.load({filename}, map_location={ctx}))",
        "net.load_parameters('a.params')",
        "net.load_state_dict(torch.load('a.params'))",
        params="self, filename, ctx=None",
        note="the file is torch's; `mxtorch convert` writes it from MXNet's",
    ),
    Rule(
        "learning-rate",
        "attr mx.gluon.Trainer.learning_rate",
        lambda m: f'{parenthesized(m.text("self"))}.param_groups[0]["lr"]',
        "lr = trainer.learning_rate",
        'lr = trainer.param_groups[0]["lr"]',
    ),
)
