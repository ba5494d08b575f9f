"""MXNet's dotted names: one spelling for each, and what is behind it."""

from __future__ import annotations

import importlib
import inspect
import types
from functools import cache
from typing import Any

import mxtorch._ops.table  # noqa: F401 - operators enter themselves
from mxtorch._core.homes import defined_in
from mxtorch._core.op import Op, all_ops, lookup
from mxtorch.port.np_names import SAME

ROOT = "mx"
# The packages whose names are looked for, and how these begin.
PACKAGES = {"mxnet": ROOT, "gluonnlp": "nlp", "horovod": "hvd"}
FOREIGN = ("nlp.", "hvd.")

# A namespace and the shorter one through which the same names are reached; longest first.
_ALIASES: tuple[tuple[str, str], ...] = (
    ("hvd.mxnet", "hvd"),
    ("mx.nd.npx", "mx.npx"),
    ("mx.nd.np", "mx.np"),
    ("mx.numpy_extension", "mx.npx"),
    ("mx.numpy.multiarray", "mx.np"),
    ("mx.numpy", "mx.np"),
    ("mx.ndarray.ndarray", "mx.nd"),
    ("mx.ndarray.op", "mx.nd"),
    ("mx.ndarray", "mx.nd"),
    ("mx.symbol.symbol", "mx.sym"),
    ("mx.symbol.op", "mx.sym"),
    ("mx.symbol", "mx.sym"),
    ("mx.contrib.ndarray", "mx.nd.contrib"),
    ("mx.contrib.nd", "mx.nd.contrib"),
    ("mx.contrib.symbol", "mx.sym.contrib"),
    ("mx.contrib.sym", "mx.sym.contrib"),
    ("mx.initializer", "mx.init"),
    ("mx.kvstore", "mx.kv"),
    ("mx.module.module", "mx.mod"),
    ("mx.module.base_module", "mx.mod"),
    ("mx.module.bucketing_module", "mx.mod"),
    ("mx.module", "mx.mod"),
    ("mx.visualization", "mx.viz"),
    ("mx.monitor", "mx.mon"),
    ("mx.image.image", "mx.image"),
    ("mx.img", "mx.image"),
    ("mx.io.io", "mx.io"),
    ("mx.gluon.nn.basic_layers", "mx.gluon.nn"),
    ("mx.gluon.nn.conv_layers", "mx.gluon.nn"),
    ("mx.gluon.nn.activations", "mx.gluon.nn"),
    ("mx.rnn.rnn_cell", "mx.rnn"),
    ("mx.rnn.io", "mx.rnn"),
    ("mx.gluon.model_zoo.vision.resnet", "mx.gluon.model_zoo.vision"),
    ("mx.gluon.model_zoo.get_model", "mx.gluon.model_zoo.vision.get_model"),
    ("mx.gluon.rnn.rnn_layer", "mx.gluon.rnn"),
    ("mx.gluon.rnn.rnn_cell", "mx.gluon.rnn"),
    ("mx.gluon.data.dataset", "mx.gluon.data"),
    ("mx.gluon.data.sampler", "mx.gluon.data"),
    ("mx.gluon.data.dataloader", "mx.gluon.data"),
    ("mx.optimizer.optimizer", "mx.optimizer"),
)
# Names that MXNet has in several places, at the one that the rules use.
_MOVED = {
    "mx.gluon.block.Block": "mx.gluon.Block",
    "mx.gluon.block.HybridBlock": "mx.gluon.HybridBlock",
    "mx.gluon.block.SymbolBlock": "mx.gluon.SymbolBlock",
    "mx.gluon.nn.Block": "mx.gluon.Block",
    "mx.gluon.nn.HybridBlock": "mx.gluon.HybridBlock",
    "mx.gluon.nn.SymbolBlock": "mx.gluon.SymbolBlock",
    "mx.gluon.parameter.Parameter": "mx.gluon.Parameter",
    "mx.gluon.parameter.Constant": "mx.gluon.Constant",
    "mx.gluon.parameter.ParameterDict": "mx.gluon.ParameterDict",
    "mx.gluon.trainer.Trainer": "mx.gluon.Trainer",
    "mx.context.cpu": "mx.cpu",
    "mx.context.gpu": "mx.gpu",
    "mx.context.cpu_pinned": "mx.cpu_pinned",
    "mx.context.Context": "mx.Context",
    "mx.context.num_gpus": "mx.num_gpus",
    "mx.context.current_context": "mx.current_context",
    "mx.base.MXNetError": "mx.MXNetError",
    "mx.NDArray": "mx.nd.NDArray",
    "mx.random.seed": "mx.random.seed",
    "mx.rnd.seed": "mx.random.seed",
    "mx.random.uniform": "mx.nd.random.uniform",
    "mx.random.normal": "mx.nd.random.normal",
    "mx.random.randint": "mx.nd.random.randint",
    "mx.random.shuffle": "mx.nd.random.shuffle",
    "mx.nd.random_uniform": "mx.nd.random.uniform",
    "mx.nd.random_normal": "mx.nd.random.normal",
    "mx.nd.uniform": "mx.nd.random.uniform",
    "mx.nd.normal": "mx.nd.random.normal",
    "mx.nd.Concat": "mx.nd.concat",
    "mx.nd.Flatten": "mx.nd.flatten",
    "mx.nd.Reshape": "mx.nd.reshape",
    "mx.nd.SwapAxis": "mx.nd.swapaxes",
    "mx.sym.Variable": "mx.sym.var",
}
_ARRAYS = ("mx.nd.", "F.", "mx.sym.")


