"""`mx.contrib.nd`: the contributed operators on NDArrays, as in `mx.nd.contrib`."""

from mxtorch.ndarray._namespace import fill

fill(globals(), "contrib")
