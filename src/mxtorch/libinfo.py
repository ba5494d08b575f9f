"""Where the library lies. There is no libmxnet here: what asks for it is told so."""

from __future__ import annotations

from typing import NoReturn

from mxtorch._core.errors import NotSupportedError
from mxtorch.version import MXNET_VERSION as __version__

__all__ = ["__version__", "find_conf_path", "find_include_path", "find_lib_path"]


def _refuse(what: str) -> NoReturn:
    raise NotSupportedError(
        f"{what}: mxtorch has no C library; it runs on torch. Extensions in C++ are written for "
        "torch (torch.utils.cpp_extension), operators in Python as mx.operator.CustomOp."
    )


def find_lib_path(prefix: str = "libmxnet") -> list[str]:
    """Refused: there is no such file."""
    _refuse(f"find_lib_path({prefix!r})")


def find_include_path() -> str:
    """Refused: there are no header files."""
    _refuse("find_include_path()")


def find_conf_path(prefix: str = "tvmop") -> str:
    """Refused: there is no such file."""
    _refuse(f"find_conf_path({prefix!r})")
