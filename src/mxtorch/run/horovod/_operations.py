"""Collectives on arrays."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._dist import collectives
from mxtorch._front.handle import wrap
from mxtorch.gluon.parameter import ParameterDict
from mxtorch.ndarray import NDArray
from mxtorch.run.horovod._basics import the_group

Average, Sum = 0, 1


class Compression:
    """What gradients travel as: `none`, or `fp16` (half the bytes, rounded)."""

    class none:
        """As they are."""

        wire: Any = None

    class fp16:
        """As float16."""

        wire: Any = torch.float16


def _check(tensors: Any) -> list[NDArray]:
    arrays = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
    for array in arrays:
        if not isinstance(array, NDArray):
            raise MXNetTypeError(f"an NDArray is needed here, not {type(array).__name__}")
    return arrays


def _factor(average: Any, op: Any, pre: float, post: float) -> float:
    if op is not None:
        if op not in (Average, Sum):
            raise MXNetValueError(f"op={op} is not supported; use hvd.Average or hvd.Sum")
        average = op == Average
    return pre * post / (the_group().size if average else 1)


def sum_into(
    arrays: Sequence[NDArray], factor: float, wire: Any = None, apart: bool = False
) -> None:
    """Sum arrays over the processes and multiply, in place; wire: the dtype that travels.

    apart: they are a program's own, no gradients of a Trainer or optimizer.
    """
    stores = [array.write_storage() for array in arrays]
    sent = stores if wire is None else [s.to(wire) if s.is_floating_point() else s for s in stores]
    name = "allreduce" if apart else "allreduce of gradients"
    collectives.all_reduce(the_group(), sent, name, apart)
    with torch.no_grad():
        for store, total in zip(stores, sent, strict=True):
            if total is not store:
                store.copy_(total)
            if factor != 1:
                store.copy_(store * factor)


def allreduce(
    tensor: NDArray,
    average: bool | None = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    op: Any = None,
) -> NDArray:
    """The average (or sum) of an array over the processes."""
    return grouped_allreduce(
        _check(tensor), average, name, priority, prescale_factor, postscale_factor, op
    )[0]


def allreduce_(
    tensor: NDArray,
    average: bool | None = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    op: Any = None,
) -> NDArray:
    """`allreduce` in place."""
    factor = _factor(average, op, prescale_factor, postscale_factor)
    sum_into(_check(tensor), factor, apart=True)
    return tensor


def grouped_allreduce(
    tensors: Sequence[NDArray],
    average: bool | None = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    op: Any = None,
) -> list[NDArray]:
    """The averages (or sums) of several arrays, which travel together."""
    copies = [array.detach().copy() for array in _check(tensors)]
    factor = _factor(average, op, prescale_factor, postscale_factor)
    sum_into(copies, factor, apart=True)
    return copies


def grouped_allreduce_(
    tensors: Sequence[NDArray],
    average: bool | None = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    op: Any = None,
) -> Sequence[NDArray]:
    """`grouped_allreduce` in place."""
    factor = _factor(average, op, prescale_factor, postscale_factor)
    sum_into(_check(tensors), factor, apart=True)
    return tensors


def allgather(tensor: NDArray, name: str | None = None, priority: int = 0) -> NDArray:
    """The arrays of all processes, one after the other along the first axis."""
    rows = collectives.all_gather(the_group(), _check(tensor)[0].storage())
    gathered: NDArray = wrap(tensor._kind, torch.cat(rows))
    return gathered


def broadcast(
    tensor: NDArray, root_rank: int, name: str | None = None, priority: int = 0
) -> NDArray:
    """The array of process `root_rank`."""
    return broadcast_(_check(tensor)[0].detach().copy(), root_rank, name, priority)


def broadcast_(
    tensor: NDArray, root_rank: int, name: str | None = None, priority: int = 0
) -> NDArray:
    """`broadcast` in place."""
    _check_root(root_rank)
    collectives.broadcast(the_group(), [_check(tensor)[0].write_storage()], root_rank)
    return tensor


def _check_root(root_rank: int) -> None:
    if not 0 <= root_rank < the_group().size:
        raise MXNetValueError(f"root_rank={root_rank}: there are {the_group().size} processes")


def broadcast_parameters(params: Any, root_rank: int = 0, prefix: str | None = None) -> None:
    """Give parameters (of `get_params`, `collect_params`) the values of process `root_rank`.

    Parameters whose shape is not known yet get them when they are initialized. MXNetError if the
    processes have other parameters.
    """
    _check_root(root_rank)
    if not isinstance(params, (Mapping, ParameterDict)):
        raise MXNetValueError(f"invalid params of type: {type(params).__name__}")
    group, arrays, shapes = the_group(), [], {}
    for name in sorted(params.keys()):
        value = params[name]
        if isinstance(value, NDArray):
            row = [value]
        elif value._deferred_init:
            _wait_for_shape(value, root_rank)
            continue
        else:
            row = value.list_data()
        shapes[name] = f"{row[0].dtype.__name__} {row[0].shape}"
        arrays.append(row)
    if not arrays:
        return
    group.check_same(
        "broadcast_parameters", list(shapes.values()), "Every process must build the same net."
    )
    collectives.broadcast(group, [row[0].write_storage() for row in arrays], root_rank)
    for row in arrays:
        for copy in row[1:]:
            copy.write_storage().copy_(row[0].storage())


def _wait_for_shape(parameter: Any, root_rank: int) -> None:
    initialize = parameter._init_impl

    def then_broadcast(*args: Any, **kwargs: Any) -> None:
        initialize(*args, **kwargs)
        row = [array.write_storage() for array in parameter.list_data()]
        collectives.broadcast(the_group(), row[:1], root_rank)
        for copy in row[1:]:
            copy.copy_(row[0])

    parameter._init_impl = then_broadcast


def broadcast_object(obj: Any, root_rank: int = 0, name: str | None = None) -> Any:
    """An object of process `root_rank`: None, numbers, text, bytes, NumPy arrays, lists, dicts."""
    _check_root(root_rank)
    own = json.dumps(_to_json(obj)) if the_group().rank == root_rank else ""
    return _from_json(json.loads(the_group().gather_text(own)[root_rank]))


def allgather_object(obj: Any, name: str | None = None) -> list[Any]:
    """The objects of all processes, by rank; of the types of `broadcast_object`."""
    return [_from_json(json.loads(t)) for t in the_group().gather_text(json.dumps(_to_json(obj)))]


def _to_json(value: Any) -> Any:
    """[kind, what JSON can hold]."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return ["plain", value]
    if isinstance(value, bytes):
        return ["bytes", base64.b64encode(value).decode()]
    if isinstance(value, (np.ndarray, np.generic)):
        data = np.ascontiguousarray(value)
        text = base64.b64encode(data.tobytes()).decode()
        return ["array", [data.dtype.str, list(value.shape), text]]
    if isinstance(value, (list, tuple, set)):
        return [type(value).__name__, [_to_json(part) for part in value]]
    if isinstance(value, dict):
        return ["dict", [[_to_json(k), _to_json(v)] for k, v in value.items()]]
    raise MXNetTypeError(
        f"an object of {type(value).__name__} cannot be sent to other processes; send None, "
        "numbers, text, bytes, NumPy arrays, or lists, tuples, sets and dicts of them"
    )


def _from_json(pair: Any) -> Any:
    kind, value = pair
    if kind == "plain":
        return value
    if kind == "bytes":
        return base64.b64decode(value)
    if kind == "array":
        dtype, shape, text = value
        return np.frombuffer(base64.b64decode(text), np.dtype(dtype)).reshape(shape).copy()
    if kind == "dict":
        return {_from_json(k): _from_json(v) for k, v in value}
    return {"list": list, "tuple": tuple, "set": set}[kind](_from_json(part) for part in value)
