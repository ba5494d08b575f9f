"""Shapes and dtypes of every node, by running the bodies on tensors without data."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import binder
from mxtorch._core.attrs import DTypeKind, IntKind, TupleKind
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.op import Op
from mxtorch._graph.node import Entry, Node, walk

Dims = tuple[int, ...]
META = torch.device("meta")
_LONGEST = 2**63


def as_shape(name: str, shape: Any) -> Dims:
    """A shape from a program as plain whole numbers; those below -1 mean nothing."""
    if not isinstance(shape, (tuple, list)):
        raise MXNetTypeError(f"Arguments need to be shapes (tuple), but '{name}' is {type(shape)}.")
    try:
        found = tuple(int(operator.index(n)) for n in shape)
    except TypeError:
        raise MXNetTypeError(f"{name}: a shape is whole numbers, got {shape!r}") from None
    if any(not -1 <= n < _LONGEST for n in found):
        raise MXNetShapeError(f"{name}: shape {found} has a length that no axis can have")
    return found


@dataclass
class Inferred:
    """What is known: shape and dtype by (id of node, output); None where unknown."""

    shapes: dict[tuple[int, int], Dims | None] = field(default_factory=dict)
    dtypes: dict[tuple[int, int], torch.dtype | None] = field(default_factory=dict)
    # shapes of which some lengths are not known: those are 0
    parts: dict[tuple[int, int], Dims] = field(default_factory=dict)
    # what came out of a call before; the steps of an unrolled network are all alike
    made: dict[Any, list[tuple[Dims, torch.dtype]]] = field(default_factory=dict)
    # whether the variables' dtypes were told; where they are guesses, they contradict nothing
    typed: bool = True

    def shape(self, entry: Entry) -> Dims | None:
        return self.shapes.get((id(entry[0]), entry[1]))

    def part(self, entry: Entry) -> Dims | None:
        """The shape, with 0 for lengths that are not known; None if nothing is."""
        shape = self.shape(entry)
        return self.parts.get((id(entry[0]), entry[1])) if shape is None else shape

    def learn(self, entry: Entry, shape: Dims | None) -> bool:
        """Keep a shape or a part of one; whether it says more than before."""
        if shape is None or self.shape(entry) is not None:
            return False
        key = id(entry[0]), entry[1]
        before = self.parts.get(key)
        if before is not None and len(before) == len(shape):
            shape = tuple(n or old for n, old in zip(shape, before, strict=True))
        if 0 not in shape:
            self.shapes[key] = shape
            return True
        # of parts that contradict each other the first stays, or they would take turns for ever
        if before is not None and (shape == before or not _fits(shape, before)):
            return False
        self.parts[key] = shape
        return True

    def declare(self, variable: Node, shape: Dims | None) -> None:
        """Keep what is said of a variable's shape: lengths of -1, and 0 in legacy, are unknown."""
        if shape is not None and modes.np_shape and min(shape, default=0) >= 0:
            self.shapes[id(variable), 0] = shape
        elif shape is not None:
            self.learn((variable, 0), tuple(max(n, 0) for n in shape))

    def dtype(self, entry: Entry) -> torch.dtype | None:
        return self.dtypes.get((id(entry[0]), entry[1]))


def _fits(shape: Dims, before: Dims) -> bool:
    """Whether a shape says what another one says, and perhaps more."""
    pairs = zip(shape, before, strict=False)
    return len(shape) == len(before) and all(old in (0, n) for n, old in pairs)


# What a rule for shapes or types may raise where a file's node makes no sense.
_RULE_ERRORS = (*binder.BODY_ERRORS, AssertionError, AttributeError, LookupError, SyntaxError)


@contextlib.contextmanager
def located(node: Node, known: Inferred) -> Iterator[None]:
    """An error of a rule names the node; MXNetErrors, a program's own among them, go on."""
    try:
        yield
    except MXNetError:
        raise
    except _RULE_ERRORS as error:
        if node.op is None:
            raise MXNetShapeError(f"{node.name}: its shape or type makes no sense") from error
        raise _explained(node, [known.part(e) for e in node.inputs], error) from error


@contextlib.contextmanager
def _named(node: Node, shapes: Sequence[Dims | None]) -> Iterator[None]:
    """An error of the operator's own rule gets the node and the shapes that it was given."""
    try:
        yield
    except _RULE_ERRORS as error:
        raise _explained(node, shapes, error) from error


