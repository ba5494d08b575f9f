"""`mx.nd.random`: the operators of this namespace, each a function of NDArrays."""

from mxtorch.ndarray._namespace import fill

fill(globals(), "random")
