"""The two switches of MXNet's autograd, each kept per thread: recording and training."""

from __future__ import annotations

import threading


class Modes(threading.local):
    """`recording`: operators keep their history. `training`: Dropout drops, BatchNorm measures."""

    recording: bool = False
    training: bool = False


modes = Modes()
