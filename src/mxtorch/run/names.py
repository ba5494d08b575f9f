"""While `mxnet` means mxtorch, the classes of MXNet's modules name these modules: `print(type(x))`,
pickles, registries and logs are then as in MXNet. After `uninstall` all is as it was.

A class that a private file defines belongs to the public module that lists it in `__all__`, or to
the package around the file if that has no `__all__`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from mxtorch._core import homes
from mxtorch.run.alias import is_mirrored

_OURS = "mxtorch."


def give(module: ModuleType) -> None:
    """Give the classes of one module of mxtorch their names in MXNet."""
    name = module.__name__
    if not name.startswith(_OURS) or not is_mirrored(name):
        return
    listed = getattr(module, "__all__", None)
    for attribute, cls in list(vars(module).items()):
        if not isinstance(cls, type) or not cls.__module__.startswith(_OURS):
            continue
        moved = cls.__module__ != name
        inside = cls.__module__.rpartition(".")[0] == name
        is_listed = inside if listed is None else attribute in listed
        if moved and (is_mirrored(cls.__module__) or not is_listed):
            continue  # it is at home elsewhere
        alias = "mxnet." + name.removeprefix(_OURS)
        homes.rename(cls, alias)
        sys.modules.setdefault(alias, module)


def give_all() -> None:
    """Give the classes of all modules that are there their names; packages come last."""
    loaded = [m for m in list(sys.modules.values()) if getattr(m, "__name__", "")[:8] == _OURS]
    for module in sorted(loaded, key=lambda m: hasattr(m, "__path__")):
        give(module)
