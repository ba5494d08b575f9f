"""`mx.sym.random`: random numbers in graphs."""

from typing import Any

from mxtorch._core.attrs import _Null
from mxtorch._front.random import RandomFunctions
from mxtorch.symbol._namespace import fill, make
from mxtorch.symbol.symbol import Symbol

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

_functions = RandomFunctions(lambda op: make(op, op.name), Symbol, default_shape=_Null)

uniform = _functions.uniform
normal = _functions.normal
randn = _functions.randn
exponential = _functions.exponential
gamma = _functions.gamma
poisson = _functions.poisson
negative_binomial = _functions.negative_binomial
generalized_negative_binomial = _functions.generalized_negative_binomial
randint = _functions.randint
shuffle = _functions.shuffle


def multinomial(
    data: Any, shape: Any = _Null, get_prob: bool = True, dtype: Any = "int32", **kwargs: Any
) -> Any:
    """Classes drawn from rows of probabilities, and their log probabilities by default."""
    return _functions.multinomial(data, shape, get_prob, dtype=dtype, **kwargs)


fill(globals(), "random")
