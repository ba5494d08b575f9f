"""`mx.nd.op`: the operators of the top namespace, each a function of NDArrays."""

from mxtorch.ndarray._namespace import fill

fill(globals())
