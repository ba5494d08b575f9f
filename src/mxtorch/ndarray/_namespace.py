"""Fills the namespaces below `mx.nd` from the operator table."""

from __future__ import annotations

from typing import Any

from mxtorch._core.op import Op
from mxtorch._front import eager, names
from mxtorch._front.methods import (
    arithmetic,
    in_place,
    install_methods,
    negation,
    reflected,
    unary,
)
from mxtorch._ops import table
from mxtorch.ndarray.ndarray import NDArray

FAMILIES = table.FAMILIES


def make(op: Op) -> Any:
    """The function for `op` that works on NDArrays."""
    return eager.make_function(op, NDArray)


def fill(target: dict[str, Any], namespace: str = "") -> None:
    """Put the operators of a namespace into a module's globals."""
    names.fill(target, namespace, make)


def install() -> None:
    """Give NDArray its methods and Python operators."""
    install_methods(NDArray, make)
    for key in ("add", "sub", "mul", "truediv", "mod", "pow"):
        setattr(NDArray, f"__{key}__", arithmetic(key, NDArray))
        if key != "pow":  # MXNet has no **=: Python makes a new array
            setattr(NDArray, f"__i{key}__", in_place(key, NDArray))
    for key in ("eq", "ne", "gt", "ge", "lt", "le"):
        setattr(NDArray, f"__{key}__", arithmetic(key, NDArray))
    for key in ("rsub", "rtruediv", "rmod", "rpow"):
        setattr(NDArray, f"__{key}__", reflected(key, NDArray))
    for key in ("add", "mul"):
        setattr(NDArray, f"__r{key}__", reflected(key, NDArray))
    for key, function in (("neg", negation(NDArray)), ("abs", unary("abs", NDArray))):
        setattr(NDArray, f"__{key}__", function)
    for short in ("", "r", "i"):  # Python 2's names, which MXNet has kept
        setattr(NDArray, f"__{short}div__", getattr(NDArray, f"__{short}truediv__"))


install()
