"""The operator table: one record an operator, read off its body's signature.

A body is a plain function of tensors. Positional parameters annotated `Tensor` are inputs
(`Tensor | None`: may be absent; `*data: Tensor`: any number); keyword-only parameters are
attributes (see `attrs`) or ambient (see `ambient`). `**free: str` takes any further attributes, as
texts.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin

from mxtorch._core.ambient import Ambient
from mxtorch._core.attrs import Attr, attr_of
from mxtorch._core.errors import MXNetError

if TYPE_CHECKING:
    import torch

Dims = tuple[int, ...]
Body = Callable[..., Any]
F = TypeVar("F", bound=Body)
Attrs = Mapping[str, Any]
# Shapes of the inputs, None where unknown, and the attributes → the shapes with blanks filled.
Fill = Callable[[Sequence["Dims | None"], Attrs], Sequence["Dims | None"]]
Dtypes = Sequence["torch.dtype | None"]
# The same for dtypes; gives those of the inputs and of the outputs (none: they follow from a run).
FillDtypes = Callable[[Dtypes, Attrs], tuple[Dtypes, Dtypes]]
Names = tuple[str, ...] | Callable[[Attrs], tuple[str, ...]]
# No program has a node of so many outputs; a damaged file may say so.
MAX_OUTPUTS = 2**16


@dataclass(frozen=True)
class Input:
    """One array input of an operator."""

    name: str
    optional: bool = False


# One record an operator: two are equal if they are the same.
@dataclass(frozen=True, eq=False, kw_only=True)
class Op:
    """Everything that is known about one operator: first what its signature says, then the facts
    that `@op` takes beside it."""

    name: str
    aliases: tuple[str, ...]
    body: Body
    inputs: tuple[Input, ...]
    variadic: bool
    attrs: dict[str, Attr]
    ambient: dict[str, Ambient]
    # whether any further attributes are taken, as texts
    free: bool
    signature: inspect.Signature = field(compare=False)
    # names under which arrays and symbols have it as a method
    methods: tuple[str, ...] = ()
    # what is enough for float arrays of one type that autograd does not follow (and a number)
    kernel: Body | None = None
    # the same where autograd does follow them: a kernel whose gradient is MXNet's too
    tracked: Body | None = None
    # Python operators that it implements: 'add', 'add.scalar', 'rsub.scalar', 'add.symbol'
    dunder: tuple[str, ...] = ()
    # how many arrays come out: a number, or a function of the attributes
    outputs: int | Callable[[Attrs], int] = 1
    # of those, how many a caller sees (BatchNorm computes three and shows one)
    visible: int | Callable[[Attrs], int] | None = None
    # what the outputs are called in symbols: ('output', 'mean', 'var')
    output_names: Names = ()
    # which optional inputs a call with these attributes has; by default none. Of a variadic
    # operator: the names of its inputs, where they have names of their own
    needs: Callable[[Attrs], tuple[str, ...]] | None = None
    fill: Fill | None = None
    infer: Callable[..., Any] | None = None
    # dtypes of inputs that do not follow the first one's
    dtypes: FillDtypes | None = None
    # names of inputs that the operator writes (moving statistics, optimizer state)
    mutates: Names = ()
    # whether the result may share memory with an input
    view: bool = False
    # the body for float arrays that autograd does not follow, its result of its own memory: a
    # shorter way than the body's (see kernel, which takes no attributes); None: not for this call
    direct: Body | None = None
    # the attribute that counts the arrays of a variadic operator in symbol files
    count: str | None = None
    # whether inputs may differ in dtype
    mixed: bool = False
    # why the gradient is not the derivative of forward, where it is not
    gradient: str | None = None
    # whether MXNet's registry has a name for the only input, which monitors tell ('fc_data', else
    # 'relu_input0'); None: see `is_listed`
    lists_input: bool | None = None
    # attributes of variables made for missing inputs: {'moving_var': {'__init__': '["one", {}]'}}
    variable_attrs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # whether the body takes sparse arrays as they are (SparseValue, Tracked), and gives such
    sparse: bool = False
    # (input, operator): where that operator makes the input, its own inputs are handed over
    # instead, as a tuple
    splices: tuple[str, str] | None = None
    # the body of one node of a graph, from its attributes and whether to keep what a run makes
    keep: Callable[[Attrs, bool], Body] | None = None
    # for each graph inside a node and each of its inputs: which input of the node it is given, and
    # how many leading axes that loses on the way
    regions: Callable[[Attrs], Sequence[Sequence[tuple[int, int]]]] | None = None
    # whether it is a cast that AMP puts into a graph: files leave it out
    amp: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The operator's name and its aliases."""
        return (self.name, *self.aliases)

    @property
    def is_numpy(self) -> bool:
        """Whether it is one of `mx.np` alone, for which 0 is a length like any other."""
        return self.name.startswith("_np")

    @property
    def is_listed(self) -> bool:
        """Whether MXNet's registry names the inputs: it leaves that out where only data goes in."""
        if self.lists_input is not None:
            return self.lists_input
        only_data = not self.variadic and [i.name for i in self.inputs] == ["data"]
        return self.is_numpy or not only_data

    @property
    def doc(self) -> str:
        """The help text: what the body says."""
        return inspect.getdoc(self.body) or ""

    def input_names(self, attrs: Attrs) -> tuple[str, ...]:
        """The inputs that a call with these attributes has (of a non-variadic operator)."""
        wanted = self.needs(self.complete(attrs)) if self.needs else ()
        return tuple(i.name for i in self.inputs if not i.optional or i.name in wanted)

    @property
    def names_inputs(self) -> bool:
        """Whether the arrays, any number of them, have names that depend on the attributes."""
        return self.variadic and self.needs is not None and not self.count

    def written(self, attrs: Attrs) -> tuple[str, ...]:
        """The names of the inputs that a call with these attributes writes."""
        return self.mutates(self.complete(attrs)) if callable(self.mutates) else self.mutates

    def name_outputs(self, attrs: Attrs) -> tuple[str, ...]:
        """What the outputs are called in symbols, as far as they have names of their own."""
        names = self.output_names
        if not callable(names):
            return names
        self.count_outputs(attrs)  # refuses a number that memory does not hold
        return names(self.complete(attrs))

    def count_outputs(self, attrs: Attrs) -> int:
        """How many arrays a call with these attributes computes."""
        return self._count(self.outputs, attrs)

    def count_visible(self, attrs: Attrs) -> int:
        """How many of them the caller gets."""
        return self._count(self.outputs if self.visible is None else self.visible, attrs)

    def _count(self, count: int | Callable[[Attrs], int], attrs: Attrs) -> int:
        """A number of outputs, refused where names alone would fill the memory."""
        found = count if isinstance(count, int) else count(self.complete(attrs))
        if found > MAX_OUTPUTS:
            raise MXNetError(
                f"{self.name}: {found} outputs are asked for; a node has at most {MAX_OUTPUTS}"
            )
        return found

    def complete(self, attrs: Attrs) -> dict[str, Any]:
        """The attributes with the defaults of those that are absent."""
        full = {name: attr.default for name, attr in self.attrs.items() if not attr.required}
        full.update(attrs)
        return full


