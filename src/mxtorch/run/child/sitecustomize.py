"""Gives the children of `mxtorch run` the alias `mxnet`: its folder is on their PYTHONPATH.

Every Python that a program starts runs this, so it imports nothing until `mxnet` is asked for, and
other Pythons than ours must be able to read it.
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))


class _Waiting:
    """Stands in for the alias's finder until the first `import mxnet`."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: object = None, target: object = None
    ) -> "ModuleSpec | None":
        """The alias's answer, if mxtorch can be imported and MXTORCH_ALIAS is on."""
        if fullname != "mxnet":
            return None
        if PathFinder.find_spec("mxtorch") is None:
            sys.path.append(_ROOT)
        try:
            from mxtorch._core import env
            from mxtorch.run import alias
        except ImportError:  # another Python, without torch
            return None
        if not env.ALIAS.get():
            return None
        alias.install()
        return alias.AliasFinder().find_spec(fullname)


def _run_hidden_one() -> None:
    """Run the sitecustomize that this one hides, if there is one."""
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _HERE]
sys.meta_path.insert(0, _Waiting)
_run_hidden_one()
