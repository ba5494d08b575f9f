"""`mx.sym.npx.image`: its functions on symbols."""

from mxtorch.symbol.numpy._symbol import fill

fill(globals(), "npx.image")
