"""`mxtorch.convert` itself can be called: `mxtorch.convert("net-symbol.json")`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package that converts when it is called; what it needs is imported then."""

    def __call__(
        self,
        model: Any,
        params: Any = None,
        *,
        block: Any = None,
        outputs: Sequence[str] = (),
        dtype: Any = None,
    ) -> Any:
        """A model as a torch module: see `mxtorch.convert.api.convert`."""
        from mxtorch.convert.api import convert

        return convert(model, params, block=block, outputs=outputs, dtype=dtype)


def make_callable(package: str) -> None:
    """Let a package be called."""
    sys.modules[package].__class__ = _Callable


make_callable("mxtorch.convert")
