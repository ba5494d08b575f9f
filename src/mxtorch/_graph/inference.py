"""Which module runs in inference: packed once the parameters stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_, itemgetter
from typing import Any

import torch
from torch import Tensor, fx

from mxtorch._core import env, torch_compat
from mxtorch._core.packing import find_role
from mxtorch._core.writes import Watch
from mxtorch._graph.node import Entry, Node, walk
from mxtorch._graph.pack import pack

# So many runs on unchanged parameters before packing, which takes about as long as one run.
PATIENCE = 3
# For so many sets of shapes at a time; each has its own copy of the weights.
_SHAPES = 4


def plan(outputs: Sequence[Entry], variables: Sequence[Node]) -> Inference | None:
    """The way to packed modules of a graph; None if there is nothing in it to pack."""
    if env.SUBGRAPH_BACKEND.get() == "NONE":
        return None
    constants: set[int] = set()
    others = {id(node) for node, _ in outputs}
    found = False
    for node in walk(outputs):
        role = None if node.op is None else find_role(node.op.name)
        folds = role is not None and (role.pack is not None or role.affine is not None)
        found = found or (role is not None and role.pack is not None)
        for place, (child, _) in enumerate(node.inputs):
            (constants if folds and place else others).add(id(child))
    fixed = [i for i, v in enumerate(variables) if id(v) in constants - others]
    return Inference(fixed) if found and fixed else None


class Inference:
    """Gives the packed form of a graph's module; `fixed` are the positions of its weights."""

    def __init__(self, fixed: Sequence[int]) -> None:
        self._fixed = tuple(fixed)
        self._pick: Any = itemgetter(*fixed) if len(fixed) > 1 else lambda t: (t[fixed[0]],)
        self._data: tuple[int, ...] | None = None
        self._watch: Watch | None = None
        self._runs = 0
        self._packed: dict[Any, fx.GraphModule | None] = {}

    def get(self, module: fx.GraphModule, tensors: Sequence[Tensor]) -> fx.GraphModule:
        """What to run on the tensors: the module, or the same packed."""
        parameters = self._pick(tensors)
        watch = self._watch
        if watch is None or watch.stale or not all(map(is_, parameters, watch.tensors)):
            self._start(parameters)
            return module
        if self._runs < PATIENCE - 1:
            self._runs += 1
            return module
        key = tuple([tensors[i].shape for i in self._others(len(tensors))])
        try:
            return self._packed[key] or module
        except KeyError:
            return self._make(key, module, tensors) or module

    def _start(self, parameters: Sequence[Any]) -> None:
        """Watch these from now on."""
        if self._watch is not None:
            self._watch.end()
        dense = all(isinstance(t, Tensor) for t in parameters)
        self._watch, self._runs = (Watch(parameters) if dense else None), 0
        self._packed.clear()

    def _others(self, count: int) -> tuple[int, ...]:
        if self._data is None:
            self._data = tuple(i for i in range(count) if i not in self._fixed)
        return self._data

    def _make(
        self, key: Any, module: fx.GraphModule, tensors: Sequence[Tensor]
    ) -> fx.GraphModule | None:
        if len(self._packed) >= _SHAPES:
            self._packed.clear()
        found = None
        if torch_compat.packs() and all(type(t) in (Tensor, torch.nn.Parameter) for t in tensors):
            with torch.no_grad():
                found = pack(module, tensors, self._fixed)
        self._packed[key] = found
        return found
