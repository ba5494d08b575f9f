"""`%load_ext mxtorch`: from then on `import mxnet` works in the notebook."""

from __future__ import annotations

from typing import Any

from mxtorch.run import entry


def load_ipython_extension(ipython: Any) -> None:
    """Called by IPython for `%load_ext mxtorch`."""
    entry.install()


def unload_ipython_extension(ipython: Any) -> None:
    """Called by IPython for `%unload_ext mxtorch`."""
    entry.uninstall()
