"""`mx.sym.contrib`: the operators of this namespace, each a function of Symbols."""

from mxtorch.symbol._namespace import fill

fill(globals(), "contrib")
