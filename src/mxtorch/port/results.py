"""What MXNet's and NumPy's functions give back, as far as the port needs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import numpy as np

from mxtorch.port import names, ranks
from mxtorch.port.values import (
    ARRAY,
    DEEP,
    DEVICE,
    DTYPE,
    MASK,
    NONE,
    NUMPY,
    SCALAR,
    SHAPE,
    TEXT,
    UNKNOWN,
    Value,
    instance,
    list_of,
    tuple_of,
)

BLOCK = "mx.gluon.Block"
SEQUENTIAL = ("mx.gluon.nn.Sequential", "mx.gluon.nn.HybridSequential")
_CALLS: dict[str, Value] = {
    "mx.cpu": DEVICE,
    "mx.gpu": DEVICE,
    "mx.cpu_pinned": DEVICE,
    "mx.Context": DEVICE,
    "mx.current_context": DEVICE,
    "mx.num_gpus": SCALAR,
    "mx.gluon.utils.split_and_load": list_of(ARRAY),
    "mx.gluon.utils.split_data": list_of(ARRAY),
    "mx.gluon.utils.clip_global_norm": SCALAR,
    "mx.autograd.grad": list_of(ARRAY),
    "mx.autograd.is_training": SCALAR,
    "mx.autograd.is_recording": SCALAR,
    "mx.nd.load": list_of(ARRAY),
    "mx.metric.create": instance("mx.metric.CompositeEvalMetric"),
    "mx.metric.np": instance("mx.metric.CustomMetric"),
    "mx.nd.waitall": NONE,
    "mx.kv.create": instance("mx.kv.KVStore"),
    "mx.callback.Speedometer": instance("mx.callback.Speedometer"),
    names.ENCODER: instance(names.ENCODER),
    "mx.nd.save": NONE,
    "mx.mod.Module.load": instance("mx.mod.Module"),
    "mx.model.FeedForward.load": instance("mx.model.FeedForward"),
    "mx.contrib.amp.scale_loss": ARRAY,
    "mx.io.CSVIter": instance("mx.io.DataIter"),
    "mx.io.MNISTIter": instance("mx.io.DataIter"),
    "mx.io.ImageRecordIter": instance("mx.io.DataIter"),
    "mx.image.ImageIter": instance("mx.io.DataIter"),
    "mx.recordio.pack": TEXT,
    "mx.recordio.pack_img": TEXT,
    "mx.recordio.unpack": tuple_of(instance("mx.recordio.IRHeader"), UNKNOWN),
    "mx.recordio.unpack_img": tuple_of(instance("mx.recordio.IRHeader"), NUMPY),
    "mx.random.seed": NONE,
    "hvd.DistributedTrainer": instance("mx.gluon.Trainer"),
    "hvd.DistributedOptimizer": instance("mx.optimizer.Optimizer"),
    "hvd.broadcast_parameters": NONE,
}
_CALLS |= dict.fromkeys((f"hvd.{n}" for n in ("rank", "size", "local_rank", "local_size")), SCALAR)
_CALLS |= dict.fromkeys(
    (f"hvd.{n}" for n in ("allreduce", "allreduce_", "allgather", "broadcast", "broadcast_")), ARRAY
)
_CALLS |= dict.fromkeys(
    (f"mx.image.{n}" for n in ("imread", "imdecode", "imresize", "resize_short", "fixed_crop")),
    DEEP,
)
_CALLS |= dict.fromkeys(
    (f"mx.image.{n}" for n in ("center_crop", "random_crop")), tuple_of(DEEP, tuple_of(SCALAR))
)
_CALLS["mx.image.color_normalize"] = ARRAY
DATA = "mx.gluon.data."
ESTIMATOR = "mx.gluon.contrib.estimator.Estimator"
# Layers made of a function.
FUNCTIONS = ("mx.gluon.nn.Lambda", "mx.gluon.nn.HybridLambda")
ITERATOR = "mx.io.DataIter"
_MODULE = "mx.mod.BaseModule"
_OLD_CELL = "mx.rnn.BaseRNNCell"
BATCH = instance("mx.io.DataBatch")
_RANDOM = "mx.nd.random."
# Where arrays are NumPy-like.
NUMPY_MODULES = ("mx.np", "mx.npx", "F.np", "F.npx")
_NUMPY_LISTS = frozenset(["split", "array_split", "meshgrid", "nonzero", "hsplit", "vsplit"])
_NUMPY_MASKS = frozenset([
    "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_not", "isnan",
    "isinf", "isfinite", "any", "all",
])  # fmt: skip
_ARRAY_ATTRIBUTES = {
    "shape": SHAPE,
    "context": DEVICE,
    "ctx": DEVICE,
    "dtype": DTYPE,
    "size": SCALAR,
    "ndim": SCALAR,
    "stype": TEXT,
    "grad": ARRAY,
    "T": ARRAY,
}
# A loss with a value a sample, and a single number: arrays whose shape is known that much.
SAMPLES = Value("array", "samples")
SINGLE = Value("array", "scalar")
# What a cell gives: its output and its new states.
CELL = tuple_of(ARRAY, list_of(ARRAY))
_SINGLE = frozenset(["sum", "mean", "max", "min", "prod", "norm"])
_ARRAY_METHODS = {
    "asnumpy": NUMPY,
    "asscalar": SCALAR,
    "item": SCALAR,
    "tolist": list_of(UNKNOWN),
    "backward": NONE,
    "attach_grad": NONE,
    "wait_to_read": NONE,
    "split": list_of(ARRAY),
}
# Methods that only MXNet's arrays have: whoever calls them has one.
ARRAY_ONLY = frozenset(
    [
        "asnumpy",
        "asscalar",
        "as_in_context",
        "attach_grad",
        "wait_to_read",
        "copyto",
        "as_nd_ndarray",
    ]
)
_PARAMETERS = "mx.gluon.ParameterDict"
# What only blocks and only parameters have.
_BLOCK_ONLY = frozenset(["collect_params", "hybridize", "save_parameters", "load_parameters"])
_PARAMETER_ONLY = frozenset(["set_data", "list_data", "list_grad", "list_ctx"])
EXECUTOR = instance("mx.executor.Executor")
_BLOCK_METHODS = {
    "bind": EXECUTOR,
    "simple_bind": EXECUTOR,
    "collect_params": instance(_PARAMETERS),
    "name_scope": UNKNOWN,
    "forward": ARRAY,
    "hybrid_forward": ARRAY,
    "initialize": NONE,
    "hybridize": NONE,
    "begin_state": list_of(ARRAY),
    "list_arguments": list_of(TEXT),
    "list_auxiliary_states": list_of(TEXT),
    "infer_shape": tuple_of(list_of(SHAPE), list_of(SHAPE), list_of(SHAPE)),
    "unroll": tuple_of(UNKNOWN, list_of(ARRAY)),
}
_PARAMETER_METHODS = {
    "data": ARRAY,
    "grad": ARRAY,
    "list_data": list_of(ARRAY),
    "list_grad": list_of(ARRAY),
    "list_ctx": list_of(DEVICE),
}
_PARAMETER_NAMES = frozenset(
    ["weight", "bias", "gamma", "beta", "running_mean", "running_var", "alpha"]
)
_NUMPY_SCALARS = frozenset(["float32", "float64", "int32", "int64", "uint8", "prod", "isscalar"])


@cache
def _of_arrays_alone(method: str) -> bool:
    """Whether a name in two words is a method of MXNet's arrays, and of no others'."""
    if "_" not in method.strip("_") or hasattr(np.ndarray, method):
        return False
    op = names.method(method)
    return op is not None and method in op.methods


def known_by(method: str) -> Value | None:
    """Whose method it must be, by its name."""
    if method in ARRAY_ONLY or _of_arrays_alone(method):
        return ARRAY
    if method in _BLOCK_ONLY:
        return instance(BLOCK)
    return instance("mx.gluon.Parameter") if method in _PARAMETER_ONLY else None


def is_block(name: str) -> bool:
    """Whether a class of MXNet is a Gluon block."""
    return name.startswith(("mx.gluon.", "nlp.")) and BLOCK in names.bases(name)


def is_iterator(value: Value) -> bool:
    """Whether it is an iterator of `mx.io`'s kind."""
    return value.kind == "instance" and ITERATOR in names.bases(value.name)


