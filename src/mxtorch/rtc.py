"""Kernels in CUDA that are compiled while a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from mxtorch._core.errors import NotSupportedError

__all__ = ["CudaKernel", "CudaModule"]


class CudaModule:
    """Refused: such source is written for MXNet's own compiler and launcher."""

    def __init__(
        self, source: str, options: Sequence[str] = (), exports: Sequence[str] = ()
    ) -> None:
        refuse("CudaModule")


class CudaKernel:
    """Refused: only a CudaModule makes one."""

    def __init__(self, handle: object, name: str, is_ndarray: object, dtypes: object) -> None:
        refuse("CudaKernel")


def refuse(name: str) -> NoReturn:
    """Raise, and say what to do instead."""
    raise NotSupportedError(
        f"mx.rtc.{name}: CUDA source is not compiled. Write the operator in Python "
        "(mx.operator.CustomOp), or compile the source with torch.utils.cpp_extension.load_inline "
        "and call it on x.as_torch()"
    )
