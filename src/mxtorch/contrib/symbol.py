"""`mx.contrib.sym`: the contributed operators on symbols, as in `mx.sym.contrib`."""

from mxtorch.symbol._namespace import fill

fill(globals(), "contrib")
