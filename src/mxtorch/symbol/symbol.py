"""Symbol: MXNet's graph of operators, composed before it runs."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from mxtorch._core.atomic import atomic_write
from mxtorch._core.attrs import attr_text
from mxtorch._core.device import Context, current_context
from mxtorch._core.dtypes import dtype_flag, dtype_to_numpy, dtype_to_torch
from mxtorch._core.errors import MXNetAssertionError, MXNetError
from mxtorch._core.file_kinds import what_is
from mxtorch._core.modes import modes
from mxtorch._core.warn import warn
from mxtorch._graph import infer as inference
from mxtorch._graph import json as files
from mxtorch._graph.naming import HIDDEN_KEYS, AttrScope, hide_keys, show_keys
from mxtorch._graph.node import (
    VARIABLE,
    Entry,
    Node,
    copy_graph,
    describe,
    variables,
    walk,
    without_casts,
)
from mxtorch._graph.types import infer_types
from mxtorch.base import NotImplementedForSymbol
from mxtorch.executor import Executor
from mxtorch.ndarray.ndarray import NDArray
from mxtorch.symbol import _bind as binding

__all__ = ["Group", "Symbol", "Variable", "load", "load_json", "var"]

Dims = tuple[int, ...]
# Those of MXNet's CPU packages; they fuse nodes, which changes speed and nothing else.
_BACKENDS = ("MKLDNN", "MKLDNN_QUANTIZE")


def report_backend(backend: str) -> None:
    """Say in the log that a backend, which would rewrite the graph, is not there."""
    if backend not in _BACKENDS:
        logging.warning("optimize_for: backend %r cannot be found; nothing changes", backend)


@contextmanager
def _telling(what: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Iterator[None]:
    """Print what an inference was given if it fails, as MXNet does."""
    try:
        yield
    except MXNetError:
        given = [(f"#{i}", value) for i, value in enumerate(args)] + list(kwargs.items())
        print(f"{what} error. Arguments:", *(f"  {n}: {v}" for n, v in given), sep="\n")
        raise


def _shapes(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Shapes from a program, checked; None says nothing where they come by position."""

    def checked(name: str, shape: Any) -> Any:
        if not isinstance(shape, tuple):
            raise TypeError(f"Arguments need to be shapes (tuple), but '{name}' is {type(shape)}.")
        return inference.as_shape(name, shape)

    by_position = [None if s is None else checked(f"#{i}", s) for i, s in enumerate(args)]
    return by_position, {name: checked(name, shape) for name, shape in kwargs.items()}


