"""Sizes and layouts of convolution and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetAssertionError

Size = int | Sequence[int]
CHANNELS_FIRST = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
CHANNELS_LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def repeat(size: Size, count: int) -> Any:
    """A number for each axis; a sequence as it is."""
    return (size,) * count if isinstance(size, int) else size


def kernel(size: Size, count: int, argument: str) -> Any:
    """The same for a window, which must have all axes."""
    window = repeat(size, count)
    if len(window) != count:
        raise MXNetAssertionError(f"{argument} must be a number or a list of {count} ints")
    return window
