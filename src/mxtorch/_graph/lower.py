"""A Symbol's graph → one flat torch.fx module: placeholders for the variables, a call per node."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import torch
from torch import Tensor, fx

from mxtorch._core import binder
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import CallbackError, MXNetError, first_line
from mxtorch._core.modes import modes
from mxtorch._core.op import Op
from mxtorch._graph.node import Entry, Node, walk
from mxtorch._graph.place import Places


def lower(
    outputs: Sequence[Entry],
    variables: Sequence[Node],
    training: bool,
    shapes: Mapping[int, tuple[int, ...]] | None = None,
    bodies: Mapping[int, Callable[..., Any]] | None = None,
    kept: Collection[int] = (),
    places: Places | None = None,
) -> fx.GraphModule:
    """The module for one mode. It takes the variables' tensors in order and returns a tuple.

    No result shares memory with an input or with another result. `shapes` are those of nodes (by
    id) that leave lengths of their own shape to be worked out; `bodies` stand in for the operator's
    own at nodes that keep something from run to run. `kept` are the nodes (by id) that backward may
    come to. With `places` (see place.py) values move between the nodes' devices.
    """
    graph = fx.Graph()
    values: dict[tuple[int, int], fx.Node] = {}
    for position, variable in enumerate(variables):
        values[id(variable), 0] = graph.placeholder(f"v{position}_{_identifier(variable.name)}")
    for node in walk(outputs):
        if not node.is_variable:
            body = (bodies or {}).get(id(node), node.operator().body)
            if node.subgraphs:
                inside = [lower_inside(g, training, bodies, kept) for g in node.subgraphs]
                body = partial(body, graphs=tuple(inside))
            known = {"training": training, "kept": id(node) in kept}
            _call(graph, node, values, known, (shapes or {}).get(id(node)), body, places)
    results = []
    used: set[tuple[int, int]] = set()
    for node, index in outputs:
        result = values[id(node), index]
        shares = node.is_variable or node.operator().view or (id(node), index) in used
        if shares:
            result = graph.call_function(own_memory, (result,))
        used.add((id(node), index))
        results.append(result)
    graph.output(tuple(results))
    return fx.GraphModule(torch.nn.Module(), graph)


def lower_inside(
    outputs: Sequence[Entry],
    training: bool,
    bodies: Mapping[int, Callable[..., Any]] | None,
    kept: Collection[int] = (),
) -> fx.GraphModule:
    """A graph inside a node; its inputs are its variables in the order of the walk."""
    inputs = [node for node in walk(outputs) if node.is_variable]
    return lower(outputs, inputs, training, bodies=bodies, kept=kept)


def _call(
    graph: fx.Graph,
    node: Node,
    values: dict[tuple[int, int], fx.Node],
    known: Mapping[str, bool],
    shape: tuple[int, ...] | None,
    body: Callable[..., Any],
    places: Places | None,
) -> None:
    op = node.operator()
    arguments = _inputs(graph, node, values, places)
    passed_over = None if places else _splice(node, arguments, values)
    arguments = node.by_position(arguments)
    while arguments and arguments[-1] is None:
        arguments.pop()
    kwargs = dict(node.parsed())
    if shape is not None:
        kwargs["shape"] = shape
    runtime = [n for n, a in op.ambient.items() if a.name not in known and a.name != "graphs"]
    for name, ambient in op.ambient.items():
        if ambient.name in known:
            kwargs[name] = known[ambient.name]
    if op.free:  # the names of further attributes need not be Python's
        body, kwargs = partial(body, **kwargs), {}
    target = body
    if body is not op.body or runtime:
        target = with_ambient(op, tuple(runtime), body, places[id(node)] if places else None)
    result = graph.call_function(target, tuple(arguments), kwargs)
    result.meta["mxnet"] = node
    if passed_over is not None and not passed_over.users:
        graph.erase_node(passed_over)
    if node.count_outputs() == 1 and not _returns_tuple(op):
        values[id(node), 0] = result
        return
    for index in range(node.count_outputs()):
        values[id(node), index] = graph.call_function(item, (result, index))


def _inputs(
    graph: fx.Graph,
    node: Node,
    values: dict[tuple[int, int], fx.Node],
    places: Places | None,
) -> list[Any]:
    """The node's inputs, moved to its device where they come from another."""
    found = [values[id(child), index] for child, index in node.inputs]
    if places is None:
        return found
    device = context_to_device(places[id(node)])
    written = node.operator().written(node.parsed())
    for position, (slot, (child, _)) in enumerate(
        zip(node.input_slots(), node.inputs, strict=True)
    ):
        if context_to_device(places[id(child)]) == device:
            continue
        if slot in written:
            raise MXNetError(
                f"{node.op_name} {node.name!r} writes {child.name!r}, which is on another device; "
                "give both the same ctx_group"
            )
        found[position] = graph.call_function(move, (found[position], device))
    return found


