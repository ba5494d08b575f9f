"""A lowered module run with sparse arrays among its inputs."""

from __future__ import annotations

from typing import Any

import torch
from torch import fx

from mxtorch._core.storage import SparseValue, Tracked, find_kernel, is_for_dense
from mxtorch._graph.lower import item
from mxtorch._graph.node import Node


def to_dense(value: Any) -> Any:
    """The dense array of a sparse value; what is dense, or no array, as it is."""
    if isinstance(value, Tracked):
        return value.dense
    if isinstance(value, SparseValue):
        return value.to_dense()
    if isinstance(value, (tuple, list)):
        return type(value)(to_dense(v) for v in value)
    return value


def _stored(value: Any) -> Any:
    return value.value if isinstance(value, Tracked) else value


class ByStorage(fx.Interpreter):
    """Calls operators' sparse kernels where sparse values come in, their bodies elsewhere."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False

    def run_node(self, n: fx.Node) -> Any:
        """One node of the module."""
        if n.op in ("placeholder", "output"):
            return super().run_node(n)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        source: Node | None = n.meta.get("mxnet")
        sparse = any(isinstance(a, (Tracked, SparseValue)) for a in args)
        if source is None:
            if sparse and len(args) == 1:  # a result that gets memory of its own
                return args[0]
            if n.target is item:  # one of several outputs, as it is
                return item(*args)
            return self.call_function(n.target, to_dense(args), kwargs)
        if source.operator().sparse:
            return self.call_function(n.target, args, kwargs)
        name = source.operator().name
        kernel = find_kernel(name) if sparse or is_for_dense(name) else None
        if kernel is None:
            return self.call_function(n.target, to_dense(args), kwargs)
        if not any(isinstance(a, Tracked) for a in args):
            result = kernel(*args, **kwargs)
            if result is None:
                return self.call_function(n.target, to_dense(args), kwargs)
            return result
        mixed = tuple(a.dense if isinstance(a, Tracked) else a for a in args)
        if any(isinstance(a, SparseValue) for a in mixed):
            result = kernel(*mixed, **kwargs)
            if result is not None:
                return result
        dense = self.call_function(n.target, to_dense(args), kwargs)
        with torch.no_grad():
            value = kernel(*map(_stored, args), **kwargs)
        return Tracked(value, dense) if isinstance(value, SparseValue) else dense
