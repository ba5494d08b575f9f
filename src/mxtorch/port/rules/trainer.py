"""Trainers: torch's optimizers where they compute the same, others with MXNet's formula."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from mxtorch.port import names
from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, bind, operand, parenthesized
from mxtorch.port.rules._common import collected, same
from mxtorch.port.steps import HELPER
from mxtorch.port.trainers import (
    TRAINER,
    Options,
    assigned,
    changes_rates,
    optimizer_of,
    own_optimizers,
    sets_multipliers_after,
    splits_batches,
    uses_multipliers,
)

# Schedulers' base rate stays, where an optimizer of MXNet's has no default of its own.
_WITHOUT_DEFAULT = ("sgd", "nag", "adagrad")


@dataclass(frozen=True)
class _Target:
    """torch's class or a helper, torch's names of MXNet's options, and defaults to write out."""

    name: str
    options: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)

    @property
    def is_torch(self) -> bool:
        return self.name.startswith("torch.")


_BETAS = {"beta1": "betas", "beta2": "betas", "epsilon": "eps"}
_TARGETS = {
    "sgd": _Target("torch.optim.SGD", {"momentum": "momentum"}, {"lr": "0.01"}),
    "nag": _Target("torch.optim.SGD", {"momentum": "momentum"}, {"lr": "0.01"}),
    "adam": _Target("torch.optim.Adam", _BETAS),
    "adamax": _Target("torch.optim.Adamax", _BETAS, {"lr": "0.002"}),
    "nadam": _Target(
        "torch.optim.NAdam", _BETAS | {"schedule_decay": "momentum_decay"}, {"lr": "0.001"}
    ),
    "adagrad": _Target("AdaGrad", {"eps": "eps"}),
    "adadelta": _Target("AdaDelta", {"rho": "rho", "epsilon": "eps"}),
    "ftrl": _Target("Ftrl", {"lamda1": "lamda1", "beta": "beta"}),
    "signum": _Target("Signum", {"momentum": "momentum", "wd_lh": "wd_lh"}),
    "lamb": _Target(
        "LAMB",
        _BETAS | {n: n for n in ("lower_bound", "upper_bound", "bias_correction")},
    ),
    "rmsprop": _Target("RMSProp", {"gamma1": "alpha", "epsilon": "eps"}),
}
# What to know of torch's own.
_ABOUT = {"torch.optim.Adam": "torch adds eps after the correction of the second moment"}
# Options that change nothing, or that other places take up.
_DROPPED = frozenset(["lazy_update", "use_fused_step", "multi_precision", "param_idx2name"])


def trainer(match: Match) -> str | None:
    if not match.only("params", "optimizer", "optimizer_params", "kvstore", "update_on_kvstore"):
        return None
    params = _parameters(match)
    options = optimizer_of(match.port, match.given.get("optimizer"), match.given)
    if params is None:
        return None
    if own_optimizers(match.port):
        made = _by_own_rule(match, options, params)
    elif options is None:
        made = _by_name(match, params)
    else:
        made = optimizer(match, options, params)
    return None if made is None else _synchronized(match, made)


# Kinds of stores that a port has.
KINDS = ("local", "device", "dist_sync", "dist_device_sync", "dist")


def _synchronized(match: Match, made: str) -> str | None:
    """An optimizer whose gradients are added up over processes, where the store says so."""
    node = match.given.get("kvstore")
    if node is None or match.value("kvstore").kind == "none":
        return _over_parts(match, made)
    if match.value(node).name == "mx.kv.KVStore":
        return f"{match.helper('synchronized')}({made}, {match.text(node)})"
    kind = match.constant("kvstore")
    if isinstance(node, ast.Constant) and kind not in KINDS:
        return None
    if isinstance(kind, str) and kind.startswith("dist"):
        store = f"{match.helper('KeyValueStore')}({match.text(node)})"
        return f"{match.helper('synchronized')}({made}, {store})"
    if not isinstance(node, ast.Constant):
        match.note(Code.DIFFERS, "gradients are of this process alone")
    return _over_parts(match, made)


def _over_parts(match: Match, made: str) -> str:
    """An optimizer that adds up what torchrun's processes compute, where batches are split."""
    if match.port.parallel == "dp" or not splits_batches(match.port):
        return made
    return f"{match.helper('synchronized')}({made})"