_table: dict[str, Op] = {}
_dunders: dict[str, Op] = {}


def lookup(name: str) -> Op | None:
    """The operator of that name or alias, or None."""
    return _table.get(name)


def find_op(name: str) -> Op:
    """The operator of that name or alias; MXNetError if there is none."""
    found = _table.get(name)
    if found is None:
        raise MXNetError(f"there is no operator {name!r}")
    return found


def all_ops() -> list[Op]:
    """Every operator once, in the order of registration."""
    return list({id(op): op for op in _table.values()}.values())


def python_operator(key: str) -> Op:
    """The operator behind a Python operator: 'add' (two arrays), 'add.scalar', 'add.symbol', …"""
    return _dunders[key]


def method_names(name: str, method: bool | tuple[str, ...]) -> tuple[str, ...]:
    """The method names that `method=` in an entry asks for."""
    if isinstance(method, tuple):
        return method
    return (name,) if method else ()


def all_names() -> dict[str, Op]:
    """Every name and alias with its operator."""
    return dict(_table)


def op(
    *aliases: str, name: str | None = None, method: bool | tuple[str, ...] = False, **facts: Any
) -> Callable[[F], F]:
    """Enter a body into the table under its own name (or `name`) and the aliases.

    `facts` are fields of Op that the signature does not tell.
    """

    def enter(body: F) -> F:
        own_name = name or body.__name__
        parts = _read_signature(body)
        if parts["variadic"]:
            facts.setdefault("count", "num_args")
        for way in ("kernel", "tracked", "direct"):
            facts[way] = facts.get(way) or getattr(body, way, None)
        _enter(
            Op(
                name=own_name,
                aliases=aliases,
                body=body,
                methods=method_names(own_name, method),
                signature=_public_signature(parts),
                **parts,
                **facts,
            )
        )
        return body

    return enter