def _explained(node: Node, shapes: Sequence[Dims | None], error: Exception) -> MXNetError:
    try:
        arrays = [None if s is None else torch.empty(s, device=META) for s in shapes]
    except (RuntimeError, TypeError):  # lengths beyond 64 bits, as no array has them
        came = ", ".join(map(str, shapes))
        return MXNetShapeError(f"{node.op_name} {node.name!r}: shapes {came} are too large")
    given = node.by_position(arrays)
    made = binder.body_error(node.operator(), error, given, node.parsed(), node.name)
    return made if isinstance(error, MXNetError) else MXNetShapeError(str(made))


def infer(
    outputs: Sequence[Entry],
    shapes: Mapping[str, Dims],
    dtypes: Mapping[str, torch.dtype] | None = None,
) -> Inferred:
    """Shapes and dtypes of all entries from those of some variables (by name)."""
    known = Inferred(typed=dtypes is not None)
    types = dtypes or {}
    nodes = list(walk(outputs))
    for node in nodes:
        if node.is_variable:
            with located(node, known):
                known.declare(node, _declared_shape(node, shapes))
                known.dtypes[id(node), 0] = types.get(node.name, declared_dtype(node))
    calls = [node for node in nodes if not node.is_variable]
    for node in calls:
        with located(node, known):
            _infer_node(node, known)
    _complete(calls, known)
    return known


def unfinished(outputs: Sequence[Entry]) -> list[Node]:
    """The nodes without inputs whose shape has a 0: a length to be worked out."""
    return [n for n in walk(outputs) if not n.is_variable and _is_unfinished(n)]


def _is_unfinished(node: Node) -> bool:
    is_legacy = node.op is not None and not node.op.is_numpy
    return is_legacy and not node.inputs and 0 in (node.parsed().get("shape") or ())


def _declared_shape(node: Node, shapes: Mapping[str, Dims]) -> Dims | None:
    """A variable's shape; what `()` and 'None' say of an array that has axes is nothing."""
    shape = shapes.get(node.name)
    if shape is not None or "__shape__" not in node.attrs:
        return shape
    text = node.attrs["__shape__"]
    if text == "None":
        return None
    try:
        found = as_shape(node.name, TupleKind(IntKind()).read(text))
    except (SyntaxError, TypeError, ValueError) as error:
        raise MXNetShapeError(f"{node.name}: __shape__={text!r} is no shape") from error
    return found if found or modes.np_shape else None


def _complete(calls: Sequence[Node], known: Inferred) -> None:
    """Go back and forth through calls of which not all is known until nothing more follows."""
    todo = [n for n in calls if any(known.shape(e) is None for e in (*n.inputs, (n, 0)))]
    learned = True
    while todo and learned:
        learned = False
        for node in reversed(todo):
            with located(node, known):
                learned |= _apply_rule(node, known)
        for node in todo:
            before = known.shape((node, 0))
            with located(node, known):
                _infer_node(node, known)
                learned |= before is None and known.shape((node, 0)) is not None
                learned |= _apply_rule(node, known) or _probe(node, known)
        todo = [n for n in todo if any(known.shape(e) is None for e in (*n.inputs, (n, 0)))]


def _apply_rule(node: Node, known: Inferred) -> bool:
    """Use the operator's rule for shapes known in part; whether it told anything."""
    op = node.operator()
    if _is_unfinished(node):
        return known.learn((node, 0), node.parsed()["shape"])
    if op.infer is None:
        return False
    outputs = [(node, i) for i in range(node.count_outputs())]
    entries = [*node.inputs, *outputs]
    parts = [known.part(e) for e in node.inputs], [known.part(e) for e in outputs]
    with _named(node, parts[0]):
        found = op.infer(*parts, op.complete(node.parsed()))
    shapes = [*found[0], *found[1]]
    learned = [known.learn(e, s) for e, s in zip(entries, shapes, strict=True)]
    return any(learned)


# Stand for unknown lengths, in turn: what differs in the results is unknown too. Both can be
# divided by many numbers, and are large enough for most windows.
_TRIALS = 120, 240


def _probe(node: Node, known: Inferred) -> bool:
    """Run the operator on shapes known in part, with several lengths in the place of those that
    are not known; whether that told anything."""
    op = node.operator()
    given = [known.part(e) for e in node.inputs]
    if not given or given[0] is None or node.subgraphs or op.is_numpy:
        return False
    trials = []
    for length in _TRIALS:
        shapes = [None if s is None else tuple(n or length for n in s) for s in given]
        try:
            trials.append(_outcome(node, shapes, [known.dtype(e) for e in node.inputs]))
        except (MXNetError, AssertionError):
            return False  # these lengths do not fit; others may
    entries = [*node.inputs, *((node, i) for i in range(node.count_outputs()))]
    found = [_common(*pair) for pair in zip(*trials, strict=True)]
    learned = [known.learn(e, s) for e, s in zip(entries, found, strict=False)]
    return any(learned)


