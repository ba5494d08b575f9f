"""A symbol file and its weights, as the graph that a deployed model needs."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from mxtorch._core import ndfile
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError
from mxtorch._core.ndentry import to_tensor
from mxtorch._graph.infer import infer
from mxtorch._graph.node import Entry, Node, auxiliary, walk, walk_all
from mxtorch._graph.types import infer_types
from mxtorch.symbol import load

Dims = tuple[int, ...]
# What an output operator computes when there is no label.
_PLAIN = {
    "LinearRegressionOutput": "_copy",
    "MAERegressionOutput": "_copy",
    "LogisticRegressionOutput": "sigmoid",
    "SVMOutput": "_copy",
    "MakeLoss": "_copy",
    "make_loss": "_copy",
    "BlockGrad": "_copy",
    "IdentityAttachKLSparseReg": "_copy",
}
# Names of variables that hold weights, in MXNet's own layers.
_ENDINGS = (
    ("_weight", "a weight"),
    ("_bias", "a bias"),
    ("_gamma", "a scale"),
    ("_beta", "a shift"),
    ("_moving_mean", "a moving mean"),
    ("_moving_var", "a moving variance"),
    ("_running_mean", "a running mean"),
    ("_running_var", "a running variance"),
    ("_parameters", "the parameters of a fused RNN"),
)


@dataclass
class Model:
    """A graph for inference.

    `inputs` are the variables without weights, in the order of the graph; `weights` and `states`
    the arrays of the others by variable name; `unused` names that the file has and the graph not.
    `left_out` are outputs that only training has, `replaced` what losses became, by node, `parts`
    the further nodes that it takes. `types` are those of inputs that do not follow from the
    weights'. `fixed` are weights that training leaves as they are: Gluon's constants and what has
    `grad_req='null'`.
    """

    outputs: list[Entry]
    inputs: list[str]
    weights: dict[str, Tensor]
    states: dict[str, Tensor]
    unused: list[str]
    left_out: list[str] = field(default_factory=list)
    replaced: dict[str, str] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, torch.dtype] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()

    @property
    def variables(self) -> list[Node]:
        """The graph's variables."""
        return [node for node in walk(self.outputs) if node.is_variable]

    @property
    def arrays(self) -> dict[str, Tensor]:
        """Weights and states."""
        return {**self.weights, **self.states}

    def output_names(self) -> list[str]:
        """What MXNet calls the outputs."""
        return [node.output_name(index) for node, index in self.outputs]

    def give_types(self, types: Mapping[str, torch.dtype]) -> None:
        """Say what inputs are of which type; raises MXNetValueError for what is no input."""
        for name, dtype in types.items():
            if name not in self.inputs:
                raise MXNetValueError(
                    f"no input is called {name!r}; the inputs are {', '.join(self.inputs)}"
                )
            self.types[name] = dtype

    def shapes(self, given: Mapping[str, Dims]) -> dict[tuple[int, int], Dims]:
        """The shape of each output of each node, for inputs of these shapes.

        Raises MXNetError, with the node, where a weight's shape does not fit.
        """
        arrays = {name: tuple(value.shape) for name, value in self.arrays.items()}
        types = {name: value.dtype for name, value in self.arrays.items()}
        types |= self.input_dtypes()
        try:
            known = infer(self.outputs, {**given, **arrays}, types)
        except MXNetError as error:
            floats = {str(t).removeprefix("torch.") for t in types.values() if t.is_floating_point}
            if len(floats) < 2:
                raise
            raise MXNetTypeError(
                f"{error}. Weights and inputs are of {' and '.join(sorted(floats))}; a Module "
                "gives all weights the type of its inputs, as --dtype float32 does"
            ) from error
        return {key: shape for key, shape in known.shapes.items() if shape is not None}

    def input_dtypes(self) -> dict[str, torch.dtype]:
        """The type of each input: as given, what follows from the weights', else float32."""
        given = {**{k: v.dtype for k, v in self.arrays.items()}, **self.types}
        known = infer_types(self.outputs, given)
        found = {}
        for node in self.variables:
            if node.name in self.inputs:
                found[node.name] = known.dtypes.get((id(node), 0)) or torch.float32
        return found


def cut(model: Model, node: Node) -> Model:
    """The model that ends at a node."""
    heads = [(node, 0)]
    used = [n.name for n in walk(heads) if n.is_variable]
    return Model(
        heads,
        [name for name in used if name in model.inputs],
        {name: model.weights[name] for name in used if name in model.weights},
        {name: model.states[name] for name in used if name in model.states},
        [],
        types={name: model.types[name] for name in used if name in model.types},
        fixed=model.fixed,
    )


def load_model(
    symbol: str | os.PathLike[str],
    params: str | os.PathLike[str],
    outputs: Sequence[str] = (),
    dtype: torch.dtype | None = None,
) -> Model:
    """Read `X-symbol.json` and `X-0000.params`.

    `outputs` names nodes to end at (`fc1` or `fc1_output`); `dtype` is given to weights of another
    floating type. Raises MXNetError for damaged files, a weight that is missing, or one whose shape
    does not fit.
    """
    return make_model(load(os.fspath(symbol))._outputs, read_arrays(params), outputs, dtype)