def imported(module: str) -> str:
    """The dotted name of a module of one of the packages, or of something in one."""
    root, dot, rest = module.partition(".")
    return PACKAGES[root] + dot + rest


def renamed(module: str) -> str:
    """What a module of MXNet's is in mxtorch; another package's stays."""
    root, dot, rest = module.partition(".")
    return "mxtorch" + dot + rest if root == "mxnet" else module


@cache
def canonical(name: str) -> str:
    """The one spelling of a dotted name that begins with `mx` or `nlp`."""
    if name in _ENCODERS:
        return ENCODER
    for alias, home in _ALIASES:
        if name == alias or name.startswith(alias + "."):
            name = home + name[len(alias) :]
            break
    return _MOVED.get(name) or SAME.get(name, name)


@cache
def find(name: str) -> Any:
    """The object of that name in mxtorch; raises LookupError if there is none."""
    path = "mxtorch"
    found: Any = importlib.import_module(path)
    for part in name.split(".")[1:]:
        path += "." + part
        found = getattr(found, part, None)
        if found is None:
            try:
                found = importlib.import_module(path)
            except ImportError as error:
                raise LookupError(name) from error
    return found


def find_or_none(name: str) -> Any:
    """The object of that name in mxtorch; None if there is none."""
    try:
        return find(name)
    except LookupError:
        return None


def exists(name: str) -> bool:
    """Whether mxtorch has that name."""
    try:
        find(name)
    except LookupError:
        return False
    return True


def is_namespace(name: str) -> bool:
    """Whether the name is a module."""
    if name.startswith("hvd."):
        return False
    try:
        return isinstance(find(name), types.ModuleType)
    except LookupError:
        return False


def operator(name: str) -> Op | None:
    """The operator that a function of `mx.nd`, `mx.sym` or `F` is, if it is one."""
    for prefix in _ARRAYS:
        if name.startswith(prefix):
            rest = name.removeprefix(prefix)
            namespace, _, short = rest.rpartition(".")
            return lookup(short) if not namespace else lookup(f"_{namespace}_{short}")
    return None


@cache
def method(name: str) -> Op | None:
    """The operator that a method of arrays is, if it is one."""
    return next((op for op in all_ops() if name in op.methods), lookup(name))


@cache
def signature(name: str) -> inspect.Signature | None:
    """How a function or class is called; None if that is not known."""
    try:
        return inspect.signature(find(name))
    except (LookupError, TypeError, ValueError):
        return None


ENCODER = "nlp.TransformerEncoder"
_ENCODERS = (
    "nlp.model.TransformerEncoder",
    "nlp.model.transformer.TransformerEncoder",
)
# Classes that have no public name, under the one that `bases` gives them.
_BASES: dict[str, type] = {}


@cache
def bases(name: str) -> tuple[str, ...]:
    """The class and its bases, nearest first, by the names that the rules use."""
    if name == ENCODER:
        return (ENCODER, *bases("mx.gluon.HybridBlock"))
    try:
        cls = _BASES[name] if name in _BASES else find(name)
    except LookupError:
        return (name,)
    if not isinstance(cls, type):
        return (name,)
    found = [name]
    for base in cls.__mro__[1:]:
        room = defined_in(base).replace("mxtorch", ROOT, 1)
        public = ".".join(part for part in room.split(".") if not part.startswith("_"))
        found.append(canonical(f"{public}.{base.__qualname__}"))
        _BASES[found[-1]] = base
    return tuple(found)


@cache
def common_base(classes: tuple[str, ...]) -> str:
    """The nearest class of MXNet that all of them are, if there is one."""
    for base in bases(classes[0]):
        if base.startswith("mx.") and all(base in bases(name) for name in classes[1:]):
            return base
    return ""
