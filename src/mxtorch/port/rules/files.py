"""Files of weights: torch's for those that the program writes itself, MXNet's for all others."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, parenthesized
from mxtorch.port.rules._common import collected, is_true
from mxtorch.port.rules.modules import on_device

_SAVING = frozenset(["save_parameters", "save_params", "save"])
_READS = "files that MXNet wrote are read too, and matched by the layers' names and order"
_WRITES = "the file is torch's, with MXNet's names in it"


def _is_own(match: Match, node: ast.expr) -> bool:
    """Whether the program writes a file of that name itself, as far as its text tells."""
    port, text = match.port, match.port.source.of(node)
    constant = any(isinstance(n, ast.Constant) and n.value for n in ast.walk(node))
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in _SAVING
        and any(port.source.of(a) == text for a in call.args)
        and (constant or _scope(match, call) is _scope(match, node))
        for call in port.of(ast.Call)
    )


def _scope(match: Match, node: ast.AST) -> ast.AST:
    """The function around a node, or the module."""
    while not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
        node = match.port.parents[node]
    return node


def _device(match: Match) -> str:
    if not match.has("ctx"):
        return ""
    text = match.text("ctx")
    return f"{parenthesized(text)}[0]" if match.value("ctx").kind == "list" else text


def _load_into(match: Match, net: str) -> str | None:
    if not match.only("self", "filename", "ctx", "allow_missing", "ignore_extra", "strip_prefix"):
        return None
    loose = is_true(match, "allow_missing") or is_true(match, "ignore_extra")
    strict = ", strict=False" if loose else ""
    device, path = _device(match), match.text("filename")
    net = f"{net}.to({device})" if device else net
    match.need("torch")
    if _is_own(match, match.given["filename"]):
        place = f", map_location={device}" if device else ""
        return f"{net}.load_state_dict(torch.load({path}{place}){strict})"
    place = f", {device}" if device else ""
    return f"{match.helper('load_weights')}({net}, {path}{place}{strict})"


def _load(match: Match) -> str | None:
    return _load_into(match, parenthesized(match.text("self")))


def _of_params(match: Match) -> str | None:
    """The net of `net.collect_params()`."""
    net = collected(match.receiver)
    return None if net is None else parenthesized(match.text(net))


def _load_params(match: Match) -> str | None:
    net = _of_params(match)
    return None if net is None else _load_into(match, net)


def _save_params(match: Match) -> str | None:
    net = _of_params(match)
    if net is None or not match.only("self", "filename", "strip_prefix"):
        return None
    match.need("torch")
    return f"torch.save({net}.state_dict(), {match.text('filename')})"


def _export(match: Match) -> str | None:
    if not match.only("self", "path", "epoch"):
        return None
    match.need("torch")
    net = parenthesized(match.text("self"))
    prefix, number = match.constant("path"), match.constant("epoch") or 0
    if isinstance(prefix, str) and isinstance(number, int):
        name = repr(f"{prefix}-{number:04d}.params")
    else:
        quoted = "'" if '"' in match.text("path") else '"'
        name = (
            f"f{quoted}{{{match.text('path')}}}-{{{match.text('epoch', '0')}:04d}}.params{quoted}"
        )
    return f"torch.save({net}.state_dict(), {name})"


def _read(match: Match) -> str:
    path = match.text("fname")
    if _is_own(match, match.given["fname"]):
        match.need("torch")
        return f"torch.load({path})"
    return f"{match.helper('read_arrays')}({path})"


def own_net(match: Match) -> str | None:
    """A new net, made as the file makes the one whose checkpoints it has."""
    cls = match.port.flow.with_heads()
    made = {
        match.port.source.of(call)
        for call in match.port.of(ast.Call)
        if cls is not None and match.value(call.func).name == cls
    }
    text = made.pop() if len(made) == 1 else ""
    plain = text and not any(isinstance(n, ast.Name) for n in ast.walk(ast.parse(text))
                             if getattr(n, "id", cls) != cls)  # fmt: skip
    return text if plain else None


def _load_checkpoint(match: Match) -> str | None:
    net = own_net(match)
    if net is None or not match.only("prefix", "epoch"):
        return None
    read = f"{match.helper('load_params')}({match.text('prefix')}, {match.text('epoch')})"
    return f"({net}, *{read})"


def _checkpoint(name: str, *arguments: str) -> Rule:
    def write(match: Match) -> str | None:
        assert isinstance(match.node, ast.Call)
        texts = [match.text(a) for a in match.node.args]
        if any(text.startswith("*") for text in texts[3:]):  # `*module.get_params()`
            del texts[2]
            return f"{match.helper(name)}({', '.join(texts)})"
        if not match.only("symbol", "remove_amp_cast", *arguments) or not match.has(*arguments):
            return None
        return f"{match.helper(name)}({', '.join(match.text(a) for a in arguments)})"

    given = ", ".join({"prefix": "'a'", "epoch": "1"}.get(a, "{}") for a in arguments)
    called = given.replace("1, ", "1, None, ") if name.startswith("save") else given
    return Rule(
        f"model-{name}",
        f"call mx.model.{name}",
        write,
        f"x = mx.model.{name}({called})",
        f"x = {name}({given})",
        needs=(),
        note=_WRITES if name.startswith("save") else "",
    )


def _module_of(match: Match) -> str | None:
    known = ("prefix", "epoch", "context", "data_names", "label_names", "logger")
    net = own_net(match)
    if net is None or not match.only(*known, "load_optimizer_states"):
        return None
    texts = [on_device(match, net)]
    texts += [f"{n}={match.text(n)}" for n in known[3:] if match.has(n)]
    made = f"{match.helper('ModuleTrainer')}({', '.join(texts)})"
    states = is_true(match, "load_optimizer_states")
    given = f"{match.text('prefix')}, {match.text('epoch')}"
    return f"{made}.load({given}{', load_optimizer_states=True' if states else ''})"


def _asked(name: str) -> Rule:
    """A question about a graph, which is a module's now."""

    def write(match: Match) -> str | None:
        node = match.node
        assert isinstance(node, ast.Call)
        if node.args or any(k.arg is None for k in node.keywords):
            return None
        texts = [match.text("self"), *(f"{k.arg}={match.text(k.value)}" for k in node.keywords)]
        return f"{match.helper(name)}({', '.join(texts)})"

    given = "x=(2, 4)" if name == "infer_shape" else ""
    return Rule(
        name.replace("_", "-"),
        f"method mx.gluon.Block.{name}",
        write,
        f"s = net.{name}({given})",
        f"s = {name}(net{', ' if given else ''}{given})",
        needs=(),
        params="self, **shapes" if given else "self",
        note="in the order of the layers",
    )