def is_old_cell(name: str) -> bool:
    """Whether a class is a cell of `mx.rnn`."""
    return name.startswith("mx.rnn.") and _OLD_CELL in names.bases(name)


def call(name: str, arguments: int) -> Value:
    """What calling something of MXNet gives."""
    if name in _CALLS:
        return _CALLS[name]
    if name.startswith(_RANDOM):
        return ARRAY
    op = names.operator(name)
    if op is not None and not name.startswith("mx.sym."):
        several = not isinstance(op.outputs, int) or op.outputs > 1
        visible = op.visible if isinstance(op.visible, int) else None
        if arguments == 1 and name.rpartition(".")[2] in _SINGLE:
            return SINGLE
        return list_of(ARRAY) if several and visible != 1 else ARRAY
    if name.startswith(("mx.nd.", "F.")):
        return ARRAY
    if name.startswith(("mx.np.", "mx.npx.")):
        return _numpy_call(name.rpartition(".")[2], arguments)
    if name.startswith("mx.gluon.model_zoo.vision."):
        return instance(BLOCK)
    if names.exists(name) and isinstance(names.find(name), type):
        return instance(name)
    return Value("unknown", f"what {name}() gives")


def _numpy_call(short: str, arguments: int) -> Value:
    """What a function of `mx.np` or `mx.npx` gives."""
    if short in ("set_np", "reset_np", "save", "shuffle"):
        return NONE
    if short in _NUMPY_LISTS:
        return list_of(ARRAY)
    if short in _NUMPY_MASKS:
        return MASK
    return SINGLE if short in _SINGLE and arguments == 1 else ARRAY


