"""Parameters of blocks: `mx.gluon.Parameter`, `Constant`, `ParameterDict`."""

from mxtorch.gluon._parameter import Constant, DeferredInitializationError, Parameter
from mxtorch.gluon._parameter_dict import ParameterDict
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

__all__ = [
    "Constant",
    "DeferredInitializationError",
    "Parameter",
    "ParameterDict",
    "tensor_types",
]

tensor_types = (Symbol, NDArray)