REGISTRY.add(
    Rule(
        "load",
        "call mx.nd.load",
        _read,
        "x = nd.load('a.nd')",
        "x = read_arrays('a.nd')",
        needs=(),
        note=_READS.partition(",")[0],
    ),
    *(
        Rule(
            f"load-{name}",
            f"method mx.gluon.Block.load_{name}",
            _load,
            f"net.load_{name}('a.params')",
            "load_weights(net, 'a.params')",
            params="self, filename, ctx=None, allow_missing=False, ignore_extra=False",
            note=_READS,
        )
        for name in ("parameters", "params")
    ),
    Rule(
        "load-collected",
        "method mx.gluon.ParameterDict.load",
        _load_params,
        "net.collect_params().load('a.params')",
        "load_weights(net, 'a.params')",
        params="self, filename, ctx=None, allow_missing=False, ignore_extra=False,"
        " restore_prefix=''",
        note=_READS,
    ),
    Rule(
        "save-collected",
        "method mx.gluon.ParameterDict.save",
        _save_params,
        "net.collect_params().save('a.params')",
        "torch.save(net.state_dict(), 'a.params')",
        params="self, filename, strip_prefix=''",
        note="the file is torch's",
    ),
    Rule(
        "export",
        "method mx.gluon.HybridBlock.export",
        _export,
        "net.export('a', epoch=1)",
        "torch.save(net.state_dict(), 'a-0001.params')",
        params="self, path, epoch=0",
        note="the file is torch's, of parameters alone; torch.export writes a graph",
    ),
    Rule(
        "load-checkpoint",
        "call mx.model.load_checkpoint",
        _load_checkpoint,
        "net, args, states = mx.model.load_checkpoint('a', 1)",
        "net, args, states = (SymGen(), *load_params('a', 1))",
        needs=(),
        params="prefix, epoch",
        note="the net is the file's own, not that of the -symbol.json",
    ),
    Rule(
        "symbol-load",
        "call mx.sym.load",
        lambda match: own_net(match),
        "net = mx.sym.load('a-symbol.json')",
        "net = SymGen()",
        needs=(),
        params="fname",
        note="the net is the file's own, not that of the -symbol.json",
    ),
    Rule(
        "module-load",
        "call mx.mod.Module.load",
        _module_of,
        "m = mx.mod.Module.load('a', 1)",
        "m = ModuleTrainer(SymGen()).load('a', 1)",
        needs=(),
        params="prefix, epoch, load_optimizer_states=False, data_names=None, label_names=None,"
        " logger=None, context=None",
        note="the net is the file's own, not that of the -symbol.json",
    ),
    _checkpoint("load_params", "prefix", "epoch"),
    _checkpoint("save_checkpoint", "prefix", "epoch", "arg_params", "aux_params"),
    *map(_asked, ("list_arguments", "list_auxiliary_states", "infer_shape")),
)
