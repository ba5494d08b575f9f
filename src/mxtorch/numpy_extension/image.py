"""`mx.npx.image`: operators on images, and what `mx.image` has besides."""

from mxtorch._core import lazy as _lazy
from mxtorch.ndarray.numpy._namespace import fill

fill(globals(), "npx.image")

__getattr__ = _lazy.borrowed(__name__, "mxtorch.image")