def constructed(name: str, node: ast.Call, arguments: tuple[Value, ...]) -> Value:
    """A new object, with what it gives when it is called or iterated."""
    origin = Value("origin", origin_of(node))
    if name in SEQUENTIAL:
        return Value("instance", name, (Value("same"), origin))
    if name.startswith("mx.gluon.nn.") and name != BLOCK and is_block(name):
        return Value("instance", name, (ranks.layer(name, node) or Value("same"), origin))
    if name == "mx.gluon.data.ArrayDataset":
        return Value("instance", name, arguments)
    if name == "mx.gluon.data.DataLoader" and arguments:
        return Value("instance", name, arguments[:1])
    return instance(name)


def origin_of(node: ast.expr) -> str:
    """How values name the call that made them."""
    return f"{node.lineno}:{node.col_offset}"


def call_block(name: str, arguments: int) -> Value:
    """What calling a block of MXNet's own gives."""
    if name == names.ENCODER:
        return tuple_of(DEEP, list_of(ARRAY))
    recurrent = name.startswith(("mx.gluon.rnn.", "mx.gluon.contrib.rnn."))
    if recurrent and (arguments > 1 or name.endswith("Cell")):
        return CELL
    return ARRAY


def attribute(owner: Value, name: str) -> Value:
    """What an attribute of a value is; methods are told by `method`."""
    if owner.kind == "array":
        return _ARRAY_ATTRIBUTES.get(name, Value("method", name, (owner,)))
    if owner.kind == "numpy":
        return {"shape": SHAPE, "size": SCALAR, "ndim": SCALAR, "dtype": DTYPE, "T": NUMPY}.get(
            name, Value("method", name, (owner,))
        )
    if owner.kind == "instance" and name in _PARAMETER_NAMES:
        return instance("mx.gluon.Parameter")
    if owner == instance("mx.gluon.Parameter") and name == "grad_req":
        return Value("grad_req")
    if owner == BATCH and name in ("data", "label", "pad", "bucket_key"):
        return list_of(ARRAY) if name in ("data", "label") else SCALAR
    if owner == instance("mx.model.FeedForward") and name in ("arg_params", "aux_params"):
        return NAMED
    if owner == EXECUTOR and (name == "outputs" or name.endswith(("_dict", "_arrays"))):
        return NAMED if name.endswith("_dict") else list_of(ARRAY)
    if owner == instance(ESTIMATOR) and name in ("trainer", "net"):
        return instance("mx.gluon.Trainer" if name == "trainer" else BLOCK)
    if owner == instance(BLOCK) and name in ("features", "output"):
        return instance(SEQUENTIAL[1] if name == "features" else BLOCK)
    if owner.kind == "instance" and name == "params":
        return instance(_PARAMETERS)
    if owner.kind in ("list", "dict", "text", "instance", "unknown", "device", "tuple"):
        return Value("method", name, (owner,))
    return UNKNOWN


