"""`mx.nd.random`: arrays of random numbers."""

from mxtorch._front.random import RandomFunctions
from mxtorch.ndarray._namespace import fill, make
from mxtorch.ndarray.ndarray import NDArray

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
]

_functions = RandomFunctions(make, NDArray, default_shape=1)

uniform = _functions.uniform
normal = _functions.normal
randn = _functions.randn
exponential = _functions.exponential
gamma = _functions.gamma
poisson = _functions.poisson
negative_binomial = _functions.negative_binomial
generalized_negative_binomial = _functions.generalized_negative_binomial
randint = _functions.randint
multinomial = _functions.multinomial
shuffle = _functions.shuffle

fill(globals(), "random")
