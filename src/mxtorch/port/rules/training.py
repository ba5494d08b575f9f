"""Parameters, and how they are initialized."""

from __future__ import annotations

import ast
import re

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import collected, is_printed, same
from mxtorch.port.rules.initializers import initializer
from mxtorch.port.trainers import TRAINER


def _initialize(match: Match) -> str | None:
    if not match.only("self", "init", "ctx", "force_reinit", "verbose"):
        return None
    function = initializer(match, match.given.get("init"))
    net = _net(match)
    if function is None or net is None:
        return None
    helper = match.helper("initialize")
    match.need("nn")
    ctx = match.given.get("ctx")
    if isinstance(ctx, ast.Constant) and ctx.value is None:
        ctx = None
    if ctx is not None and match.value("ctx").kind == "device":
        return f"{helper}({net}.to({match.text('ctx')}), {function})"
    if ctx is not None and match.value("ctx").kind == "list":
        if match.port.parallel == "dp":
            spread = f"{match.helper('over_devices')}({net}, {match.text('ctx')})"
            return f"{helper}({spread}, {function})"
        match.note(Code.DEVICES)
        device = f"{match.helper('own_device')}({match.text('ctx')})"
        return f"{helper}({net}.to({device}), {function})"
    return None if ctx is not None else f"{helper}({net}, {function})"


def _net(match: Match) -> str | None:
    """The net that is told, directly or by all its parameters."""
    node = collected(match.receiver) or match.receiver
    value = match.value(node) if node is not None else None
    if node is None or value is None or value.name == "mx.gluon.ParameterDict":
        return None
    return parenthesized(match.text(node))


def _items(match: Match) -> str | None:
    """`net.collect_params().items()` in one step."""
    assert isinstance(match.node, ast.Call) and isinstance(match.node.func, ast.Attribute)
    wanted = match.node.func.attr
    net = collected(match.receiver)
    if net is None or wanted == "keys" or (wanted == "items" and _reads_names(match)):
        return f"{parenthesized(match.text('self'))}.{wanted}()"
    wanted = "named_parameters" if wanted == "items" else "parameters"
    return f"{parenthesized(match.text(net))}.{wanted}()"


_NORMS = frozenset(["BatchNorm", "LayerNorm", "InstanceNorm", "GroupNorm", "PReLU"])
# What parameters are called in MXNet and not in torch.
_NAMES = re.compile(r"gamma|beta|running_|moving_|i2h|h2h|alpha")


def _reads_names(match: Match) -> bool:
    """Whether the file looks at the names of parameters for what torch calls otherwise."""
    outside = match.port.flow.outside
    norms = any(m.rpartition(".")[2] in _NORMS or "model_zoo" in m for m in match.port.members)
    norms = norms or (outside is not None and outside.modal)
    return any(
        isinstance(n, ast.Constant)
        and isinstance(n.value, str)
        and bool(_NAMES.search(n.value) or (norms and n.value.strip("_") in ("weight", "bias")))
        and not isinstance(match.port.parents[n], ast.Expr)
        and " " not in n.value
        for n in match.port.nodes
    )


def _all_parameters(match: Match) -> str | None:
    net = parenthesized(match.text("self"))
    if match.only("self") and not _reads_names(match):
        return f"dict({net}.named_parameters())"
    if not match.only("self", "select"):
        return None
    pattern = f", {match.text('select')}" if match.has("select") else ""
    return f"{match.helper('parameters_by_name')}({net}{pattern})"


def _sorted(match: Match) -> str | None:
    """Names of parameters are torch's in the port, and another order if they are sorted."""
    node = match.node
    assert isinstance(node, ast.Call)
    given = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
        given = given.func.value if given.func.attr in ("keys", "items") else given
    if given is not None and match.value(given).name == "mx.gluon.ParameterDict":
        match.note(Code.DIFFERS, "parameters have torch's names, which sort otherwise")
    return None


def _set_all(match: Match) -> str | None:
    """An attribute of all parameters."""
    attribute = match.constant("name")
    if not isinstance(match.parent, ast.Expr) or not isinstance(attribute, str):
        return None
    net = collected(match.receiver)
    if attribute == "grad_req":
        wanted = match.constant("value")
        if wanted == "add":
            return ""
        if net is not None and wanted in ("null", "write"):
            return f"{parenthesized(match.text(net))}.requires_grad_({wanted == 'write'})"
        if wanted not in ("null", "write"):
            return None
        attribute, value = "requires_grad", str(wanted == "write")
    elif attribute in ("lr_mult", "wd_mult"):
        value = match.text("value")
    else:
        return None
    if net is not None:
        every = f"{parenthesized(match.text(net))}.parameters()"
    else:
        every = f"{parenthesized(match.text('self'))}.values()"
    indent = match.port.source.indent(match.parent)
    return f"for p in {every}:\n{indent}    p.{attribute} = {value}"


