"""`mx.sym.np._internal`: its functions on symbols."""

from mxtorch.symbol.numpy._symbol import fill

fill(globals(), "np._internal")