def _splice(
    node: Node, arguments: list[Any], values: dict[tuple[int, int], fx.Node]
) -> fx.Node | None:
    """Put the inputs of the node that makes an input in its place, where the operator says so.

    Gives the call that is passed over by that.
    """
    if (splices := node.operator().splices) is None:
        return None
    slot, name = splices
    position = node.input_slots().index(slot)
    maker, index = node.inputs[position]
    if maker.op_name != name:
        return None
    arguments[position] = tuple(values[id(child), i] for child, i in maker.inputs)
    return values[id(maker), index]


def _returns_tuple(op: Op) -> bool:
    return callable(op.outputs) or op.outputs != 1


def item(results: Any, index: int) -> Tensor:
    if isinstance(results, Tensor):
        return results
    tensor: Tensor = results[index]
    return tensor


def first_result(call: fx.Node) -> fx.Node | None:
    """What stands for a call's first result; None if another of its results is used."""
    items = [user for user in call.users if user.target is item]
    if not items:
        return call
    used = [user for user in items if user.users]
    return used[0] if len(used) == 1 and used[0].args[1] == 0 else None


def own_memory(tensor: Tensor) -> Tensor:
    """A copy, for a result that would share memory with something else."""
    return tensor.clone(memory_format=torch.contiguous_format)


def move(tensor: Tensor, device: torch.device) -> Tensor:
    """The tensor on a device."""
    return tensor.to(device)


def with_ambient(
    op: Op, names: tuple[str, ...], body: Callable[..., Any], ctx: Context | None = None
) -> Callable[..., Any]:
    """The body with those ambient parameters that are only known when the graph runs; on `ctx`,
    or where the graph runs."""

    def run(*tensors: Any, **attrs: Any) -> Any:
        with ctx or nullcontext():
            for name in names:
                attrs[name] = op.ambient[name].get()
            return body(*tensors, **attrs)

    run.__name__ = run.__qualname__ = f"{op.body.__name__}_here"
    run.__module__ = op.body.__module__
    return run


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in name)


class _Tracer(fx.Interpreter):
    """Runs the module node by node, so that an error can name the node that failed."""

    def run_node(self, n: fx.Node) -> Any:
        source = n.meta.get("mxnet")
        try:
            return super().run_node(n)
        except binder.BODY_ERRORS as error:
            raise _located(source, error, self, n) from error


def _located(
    source: Node | None, error: Exception, tracer: fx.Interpreter, n: fx.Node
) -> MXNetError:
    if source is None or source.op is None:
        return error if isinstance(error, MXNetError) else MXNetError(str(error))
    tensors = [fx.node.map_arg(a, tracer.env.__getitem__) for a in n.args]
    return binder.body_error(source.op, error, tensors, source.parsed(), source.name)


def explain(module: fx.GraphModule, tensors: Sequence[Tensor], error: Exception) -> MXNetError:
    """The error of a run, with operator and node: the module is run again, node by node.

    What a user's own code raised goes on as it is.
    """
    if isinstance(error, CallbackError):
        raise error
    recording, modes.recording = modes.recording, False
    tracer = _Tracer(module, garbage_collect_values=False)
    tracer.extra_traceback = False
    try:
        tracer.run(*(t.detach() for t in tensors))
    except MXNetError as located:
        return located
    except RuntimeError:
        pass
    finally:
        modes.recording = recording
    return error if isinstance(error, MXNetError) else MXNetError(first_line(error))
