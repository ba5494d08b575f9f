"""Names of the package that few programs use, and whose modules are imported at their first use."""

from __future__ import annotations

import importlib
from typing import Any

# Where each is; a module, or a name in one.
_HOMES = {"parallel": "mxtorch.parallel", "checkpoint": "mxtorch._resume"}


def find(name: str) -> Any:
    """What `mxtorch.<name>` is; the package's `__getattr__`."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mxtorch' has no attribute {name!r}")
    module = importlib.import_module(home)
    return module if home.endswith(f".{name}") else getattr(module, name)
