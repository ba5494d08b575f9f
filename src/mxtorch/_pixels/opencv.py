"""OpenCV, imported when it is first needed, and its errors as mxtorch's."""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from mxtorch._core.errors import MXNetError


@functools.cache
def opencv() -> ModuleType:
    """The module `cv2`; MXNetError if it is not installed."""
    try:
        import cv2
    except ImportError as error:
        raise MXNetError(
            "images are decoded and resized by OpenCV, which is not installed: "
            "pip install 'mxtorch[image]' (or opencv-python-headless)"
        ) from error
    # a forked process has lost OpenCV's threads and would wait for them
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(after_in_child=lambda: cv2.setNumThreads(0))
    return cv2  # type: ignore[no-any-return,unused-ignore]


@functools.cache
def is_installed() -> bool:
    """Whether OpenCV can be imported."""
    return importlib.util.find_spec("cv2") is not None


@contextmanager
def plain() -> Iterator[ModuleType]:
    """OpenCV without Intel's kernels, whose rounding is not that of MXNet's OpenCV.

    The switch is one of the thread's; it is put back.
    """
    cv2 = opencv()
    before = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    try:
        yield cv2
    except cv2.error as error:
        raise MXNetError(f"OpenCV: {str(error.err or error).strip()}") from error
    finally:
        cv2.ipp.setUseIPP(before)
