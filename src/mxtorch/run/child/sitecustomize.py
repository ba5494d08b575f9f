"""Gives the children of `mxtorch run` the alias `mxnet`: its folder is on their PYTHONPATH.

Every Python that a program starts runs this. It imports neither torch nor the package mxtorch, and
other Pythons than ours must be able to read it.
"""

import importlib
import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(os.path.dirname(_HERE))


def _load(name: str) -> ModuleType:
    """A module of mxtorch that needs no torch, without mxtorch itself, which does."""
    if "mxtorch" in sys.modules:
        return importlib.import_module(name)
    stub = ModuleType("mxtorch")
    stub.__path__ = [_PACKAGE]
    sys.modules["mxtorch"] = stub
    try:
        return importlib.import_module(name)
    finally:
        for key in [key for key in sys.modules if _is_ours(key)]:
            del sys.modules[key]


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == "mxtorch"


def _install() -> None:
    """The alias and the removed names, if MXTORCH_ALIAS is on and this Python can run mxtorch."""
    if sys.version_info < (3, 10) or PathFinder.find_spec("torch") is None:
        return
    env = _load("mxtorch._core.env")
    if env.ALIAS.get():
        if PathFinder.find_spec("mxtorch") is None:
            sys.path.append(os.path.dirname(_PACKAGE))
        if env.ERA.get() != "off":
            _load("mxtorch.run.era.hooks").install(env.ERA.get() == "quiet")
        _load("mxtorch.run.alias").install(_load)


def _run_hidden_one() -> None:
    """Run the sitecustomize that this one hides, if there is one."""
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
_install()
_run_hidden_one()
