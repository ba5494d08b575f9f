"""Fills the namespaces of `mx.np` and `mx.npx` for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch._front import dialect
from mxtorch._front.np import table
from mxtorch._ops import table as operators
from mxtorch.ndarray.numpy import _protocol
from mxtorch.ndarray.numpy._array import array, np

FAMILIES, FILES = operators.FAMILIES, table.FILES


def fill(target: dict[str, Any], namespace: str) -> None:
    """Put the functions of a namespace into a module's globals; names already there are kept."""
    dialect.fill(target, namespace, np)


def _fill_protocol() -> None:
    """Tell official NumPy functions which of ours answer for them."""
    linalg: dict[str, Callable[..., Any]] = {}
    fill(_protocol.functions, "np")
    fill(linalg, "np.linalg")
    _protocol.functions.update({f"linalg.{name}": f for name, f in linalg.items()})
    _protocol.functions["array"] = array
    _protocol.functions["shape"] = lambda a: a.shape
    for name in _protocol.LEFT:
        del _protocol.functions[name]


_fill_protocol()
