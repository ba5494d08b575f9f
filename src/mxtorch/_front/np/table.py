"""Importing this module enters the functions of every file of this room."""

import importlib
import pkgutil

import mxtorch._front.np

FILES = tuple(
    importlib.import_module(f"mxtorch._front.np.{module.name}")
    for module in pkgutil.iter_modules(mxtorch._front.np.__path__)
    if module.name != "table"
)
