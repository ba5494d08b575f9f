"""`mx.sym.op`: the operators of the top namespace, each a function of Symbols."""

from mxtorch.symbol._namespace import fill

fill(globals())
