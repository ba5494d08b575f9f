"""A lowered module run node by node, reporting what goes into every node and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor, fx

from mxtorch._graph.node import Node

Report = Callable[[str, Tensor], None]
# The same with the operator's name between.
OpReport = Callable[[str, str, Tensor], None]


class Watcher(fx.Interpreter):
    """Calls `report(name, tensor)` for each node's outputs and, with `inputs`, before that for its
    inputs; when autograd goes back through a node, for the gradients of its inputs."""

    def __init__(self, module: fx.GraphModule, report: Report, inputs: bool) -> None:
        super().__init__(module)
        self._report = report
        self._inputs = inputs
        self.extra_traceback = False

    def run_node(self, n: fx.Node) -> Any:
        """One node of the module; those that stand for a node of the graph are reported."""
        source: Node | None = n.meta.get("mxnet")
        if source is None:
            return super().run_node(n)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        if self._inputs:
            self._report_inputs(source, args)
        own = self._followed(source, args)
        result = self.call_function(n.target, own, kwargs)
        self._report_outputs(source, [result] if isinstance(result, Tensor) else result)
        return result

    def _report_outputs(self, source: Node, tensors: Sequence[Tensor]) -> None:
        for index, tensor in enumerate(tensors):
            self._report(source.output_name(index), tensor)

    def _followed(self, source: Node, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs as views of their own, which tell this node's share of the gradients.

        Autograd goes back in reverse order, so the last one is made first.
        """
        views = list(args)
        for position in reversed(range(len(args))):
            tensor = args[position]
            if isinstance(tensor, Tensor) and tensor.requires_grad:
                views[position] = tensor.view_as(tensor)
                views[position].register_hook(self._hook(source, position))
        return tuple(views)

    def _hook(self, source: Node, position: int) -> Callable[[Tensor], None]:
        name = f"{source.name}_backward_output{position}"
        return lambda gradient: self._report(name, gradient)

    def _report_inputs(self, source: Node, args: tuple[Any, ...]) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        slots = source.input_slots()
        for slot, (child, _), tensor in zip(slots, source.inputs, tensors, strict=False):
            if child.is_variable:
                self._report(child.name, tensor)
            self._report(f"{source.name}_{slot}", tensor)


class OpWatcher(Watcher):
    """The same as blocks report it: with the operator's name, each input once, under the node's
    name; of the outputs only those that a caller sees."""

    def __init__(self, module: fx.GraphModule, report: OpReport, inputs: bool) -> None:
        super().__init__(module, lambda name, tensor: None, inputs)
        self._report_op = report

    def _report_outputs(self, source: Node, tensors: Sequence[Tensor]) -> None:
        for index, tensor in enumerate(tensors[: source.count_visible()]):
            self._report_op(source.output_name(index), source.op_name, tensor)

    def _hook(self, source: Node, position: int) -> Callable[[Tensor], None]:
        name, op = f"{source.name}_backward_{position}", f"_backward_{source.op_name}"
        return lambda gradient: self._report_op(name, op, gradient)

    def _report_inputs(self, source: Node, args: tuple[Any, ...]) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        for slot, tensor in zip(source.input_slots(), tensors, strict=False):
            self._report_op(f"{source.name}_{slot}", source.op_name, tensor)
