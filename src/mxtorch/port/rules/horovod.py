"""horovod.mxnet: processes that torchrun starts."""

from __future__ import annotations

import ast
from dataclasses import replace

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer, parenthesized
from mxtorch.port.rules._common import collected
from mxtorch.port.rules.trainer import trainer
from mxtorch.port.trainers import WORKERS_TRAINER

_RUN = "start it with torchrun"
# Arguments that change how fast something is, or what it is called.
_PLAIN = ("name", "priority", "prefix", "num_groups", "compression", "process_set")


def _init(match: Match) -> str | None:
    """Processes meet when the first of them asks who it is."""
    parent = match.parent
    return f"{match.helper('processes')}()" if isinstance(parent, ast.Expr) else None


def _number(position: int) -> Writer:
    return lambda match: f"{match.helper('processes')}()[{position}]"


def _variable(name: str, default: int) -> Writer:
    def write(match: Match) -> str:
        match.need("os")
        return f'int(os.environ.get("{name}", {default}))'

    return write


def _reduce(match: Match) -> str | None:
    if not match.only("tensor", "average", *_PLAIN):
        return None
    average = f", average={match.text('average')}" if match.has("average") else ""
    return f"{match.helper('all_reduce')}({match.text('tensor')}{average})"


def _in_place(write: Writer) -> Writer:
    """The same, written into the tensor that it is given."""

    def written(match: Match) -> str | None:
        result, target = write(match), match.given.get("tensor")
        if result is None or not isinstance(target, (ast.Name, ast.Attribute)):
            return None
        return f"{match.text(target)}.copy_({result})"

    return written


def _gather(match: Match) -> str | None:
    if not match.only("tensor", *_PLAIN):
        return None
    return f"{match.helper('all_gather')}({match.text('tensor')})"


def _broadcast(match: Match) -> str | None:
    if not match.only("tensor", "root_rank", *_PLAIN):
        return None
    return f"{match.helper('broadcast')}({match.text('tensor')}, {match.text('root_rank')})"


def _parameters(match: Match) -> str | None:
    """A net's parameters with its running statistics, or those of a dict."""
    if not match.only("params", "root_rank", *_PLAIN):
        return None
    net = collected(match.given["params"])
    values = f"{parenthesized(match.text(net))}.state_dict()" if net else match.text("params")
    root = f", root_rank={match.text('root_rank')}" if match.has("root_rank") else ""
    return f"{match.helper('broadcast_parameters')}({values}{root})"


def _trainer(match: Match) -> str | None:
    given = {name: node for name, node in match.given.items() if name not in _PLAIN}
    if "gradient_predivide_factor" in given:
        return None
    made = trainer(replace(match, given=given))
    return None if made is None else f"{match.helper('averaged')}({made})"


_OPTIONS = ", ".join(f"{name}=None" for name in _PLAIN)
REGISTRY.add(
    Rule("hvd-init", "call hvd.init", _init, "hvd.init()", "processes()", params="", needs=(),
         note=_RUN),
    *(
        Rule(f"hvd-{name}", f"call hvd.{name}", write, f"n = hvd.{name}()", f"n = {after}",
             params="", needs=())
        for name, write, after in (
            ("rank", _number(0), "processes()[0]"),
            ("size", _number(1), "processes()[1]"),
            ("local_rank", _variable("LOCAL_RANK", 0), 'int(os.environ.get("LOCAL_RANK", 0))'),
            ("local_size", _variable("LOCAL_WORLD_SIZE", 1),
             'int(os.environ.get("LOCAL_WORLD_SIZE", 1))'),
        )
    ),
    Rule(
        "hvd-allreduce", "call hvd.allreduce", _reduce,
        "z = hvd.allreduce(x, average=False)", "z = all_reduce(x, average=False)",
        params=f"tensor, average=True, {_OPTIONS}", needs=(),
    ),
    Rule(
        "hvd-allgather", "call hvd.allgather", _gather,
        "z = hvd.allgather(x)", "z = all_gather(x)", params=f"tensor, {_OPTIONS}", needs=(),
    ),
    Rule(
        "hvd-broadcast", "call hvd.broadcast", _broadcast,
        "z = hvd.broadcast(x, root_rank=0)", "z = broadcast(x, 0)",
        params=f"tensor, root_rank, {_OPTIONS}", needs=(),
    ),
    Rule(
        "hvd-allreduce-in-place", "call hvd.allreduce_", _in_place(_reduce),
        "hvd.allreduce_(x, average=False)", "x.copy_(all_reduce(x, average=False))",
        params=f"tensor, average=True, {_OPTIONS}", needs=(),
    ),
    Rule(
        "hvd-broadcast-in-place", "call hvd.broadcast_", _in_place(_broadcast),
        "hvd.broadcast_(x, root_rank=0)", "x.copy_(broadcast(x, 0))",
        params=f"tensor, root_rank, {_OPTIONS}", needs=(),
    ),
    Rule(
        "hvd-parameters", "call hvd.broadcast_parameters", _parameters,
        "hvd.broadcast_parameters(net.collect_params(), root_rank=0)",
        "broadcast_parameters(net.state_dict(), root_rank=0)",
        params="params, root_rank=0, prefix=None", needs=(),
    ),
    Rule(
        "hvd-trainer", f"call {WORKERS_TRAINER}", _trainer,
        "t = hvd.DistributedTrainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})",
        "t = averaged(torch.optim.SGD(net.parameters(), lr=0.1))",
        params="params, optimizer, optimizer_params=None, compression=None, "
        "gradient_predivide_factor=None, prefix=None, num_groups=None, process_set=None",
        needs=(),
    ),
)  # fmt: skip