class Symbol:
    """One or more outputs of a graph."""

    __slots__ = ("_outputs",)
    __array_priority__ = 1000.0  # NumPy's numbers leave arithmetic to the symbol
    _strict: ClassVar[bool] = False
    astype: ClassVar[Callable[..., Symbol]]  # stands in _functions.py, which puts it in

    def __init__(self, outputs: Sequence[Entry] | None = ()) -> None:
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

    def __getstate__(self) -> dict[str, str]:
        return {"handle": self.tojson()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Become what a pickle says, of mxtorch or of MXNet."""
        self._outputs = files.loads(state["handle"])

    def __bool__(self) -> bool:
        raise NotImplementedForSymbol(self.__bool__, "bool")

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
        """One attribute of the node, or None; its name as 'name'."""
        if key == "name":
            return self.name
        if self.name is None:
            return None
        attrs = self._outputs[0][0].attrs
        if key not in attrs and key in HIDDEN_KEYS:
            key = f"__{key}__"
        return attrs.get(key)

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """The attributes of the (first) node; those with an effect also without underscores."""
        if recursive:
            raise DeprecationWarning(
                "Symbol.list_attr with recursive=True has been deprecated. "
                "Please use attr_dict instead."
            )
        return show_keys(self._outputs[0][0].attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """The attributes of every node below, by name; nodes without any are left out."""
        return {n.name: show_keys(n.attrs) for n in walk(self._outputs) if n.attrs}

    def _set_attr(self, **kwargs: str) -> None:
        """Set attributes (texts) on the node."""
        for value in kwargs.values():
            if not isinstance(value, str):
                raise ValueError("Set Attr only accepts string values")
        if self.name is None:
            raise MXNetError("a group has no attributes of its own: set those of its outputs")
        self._outputs[0][0].attrs.update(hide_keys(kwargs))

    # composition -------------------------------------------------------------

    def __call__(self, *args: Symbol, name: str | None = None, **kwargs: Symbol) -> Symbol:
        """A copy in which variables are replaced: by position of list_arguments, or by name.

        `name` is what the node of the first output is called in the copy.
        """
        if args and kwargs:
            raise TypeError(
                "compose only accept input Symbols either as positional or keyword arguments"
            )
        arguments, states = variables(self._outputs)
        by_name = {n.name: n for n in [*arguments, *states]}
        given: dict[str, Any] = kwargs or dict(zip((n.name for n in arguments), args, strict=False))
        replace: dict[int, Entry] = {}
        for slot, symbol in given.items():
            if not isinstance(symbol, Symbol):
                raise TypeError("Compose expect `Symbol` as arguments")
            if slot not in by_name:
                raise MXNetError(
                    f"compose: there is no argument {slot!r}; they are {', '.join(by_name)}"
                )
            if len(symbol) != 1:
                raise MXNetError(f"compose: {slot} is to be one output, these are {len(symbol)}")
            replace[id(by_name[slot])] = symbol._outputs[0]
        outputs = copy_graph(self._outputs, replace)
        if name and id(self._outputs[0][0]) not in replace:
            outputs[0][0].name = name
        return type(self)(outputs)

    def _compose(self, *args: Symbol, name: str | None = None, **kwargs: Symbol) -> None:
        """The same in place."""
        self._outputs = self(*args, name=name, **kwargs)._outputs

    # inference -------------------------------------------------------------------

    def infer_shape(self, *args: Any, **kwargs: Any) -> Any:
        """(argument shapes, output shapes, state shapes) from some inputs' shapes.

        (None, None, None) and a warning where too little is known; MXNetError where shapes do not
        fit. A length of 0 is one that is not known.
        """
        given = _shapes(args, kwargs)
        with _telling("infer_shape", args, kwargs):
            known = self._infer_shape(*given)
        found = self._parts(known.part)
        if any(s is None for part in self._parts(known.shape) for s in part):
            self._warn_unknown("shape", found[0])
            return None, None, None
        return found

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Any:
        """The same with `()` for every shape that is not known."""
        found = self._parts(self._infer_shape(*_shapes(args, kwargs)).part)
        return tuple([() if s is None else s for s in part] for part in found)

    def _infer_shape(self, args: Sequence[Any], kwargs: dict[str, Any]) -> inference.Inferred:
        given = self._by_name("shape", args, kwargs)
        if not modes.np_shape:  # where an array has axes, () says nothing
            given = {name: shape for name, shape in given.items() if shape}
        return inference.infer(self._outputs, given)

    def infer_type(self, *args: Any, **kwargs: Any) -> Any:
        """(argument types, output types, state types) as NumPy types from some inputs' types.

        (None, None, None) and a warning where too little is known.
        """
        with _telling("infer_type", args, kwargs):
            found = self._infer_type(*args, **kwargs)
        if any(t is None for part in found for t in part):
            self._warn_unknown("type", found[0])
            return None, None, None
        return found

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> Any:
        """The same with None for every type that is not known."""
        return self._infer_type(*args, **kwargs)

    def _infer_type(self, *args: Any, **kwargs: Any) -> tuple[list[Any], list[Any], list[Any]]:
        given = self._by_name("type", args, kwargs)
        known = infer_types(self._outputs, {n: dtype_to_torch(t) for n, t in given.items()})

        def numpy_type(entry: Entry) -> Any:
            dtype = known.dtype(entry)
            return None if dtype is None else dtype_to_numpy(dtype)

        return self._parts(numpy_type)

    def _parts(self, fact: Callable[[Entry], Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """A fact about the arguments, the outputs and the states."""
        arguments, states = variables(self._outputs)
        return (
            [fact((n, 0)) for n in arguments],
            [fact(e) for e in self._outputs],
            [fact((n, 0)) for n in states],
        )

    def _by_name(self, what: str, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        """What is given of some inputs, by name; a name that is none of them raises."""
        if args and kwargs:
            raise ValueError(
                f"Can only specify known argument {what}s either by positional or kwargs way."
            )
        if args:
            kwargs = dict(zip(self.list_arguments(), args, strict=False))
        names = self.list_inputs()
        for name in kwargs:
            if name not in names:
                raise MXNetError(
                    f"infer_{what}: {name!r} is not an input; they are {', '.join(names)}"
                )
        return {name: value for name, value in kwargs.items() if value is not None}

    def _warn_unknown(self, what: str, found: Sequence[Any]) -> None:
        hint = " (0s in shape means unknown dimensions)" if what == "shape" else ""
        lines = [
            f"\n\t{name}: {'()' if fact is None and hint else fact}"
            for name, fact in zip(self.list_arguments(), found, strict=True)
            if fact is None or (hint and 0 in fact)
        ]
        warn(
            f"Cannot decide {what} for the following arguments{hint}. "
            f"Consider providing them as input:{''.join(lines)}"
        )

    # files -------------------------------------------------------------------------

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """The graph as MXNet's JSON text; without the casts that AMP put in, unless asked for."""
        return files.dumps(without_casts(self._outputs) if remove_amp_cast else self._outputs)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Write the graph as MXNet's JSON file; see `tojson`."""
        if not isinstance(fname, (str, os.PathLike)):
            raise TypeError("fname need to be string")
        try:
            with atomic_write(fname) as file:
                file.write(self.tojson(remove_amp_cast).encode())
        except OSError as error:
            raise MXNetError(f"symbol file {fname}: {error.strerror or error}") from error

    def debug_str(self) -> str:
        """The graph as text: its outputs, then each node with its inputs and attributes."""
        return describe(self._outputs)

    # backends ----------------------------------------------------------------------------

    def optimize_for(
        self,
        backend: str,
        args: Any = None,
        aux: Any = None,
        ctx: Context | None = None,
        shape_dict: Any = None,
        type_dict: Any = None,
        stype_dict: Any = None,
        skip_infer: bool = False,
        **kwargs: Any,
    ) -> Symbol:
        """A copy of the symbol: it computes what MXNet's backends compute, without fused nodes.

        As in MXNet, a backend that is not there is only reported.
        """
        if not isinstance(backend, str):
            raise MXNetAssertionError(f"optimize_for: backend must be a text, not {backend!r}")
        report_backend(backend)
        return self.__copy__()

    def get_backend_symbol(self, backend: str) -> Symbol:
        """The same; MXNetError for a backend that is not there."""
        if backend not in _BACKENDS:
            raise MXNetError(
                f"get_backend_symbol: there is no backend {backend!r}; "
                f"there are {', '.join(_BACKENDS)}"
            )
        return self.__copy__()

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
        """An executor over the given arrays: lists by position, or dicts by name.

        `group2ctx` has the contexts of the groups of `AttrScope(ctx_group=...)`; without it all
        arrays must be on `ctx`. `shared_exec` would only save memory.
        """
        return binding.bind(self, ctx, args, args_grad, grad_req, aux_states, group2ctx)

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
        """An executor over new arrays of zeros, whose shapes follow from those given.

        Arguments in `shared_arg_names` and all states are those of `shared_exec`, other arrays
        use the memory in the dict `shared_buffer`, which is brought up to date.
        """
        arrays = binding.SimpleBind(self, ctx, kwargs, type_dict, stype_dict)
        return arrays.executor(
            grad_req, shared_arg_names or (), shared_exec, shared_buffer, group2ctx
        )

    def eval(self, ctx: Context | None = None, **kwargs: NDArray) -> list[NDArray]:
        """The outputs for the given arrays, on the current context by default."""
        return self.bind(ctx or current_context(), kwargs).forward()


def var(
    name: str,
    attr: dict[str, str] | None = None,
    shape: Dims | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """A variable: an argument of the graph, or a state if an operator writes it."""
    if not isinstance(name, str):
        raise TypeError("Expect a string for variable `name`")
    if any(not isinstance(value, str) for value in (attr or {}).values()):
        raise ValueError("Set Attr only accepts string values")
    texts = hide_keys(AttrScope.current.get(attr))
    named: dict[str, Any] = {"shape": shape, "lr_mult": lr_mult, "wd_mult": wd_mult}
    named["dtype"] = None if dtype is None else dtype_flag(dtype_to_torch(dtype))
    named["init"] = init if init is None or isinstance(init, str) else init.dumps()
    named["storage_type"] = (
        None if stype is None else {"default": 0, "row_sparse": 1, "csr": 2}[stype]
    )
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
    if not symbols:
        raise TypeError("Expected a list of symbols as input")
    entries: list[Entry] = []
    for symbol in symbols:
        if not isinstance(symbol, Symbol):
            raise TypeError("Expected a list of symbols as input")
        entries += symbol._outputs
    group: Symbol = create_fn(entries)
    return group


def load(fname: str) -> Symbol:
    """The symbol in a JSON file."""
    if not isinstance(fname, (str, os.PathLike)):
        raise TypeError("fname need to be string")
    try:
        with open(fname, "rb") as file:
            content = file.read()
    except OSError as error:
        raise MXNetError(f"symbol file {fname}: {error.strerror or error}") from None
    if (other := what_is(content, "json")) is not None:
        raise MXNetError(f"symbol file {fname}: this is not a symbol file (JSON): it {other}")
    try:
        return load_json(content.decode())
    except UnicodeDecodeError:
        raise MXNetError(f"symbol file {fname}: this is not text") from None
    except MXNetError as error:
        raise type(error)(f"symbol file {fname}: {error}") from error


def load_json(json_str: str) -> Symbol:
    """The symbol in a JSON text."""
    if not isinstance(json_str, str):
        raise TypeError("json_str required to be string")
    return Symbol(files.loads(json_str))


load_json.__module__ = "mxtorch.symbol.symbol"
