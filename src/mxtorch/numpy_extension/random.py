"""`mx.npx.random`: the seed, and samplers that NumPy does not have."""

from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.random import seed

__all__ = ["seed"]

fill(globals(), "npx.random")
