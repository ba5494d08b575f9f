"""The two worlds of arrays: MXNet's own (`mx.nd`, `mx.sym`) and NumPy's (`mx.np`, `mx.npx`).

The functions of `mx.np` that MXNet gives Python signatures are written once, for arrays and for
symbols. Each takes the `Dialect` it is called in first:

    @public()
    def stack(np: Dialect, arrays: Any, axis: int = 0, out: Any = None) -> Any:
        return np["_npi_stack"](*arrays, axis=axis, out=out)

Regular families are rows of a factory that makes the function for a dialect (`family`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

from mxtorch._core.op import Op, all_names, find_op

# Prefixes of registered names → namespaces; first match wins.
_PREFIXES: tuple[tuple[str, str], ...] = (
    ("_np_", "np"),
    ("_npx__image_", "npx.image"),
    ("_npx_", "npx"),
    ("_npi_", "np._internal"),
)


def place(name: str) -> tuple[str, str] | None:
    """(namespace, short name) of a registered name: ('np', 'sum'), ('npx', 'relu'); or None."""
    for prefix, namespace in _PREFIXES:
        if name.startswith(prefix):
            return namespace, name.removeprefix(prefix)
    return None


class Dialect(dict[str, Callable[..., Any]]):
    """The operators as functions of one class of arrays or symbols: `np["_npi_add"](a, b)`.

    `make` gives an operator's function for this class; automatic names come from its short name.
    """

    def __init__(
        self, cls: type, make: Callable[[Op, str], Callable[..., Any]], graphs: bool = False
    ) -> None:
        super().__init__()
        self.cls = cls
        self._make = make
        self._graphs = graphs

    def __missing__(self, name: str) -> Callable[..., Any]:
        found = place(name)
        call = self[name] = self._make(find_op(name), found[1] if found else name)
        return call

    def __repr__(self) -> str:
        return f"mx.np for {self.cls.__name__}"

    def __hash__(self) -> int:  # type: ignore[override] # a dict has none
        return id(self)

    def noted(self, **attrs: Any) -> dict[str, Any]:
        """Attributes that MXNet notes in graphs and leaves at their defaults for arrays."""
        return attrs if self._graphs else {}

    def is_array(self, value: Any) -> bool:
        """Whether a value is an array (or symbol) of this dialect."""
        return isinstance(value, self.cls)


# Makes the function of a namespace for a dialect.
Maker = Callable[[Dialect], Callable[..., Any]]
_public: dict[str, dict[str, Maker]] = {}


def public(*names: str, namespace: str = "np") -> Callable[[Any], Any]:
    """Enter a function under its own name, or the given ones, into a namespace."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names or (function.__name__,):
            _enter(namespace, name, lambda np: MethodType(function, np))
        return function

    return enter


def family(factory: Callable[..., Any], *rows: tuple[Any, ...], namespace: str = "np") -> None:
    """Enter a function for each row: (name or names, arguments of the factory…)."""
    for first, *args in rows:
        for name in (first,) if isinstance(first, str) else first:
            _enter(namespace, name, _row(factory, name, args))


def _row(factory: Callable[..., Any], name: str, args: list[Any]) -> Maker:
    def make(np: Dialect) -> Callable[..., Any]:
        function: Callable[..., Any] = factory(np, name, *args)
        function.__name__ = function.__qualname__ = name
        return function

    return make


def _enter(namespace: str, name: str, maker: Maker) -> None:
    functions = _public.setdefault(namespace, {})
    if name in functions:
        raise ValueError(f"{namespace}.{name} is entered twice")
    functions[name] = maker


def fill(target: dict[str, Any], namespace: str, np: Dialect) -> None:
    """Put the functions of a namespace into a module's globals; names already there are kept."""
    for name, maker in _public.get(namespace, {}).items():
        if name not in target:
            target[name] = maker(np)
    for name, short in _registered(namespace):
        if short not in target:
            target[short] = np[name]


_members: dict[str, list[tuple[str, str]]] = {}


def _registered(namespace: str) -> Iterable[tuple[str, str]]:
    """Registered name and short name of a namespace's operators."""
    if not _members:  # the table is complete before the first namespace is filled
        for name in all_names():
            found = place(name)
            if found is not None:
                _members.setdefault(found[0], []).append((name, found[1]))
    return _members.get(namespace, ())
