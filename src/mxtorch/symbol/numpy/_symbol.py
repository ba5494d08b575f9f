"""`_Symbol`: the symbol of `mx.np` semantics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as onp

from mxtorch._core.errors import MXNetIndexError, MXNetTypeError
from mxtorch._core.op import python_operator
from mxtorch._front import dialect, np_methods, symbolic
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np import table
from mxtorch._ops import table as operators
from mxtorch.symbol.symbol import Symbol

__all__ = ["_Symbol"]

FAMILIES, FILES = operators.FAMILIES, table.FILES


class _Symbol(Symbol):
    """A symbol whose operators are those of `mx.np`; `as_nd_ndarray` gives the legacy kind."""

    __slots__ = ()
    _strict: ClassVar[bool] = True
    _np: ClassVar[dialect.Dialect]

    @property
    def T(self: Any) -> Any:
        """The array with its axes reversed."""
        return self.transpose()

    def __getitem__(self, key: Any) -> Any:
        """One of several outputs by number or name; of a single output, NumPy's basic indexing."""
        if len(self._outputs) == 1 and not isinstance(key, str):
            return _index(self, key)
        return super().__getitem__(key)

    def __len__(self) -> int:
        return len(self._outputs)

    def __iter__(self) -> Any:
        return (type(self)([entry]) for entry in self._outputs)

    def as_np_ndarray(self) -> Any:
        """The symbol itself."""
        return self

    def as_nd_ndarray(self) -> Symbol:
        """The same outputs as a legacy symbol."""
        return Symbol(self._outputs)

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """The values in another type."""
        if order not in (None, "K", "C"):
            raise ValueError("order must be either 'K' or 'C'")
        if casting != "unsafe":
            raise ValueError("casting must be equal to 'unsafe'")
        if not subok:
            raise ValueError("subok must be equal to True")
        return self._np["_npi_cast"](self, dtype=dtype)


_Symbol.__module__ = "mxtorch.symbol.numpy"


def as_np_ndarray(self: Symbol) -> _Symbol:
    """The same outputs as a symbol of `mx.np`."""
    return _Symbol(self._outputs)


def as_nd_ndarray(self: Symbol) -> Symbol:
    """The symbol itself."""
    return self


def is_np_symbol(value: Any) -> bool:
    """Whether a value is a symbol of `mx.np`."""
    if isinstance(value, Symbol) and not isinstance(value, _Symbol):
        raise MXNetTypeError(
            f"{value!r} is a legacy symbol, this operator takes those of mx.np; "
            "convert it with as_np_ndarray()"
        )
    return isinstance(value, _Symbol)


np = dialect.Dialect(
    _Symbol,
    lambda op, short: symbolic.make_function(op, short, lambda e, _: _Symbol(e), is_np_symbol),
    graphs=True,
)


def fill(target: dict[str, Any], namespace: str) -> None:
    """Put the functions of a namespace into a module's globals; names already there are kept."""
    dialect.fill(target, namespace, np)


# indexing -----------------------------------------------------------------------------------------


def _index(symbol: _Symbol, key: Any) -> Any:
    """Slices, and for whole numbers slices of length 1 whose axes are taken away after."""
    keys = key if isinstance(key, tuple) else (key,)
    if isinstance(key, tuple) and not key:
        return symbol
    if any(isinstance(k, Symbol) for k in keys):
        raise MXNetIndexError("symbols are not indexed by symbols; use mx.sym.np.take or where")
    if Ellipsis in keys[:-1]:
        raise MXNetIndexError("of a symbol, `...` may only come last: its axes are not known")
    begin: list[Any] = []
    end: list[Any] = []
    step: list[Any] = []
    codes: list[int] = []
    for k in keys:
        if k is None:
            codes.append(1)
        elif isinstance(k, (int, onp.integer)) and not isinstance(k, bool):
            begin.append(int(k))
            end.append(int(k) + 1 if k != -1 else None)
            step.append(None)
            codes.append(-3)
        elif isinstance(k, slice):
            begin.append(k.start)
            end.append(k.stop)
            step.append(k.step)
            codes.append(-2)
        elif k is not Ellipsis:
            raise MXNetIndexError(f"a symbol is indexed by numbers and slices, not by {k!r}")
    result: Any = symbol
    if begin:
        steps = {} if all(s is None for s in step) else {"step": tuple(step)}
        result = np["_npi_slice"](result, begin=tuple(begin), end=tuple(end), **steps)
    if any(code != -2 for code in codes):
        result = _reindexed(result, codes)
    return result


def _reindexed(symbol: Any, codes: list[int]) -> Any:
    places = [i for i, code in enumerate(codes) if code == 1]
    kept = [code for code in codes if code != 1]
    if any(code == -3 for code in kept):
        symbol = np["_npx_reshape"](symbol, newshape=(*kept, -4))
    for i in places:
        gone = sum(code == -3 for code in codes[:i])
        symbol = np["_npi_expand_dims"](symbol, axis=i - gone)
    return symbol


# operators ----------------------------------------------------------------------------------------


def _arithmetic(key: str) -> Callable[[Any, Any], Any]:
    arrays = np[python_operator(f"np.{key}").name]
    number = np[python_operator(f"np.{key}.scalar").name]

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, _Symbol):
            return arrays(self, other)
        if isinstance(other, NUMBERS):
            return number(self, scalar=float(other), is_int=np_methods.is_whole(other))
        raise TypeError(f"type {type(other)} not supported")

    method.__name__ = f"__{key}__"
    return method


def _reflected(key: str) -> Callable[[Any, Any], Any]:
    number = np[python_operator(f"np.{key}.scalar").name]

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            return number(self, scalar=float(other), is_int=False)
        raise TypeError(f"type {type(other)} not supported")

    method.__name__ = f"__{key}__"
    return method


def _install() -> None:
    cls: Any = _Symbol
    np_methods.install(cls, np)
    for key in ("add", "sub", "mul", "truediv", "mod", "pow", "and", "or", "xor"):
        setattr(cls, f"__{key}__", _arithmetic(key))
    for key in ("eq", "ne", "gt", "ge", "lt", "le"):
        setattr(cls, f"__{key}__", _arithmetic(key))
    cls.__radd__ = cls.__add__
    for key in ("rsub", "rtruediv", "rmod", "rpow", "rmul"):
        setattr(cls, f"__{key}__", _reflected(key))
    cls.__hash__ = Symbol.__hash__
    cls.__neg__ = lambda self: self.__mul__(-1.0)
    cls.__abs__ = lambda self: np["_npi_absolute"](self)
    cls.__invert__ = lambda self: np["_npi_bitwise_not"](self)
    cls.__matmul__ = lambda self, other: np["_npi_matmul"](self, other)
    base: Any = Symbol
    base.as_np_ndarray, base.as_nd_ndarray = as_np_ndarray, as_nd_ndarray


_install()