def method(owner: Value, name: str, arguments: tuple[Value, ...], keywords: bool = False) -> Value:
    """What calling a method gives, except those of the file's own classes."""
    if owner.kind == "array" or (owner.kind in ("unknown", "list") and known_by(name) == ARRAY):
        if name in _SINGLE and not arguments and not keywords:
            return SINGLE
        return _ARRAY_METHODS.get(name, ARRAY)
    if owner.kind == "numpy":
        return UNKNOWN if name in ("tolist", "item") else NUMPY
    if owner.kind == "dict":
        pairs = {"items": list_of(tuple_of(TEXT, owner.item)), "values": list_of(owner.item)}
        return pairs.get(name, owner.item if name in ("get", "pop") else UNKNOWN)
    if owner.kind == "list" and name == "pop":
        return owner.item
    if owner.kind == "list" and name in ("items", "values") and owner.item.kind == "array":
        named = list_of(tuple_of(TEXT, owner.item))  # of a file: a list of arrays, or a dict
        return named if name == "items" else owner
    if owner.kind == "text":
        return TEXT
    if owner.kind == "unknown":
        owner = known_by(name) or owner
    if owner.kind != "instance":
        return UNKNOWN
    return _instance_method(owner, name)


NAMED = Value("dict", items=(ARRAY,))
_MODULE_METHODS = {
    "get_outputs": list_of(ARRAY),
    "get_params": tuple_of(NAMED, NAMED),
    "predict": ARRAY,
    "score": list_of(tuple_of(TEXT, SCALAR)),
    "iter_predict": list_of(tuple_of(list_of(ARRAY), SCALAR, BATCH)),
}


def _instance_method(owner: Value, name: str) -> Value:
    if _MODULE in names.bases(owner.name):
        return _MODULE_METHODS.get(name, UNKNOWN)
    if is_block(owner.name):
        return _BLOCK_METHODS.get(name, UNKNOWN)
    if owner.name == _PARAMETERS:
        parameter = instance("mx.gluon.Parameter")
        return {
            "items": list_of(tuple_of(TEXT, parameter)),
            "values": list_of(parameter),
            "get": parameter,
            "get_constant": instance("mx.gluon.Constant"),
            "keys": list_of(TEXT),
        }.get(name, UNKNOWN)
    if owner.name in ("mx.gluon.Parameter", "mx.gluon.Constant"):
        return _PARAMETER_METHODS.get(name, UNKNOWN)
    if owner == EXECUTOR:
        return {"forward": list_of(ARRAY), "reshape": EXECUTOR}.get(name, NONE)
    if owner.name == "mx.model.FeedForward":
        return {"predict": NUMPY, "score": SCALAR}.get(name, UNKNOWN)
    if owner.name.startswith("mx.recordio.") and name in ("read", "read_idx"):
        return TEXT
    if name == "next" and is_iterator(owner):
        return BATCH
    if is_old_cell(owner.name):
        return _BLOCK_METHODS.get(name, UNKNOWN)
    if owner.name.startswith(DATA) and name in ("transform", "transform_first"):
        return owner if name == "transform_first" else instance("mx.gluon.data.Dataset")
    if owner.name.startswith(DATA) and name in ("filter", "take", "shard", "sample"):
        return instance("mx.gluon.data.Dataset")
    if owner.name.startswith("mx.metric."):
        return tuple_of(UNKNOWN, SCALAR) if name == "get" else NONE
    if not owner.name.startswith(("mx.", *names.FOREIGN)):
        return UNKNOWN  # what a class of the program's own inherits from another library
    return Value("unknown", f"what {owner.name}.{name}() gives")