def read_arrays(params: str | os.PathLike[str]) -> dict[str, Tensor]:
    """The arrays of a `.params` file under the names that it has."""
    entries = ndfile.read(params)
    if entries and all(entry.name is None for entry in entries):
        raise MXNetError(
            f"{os.fspath(params)}: its {len(entries)} arrays have no names (a list was saved, not "
            "a dictionary), so nothing tells which weights they are"
        )
    return {e.name or "": to_tensor(e.to_dense()) for e in entries}


def make_model(
    heads: Sequence[Entry],
    arrays: Mapping[str, Tensor],
    outputs: Sequence[str] = (),
    dtype: torch.dtype | None = None,
    fixed: Collection[str] = (),
) -> Model:
    """A graph and arrays by name (`arg:` and `aux:` before it or not) as a model.

    `fixed`: weights that are not trained, beside those that the graph calls constants.
    """
    heads = [_find(heads, name) for name in outputs] if outputs else list(heads)
    if not heads:
        raise MXNetError("the graph has no outputs")
    for node in walk_all(heads):
        if node.op is not None:
            node.check_inputs()
    labels = _labels(heads)
    heads, replaced, parts = _without_losses(heads)
    left_out: list[str] = []
    if not outputs:
        heads, left_out = _predicting(heads, labels)
    weights, states = _split(arrays, heads)
    if dtype is not None:
        own = _own_types(heads, dtype)
        weights, states = _cast(weights, dtype, own), _cast(states, dtype, own)
    variables = [node for node in walk(heads) if node.is_variable]
    used = {node.name for node in variables}
    known = {**weights, **states}
    model = Model(
        heads,
        [node.name for node in variables if node.name not in known],
        {k: v for k, v in weights.items() if k in used},
        {k: v for k, v in states.items() if k in used},
        sorted(k for k in known if k not in used),
        left_out,
        replaced,
        parts,
        fixed=frozenset({*fixed, *(node.name for node in variables if _is_constant(node))}),
    )
    _check(model)
    return model


def _is_constant(variable: Node) -> bool:
    """Whether a variable is a `gluon.Constant`, whose initializer has a name of its own."""
    return variable.attrs.get("__init__", "").startswith("Constant_")


def _own_types(heads: Sequence[Entry], dtype: torch.dtype) -> dict[str, torch.dtype]:
    """The variables that have another type where the data has this one: those of BatchNorm."""
    found = {}
    for node in walk(heads):
        if node.op is None or node.op.dtypes is None or "dtype" in node.op.attrs:
            continue
        given = [dtype, *[None] * (len(node.inputs) - 1)]
        types = node.op.dtypes(given, node.parsed())[0]
        for (child, _), kind in zip(node.inputs, types, strict=True):
            if child.is_variable and kind is not None:
                found[child.name] = kind
    return found


def _cast(
    arrays: Mapping[str, Tensor], dtype: torch.dtype, own: Mapping[str, torch.dtype]
) -> dict[str, Tensor]:
    return {
        name: value.to(own.get(name, dtype)) if value.is_floating_point() else value
        for name, value in arrays.items()
    }