def _compare_request(match: Match) -> str | None:
    """`p.grad_req != 'null'` is `p.requires_grad`."""
    node = match.node
    assert isinstance(node, ast.Compare)
    wanted = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.left, ast.Attribute):
        return None
    if not isinstance(wanted, ast.Constant) or wanted.value != "null":
        return None
    text = f"{parenthesized(match.text(node.left.value))}.requires_grad"
    if isinstance(node.ops[0], ast.NotEq):
        return text
    return f"not {text}" if isinstance(node.ops[0], ast.Eq) else None


def _zero_grad(match: Match) -> str | None:
    if not isinstance(match.parent, ast.Expr):
        return None
    return f"{parenthesized(match.text('self'))}.grad = None"


def _one(template: str) -> Writer:
    """A list with what one device has."""
    return lambda match: f"[{template.format(parenthesized(match.text('self')))}]"


def _shape(match: Match) -> str:
    text = f"{parenthesized(match.text('self'))}.shape"
    return f"tuple({text})" if is_printed(match) else text


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
    function = initializer(match, init)
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


def _grad(match: Match) -> str:
    if TRAINER in match.port.members:
        match.note(Code.DIFFERS, "the gradient is divided by the batch size already")
    return f"{parenthesized(match.text('self'))}.grad"


def _zero_all(match: Match) -> str | None:
    net = collected(match.receiver)
    return None if net is None else f"{parenthesized(match.text(net))}.zero_grad()"


def _devices(match: Match) -> str | None:
    net = collected(match.receiver)
    return None if net is None else f"[next({parenthesized(match.text(net))}.parameters()).device]"


def _gone(match: Match) -> str | None:
    return "" if isinstance(match.parent, ast.Expr) else None


REGISTRY.add(
    Rule(
        "initialize",
        "method mx.gluon.Block.initialize",
        _initialize,
        "net.initialize(mx.init.Xavier())",
        "initialize(net, nn.init.xavier_uniform_)",
    ),
    Rule(
        "initialize-parameters",
        "method mx.gluon.ParameterDict.initialize",
        _initialize,
        "net.collect_params().initialize(mx.init.One(), ctx=mx.cpu())",
        'initialize(net.to(torch.device("cpu")), nn.init.ones_)',
    ),
    Rule(
        "set-attribute",
        "method mx.gluon.ParameterDict.setattr",
        _set_all,
        "net.collect_params().setattr('grad_req', 'null')",
        "net.requires_grad_(False)",
        needs=(),
    ),
    Rule(
        "compare-grad-req",
        "compare grad_req",
        _compare_request,
        "ok = p.grad_req != 'null'",
        "ok = p.requires_grad",
        needs=(),
    ),
    Rule(
        "grad-req",
        "attr mx.gluon.Parameter.grad_req",
        lambda m: f'"write" if {parenthesized(m.text("self"))}.requires_grad else "null"',
        "r = p.grad_req",
        'r = "write" if p.requires_grad else "null"',
        needs=(),
        note="gradients that add up are torch's own way, and read as 'write'",
    ),
    Rule(
        "zero-grad",
        "method mx.gluon.Parameter.zero_grad",
        _zero_grad,
        "p.zero_grad()",
        "p.grad = None",
        needs=(),
    ),
    *(
        Rule(
            name.replace("_", "-"),
            f"attr mx.gluon.Parameter.{name}",
            same,
            f"r = p.{name}",
            f"r = p.{name}",
            needs=(),
        )
        for name in ("lr_mult", "wd_mult")
    ),
    *(
        Rule(
            name.replace("_", "-"),
            f"method mx.gluon.Parameter.{name}",
            _one(to),
            f"r = p.{name}()",
            f"r = [{to.format('p')}]",
            needs=(),
        )
        for name, to in (("list_data", "{}"), ("list_grad", "{}.grad"), ("list_ctx", "{}.device"))
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
        "params-keys",
        "method mx.gluon.ParameterDict.keys",
        _items,
        "p = net.collect_params().keys()",
        "p = dict(net.named_parameters()).keys()",
        needs=(),
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
        _grad,
        "g = p.grad()",
        "g = p.grad",
        drop=("ctx",),
        params="self, ctx=None",
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
        _shape,
        "s = p.shape",
        "s = p.shape",
    ),
    *(
        Rule(
            f"save-{name}",
            f"method mx.gluon.Block.save_{name}",
            "torch.save({self}.state_dict(), {filename})",
            f"net.save_{name}('a.params')",
            "torch.save(net.state_dict(), 'a.params')",
            params="self, filename",
        )
        for name in ("parameters", "params")
    ),
    Rule(
        "sorted-names",
        "builtin sorted",
        _sorted,
        "names = sorted(net.collect_params().keys())",
        "names = sorted(dict(net.named_parameters()).keys())",
        needs=(),
    ),
    Rule(
        "zero-all-gradients",
        "method mx.gluon.ParameterDict.zero_grad",
        _zero_all,
        "net.collect_params().zero_grad()",
        "net.zero_grad()",
        needs=(),
    ),
    Rule(
        "list-all-ctx",
        "method mx.gluon.ParameterDict.list_ctx",
        _devices,
        "c = net.collect_params().list_ctx()",
        "c = [next(net.parameters()).device]",
        needs=(),
    ),
)