def python_call(name: str, arguments: tuple[Value, ...]) -> Value:
    """What a function of another module gives: NumPy's give NumPy arrays."""
    root, _, rest = name.partition(".")
    if root != "numpy":
        return UNKNOWN
    if rest in _NUMPY_SCALARS:
        return SCALAR
    return NUMPY


def builtin_call(name: str, arguments: tuple[Value, ...]) -> Value:
    """What one of Python's own functions gives."""
    first = arguments[0] if arguments else UNKNOWN
    if name in ("len", "int", "float", "round", "abs", "min", "max"):
        return ARRAY if name in ("abs",) and first.kind == "array" else SCALAR
    if name == "sum":
        return first.item if first.item.kind == "array" else SCALAR
    if name == "str":
        return TEXT
    if name in ("list", "sorted", "reversed", "iter", "tuple"):
        return list_of(elements(first))
    if name == "enumerate":
        return list_of(tuple_of(SCALAR, elements(first)))
    if name == "zip":
        return list_of(tuple_of(*(elements(a) for a in arguments)))
    if name == "range":
        return list_of(SCALAR)
    if name == "next":
        return elements(first)
    return UNKNOWN


def _batches(dataset: Value) -> Value:
    """A batch of a data set: what its arrays are, an axis for the samples first."""
    if dataset.name == "mx.gluon.data.ArrayDataset" and len(dataset.items) > 1:
        return tuple_of(*(Value("array", ranks.rank(v)) for v in dataset.items))
    if dataset.name.startswith("mx.gluon.data.vision."):
        return tuple_of(DEEP, ARRAY)
    return list_of(ARRAY)


def item_of(dataset: Value) -> Value:
    """An item of one of Gluon's data sets."""
    if dataset.name.startswith("mx.gluon.data.vision."):
        return tuple_of(DEEP, SCALAR)
    return tuple_of(ARRAY, UNKNOWN)


def elements(value: Value) -> Value:
    """What a loop over the value sees."""
    if value.kind == "instance" and value.name == "mx.gluon.data.DataLoader":
        return _batches(value.items[0] if value.items else UNKNOWN)
    if is_iterator(value):
        return BATCH
    if value.kind == "instance" and value.name.startswith(DATA):
        return item_of(value)
    if value.kind == "instance" and value.name == _PARAMETERS:
        return TEXT
    if value.kind == "dict":  # its keys
        return TEXT if value == NAMED else UNKNOWN
    return value.item


def binary(left: Value, right: Value) -> Value:
    """What an operator between two values gives."""
    kinds = {left.kind, right.kind}
    if "array" in kinds or "numpy" in kinds:
        return ranks.both(left, right)
    if left.kind in ("list", "text", "tuple", "shape") and left.kind == right.kind:
        return left if left.items else right
    if kinds == {"text", "scalar"} or left.kind == "text":
        return TEXT
    if kinds == {"list", "scalar"}:
        return left if left.kind == "list" else right
    return SCALAR if kinds == {"scalar"} else UNKNOWN


def unpacked(value: Value, count: int) -> Iterator[Value]:
    """What the names get that a value is unpacked into."""
    if value.kind == "tuple" and len(value.items) == count:
        yield from value.items
    else:
        item = SCALAR if value.kind == "shape" else value.item
        yield from [item] * count


def of_mxnet(name: str) -> Value:
    """A module of MXNet, or something in one."""
    name = names.canonical(name)
    return Value("namespace" if names.is_namespace(name) else "member", name)
