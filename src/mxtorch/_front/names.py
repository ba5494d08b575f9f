"""Which namespace an operator name belongs to: `_contrib_box_nms` is `nd.contrib.box_nms`."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from mxtorch._core.op import Op, all_names

# Prefix of the registered name → namespace below `nd` and `sym`. First match wins.
_PREFIXES: tuple[tuple[str, str], ...] = (
    ("_contrib_", "contrib"),
    ("_linalg_", "linalg"),
    ("_sparse_", "sparse"),
    ("_image_", "image"),
)
_NUMPY_PREFIXES = ("_np_", "_npi_", "_npx_")


def is_numpy(name: str) -> bool:
    """Whether the operator belongs to `mx.np` and `mx.npx` alone."""
    return name.startswith(_NUMPY_PREFIXES)


def place(name: str) -> tuple[str, str]:
    """(namespace, short name): ('', 'sum'), ('contrib', 'box_nms'), ('_internal', '_plus')."""
    for prefix, namespace in _PREFIXES:
        if name.startswith(prefix):
            return namespace, name.removeprefix(prefix)
    # `nd.random.uniform` and its like choose between two operators: see `random.py` there
    if name.startswith("_random_") and name.endswith("_like"):
        return "random", name.removeprefix("_random_")
    return ("_internal", name) if name.startswith("_") else ("", name)


_members: dict[str, dict[str, Op]] = {}


def members(namespace: str) -> dict[str, Op]:
    """The operators of a namespace by short name, without those of `mx.np` alone."""
    if not _members:  # the table is complete before the first namespace is filled
        for name, op in all_names().items():
            if not is_numpy(name):
                where, short = place(name)
                _members.setdefault(where, {}).setdefault(short, op)
    return _members.get(namespace, {})


def fill(target: dict[str, Any], namespace: str, make: Callable[[Op], Callable[..., Any]]) -> None:
    """Put the functions of a namespace into a module's globals; names already there are kept."""
    for short, op in members(namespace).items():
        if short not in target:
            target[short] = make(op)


def mirror(target: ModuleType, *sources: ModuleType) -> None:
    """Put the public functions of files of ours into the file in which MXNet keeps them."""
    for source in sources:
        for name, value in vars(source).items():
            own = getattr(value, "__module__", None) == source.__name__
            if own and not name.startswith("_") and not hasattr(target, name):
                setattr(target, name, value)
