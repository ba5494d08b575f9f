"""Symbol: MXNet's graph of operators, composed before it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import torch

from mxtorch._core.atomic import atomic_write
from mxtorch._core.attrs import attr_text
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.dtypes import dtype_flag, dtype_to_numpy, dtype_to_torch
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError
from mxtorch._front.handle import wrap_new
from mxtorch._graph import infer as inference
from mxtorch._graph import json as files
from mxtorch._graph.naming import AttrScope, hide_keys
from mxtorch._graph.node import VARIABLE, Entry, Node, copy_graph, variables, walk
from mxtorch.executor import Executor
from mxtorch.ndarray.ndarray import NDArray

__all__ = ["Group", "Symbol", "Variable", "load", "load_json", "var"]

Dims = tuple[int, ...]


class Symbol:
    """One or more outputs of a graph."""

    __slots__ = ("_outputs",)
    astype: ClassVar[Callable[..., Symbol]]  # stands in _functions.py, which puts it in

    def __init__(self, outputs: Sequence[Entry] | None) -> None:
        self._outputs: list[Entry] = list(outputs or ())  # None: MXNet's pickles call it so

    # structure -----------------------------------------------------------

    @property
    def name(self) -> str | None:
        """The node's name; None for a group."""
        names = {id(node): node.name for node, _ in self._outputs}
        return next(iter(names.values())) if len(names) == 1 else None

    def __repr__(self) -> str:
        if self.name is None:
            return f"<{type(self).__name__} group [{', '.join(self.list_outputs_short())}]>"
        return f"<{type(self).__name__} {self.name}>"

    def list_outputs_short(self) -> list[str]:
        """The names of the nodes of a group, as its text shows them."""
        return [node.name for node, _ in self._outputs]

    def __len__(self) -> int:
        return len(self._outputs)

    def __iter__(self) -> Iterator[Symbol]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: int | str | slice) -> Symbol:
        if isinstance(index, str):
            names = self.list_outputs()
            found = [i for i, name in enumerate(names) if name == index]
            if not found:
                raise ValueError(f"Cannot find output that matches name {index!r}")
            if len(found) > 1:
                raise ValueError(f"There are multiple outputs with name {index!r}")
            index = found[0]
        if isinstance(index, slice):
            return type(self)(self._outputs[index])
        if not isinstance(index, (int, np.integer)):
            raise TypeError("Symbol only support integer index to fetch i-th output")
        if not -len(self) <= index < len(self):
            raise IndexError("Index: [] is outside of the range")
        return type(self)([self._outputs[index]])

    def __copy__(self) -> Symbol:
        return type(self)(copy_graph(self._outputs))

    def __deepcopy__(self, memo: dict[int, Any]) -> Symbol:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return load_json, (self.tojson(),)

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Become what a pickle of MXNet's says."""
        self._outputs = load_json(state["handle"])._outputs

    def __bool__(self) -> bool:
        raise MXNetTypeError(
            "the truth value of a Symbol is not known before it runs; use sym.where or contrib.cond"
        )

    def __hash__(self) -> int:
        return id(self) // 16

    def get_internals(self) -> Symbol:
        """Every output of every node below, as one group."""
        return type(self)(
            [(node, i) for node in walk(self._outputs) for i in range(node.count_visible())]
        )

    def get_children(self) -> Symbol | None:
        """The direct inputs of the outputs' nodes as a group; None for a variable."""
        entries = [entry for node, _ in self._outputs for entry in node.inputs]
        return type(self)(entries) if entries else None

    def get_inputs(self) -> Symbol:
        """The variables below, as a group."""
        return type(self)([(n, 0) for n in walk(self._outputs) if n.is_variable])

    def list_arguments(self) -> list[str]:
        """The names of the arguments, in order of the graph."""
        return [n.name for n in variables(self._outputs)[0]]

    def list_auxiliary_states(self) -> list[str]:
        """The names of the states that operators write (moving statistics)."""
        return [n.name for n in variables(self._outputs)[1]]

    def list_inputs(self) -> list[str]:
        """The names of all variables, arguments and states, in order of the graph."""
        return [n.name for n in walk(self._outputs) if n.is_variable]

    def list_outputs(self) -> list[str]:
        """The names of the outputs: 'fc_output', 'split_output1'."""
        return [node.output_name(index) for node, index in self._outputs]

    # attributes ------------------------------------------------------------

    def attr(self, key: str) -> str | None:
        """One attribute of the node, or None."""
        attrs = self._outputs[0][0].attrs
        return attrs.get(key, attrs.get(f"__{key}__"))

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """The node's attributes."""
        if recursive:
            raise MXNetValueError("list_attr(recursive=True) is gone; use attr_dict()")
        if self.name is None:
            raise MXNetError("list_attr: a group has no attributes of its own")
        return dict(self._outputs[0][0].attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """The attributes of every node below, by name; nodes without any are left out."""
        return {n.name: dict(n.attrs) for n in walk(self._outputs) if n.attrs}

    def _set_attr(self, **kwargs: str) -> None:
        """Set attributes (texts) on the node."""
        for value in kwargs.values():
            if not isinstance(value, str):
                raise ValueError("Set Attr only accepts string values")
        self._outputs[0][0].attrs.update(hide_keys(kwargs))

    # composition -------------------------------------------------------------

    def __call__(self, *args: Symbol, **kwargs: Symbol) -> Symbol:
        """A copy in which variables are replaced: by position of list_arguments, or by name."""
        kwargs.pop("name", None)
        if args and kwargs:
            raise TypeError(
                "compose only accept input Symbols either as positional or keyword arguments"
            )
        arguments, states = variables(self._outputs)
        by_name = {n.name: n for n in [*arguments, *states]}
        given: dict[str, Any] = kwargs or dict(zip((n.name for n in arguments), args, strict=False))
        replace: dict[int, Entry] = {}
        for name, symbol in given.items():
            if not isinstance(symbol, Symbol):
                raise TypeError("Compose expect `Symbol` as arguments")
            if name not in by_name:
                raise MXNetError(
                    f"compose: there is no argument {name!r}; they are {', '.join(by_name)}"
                )
            replace[id(by_name[name])] = symbol._outputs[0]
        return type(self)(copy_graph(self._outputs, replace))

    # inference -------------------------------------------------------------------

    def infer_shape(self, *args: Any, **kwargs: Any) -> Any:
        """(argument shapes, output shapes, state shapes) from some inputs' shapes.

        (None, None, None) where too little is known; MXNetError where shapes do not fit.
        """
        result = self._infer_shape(*args, **kwargs)
        if any(s is None for part in result for s in part):
            return None, None, None
        return result

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Any:
        """The same with `()` for every shape that is not known."""
        result = self._infer_shape(*args, **kwargs)
        return tuple([() if s is None else s for s in part] for part in result)

    def _infer_shape(self, *args: Any, **kwargs: Any) -> tuple[list[Any], list[Any], list[Any]]:
        arguments, states = variables(self._outputs)
        if args and kwargs:
            raise ValueError(
                "Can only specify known argument shapes either by positional or kwargs way."
            )
        given = kwargs or {
            n.name: s for n, s in zip(arguments, args, strict=False) if s is not None
        }
        shapes = {name: tuple(shape) for name, shape in given.items() if shape is not None}
        known = inference.infer(self._outputs, shapes)
        return (
            [known.shape((n, 0)) for n in arguments],
            [known.shape(e) for e in self._outputs],
            [known.shape((n, 0)) for n in states],
        )

    def infer_type(self, *args: Any, **kwargs: Any) -> Any:
        """(argument types, output types, state types) as NumPy types from some inputs' types."""
        arguments, states = variables(self._outputs)
        given = kwargs or {
            n.name: t for n, t in zip(arguments, args, strict=False) if t is not None
        }
        types = {name: dtype_to_torch(t) for name, t in given.items()}
        result = inference.infer_types(self._outputs, types)
        parts = ([(n, 0) for n in arguments], self._outputs, [(n, 0) for n in states])
        return tuple([_numpy_type(result.dtype(e)) for e in part] for part in parts)

    infer_type_partial = infer_type

    # files -------------------------------------------------------------------------

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """The graph as MXNet's JSON text."""
        return files.dumps(self._outputs)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Write the graph as MXNet's JSON file."""
        with atomic_write(fname) as file:
            file.write(self.tojson(remove_amp_cast).encode())

    def debug_str(self) -> str:
        """A line for each node."""
        return "\n".join(
            f"{n.op_name} {n.name}({', '.join(c.name for c, _ in n.inputs)}) {n.attrs}"
            for n in walk(self._outputs)
        )

    # running -------------------------------------------------------------------------

    def bind(
        self,
        ctx: Context,
        args: Any,
        args_grad: Any = None,
        grad_req: Any = "write",
        aux_states: Any = None,
        group2ctx: Any = None,
        shared_exec: Any = None,
    ) -> Executor:
        """An executor over the given arrays."""
        names, states = self.list_arguments(), self.list_auxiliary_states()
        arrays = _by_position("args", args, names, required=True)
        gradients = _by_position("args_grad", args_grad, names)
        requests = [
            r if g is not None else "null"
            for r, g in zip(_requests(grad_req, names), gradients, strict=True)
        ]
        aux = _by_position("aux_states", aux_states, states, required=True)
        return Executor(self, ctx, arrays, gradients, requests, aux)

    def simple_bind(
        self,
        ctx: Context,
        grad_req: Any = "write",
        type_dict: Mapping[str, Any] | None = None,
        stype_dict: Any = None,
        group2ctx: Any = None,
        shared_arg_names: Any = None,
        shared_exec: Any = None,
        shared_buffer: Any = None,
        **kwargs: Any,
    ) -> Executor:
        """An executor over new arrays of zeros, whose shapes follow from those given."""
        arguments, states = variables(self._outputs)
        types = {k: dtype_to_torch(v) for k, v in (type_dict or {}).items()}
        shapes = {name: tuple(shape) for name, shape in kwargs.items()}
        known = inference.infer(self._outputs, shapes, types)
        unknown = [n.name for n in [*arguments, *states] if known.shape((n, 0)) is None]
        if unknown:
            raise MXNetError(
                f"simple_bind: the shapes of {', '.join(unknown)} do not follow from those given"
            )

        def zeros(node: Node) -> NDArray:
            tensor = torch.zeros(
                known.shape((node, 0)) or (),
                dtype=known.dtype((node, 0)) or torch.float32,
                device=context_to_device(ctx),
            )
            return wrap_new(NDArray, tensor, ctx)

        requests = _requests(grad_req, [n.name for n in arguments])
        return Executor(
            self,
            ctx,
            [zeros(n) for n in arguments],
            [None if r == "null" else zeros(n) for n, r in zip(arguments, requests, strict=True)],
            requests,
            [zeros(n) for n in states],
        )

    def eval(self, ctx: Context | None = None, **kwargs: NDArray) -> list[NDArray]:
        """The outputs for the given arrays."""
        place = ctx or next((a.context for a in kwargs.values()), Context("cpu", 0))
        return self.bind(place, kwargs).forward()


def _numpy_type(dtype: torch.dtype | None) -> Any:
    return None if dtype is None else dtype_to_numpy(dtype)


def _by_position(what: str, given: Any, names: Sequence[str], required: bool = False) -> list[Any]:
    """Arrays in the order of `names`, from a list, a dict or nothing."""
    if given is None:
        given = {}
    if isinstance(given, Mapping):
        missing = [n for n in names if n not in given]
        if required and missing:
            raise MXNetValueError(f"bind: {what} has no array for {', '.join(missing)}")
        return [given.get(n) for n in names]
    if len(given) != len(names):
        raise MXNetValueError(f"bind: {what} has {len(given)} arrays, the graph needs {len(names)}")
    return list(given)


def _requests(grad_req: Any, names: Sequence[str]) -> list[str]:
    if isinstance(grad_req, str):
        return [grad_req] * len(names)
    if isinstance(grad_req, Mapping):
        return [grad_req.get(n, "null") for n in names]
    return list(grad_req)


def var(
    name: str,
    attr: dict[str, str] | None = None,
    shape: Dims | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """A variable: an argument of the graph, or a state if an operator writes it."""
    if not isinstance(name, str):
        raise TypeError("Expect a string for variable `name`")
    texts = hide_keys(AttrScope.current.get(attr))
    named: dict[str, Any] = {"shape": shape, "lr_mult": lr_mult, "wd_mult": wd_mult}
    named["dtype"] = None if dtype is None else dtype_flag(dtype_to_torch(dtype))
    named["init"] = init if init is None or isinstance(init, str) else init.dumps()
    named["storage_type"] = (
        None if stype is None else {"default": 0, "row_sparse": 1, "csr": 2}[stype]
    )
    named["profiler_scope"] = profiler_scope
    texts |= {f"__{k}__": attr_text(v) for k, v in named.items() if v is not None}
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError(
                f"Attribute name={key} is not supported. Additional attributes must start and end "
                "with double underscores, e.g, __yourattr__"
            )
        texts[key] = str(value)
    return Symbol([(Node(VARIABLE, name, texts), 0)])


Variable = var


def Group(symbols: Sequence[Symbol], create_fn: Any = Symbol) -> Symbol:
    """All outputs of the symbols, as one."""
    if not symbols or any(not isinstance(s, Symbol) for s in symbols):
        raise TypeError("Expected a list of symbols as input")
    group: Symbol = create_fn([entry for s in symbols for entry in s._outputs])
    return group


def load(fname: str) -> Symbol:
    """The symbol in a JSON file."""
    try:
        with open(fname, encoding="utf-8") as file:
            return load_json(file.read())
    except OSError as error:
        raise MXNetError(f"symbol file {fname}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise MXNetError(f"symbol file {fname}: this is not text") from None


def load_json(json_str: str) -> Symbol:
    """The symbol in a JSON text."""
    if not isinstance(json_str, str):
        raise TypeError("json_str required to be string")
    return Symbol(files.loads(json_str))


load_json.__module__ = "mxtorch.symbol.symbol"
