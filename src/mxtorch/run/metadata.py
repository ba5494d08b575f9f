"""`importlib.metadata` and `pkg_resources` know of mxnet; packages ask as they are imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, DistributionFinder
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from mxtorch.version import MXNET_VERSION

_FILES = {
    "METADATA": (
        f"Metadata-Version: 2.1\nName: mxnet\nVersion: {MXNET_VERSION}\n"
        "Summary: Apache MXNet's API, by mxtorch\n"
    ),
    "top_level.txt": "mxnet\n",
    "INSTALLER": "mxtorch\n",
}


_BESIDE = str(Path(__file__).parents[2])


class MXNetDistribution(Distribution):
    """An installed mxnet 1.9.1 that requires nothing."""

    def read_text(self, filename: str) -> str | None:
        """Its metadata."""
        return _FILES.get(str(filename))

    def locate_file(self, path: str | PathLike[str]) -> Any:
        """Where its files would lie."""
        return Path(__file__).parent / path


def find(context: DistributionFinder.Context) -> Iterator[Distribution]:
    """It, if the context asks for it, or for all that is on the path, or beside mxtorch.

    pip asks for all, one folder after the other.
    """
    every = context.name is None and (context.path == sys.path or _BESIDE in context.path)
    if every or (context.name or "").lower() == "mxnet":
        yield MXNetDistribution()


def tell_pkg_resources(module: ModuleType, name: str) -> None:
    """Add it to what a real pkg_resources has found on the path."""
    found = module.Distribution(__file__, project_name="mxnet", version=MXNET_VERSION)
    module.working_set.add(found, replace=True)