def _outcome(
    node: Node, shapes: list[Dims | None], dtypes: Sequence[torch.dtype | None]
) -> list[Dims | None]:
    """The shapes of a call's inputs, and those of its outputs if all inputs' are known."""
    filled = _filled(node, shapes) if node.operator().fill else shapes
    inputs = [before or after for before, after in zip(shapes, filled, strict=True)]
    if any(s is None for s in inputs):
        return inputs
    tensors = [
        torch.empty(s or (), dtype=d or torch.float32, device=META)
        for s, d in zip(inputs, dtypes, strict=True)
    ]
    results = run_on_meta(node, node.parsed(), tensors)
    return [*inputs, *(tuple(t.shape) for t in results)]


def _common(one: Dims | None, other: Dims | None) -> Dims | None:
    """What two trials agree on, with 0 for lengths that differ."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else 0 for a, b in zip(one, other, strict=True))


def declared_dtype(node: Node) -> torch.dtype | None:
    text = node.attrs.get("__dtype__")
    if text is None or text == "-1":
        return None
    return DTypeKind().read(text)


def _infer_node(node: Node, known: Inferred) -> None:
    op = node.operator()
    attrs = node.parsed()
    node.check_inputs()
    shapes = [known.shape(e) for e in node.inputs]
    if any(s is None for s in shapes) and op.fill is not None:
        shapes = _fill_shapes(node, known)
    if any(s is None for s in shapes) and node.subgraphs:
        shapes = _fill_from_inside(node, known)
    complete = [s for s in shapes if s is not None]
    if len(complete) < len(shapes):
        return
    fill_dtypes(node, known, torch.float32)
    if _is_unfinished(node):
        attrs = {**attrs, "shape": known.shape((node, 0)) or attrs["shape"]}
        known.dtypes[id(node), 0] = attrs.get("dtype", torch.float32)
        if known.shape((node, 0)) is None:
            return
    dtypes = [known.dtype(e) or torch.float32 for e in node.inputs]
    if not known.typed:
        dtypes = _for_shapes(op, dtypes)
    key = (node.op_name, tuple(node.attrs.items()), str(attrs.get("shape")), *complete, *dtypes)
    if getattr(op.infer, "is_elementwise", False) and _is_plain(op, complete, dtypes):
        known.made[key] = [(complete[0], dtypes[0])]
    if key not in known.made:
        tensors = [
            torch.empty(s, dtype=d, device=META) for s, d in zip(complete, dtypes, strict=True)
        ]
        results = run_on_meta(node, attrs, tensors)
        known.made[key] = [(tuple(t.shape), t.dtype) for t in results]
    for index, (shape, dtype) in enumerate(known.made[key]):
        known.shapes[id(node), index] = shape
        known.dtypes[id(node), index] = dtype


def _for_shapes(op: Op, dtypes: list[torch.dtype]) -> list[torch.dtype]:
    """Types that no operator refuses: whoever asks for shapes has not said the types."""
    if not op.mixed:
        return dtypes[:1] * len(dtypes)
    return [torch.float32 if dtype.is_floating_point else dtype for dtype in dtypes]


def _is_plain(op: Op, shapes: Sequence[Dims], dtypes: Sequence[torch.dtype]) -> bool:
    """Float inputs of one shape and type: nothing that an elementwise body would refuse.

    It need not run, then: torch's shape rules for some of them import its compiler.
    """
    if op.outputs != 1 or "dtype" in op.attrs:
        return False
    return len({*shapes}) == 1 and len({*dtypes}) == 1 and dtypes[0].is_floating_point


def _fill_shapes(node: Node, known: Inferred) -> list[Dims | None]:
    """The inputs' shapes with those filled in that the operator can tell from the others."""
    shapes = [known.shape(e) for e in node.inputs]
    if known.part(node.inputs[0]) is None:
        return shapes  # MXNet tells nothing before it knows the data's number of axes
    for entry, before, after in zip(node.inputs, shapes, _filled(node, shapes), strict=False):
        if before is None and after is not None:
            known.shapes[id(entry[0]), entry[1]] = tuple(after)
    return [known.shape(e) for e in node.inputs]


