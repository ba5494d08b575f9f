"""A lowered module run node by node, reporting what goes into every node and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.autograd.graph import register_multi_grad_hook

from mxtorch._core.modes import modes
from mxtorch._core.spans import noted
from mxtorch._graph.node import Node

Report = Callable[[str, Tensor], None]
# The same with the operator's name between.
OpReport = Callable[[str, str, Tensor], None]


class Watcher(fx.Interpreter):
    """Calls `report(name, tensor)` for each node's outputs, hidden statistics included, and with
    `inputs` before that for its inputs; when autograd goes back through a node, for the gradients
    of all its inputs (zeros where none is wanted), and for gradients that are sums of several."""

    def __init__(self, module: fx.GraphModule, report: Report, inputs: bool) -> None:
        super().__init__(module)
        self._report = report
        self._inputs = inputs
        self.extra_traceback = False
        # whether only backward is to be reported: the forward has been before
        self.is_repeat = False

    def run_node(self, n: fx.Node) -> Any:
        """One node of the module; those that stand for a node of the graph are reported."""
        source: Node | None = n.meta.get("mxnet")
        if source is None:
            result = super().run_node(n)
        else:
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            if self._inputs and not self.is_repeat:
                self._report_inputs(source, args)
            own = self._followed(source, args)
            result, outputs = self._run_watched(n, source, own, kwargs)
            self._watch_backward(source, own, args, result)
            if not self.is_repeat:
                self._report_outputs(source, outputs)
        self._watch_sum(n, result)
        return result

    def _run_watched(
        self, n: fx.Node, source: Node, own: tuple[Any, ...], kwargs: Any
    ) -> tuple[Any, Sequence[Tensor]]:
        """What the node gives, and all its outputs, those included that no caller sees."""
        reveal = self._reveals(source)
        if reveal is None:
            result = self.call_function(n.target, own, {**kwargs, **self._shown(source)})
            return result, [result] if isinstance(result, Tensor) else result

        def call(*tensors: Tensor) -> Any:
            return self.call_function(n.target, tensors, kwargs)

        outputs = reveal(call, *own, **source.operator().complete(source.parsed()))
        return outputs[0], outputs

    def _reveals(self, source: Node) -> Callable[..., tuple[Any, ...]] | None:
        return source.operator().reveal

    def _shown(self, source: Node) -> dict[str, bool]:
        """The attribute, if there is one, that makes the operator show all that it computes."""
        op, attrs = source.operator(), source.parsed()
        seen = op.count_visible(attrs)
        if op.count_outputs(attrs) == seen:  # more of them would be other results
            return {}
        for name, attr in op.attrs.items():
            if attr.default is False and op.count_visible({**attrs, name: True}) > seen:
                return {name: True}
        return {}

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
        return tuple(views)

    def _watch_backward(
        self, source: Node, own: tuple[Any, ...], args: tuple[Any, ...], result: Any
    ) -> None:
        """Report what backward makes of this node, once it is all there."""
        watched = [i for i, tensor in enumerate(own) if tensor is not args[i]]
        if not watched:
            return
        written = source.operator().written(source.parsed())
        slots = zip(source.input_slots(), own, strict=False)
        shapes = [t for slot, t in slots if isinstance(t, Tensor) and slot not in written]
        above: list[Tensor] = []
        if isinstance(result, Tensor) and result.requires_grad:
            result.register_hook(
                lambda gradient: above.__setitem__(
                    slice(None), [] if gradient is None else [gradient]
                )
            )

        def done(gradients: Sequence[Tensor | None]) -> None:
            if all(g is None for g in gradients):
                return
            if len(shapes) > 1 and above and all(_is_same(g, above[0]) for g in gradients):
                return  # the gradient from above is handed on to every input: nothing is computed
            found = dict(zip(watched, gradients, strict=True))
            for position, like in enumerate(shapes):
                gradient = found.get(position)
                number = position if len(shapes) > 1 else ""
                value = _or_zeros(gradient, like)
                self._report(f"{source.name}_backward_output{number}", value.detach())

        register_multi_grad_hook([own[i] for i in watched], done)

    def _watch_sum(self, n: fx.Node, result: Any) -> None:
        """Report the gradient of what several nodes use: MXNet adds in a node of its own."""
        if not isinstance(result, Tensor) or not result.requires_grad:
            return
        uses = sum(user.args.count(n) for user in n.users if "mxnet" in user.meta)
        if uses > 1:
            like = result.detach()  # the hook is the graph's, which it must not hold
            result.register_hook(
                lambda gradient: self._report("sum_grad_output", _or_zeros(gradient, like))
            )

    def _report_inputs(self, source: Node, args: tuple[Any, ...]) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        slots = source.monitored_slots()
        for slot, (child, _), tensor in zip(slots, source.inputs, tensors, strict=False):
            if child.is_variable:
                self._report(child.name, tensor)
            self._report(f"{source.name}_{slot}", tensor)


def _or_zeros(gradient: Tensor | None, like: Tensor) -> Tensor:
    """A gradient, or the zeros that MXNet has where torch has none: above a blocked one."""
    return torch.zeros_like(like) if gradient is None else gradient


def _is_same(gradient: Tensor | None, other: Tensor) -> bool:
    """Whether a gradient is that very array."""
    return (
        gradient is not None
        and gradient.shape == other.shape
        and gradient.data_ptr() == other.data_ptr()
    )


class OpWatcher(Watcher):
    """The same as blocks report it: with the operator's name, each input once, under the node's
    name; of the outputs those that a caller sees, and while recording the hidden ones too; an
    output that MXNet's registry has no name for by its number."""

    def __init__(self, module: fx.GraphModule, report: OpReport, inputs: bool) -> None:
        super().__init__(module, lambda name, tensor: None, inputs)
        self._report_op = report

    def _report_outputs(self, source: Node, tensors: Sequence[Tensor]) -> None:
        seen = None if modes.recording else source.count_visible()
        names = source.operator().name_outputs(source.parsed())
        for index, tensor in enumerate(tensors[:seen]):
            own = names[index] if index < len(names) else index
            self._report_op(f"{source.name}_{own}", source.op_name, tensor)

    def _reveals(self, source: Node) -> Callable[..., tuple[Any, ...]] | None:
        return super()._reveals(source) if modes.recording else None

    def _shown(self, source: Node) -> dict[str, bool]:
        return super()._shown(source) if modes.recording else {}

    def _watch_backward(
        self, source: Node, own: tuple[Any, ...], args: tuple[Any, ...], result: Any
    ) -> None:
        for position in reversed(range(len(own))):
            if own[position] is not args[position]:
                own[position].register_hook(self._hook(source, position, own[position].detach()))

    def _watch_sum(self, n: fx.Node, result: Any) -> None:
        pass

    def _hook(self, source: Node, position: int, like: Tensor) -> Callable[[Any], None]:
        name, op = f"{source.name}_backward_{position}", f"_backward_{source.op_name}"
        return lambda gradient: self._report_op(name, op, _or_zeros(gradient, like))

    def _report_inputs(self, source: Node, args: tuple[Any, ...]) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        for slot, tensor in zip(source.monitored_slots(), tensors, strict=False):
            self._report_op(f"{source.name}_{slot}", source.op_name, tensor)


class Noted(fx.Interpreter):
    """Notes when each node's operator ran."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False

    def run_node(self, n: fx.Node) -> Any:
        """One node of the module; those that stand for a node of the graph are noted."""
        source: Node | None = n.meta.get("mxnet")
        if source is None:
            return super().run_node(n)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        target: Any = n.target
        return noted(source.operator().name, target, args, kwargs)
