"""`mx.sym.np.linalg`: its functions on symbols."""

from mxtorch.symbol.numpy._symbol import fill

fill(globals(), "np.linalg")
