"""Importing this module fills the operator table: every file of this room is a family."""

import gc
import importlib
import pkgutil

import mxtorch._ops


def _pass_over() -> None:
    """Start the collector's count anew.

    torch's import leaves it at the edge of a full pass, which would come here, take 80 ms and find
    nothing. What the program has frozen itself stays frozen.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


_pass_over()
FAMILIES = tuple(
    importlib.import_module(f"mxtorch._ops.{module.name}")
    for module in pkgutil.iter_modules(mxtorch._ops.__path__)
    if module.name != "table"
)
