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

# Packing takes about as long as a run: so many runs on unchanged parameters and data of the same
# shapes come before it.
PATIENCE = 2
# It is for so many sets of shapes; each has its own copy of the weights.
_SHAPES = 4
# Shapes that are counted; data that never comes twice in one shape starts them anew.
_COUNTED = 256


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
    rest = [i for i in range(len(variables)) if i not in fixed]
    return Inference(fixed, rest) if found and fixed else None


class Inference:
    """Gives the packed form of a graph's module; `fixed` are the positions of its weights, `rest`
    those of its other inputs."""

    def __init__(self, fixed: Sequence[int], rest: Sequence[int]) -> None:
        self._fixed, self._rest = fixed, rest
        self._pick: Any = itemgetter(*fixed) if len(fixed) > 1 else lambda t: (t[fixed[0]],)
        self._watch: Watch | None = None
        self._runs: dict[Any, int] = {}  # by the shapes of the data
        self._packed: dict[Any, fx.GraphModule | None] = {}

    def get(self, module: fx.GraphModule, tensors: Sequence[Tensor]) -> fx.GraphModule:
        """What to run on the tensors: the module, or the same packed."""
        parameters = self._pick(tensors)
        watch = self._watch
        if watch is None or watch.stale or not all(map(is_, parameters, watch.tensors)):
            self._start(parameters)
        key = tuple([tensors[i].shape for i in self._rest])
        try:
            return self._packed[key] or module
        except KeyError:
            pass
        if len(self._runs) >= _COUNTED:
            self._runs.clear()
        runs = self._runs[key] = self._runs.get(key, 0) + 1
        if runs <= PATIENCE or self._watch is None or len(self._packed) >= _SHAPES:
            return module
        return self._make(key, module, tensors) or module

    def _start(self, parameters: Sequence[Any]) -> None:
        """Watch these from now on."""
        if self._watch is not None:
            self._watch.end()
        dense = all(isinstance(t, Tensor) for t in parameters)
        self._watch = Watch(parameters) if dense else None
        self._runs.clear()
        self._packed.clear()

    def _make(
        self, key: Any, module: fx.GraphModule, tensors: Sequence[Tensor]
    ) -> fx.GraphModule | None:
        found = None
        if torch_compat.packs() and all(type(t) in (Tensor, torch.nn.Parameter) for t in tensors):
            with torch.no_grad():
                found = pack(module, tensors, self._fixed)
        self._packed[key] = found
        del self._runs[key]
        return found
