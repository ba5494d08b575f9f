"""`mx.sym.np`: the functions of `mx.np` that are operators, on symbols."""

from mxtorch.symbol.numpy import _internal, linalg, random
from mxtorch.symbol.numpy._symbol import _Symbol, fill

fill(globals(), "np")