def _filled(node: Node, shapes: list[Dims | None]) -> list[Dims | None]:
    """What the operator's rule tells of the shapes of its missing inputs."""
    op = node.operator()
    assert op.fill is not None
    # an input that this call leaves out (no_bias) has its place, as None
    with _named(node, shapes):
        filled = list(op.fill(node.by_position(shapes), op.complete(node.parsed())))
    if op.variadic:
        return filled
    by_slot = dict(zip((i.name for i in op.inputs), filled, strict=False))
    return [by_slot.get(slot) for slot in node.input_slots()]


def fill_dtypes(node: Node, known: Inferred, default: torch.dtype | None = None) -> None:
    """Inputs without a dtype take that of the first one that has one, unless they may differ;
    MXNetTypeError for dtypes that were told and do not fit."""
    op = node.operator()
    given = [known.dtype(e) for e in node.inputs]
    filled: Sequence[torch.dtype | None] = given
    if op.dtypes is not None:
        # the rule may ask for other types than the default; it goes by the first input
        known_first = given if any(given) else [default, *given[1:]]
        filled = op.dtypes(known_first[: len(given)], node.parsed())[0]
    elif not op.mixed or default is not None:
        first = next((d for d in given if d is not None), None)
        filled = [d or first for d in given]
    for entry, before, after in zip(node.inputs, given, filled, strict=True):
        if before is None and (after or default) is not None:
            known.dtypes[id(entry[0]), entry[1]] = after or default
    if known.typed and not op.mixed and len({d for d in filled if d is not None}) > 1:
        names = ", ".join(str(d).removeprefix("torch.") for d in filled)
        raise MXNetTypeError(f"{node.op_name} {node.name!r}: inputs differ in dtype: {names}")


def inputs_inside(graph: Sequence[Entry]) -> list[Node]:
    """The variables of a graph inside a node, in the order in which it takes them."""
    return [node for node in walk(graph) if node.is_variable]


def _run_inside(graph: Sequence[Entry], *tensors: Tensor) -> tuple[Tensor, ...]:
    """The outputs of a graph inside a node, on tensors without data."""
    pairs = list(zip(inputs_inside(graph), tensors, strict=True))
    shapes = {node.name: tuple(tensor.shape) for node, tensor in pairs}
    known = infer(graph, shapes, {node.name: tensor.dtype for node, tensor in pairs})
    found = [(known.shape(e), known.dtype(e)) for e in graph]
    if any(shape is None for shape, _ in found):
        raise MXNetShapeError("the shapes inside do not follow from those of the inputs")
    return tuple(torch.empty(shape or (), dtype=dtype, device=META) for shape, dtype in found)


def _fill_from_inside(node: Node, known: Inferred) -> list[Dims | None]:
    """The inputs' shapes with those filled in that the graphs inside can tell."""
    regions = node.operator().regions
    assert regions is not None
    for graph, region in zip(node.subgraphs, regions(node.parsed()), strict=True):
        inputs = inputs_inside(graph)
        shapes: dict[str, Dims] = {}
        for variable, (source, dropped) in zip(inputs, region, strict=True):
            shape = known.shape(node.inputs[source])
            if shape is not None:
                short = shape[dropped:]
                shapes[variable.name] = short if short or modes.np_shape else (1,)
        inner = infer(graph, shapes)
        for variable, (source, dropped) in zip(inputs, region, strict=True):
            shape = inner.shape((variable, 0))
            if shape is not None:
                known.learn(node.inputs[source], (0,) * dropped + shape)
    return [known.shape(e) for e in node.inputs]


def run_on_meta(node: Node, attrs: Mapping[str, Any], tensors: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a node on tensors without data; none if their shapes depend on values."""
    op = node.operator()
    inside = tuple(partial(_run_inside, graph) for graph in node.subgraphs)
    values = {"device": META, "out": None, "graphs": inside, "np_shape": modes.np_shape}
    extra: dict[str, Any] = {n: values.get(a.name, False) for n, a in op.ambient.items()}
    try:
        with torch.no_grad():
            body = op.body if op.keep is None else op.keep(node.parsed(), False)
            results = body(*node.by_position(tensors), **attrs, **extra)
    except NotImplementedError:  # the shape depends on values
        return []
    except (*binder.BODY_ERRORS, AssertionError) as error:  # torch asserts, on such tensors
        wrapped = binder.body_error(op, error, node.by_position(tensors), attrs, node.name)
        if isinstance(wrapped, MXNetShapeError) or type(wrapped) is not MXNetError:
            raise wrapped from error
        raise MXNetShapeError(str(wrapped)) from error
    return [results] if isinstance(results, Tensor) else list(results)
