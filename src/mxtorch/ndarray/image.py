"""`mx.nd.image`: the operators of this namespace, each a function of NDArrays."""

from mxtorch.ndarray._namespace import fill

fill(globals(), "image")
