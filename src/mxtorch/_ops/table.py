"""Importing this module fills the operator table: every file of this room is a family."""

import importlib
import pkgutil

import mxtorch._ops

FAMILIES = tuple(
    importlib.import_module(f"mxtorch._ops.{module.name}")
    for module in pkgutil.iter_modules(mxtorch._ops.__path__)
    if module.name != "table"
)
