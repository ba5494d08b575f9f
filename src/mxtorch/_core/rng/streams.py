"""The two generators that MXNet keeps for every thread."""

from __future__ import annotations

import numpy as np

from mxtorch._core.rng.arrays import Array
from mxtorch._core.rng.mt import Bank, Engine
from mxtorch._core.rng.polar import Repeats

ENGINES = 1024
_PER_ENGINE = 64  # a request uses one more engine for each so many elements
_FACTOR = 127


def split(n: int, limit: int = ENGINES, least: int = _PER_ENGINE) -> tuple[int, int]:
    """Engines that a request of n > 0 elements uses, and consecutive elements of each."""
    engines = min(-(-n // least), limit)
    step = -(-n // engines)
    return -(-n // step), step


class Streams:
    """`par`, a bank of engines for element-wise samplers, and `one` for everything else."""

    def __init__(self, seed: int = 0) -> None:
        self.par = Bank(seed * _FACTOR, ENGINES)
        self.one = Engine(seed * _FACTOR)
        self._repeats = Repeats(self.par)

    def seed(self, seed: int) -> None:
        """`mx.random.seed(seed)`: any int, taken modulo 2**32."""
        base = _checked(seed) * _FACTOR
        self.par.reset(base)
        self.one.reset(base)

    def seed_ctx(self, seed: int) -> None:
        """`mx.random.seed(seed, ctx=...)`, whatever the context: `one` gets the seed itself."""
        value = _checked(seed)
        self.par.reset(value * _FACTOR)
        self.one.reset(value)

    def get_state(self) -> dict[str, Array]:
        """Arrays to save in a checkpoint; 2.5 MB once a large request was made, else a few KB."""
        parts = {"par": self.par.get_state(), "one": self.one.get_state()}
        return {f"{part}.{name}": v for part, held in parts.items() for name, v in held.items()}

    def set_state(self, state: dict[str, Array]) -> None:
        """Go on from what `get_state` returned, in this thread or another process."""
        parts: dict[str, dict[str, Array]] = {"par": {}, "one": {}}
        for key, value in state.items():
            part, name = key.split(".")
            parts[part][name] = value
        self.par.set_state(parts["par"])
        self.one.set_state(parts["one"])


def _checked(seed: object) -> int:
    if isinstance(seed, int | np.int32 | np.int64):  # no other of NumPy's, as in MXNet
        return int(seed)
    raise ValueError("seed_state must be int")
