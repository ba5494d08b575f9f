"""`mx.sym.sparse`: the operators of this namespace, each a function of Symbols."""

from mxtorch.symbol._namespace import fill

fill(globals(), "sparse")
