"""What happens when official NumPy functions meet `mx.np` arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as onp

from mxtorch._core.errors import MXNetAttributeError
from mxtorch._core.modes import modes
from mxtorch._core.warn import warn
from mxtorch._front.handle import Handle

# mx.np's functions by name; filled when mx.np is.
functions: dict[str, Callable[..., Any]] = {}
# Those that MXNet leaves to NumPy all the same.
LEFT = frozenset(
    """
average deg2rad divide histogram ldexp linalg.det linalg.slogdet linalg.svd linspace log1p logspace
moveaxis rad2deg radians rot90 row_stack
""".split()  # noqa: SIM905 - a list of names
)

# Ufuncs that MXNet leaves to NumPy although mx.np has functions of those names.
_OF_NUMPY = frozenset({"isfinite", "isinf", "isnan"})


def array_ufunc(self: Handle, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """NumPy's ufuncs: mx.np's function of that name; others have none."""
    if method != "__call__":
        return NotImplemented
    if "out" in kwargs:
        outs = kwargs["out"]
        if not isinstance(outs, tuple):
            raise TypeError("the `out` parameter must be a tuple of arrays")
        if len(outs) != 1:
            raise ValueError("The `out` parameter must be an array or a tuple of one array")
        kwargs["out"] = outs[0]
    own = functions.get(ufunc.__name__)
    if own is None or ufunc.__name__ in _OF_NUMPY:
        return _by_numpy(ufunc, _weak(inputs), kwargs)
    return own(*inputs, **kwargs)


def array_function(
    self: Handle,
    func: Callable[..., Any],
    types: Iterable[type],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Any:
    """NumPy's functions: mx.np's of that name, else NumPy's own on copies."""
    own = functions.get(_qualified(func))
    if own is None:
        return _by_numpy(func, args, kwargs)
    return own(*args, **kwargs)


def _qualified(func: Callable[..., Any]) -> str:
    module = getattr(func, "__module__", "") or ""
    inner = module.removeprefix("numpy").removeprefix(".")
    return f"{inner}.{func.__name__}" if inner in ("linalg", "random") else func.__name__


def _weak(inputs: Sequence[Any]) -> list[Any]:
    """Scalars beside arrays as Python numbers: as in NumPy 1 they do not widen the result."""
    shapes = [getattr(value, "shape", ()) for value in inputs]
    if not any(shapes):
        return list(inputs)
    return [
        value.item() if hasattr(value, "item") and not shape else value
        for value, shape in zip(inputs, shapes, strict=True)
    ]


def _by_numpy(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """NumPy's function of copies."""
    if isinstance(kwargs.get("out"), Handle):
        warn(f"numpy.{func.__name__}: as in MXNet, out= stays as it is; use what is returned")
    if modes.recording:
        raise MXNetAttributeError(
            f"numpy.{func.__name__} has no gradient for mx.np arrays; "
            "call it outside autograd.record(), or use mx.np's operators"
        )
    ctx = next((h._kind.ctx for h in _arrays([*args, *kwargs.values()])), None)
    given = {key: to_numpy(value) for key, value in kwargs.items()}
    return from_numpy(func(*(to_numpy(a) for a in args), **given), ctx)


def _arrays(values: Any) -> list[Handle]:
    found: list[Handle] = []
    for value in values:
        if isinstance(value, Handle):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _arrays(value)
    return found


def to_numpy(value: Any) -> Any:
    """Arrays in nested lists and tuples as NumPy's."""
    if isinstance(value, Handle):
        return value.asnumpy()
    if isinstance(value, (list, tuple)):
        return type(value)(to_numpy(v) for v in value)
    return value


def from_numpy(value: Any, ctx: Any) -> Any:
    """NumPy's arrays in nested lists and tuples as those of mx.np."""
    if isinstance(value, onp.ndarray):
        if value.dtype.kind == "c":
            raise ValueError(f"{value.dtype} is not supported.")
        return functions["array"](value, dtype=value.dtype, ctx=ctx)
    if isinstance(value, (list, tuple)):
        kind = list if isinstance(value, list) else tuple  # of NumPy's named tuples too
        return kind(from_numpy(v, ctx) for v in value)
    return value
