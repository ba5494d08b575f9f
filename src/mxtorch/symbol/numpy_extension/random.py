"""`mx.sym.npx.random`: its functions on symbols."""

from mxtorch.symbol.numpy._symbol import fill

fill(globals(), "npx.random")
