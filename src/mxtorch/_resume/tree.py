"""Nested values with arrays in them, as JSON and a table of tensors, and back.

None, booleans, numbers, text and lists are JSON's own; anything else is an object whose "is" says
what. Reading makes values of these types only: no class is looked up by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.device import context_to_device, parse_context
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.storage import Compressed, Rows, SparseValue
from mxtorch._front.handle import Handle, sparse_classes, wrap_new
from mxtorch.ndarray import NDArray
from mxtorch.numpy import ndarray

Node: TypeAlias = Any  # what JSON has
Tensors: TypeAlias = dict[str, Tensor]

_PLAIN = (bool, int, float, str)
_SPARSE = {"row_sparse": Rows, "csr": Compressed}
_NUMPY_KINDS = "biufc"


class DamagedError(MXNetError):
    """What was read is not what `pack` gives."""


def pack(value: Any, tensors: Tensors, name: str) -> Node:
    """The value's JSON; its arrays go into `tensors` under names that begin with `name`.

    MXNetTypeError, which names the place, for a value of another type.
    """
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return [pack(part, tensors, f"{name}/{i}") for i, part in enumerate(value)]
    if isinstance(value, tuple):
        return {"is": "tuple", "of": pack(list(value), tensors, name)}
    if isinstance(value, dict):
        keys, values = list(value), list(value.values())
        if all(isinstance(key, str) for key in keys):
            of = {key: pack(part, tensors, f"{name}/{key}") for key, part in value.items()}
            return {"is": "dict", "of": of}
        return {"is": "pairs", "of": [pack(keys, tensors, name), pack(values, tensors, name)]}
    return _pack_array(value, tensors, name)


def _pack_array(value: Any, tensors: Tensors, name: str) -> Node:
    if isinstance(value, Handle):
        node = {"ctx": str(value._kind.ctx), "np": isinstance(value, ndarray)}
        stored = value.stored()
        if not isinstance(stored, SparseValue):
            return {"is": "array", "at": _store(stored, tensors, name), **node}
        parts = [_store(part, tensors, name) for part in (*stored.parts(), stored.data)]
        return {"is": stored.stype, "shape": list(stored.shape), "at": parts, **node}
    if isinstance(value, Tensor):
        return {"is": "tensor", "at": _store(value, tensors, name), "device": str(value.device)}
    if isinstance(value, (bytes, bytearray)):
        raw = torch.frombuffer(bytearray(value), dtype=torch.uint8) if value else _no_bytes()
        return {"is": "bytes", "at": _store(raw, tensors, name)}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in _NUMPY_KINDS:
        array = np.ascontiguousarray(value)
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        raw = torch.frombuffer(bytearray(data), dtype=torch.uint8) if data else _no_bytes()
        return {
            "is": "numpy" if isinstance(value, np.ndarray) else "number",
            "at": _store(raw, tensors, name),
            "dtype": value.dtype.name,
            "shape": list(value.shape),
        }
    raise MXNetTypeError(
        f"checkpoint: {name} is a {type(value).__name__}; only numbers, text, arrays, tensors and "
        "lists, tuples and dicts of them can be written"
    )


def _no_bytes() -> Tensor:
    return torch.empty(0, dtype=torch.uint8)


def _store(tensor: Tensor, tensors: Tensors, name: str) -> str:
    """Keep a copy of the tensor that nothing else writes to."""
    key, count = name, 1
    while key in tensors:
        count += 1
        key = f"{name}#{count}"
    tensors[key] = tensor.detach().to("cpu", copy=True).contiguous()
    return key


def unpack(node: Node, tensors: Tensors) -> Any:
    """The value that `pack` was given; DamagedError for anything that it does not write."""
    if node is None or type(node) in _PLAIN:
        return node
    if isinstance(node, list):
        return [unpack(part, tensors) for part in node]
    if not isinstance(node, dict) or not isinstance(node.get("is"), str):
        raise DamagedError(f"{_brief(node)} is no value")
    reader = _READERS.get(node["is"])
    if reader is None:
        raise DamagedError(f"{node['is']!r} is no kind of value")
    try:
        return reader(node, tensors)
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        raise DamagedError(f"{_brief(node)}: {type(error).__name__}: {error}") from error


def _brief(node: Node) -> str:
    text = repr(node)
    return text if len(text) < 80 else text[:77] + "..."


def _read_tuple(node: Node, tensors: Tensors) -> Any:
    return tuple(_list(node["of"], tensors))


def _read_dict(node: Node, tensors: Tensors) -> Any:
    return {str(key): unpack(part, tensors) for key, part in node["of"].items()}


def _read_pairs(node: Node, tensors: Tensors) -> Any:
    keys, values = node["of"]
    return dict(zip(_list(keys, tensors), _list(values, tensors), strict=True))


def _list(node: Node, tensors: Tensors) -> list[Any]:
    if not isinstance(node, list):
        raise DamagedError(f"{_brief(node)} is no list")
    return [unpack(part, tensors) for part in node]


def _read_array(node: Node, tensors: Tensors) -> Any:
    ctx = parse_context(node["ctx"])
    tensor = tensors[node["at"]].to(context_to_device(ctx), copy=True)
    if node["np"]:
        return wrap_new(ndarray, tensor, ctx)
    return wrap_new(NDArray, tensor, ctx)


def _read_sparse(node: Node, tensors: Tensors) -> Any:
    ctx = parse_context(node["ctx"])
    shape = [int(n) for n in node["shape"]]
    parts = [tensors[at].to(context_to_device(ctx), copy=True) for at in node["at"]]
    check = _check_rows if node["is"] == "row_sparse" else _check_compressed
    check(shape, *parts)
    return sparse_classes[node["is"]](_SPARSE[node["is"]](shape, *parts), ctx)


def _check_rows(shape: list[int], indices: Tensor, data: Tensor) -> None:
    fits = data.shape == (len(indices), *shape[1:]) and indices.dtype is torch.int64
    if not fits or (len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < shape[0]):
        raise DamagedError("rows outside of their array")


def _check_compressed(shape: list[int], indptr: Tensor, indices: Tensor, data: Tensor) -> None:
    steps = indptr[1:] - indptr[:-1]
    good = (
        len(shape) == 2
        and len(indptr) == shape[0] + 1
        and data.shape == indices.shape
        and int(indptr[0]) == 0
        and int(indptr[-1]) == len(data)
        and (not len(steps) or int(steps.min()) >= 0)
    )
    if not good or (len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < shape[1]):
        raise DamagedError("elements outside of their matrix")


def _read_tensor(node: Node, tensors: Tensors) -> Any:
    return tensors[node["at"]].to(torch.device(node["device"]), copy=True)


def _read_bytes(node: Node, tensors: Tensors) -> Any:
    return tensors[node["at"]].numpy().tobytes()


def _read_numpy(node: Node, tensors: Tensors) -> Any:
    dtype = np.dtype(str(node["dtype"]))
    if dtype.kind not in _NUMPY_KINDS:
        raise DamagedError(f"{dtype} is no type of numbers")
    array = np.frombuffer(_read_bytes(node, tensors), dtype.newbyteorder("<"))
    array = array.reshape([int(n) for n in node["shape"]]).astype(dtype)
    return array if node["is"] == "numpy" else array[()]


_READERS: dict[str, Callable[[Node, Tensors], Any]] = {
    "tuple": _read_tuple,
    "dict": _read_dict,
    "pairs": _read_pairs,
    "array": _read_array,
    "row_sparse": _read_sparse,
    "csr": _read_sparse,
    "tensor": _read_tensor,
    "bytes": _read_bytes,
    "numpy": _read_numpy,
    "number": _read_numpy,
}
