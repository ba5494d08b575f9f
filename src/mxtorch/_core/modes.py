"""The switches of MXNet, each kept per thread: autograd's two, and NumPy semantics."""

from __future__ import annotations

import threading


class Modes(threading.local):
    """`recording`: operators keep their history. `training`: Dropout drops, BatchNorm measures.

    `freed`: the number of torch's last node that a backward of this thread has freed, or -1.
    `np_shape`: arrays may have no axes or empty ones. `np_array`: Gluon works on `mx.np` arrays.
    """

    def __init__(self) -> None:  # once for each thread; `__dict__` then has all of them
        self.recording = False
        self.training = False
        self.freed = -1
        self.np_shape = False
        self.np_array = False


modes = Modes()