def _split(
    arrays: Mapping[str, Tensor], heads: Sequence[Entry]
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Weights and states; names without `arg:` or `aux:` are what the graph says."""
    nodes = list(walk(heads))
    written = auxiliary(nodes)
    auxiliaries = {node.name for node in nodes if id(node) in written}
    weights: dict[str, Tensor] = {}
    states: dict[str, Tensor] = {}
    for name, value in arrays.items():
        kind, _, rest = name.partition(":")
        plain = rest if kind in ("arg", "aux") and rest else name
        state = kind == "aux" if plain == rest else plain in auxiliaries
        (states if state else weights)[plain] = value
    return weights, states


def _find(heads: Sequence[Entry], name: str) -> Entry:
    for node in walk(heads):
        for index in range(node.count_outputs()):
            if name in (node.name, node.output_name(index)):
                return node, index
    names = [node.name for node in walk(heads) if not node.is_variable]
    like = difflib.get_close_matches(name, names, 5, 0.5)
    hint = f"names like it are {', '.join(like)}" if like else f"it ends in {', '.join(names[-5:])}"
    raise MXNetValueError(f"the graph has no node {name!r}; {hint}")


def _labels(heads: Sequence[Entry]) -> set[str]:
    """The variables that only training has: `label` inputs of losses, and what is called so."""
    found = set()
    for node in walk(heads):
        if node.is_variable:
            if node.name.endswith("label"):
                found.add(node.name)
        elif node.op is not None and (node.op_name in _PLAIN or _is_softmax(node)):
            for slot, (child, _) in zip(node.input_slots(), node.inputs, strict=False):
                if slot == "label" and child.is_variable:
                    found.add(child.name)
    return found


def _is_softmax(node: Node) -> bool:
    return node.op_name in ("SoftmaxOutput", "Softmax")


def _without_losses(
    heads: Sequence[Entry],
) -> tuple[list[Entry], dict[str, str], dict[str, list[str]]]:
    """The graph with every loss operator replaced by what it gives without labels.

    Variables of one name are one, as they are when a graph is bound.
    """
    replaced: dict[str, str] = {}
    parts: dict[str, list[str]] = {}
    made: dict[int, Node] = {}
    variables: dict[str, Node] = {}

    def moved(entry: Entry) -> Entry:
        return made[id(entry[0])], entry[1]

    for node in walk(heads):
        if node.is_variable:
            made[id(node)] = variables.setdefault(node.name, node)
            continue
        inputs = [moved(entry) for entry in node.inputs]
        made_of = _without_loss(node, inputs)
        if made_of:
            replaced[node.name] = made_of[-2:][0].op_name
            parts[node.name] = [part.name for part in made_of[:-1]]
        elif any(a[0] is not b[0] for a, b in zip(inputs, node.inputs, strict=True)):
            made_of = [Node(node.op_name, node.name, dict(node.attrs), inputs, node.subgraphs)]
        made[id(node)] = made_of[-1] if made_of else node
    return [moved(entry) for entry in heads], replaced, parts


def _without_loss(node: Node, inputs: Sequence[Entry]) -> list[Node]:
    """The nodes that a loss becomes, the last one under its name; none for another operator."""
    if node.op_name in _PLAIN:
        return [Node(_PLAIN[node.op_name], node.name, {}, [inputs[0]])]
    if not _is_softmax(node):
        return []
    attrs = node.parsed()
    if attrs.get("preserve_shape") or attrs.get("multi_output"):
        axis = "-1" if attrs.get("preserve_shape") else "1"
        return [Node("softmax", node.name, {"axis": axis}, [inputs[0]])]
    # of all but the batch: of rows, where these are vectors
    flat = Node("Flatten", f"{node.name}_flat", {}, [inputs[0]])
    rows = Node("softmax", f"{node.name}_rows", {"axis": "1"}, [(flat, 0)])
    return [flat, rows, Node("reshape_like", node.name, {}, [(rows, 0), inputs[0]])]


def _predicting(heads: Sequence[Entry], labels: set[str]) -> tuple[list[Entry], list[str]]:
    """The outputs that can be had without labels, and the names of the others.

    All of them, if there is none without.
    """
    needs: dict[int, bool] = {}
    for node in walk(heads):
        own = node.is_variable and node.name in labels
        needs[id(node)] = own or any(needs[id(child)] for child, _ in node.inputs)
    kept = [entry for entry in heads if not needs[id(entry[0])]]
    if not kept:
        return list(heads), []
    return kept, [node.name for node, _ in heads if needs[id(node)]]


def _check(model: Model) -> None:
    """A name that looks like a weight and has none is one that is missing."""
    missing = [name for name in model.inputs if name.endswith(tuple(e for e, _ in _ENDINGS))]
    if not missing:
        return
    name = missing[0]
    what = next(text for ending, text in _ENDINGS if name.endswith(ending))
    reader = next(
        node
        for node in walk(model.outputs)
        if any(c.is_variable and c.name == name for c, _ in node.inputs)
    )
    raise MXNetError(
        f"the file of weights lacks {', '.join(missing[:5])}"
        f"{' and others' if len(missing) > 5 else ''}: {name!r} is {what} of {reader.op_name} "
        f"{reader.name!r}. {_cause(missing, model)}"
    )


def _cause(missing: Sequence[str], model: Model) -> str:
    """The likely reason for names that are missing."""
    ends = {name.rpartition("_")[2]: name for name in model.unused}
    twins = [ends[n.rpartition("_")[2]] for n in missing if n.rpartition("_")[2] in ends]
    if twins and len(model.unused) >= len(missing):
        return (
            f"The file has names that the graph lacks, such as {twins[0]!r}: it is of another "
            "model, or of this one built with another prefix"
        )
    if not model.weights:
        return "No name of the file is in the graph: it is of another model"
    if all(name.endswith(("_mean", "_var")) for name in missing):
        return "Moving statistics are auxiliary states: save them too (`aux:` names)"
    return "Is it of another model, of another epoch, or saved with some layers left out?"


def explain_unused(model: Model) -> str | None:
    """Why the file may have names that the graph lacks; None if it has none."""
    if not model.unused:
        return None
    names = ", ".join(model.unused[:8])
    more = f" and {len(model.unused) - 8} others" if len(model.unused) > 8 else ""
    if model.left_out or any(name.endswith("label") for name in model.unused):
        cause = "they belong to outputs that only training has"
    elif all(name.endswith(("_mean", "_var", "_gamma", "_beta")) for name in model.unused):
        cause = "BatchNorm layers that were merged into others, or are not in this graph"
    else:
        cause = "layers that this graph ends before, or a file of another model"
    return f"weights that the graph does not use ({cause}): {names}{more}"
