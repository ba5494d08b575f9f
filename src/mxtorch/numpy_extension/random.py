"""`mx.npx.random`: the seed, and samplers that NumPy does not have."""

from __future__ import annotations

from mxtorch import random
from mxtorch._core.device import Context
from mxtorch.ndarray.numpy._namespace import fill

__all__ = ["seed"]


def seed(seed: int, ctx: Context | str = "all") -> None:
    """Seed this thread's generators; ValueError unless `seed` is an int."""
    random.seed(seed, ctx)


fill(globals(), "npx.random")