def optimizer(match: Match, options: Options, params: str, rate: str | None = None) -> str | None:
    """The call that makes an optimizer of these parameters; None if torch has no such.

    `rate` is the learning rate where the options have none, unless it is the optimizer's own.
    """
    target = _TARGETS.get(options.name)
    if target is None:
        return None
    target = _exact(match, options, target)
    if target.name in _ABOUT:
        match.note(Code.DIFFERS, _ABOUT[target.name])
    if rate is not None:
        target = replace(target, defaults={"lr": rate})
    texts = _texts(match, options, target)
    if texts is None:
        return None
    made = _made(match, target, params, texts)
    schedule = options.values.get("lr_scheduler")
    if schedule is not None:
        own = options.name in _WITHOUT_DEFAULT and "learning_rate" not in options.values
        keep = ", keep_base=True" if own else ""
        match.helper("set_learning_rate")
        made = f"{match.helper('scheduled')}({made}, {match.text(schedule)}{keep})"
    return f"{match.helper('averaged')}({made})" if options.is_averaged else made


def _exact(match: Match, options: Options, target: _Target) -> _Target:
    """MXNet's own formula where torch's gives other numbers."""
    momentum = options.values.get("momentum")
    moving = momentum is not None and not _is_zero(momentum)
    decays = "wd" in options.values and not _is_zero(options.values["wd"])
    if options.name == "nag" and moving and (decays or changes_rates(match.port)):
        return _Target("NAG", target.options)
    epsilon = options.values.get("epsilon")
    if options.name == "adam" and epsilon is not None and not _is_tiny(epsilon):
        return _Target("Adam", target.options)
    if options.name == "sgd" and moving and changes_rates(match.port):
        return _Target("MomentumSGD", target.options)
    return target


def _is_tiny(node: ast.expr) -> bool:
    """Whether an eps is too small for its place in the formula to matter much."""
    return isinstance(node, ast.Constant) and float(node.value) <= 1e-8  # type: ignore[arg-type]


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _texts(match: Match, options: Options, target: _Target) -> dict[str, str] | None:
    """The options by torch's names; None if one has no counterpart."""
    known = {"learning_rate": "lr", "wd": "weight_decay", **target.options}
    found = dict(target.defaults)
    betas = {"beta1": "0.9", "beta2": "0.999"}
    for option, node in options.values.items():
        if option in ("lr_scheduler", "clip_gradient") or option in _DROPPED:
            continue
        to = known.get(option)
        if to is None or (isinstance(node, ast.Constant) and node.value is None):
            return None
        if to == "betas":
            betas[option] = match.text(node)
            found["betas"] = f"({betas['beta1']}, {betas['beta2']})"
        else:
            found[to] = match.text(node)
    if options.name == "nag" and target.is_torch and "momentum" in found:
        found["nesterov"] = "True"
    return found


def _made(match: Match, target: _Target, params: str, texts: dict[str, str]) -> str:
    name = target.name if target.is_torch else match.helper(target.name)
    if target.is_torch:
        match.need("torch")
    order = sorted(texts, key=lambda k: (k != "lr", k))
    options = "".join(f", {key}={texts[key]}" for key in order)
    if uses_multipliers(match.port) and sets_multipliers_after(match.port, match.node):
        made = f'{name}([{{"params": [p]}} for p in {params}]{options})'
        return f"{match.helper('multiplied')}({made})"
    if uses_multipliers(match.port):
        rate, decay = texts.get("lr", "0.001"), texts.get("weight_decay")
        given = f"{params}, {rate}" + (f", {decay}" if decay else "")
        params = f"{match.helper('parameter_groups')}({given})"
    return f"{name}({params}{options})"


def _by_own_rule(match: Match, options: Options | None, params: str) -> str | None:
    """An optimizer in a file that has rules of its own: an object, or one by name."""
    if options is not None and options.name in _TARGETS:
        return optimizer(match, options, params)
    if "optimizer" not in match.given:
        return None
    given = [params, match.text("optimizer")]
    if match.has("optimizer_params"):
        given.append(match.text("optimizer_params"))
    return f"{match.helper('own_optimizer')}({', '.join(given)})"


