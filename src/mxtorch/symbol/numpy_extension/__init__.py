"""`mx.sym.npx`: MXNet's own operators on symbols of `mx.np`."""

from mxtorch.symbol.numpy._symbol import fill
from mxtorch.symbol.numpy_extension import image, random

fill(globals(), "npx")