def _enter(record: Op) -> None:
    for key in record.names:
        if key in _table:
            raise MXNetError(f"operator name {key!r} is registered twice")
        _table[key] = record
    for key in record.dunder:
        if key in _dunders:
            raise MXNetError(f"Python operator {key!r} is claimed twice")
        _dunders[key] = record


def with_kernel(body: F, fn: Body) -> F:
    """A body that is `fn` and checks, with its kernels (see Op) at its side.

    `fn` serves as both, unless it has a kernel itself: then its gradient is its own affair.
    """
    kernel = getattr(fn, "kernel", None)
    body.kernel = kernel or fn  # type: ignore[attr-defined]
    body.tracked = None if kernel else fn  # type: ignore[attr-defined]
    return body


def rows(factory: Callable[..., Body], *table: Iterable[Any], **facts: Any) -> None:
    """Enter a regular family: each row is (name, arguments of the factory…[, {facts}])."""
    for row in table:
        row_name, *args = row
        own = args.pop() if args and isinstance(args[-1], dict) else {}
        names = (row_name,) if isinstance(row_name, str) else tuple(row_name)
        body = factory(*args)
        body.__name__ = body.__qualname__ = names[0]
        op(*names[1:], name=names[0], **{**facts, **own})(body)


def _read_signature(body: Body) -> dict[str, Any]:
    """What an Op's fields of these names are, from the body's parameters."""
    function = inspect.unwrap(body)
    code, hints = function.__code__, _hints(function)
    names, count = code.co_varnames, code.co_argcount
    end = count + code.co_kwonlyargcount
    variadic = bool(code.co_flags & inspect.CO_VARARGS)
    inputs = [Input(n, optional=type(None) in get_args(hints[n])) for n in names[:count]]
    if variadic:
        inputs.append(Input(names[end]))
    attrs: dict[str, Attr] = {}
    ambient: dict[str, Ambient] = {}
    defaults = function.__kwdefaults__ or {}
    for name in names[count:end]:
        mark = _ambient_mark(hints[name])
        if mark is not None:
            ambient[name] = mark
        else:
            attrs[name] = attr_of(name, hints[name], defaults)
    found = {"inputs": tuple(inputs), "variadic": variadic, "attrs": attrs}
    return found | {"ambient": ambient, "free": bool(code.co_flags & inspect.CO_VARKEYWORDS)}


# What an annotation of a module means: most are written in it many times.
_meanings: dict[tuple[str, str], Any] = {}


class _Annotated:
    """Something with annotations, for `typing`."""

    def __init__(self, annotations: dict[str, Any]) -> None:
        self.__annotations__ = annotations


def _hints(function: types.FunctionType) -> dict[str, Any]:
    """The meaning of each annotation."""
    module, given = function.__module__, function.__annotations__
    new = {k: v for k, v in given.items() if (module, v) not in _meanings}
    if new:
        found = typing.get_type_hints(_Annotated(new), function.__globals__, include_extras=True)
        _meanings.update({(module, new[name]): hint for name, hint in found.items()})
    return {name: _meanings[module, text] for name, text in given.items()}


def _ambient_mark(hint: Any) -> Ambient | None:
    if get_origin(hint) is Annotated:
        for mark in get_args(hint)[1:]:
            if isinstance(mark, Ambient):
                return mark
    return None


@cache
def _parameter(name: str, kind: Any, of: str, default: Any) -> inspect.Parameter:
    """A parameter; many operators share it. `of`, its type, keeps 1, 1.0 and True apart."""
    return inspect.Parameter(name, kind, default=default)


def _public_signature(parts: Mapping[str, Any]) -> inspect.Signature:
    inputs, variadic, attrs = parts["inputs"], parts["variadic"], parts["attrs"]
    kinds = inspect.Parameter
    kind = kinds.KEYWORD_ONLY if variadic else kinds.POSITIONAL_OR_KEYWORD
    if variadic:
        parameters = [inspect.Parameter(inputs[0].name, kinds.VAR_POSITIONAL)]
    else:
        parameters = [_parameter(i.name, kind, "", None) for i in inputs]
    for attr in attrs.values():
        default = None if attr.required else attr.default
        parameters.append(_parameter(attr.name, kind, type(default).__name__, default))
    known = {p.name for p in parameters}
    parameters += [
        _parameter(extra, kind, "", None) for extra in ("out", "name") if extra not in known
    ]
    if parts["free"]:
        parameters.append(inspect.Parameter("kwargs", kinds.VAR_KEYWORD))
    return inspect.Signature(parameters)