def _by_name(match: Match, params: str) -> str | None:
    """Which optimizer it is shows only at run time."""
    if "optimizer" not in match.given or match.value("optimizer").kind not in ("unknown", "text"):
        return None
    given = [params, match.text("optimizer")]
    if match.has("optimizer_params"):
        given.append(match.text("optimizer_params"))
    return f"{match.helper('optimizer_by_name')}({', '.join(given)})"


def _parameters(match: Match) -> str | None:
    """What the optimizer updates: `net.parameters()`."""
    node = match.given.get("params")
    if node is None:
        return None
    net = collected(node)
    if net is not None:
        return f"{parenthesized(match.text(net))}.parameters()"
    value = match.value(node)
    if value.kind == "instance" and value.name == "mx.gluon.ParameterDict":
        made = assigned(match.port, node)
        net = collected(made) if made is not None else None
        if net is not None and isinstance(made, ast.Call) and not made.args:
            return f"{parenthesized(match.text(net))}.parameters()"
        return f"{parenthesized(match.text(node))}.values()"
    return match.text(node) if value.kind in ("list", "unknown") else None


def _rate(match: Match) -> str:
    trainer = parenthesized(match.text("self"))
    if uses_multipliers(match.port):
        return f'{trainer}.defaults["lr"]'
    return f'{trainer}.param_groups[0]["lr"]'


def _set_rate(match: Match) -> str | None:
    return f"{match.helper('set_learning_rate')}({match.text('self')}, {match.text('lr')})"


def _schedule(name: str) -> Rule:
    def write(match: Match) -> str:
        node = match.node
        assert isinstance(node, ast.Call)
        given = [match.text(a) for a in node.args]
        for keyword in node.keywords:
            text = match.text(keyword.value)
            given.append(f"{keyword.arg}={text}" if keyword.arg else f"**{text}")
        return f"{match.helper(name)}({', '.join(given)})"

    return Rule(
        name,
        f"call mx.lr_scheduler.{name}",
        write,
        f"s = mx.lr_scheduler.{name}(10)",
        f"s = {name}(10)",
        needs=(),
    )


def _clip(match: Match) -> str | None:
    """The norm of all gradients; they are divided by the batch already."""
    if not match.only("arrays", "max_norm", "check_isfinite"):
        return None
    bound, size = operand(match.text("max_norm")), None
    assert isinstance(match.node, ast.Call)
    if match.node in match.port.divided:
        size = match.port.divided[match.node]
        if isinstance(size, ast.Constant) and size.value == 1:
            size = None
    count = operand(match.text(size)) if size is not None else ""
    bound = f"{bound} / {count}" if count else match.text("max_norm")
    used = not isinstance(match.parent, ast.Expr)
    params = _owners_of(match, match.given["arrays"])
    if params is not None:
        match.need("nn")
        text = f"nn.utils.clip_grad_norm_({params}, {bound})" + (".item()" if used else "")
    else:
        text = f"{match.helper('clip_global_norm')}({match.text('arrays')}, {bound})"
    return f"{text} * {count}" if used and count else text


def _owners_of(match: Match, node: ast.expr) -> str | None:
    """What `[p.grad() for p in params]` goes over, written here."""
    if not isinstance(node, (ast.ListComp, ast.GeneratorExp)) or len(node.generators) != 1:
        return None
    loop, grad = node.generators[0], node.elt
    if loop.ifs or not isinstance(loop.target, ast.Name):
        return None
    owner = grad.func if isinstance(grad, ast.Call) else grad
    if not isinstance(owner, ast.Attribute) or owner.attr != "grad":
        return None
    if not isinstance(owner.value, ast.Name) or owner.value.id != loop.target.id:
        return None
    return match.text(loop.iter)


def _again(match: Match) -> str | None:
    """`trainer._init_optimizer('sgd', {…})`: the optimizer that it has, with other options."""
    options = optimizer_of(match.port, match.given.get("optimizer"), match.given)
    target = None if options is None else _TARGETS.get(options.name)
    if target is None or options is None or uses_multipliers(match.port):
        return None
    if not isinstance(match.parent, ast.Expr) or _kinds(match) != {options.name}:
        return None
    texts = _texts(match, options, _exact(match, options, target))
    if texts is None or "lr_scheduler" in options.values:
        return None
    given = "".join(f", {key}={text}" for key, text in texts.items())
    return f"{match.helper('restart')}({match.text('self')}{given})"


