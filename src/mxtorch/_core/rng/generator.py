"""The generator of a thread."""

from __future__ import annotations

import threading

from mxtorch._core.rng.elementwise import ElementwiseSamplers
from mxtorch._core.rng.numpy_family import NumpySamplers
from mxtorch._core.rng.rejection import RejectionSamplers


class Generator(ElementwiseSamplers, RejectionSamplers, NumpySamplers):
    """MXNet's CPU random streams of one thread, bit for bit; NumPy in, NumPy out."""


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.generator = Generator()


_threads = _PerThread()


# Where MXNet runs operators that are written in Python: a thread of its own, never seeded.
_worker = Generator()


def worker() -> Generator:
    """The generator of the thread that MXNet's custom operators run on."""
    return _worker


def current() -> Generator:
    """This thread's generator; a thread that never seeded has seed 0."""
    return _threads.generator
