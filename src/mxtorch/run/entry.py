"""Everything that makes an MXNet program run here: alias, removed names, child processes."""

from __future__ import annotations

import os
import shutil
import sys

from mxtorch._core import env
from mxtorch._core.device import parse_map
from mxtorch._core.one_element import switch
from mxtorch.run import alias, child, toolkits
from mxtorch.run.era import hooks

_CHANGED = ("MXTORCH_ALIAS", "MXTORCH_ERA", "MXTORCH_MAP", "PYTHONPATH", "PATH")
_before: dict[str, str | None] = {}


def install(era: str | None = None, device_map: str | None = None) -> None:
    """Let `import mxnet` mean mxtorch, here and in the processes that this one starts.

    era: 'on' puts removed names of NumPy, Python and others back, for the code that fails without
    them; 'quiet' does so without a notice; 'off' does not. None: what MXTORCH_ERA says, else 'on'.
    device_map: 'gpu=cpu', 'gpu(1)=gpu(0)'. None: what MXTORCH_MAP says, else none.

    Calling it again changes only what is given. Raises MXNetError if another mxnet has been
    imported before, MXNetValueError if an argument cannot be read.
    """
    device_map = env.MAP.get() if device_map is None else device_map
    parse_map(device_map)
    if era is None:
        env.ERA.get()
    else:
        env.ERA.check(era)
    alias.install()
    toolkits.install()
    if not env.ALIAS.get():
        alias.tell_of_another()
    for name in _CHANGED:
        _before.setdefault(name, env.read(name))
    if era is not None:
        env.ERA.set(era)
    if env.ERA.get() != "off":
        hooks.install(env.ERA.get() == "quiet")
    if device_map:
        env.MAP.set(device_map)
    env.ALIAS.set("1")
    env.prepend_folder("PYTHONPATH", os.path.dirname(os.path.abspath(child.__file__)))
    _put_own_python_first()


def uninstall() -> None:
    """Undo `install`: modules, finders, environment."""
    switch.is_on = switch.is_quiet = False
    hooks.uninstall()
    toolkits.uninstall()
    alias.uninstall()
    for name, text in _before.items():
        if text is None:
            env.remove(name)
        else:
            env.write(name, text)
    _before.clear()


def _put_own_python_first() -> None:
    """Let `python` in shell scripts be this one, as in an activated environment."""
    folder = os.path.dirname(os.path.abspath(sys.executable))
    found = shutil.which("python")
    own = shutil.which("python", path=folder)
    if own is not None and (found is None or os.path.dirname(os.path.abspath(found)) != folder):
        env.prepend_folder("PATH", folder)