def _kinds(match: Match) -> set[str]:
    """The optimizers of the file's trainers."""
    found = set()
    signature = names.signature(TRAINER)
    for call in match.port.of(ast.Call):
        if match.port.flow.value(call.func).name == TRAINER and signature is not None:
            given = bind(signature, call) or {}
            options = optimizer_of(match.port, given.get("optimizer"), given)
            found.add("" if options is None else options.name)
    return found


def _bound_step(match: Match) -> str | None:
    """The method itself, for who calls it with a batch size."""
    parent = match.parent
    if isinstance(parent, ast.Call) and parent.func is match.node:
        return None
    return f"functools.partial({match.helper(HELPER)}, {match.text('self')})"


REGISTRY.add(
    Rule(
        "Trainer",
        "call mx.gluon.Trainer",
        trainer,
        "trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'wd': 1e-3})",
        "trainer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=1e-3)",
        needs=(),
    ),
    Rule(
        "clip-global-norm",
        "call mx.gluon.utils.clip_global_norm",
        _clip,
        "n = gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], 2)",
        "n = nn.utils.clip_grad_norm_(net.parameters(), 2).item()",
        needs=(),
    ),
    Rule(
        "learning-rate",
        "attr mx.gluon.Trainer.learning_rate",
        _rate,
        "lr = trainer.learning_rate",
        'lr = trainer.param_groups[0]["lr"]',
    ),
    Rule(
        "trainer-class",
        "name mx.gluon.Trainer",
        "torch.optim.Optimizer",
        "ok = isinstance(trainer, gluon.Trainer)",
        "ok = isinstance(trainer, torch.optim.Optimizer)",
    ),
    Rule(
        "step-as-function",
        "attr mx.gluon.Trainer.step",
        _bound_step,
        "update = trainer.step",
        "update = functools.partial(averaged_step, trainer)",
        needs=("functools",),
    ),
    Rule(
        "init-optimizer",
        "method mx.gluon.Trainer._init_optimizer",
        _again,
        "trainer._init_optimizer('sgd', {'learning_rate': 0.1})",
        "restart(trainer, lr=0.1)",
        params="self, optimizer, optimizer_params=None",
        needs=(),
    ),
    Rule(
        "set-learning-rate",
        "method mx.gluon.Trainer.set_learning_rate",
        _set_rate,
        "trainer.set_learning_rate(0.1)",
        "set_learning_rate(trainer, 0.1)",
        needs=(),
    ),
    Rule(
        "save-states",
        "method mx.gluon.Trainer.save_states",
        "torch.save({self}.state_dict(), {fname})",
        "trainer.save_states('a.states')",
        "torch.save(trainer.state_dict(), 'a.states')",
        note="the file is torch's",
    ),
    Rule(
        "load-states",
        "method mx.gluon.Trainer.load_states",
        "{self}.load_state_dict(torch.load({fname}))",
        "trainer.load_states('a.states')",
        "trainer.load_state_dict(torch.load('a.states'))",
        note="the file is torch's",
    ),
    Rule(
        "allreduce",
        "method mx.gluon.Trainer.allreduce_grads",
        lambda m: "" if isinstance(m.parent, ast.Expr) else None,
        "trainer.allreduce_grads()",
        "",
    ),
    *(
        _schedule(name)
        for name in (
            "FactorScheduler", "MultiFactorScheduler", "PolyScheduler", "CosineScheduler",
        )
    ),
    Rule(
        "class-LRScheduler",
        "name mx.lr_scheduler.LRScheduler",
        lambda match: match.helper("Schedule"),
        "class Own(mx.lr_scheduler.LRScheduler): pass",
        "class Own(Schedule): pass",
        needs=(),
    ),
    Rule(
        "base-lr",
        "attr mx.lr_scheduler.LRScheduler.base_lr",
        same,
        "r = s.base_lr",
        "r = s.base_lr",
        needs=(),
    ),
)  # fmt: skip
