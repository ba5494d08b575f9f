"""A lowered module for inference: what is known of its weights is worked into them once.

BatchNorm is folded into the convolution or product before it, the function after it is computed
with it, and the weights lie in memory as oneDNN wants them; between packed convolutions images keep
their channels last in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from mxtorch._core.op import Op
from mxtorch._core.packing import Constants, Role, find_role
from mxtorch._graph.lower import first_result

_PLAIN = Role()


def pack(
    module: fx.GraphModule, tensors: Sequence[Tensor], fixed: Collection[int]
) -> fx.GraphModule | None:
    """The module with the tensors at the positions `fixed` worked in; it takes the same tensors.

    It holds for tensors of these shapes. None if nothing of it can be packed.
    """
    return _Packing(module, tensors, fixed).run()


class _Shapes(fx.Interpreter):
    """Runs a module and notes the shapes of the float32 arrays that come out of nodes."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.extra_traceback = False

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        if isinstance(result, Tensor) and result.is_cpu and result.dtype is torch.float32:
            self.shapes[n.name] = tuple(result.shape)
        return result


class _Packing:
    def __init__(
        self, module: fx.GraphModule, tensors: Sequence[Tensor], fixed: Collection[int]
    ) -> None:
        shapes = _Shapes(module)
        shapes.run(*tensors)
        self._graph = fx.Graph()
        copies: dict[fx.Node, fx.Node] = {}
        self._graph.output(self._graph.graph_copy(module.graph, copies))
        self._shapes = {copies[n]: shapes.shapes.get(n.name) for n in copies}
        inputs = [n for n in self._graph.nodes if n.op == "placeholder"]
        # what was packed, and whether images come out
        self._packed: dict[fx.Node, bool] = {}
        self._constants = {inputs[i]: tensors[i] for i in fixed}

    def run(self) -> fx.GraphModule | None:
        """The new module."""
        for n in list(self._graph.nodes):
            if self._role(n).pack:
                self._pack(n)
        if not self._packed:
            return None
        self._graph.eliminate_dead_code()
        self._keep_layouts()
        return fx.GraphModule(torch.nn.Module(), self._graph)

    @staticmethod
    def _op(n: fx.Node) -> Op | None:
        source = n.meta.get("mxnet")
        return None if source is None or source.op is None else source.operator()

    def _role(self, n: fx.Node) -> Role:
        op = self._op(n)
        return (op and find_role(op.name)) or _PLAIN

    def _attrs(self, n: fx.Node) -> dict[str, Any]:
        op = self._op(n)
        assert op is not None
        return op.complete(dict(n.kwargs))

    def _known(self, n: fx.Node) -> Constants | None:
        """The constants among a node's inputs; None if another than the first is no constant."""
        rest = n.args[1:]
        if not all(a is None or a in self._constants for a in rest):
            return None
        return [None if a is None else self._constants[a] for a in rest]

    def _pack(self, n: fx.Node) -> None:
        """Put a packed call, if there is one, in the place of the node and of what follows it."""
        role, constants, data = self._role(n), self._known(n), n.args[0]
        assert role.pack is not None and isinstance(data, fx.Node)
        shape = self._shapes.get(data)
        if constants is None or shape is None or data in self._constants:
            return
        if any(t is not None and not (t.is_cpu and t.dtype is torch.float32) for t in constants):
            return
        attrs = self._attrs(n)
        constants, last = self._fold(n, constants, attrs)
        last, ending = self._ending(last)
        target = role.pack(constants, attrs, shape, ending)
        if target is None:
            return
        with self._graph.inserting_after(last):
            new = self._graph.call_function(target, (data,))
        last.replace_all_uses_with(new)
        result = self._shapes[new] = self._shapes[last]
        self._packed[new] = len(result or ()) == 4

    def _fold(self, n: fx.Node, constants: Constants, attrs: Any) -> tuple[Constants, fx.Node]:
        """The constants that do the affine map after the node too, and where that ends."""
        role, last = self._role(n), n
        while role.absorb and (follower := _only_user(last)) is not None:
            affine, known = self._role(follower).affine, self._known(follower)
            if affine is None or known is None or follower.args[0] is not last:
                break
            if (result := first_result(follower)) is None:
                break
            scaling = affine(known, self._attrs(follower))
            changed = role.absorb(constants, attrs, scaling) if scaling else None
            if changed is None:
                break
            constants, last = changed, result
        return constants, last

    def _ending(self, last: fx.Node) -> tuple[fx.Node, str]:
        follower = _only_user(last)
        if follower is not None and (ending := self._role(follower).ending) is not None:
            name = ending(self._attrs(follower))
            if name is not None:
                return follower, name
        return last, "none"

    def _keep_layouts(self) -> None:
        """Bodies that do not take images with their channels last get them in order."""
        last = {n for n, is_image in self._packed.items() if is_image}
        for n in self._graph.nodes:
            inputs = [a for a in n.all_input_nodes if a in last]
            if not inputs or n in self._packed:
                continue
            if n.op == "call_function" and (self._op(n) is None or self._role(n).any_layout):
                last.add(n)
                continue
            for a in inputs:
                with self._graph.inserting_before(n):
                    n.replace_input_with(a, self._graph.call_function(_in_order, (a,)))


def _only_user(n: fx.Node) -> fx.Node | None:
    users = list(n.users)
    return users[0] if len(users) == 1 else None


def _in_order(tensor: Tensor) -> Tensor:
    return tensor.contiguous()
