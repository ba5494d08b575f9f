"""Memory that a program frees and soon wants again."""

from __future__ import annotations

import ctypes
import platform

from mxtorch._core import env

# mallopt's numbers for them, of glibc's malloc.h
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
# Arrays up to this size come out of the heap, and so much of it stays when it is free. A training
# step of LeNet else gives some MB back to the kernel and faults them in again, page by page.
_LARGEST, _KEPT = 2**28, 2**30
_ASKED = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


def keep_freed() -> bool:
    """Let glibc keep up to 1 GiB of what is freed for the next arrays; whether it does.

    False with another C library, where MXTORCH_KEEP_FREED is 0, or where the environment says
    itself how glibc is to go about it.
    """
    if not env.KEEP_FREED.get() or any(env.read(name) for name in _ASKED):
        return False
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGEST)) and bool(mallopt(_TRIM_THRESHOLD, _KEPT))
