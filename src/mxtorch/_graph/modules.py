"""The lowered modules of one graph, made when first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torch import Tensor, fx

from mxtorch._core.errors import MXNetShapeError
from mxtorch._graph.infer import infer, unfinished
from mxtorch._graph.lower import lower
from mxtorch._graph.node import Entry, Node, walk, walk_all
from mxtorch._graph.place import Places


class Modules:
    """A module for each mode and, where lengths are left to be worked out, for each set of shapes.

    `variables` is the order of the modules' inputs. With `keep`, operators written in Python are
    made once, not in each run. `followed` are the variables that backward goes to, None: all. With
    `places`, values move between the nodes' devices.
    """

    def __init__(
        self,
        outputs: Sequence[Entry],
        variables: Sequence[Node],
        keep: bool = False,
        followed: Iterable[Node] | None = None,
        places: Places | None = None,
    ) -> None:
        self._outputs = outputs
        self._variables = variables
        self._places = places
        self._unfinished = unfinished(outputs)
        self._made: dict[Any, fx.GraphModule] = {}
        self._bodies: dict[int, Callable[..., Any]] = {}
        above = None if followed is None else _above(outputs, followed)
        # nodes that ask whether backward may come, and to which it may
        self._kept: set[int] = set()
        for node in walk_all(outputs):
            if node.op is None:
                continue
            if node.op.keep is not None:
                self._bodies[id(node)] = node.op.keep(node.parsed(), keep)
            asks = any(a.name == "kept" for a in node.op.ambient.values())
            if asks and (above is None or id(node) in above):
                self._kept.add(id(node))

    def get(self, training: bool, tensors: Sequence[Tensor], kept: bool = False) -> fx.GraphModule:
        """The module for one mode that takes tensors of these shapes; `kept`: backward may come."""
        kept = kept and bool(self._kept)
        key: Any = (training, kept)
        if self._unfinished:
            key = (*key, *[t.shape for t in tensors])
        found = self._made.get(key)
        if found is None:
            shapes = self._work_out(tensors) if self._unfinished else None
            asked = self._kept if kept else ()
            found = lower(
                self._outputs,
                self._variables,
                training,
                shapes,
                self._bodies,
                asked,
                self._places,
            )
            self._made[key] = found
        return found

    def _work_out(self, tensors: Sequence[Tensor]) -> dict[int, tuple[int, ...]]:
        pairs = list(zip(self._variables, tensors, strict=True))
        known = infer(
            self._outputs,
            {variable.name: tuple(tensor.shape) for variable, tensor in pairs},
            {variable.name: tensor.dtype for variable, tensor in pairs},
        )
        found = {}
        for node in self._unfinished:
            shape = known.shape((node, 0))
            if shape is None:
                raise MXNetShapeError(
                    f"{node.op_name} {node.name!r}: the lengths 0 of its shape "
                    f"{node.attrs['shape']} do not follow from the inputs' shapes; write them out"
                )
            found[id(node)] = shape
        return found


def _above(outputs: Sequence[Entry], variables: Iterable[Node]) -> set[int]:
    """The nodes (by id) that are computed from these variables, those inside of them too."""
    found = {id(variable) for variable in variables}
    for node in walk(outputs):
        if any(id(child) in found for child, _ in node.inputs):
            found.add(id(node))
            found.update(id(inner) for graph in node.subgraphs for inner in walk_all(graph))
    return found
