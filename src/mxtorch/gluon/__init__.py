"""`mx.gluon`: blocks, parameters, training."""

from mxtorch._core import lazy as _lazy
from mxtorch.gluon import (
    block,
    data,
    loss,
    nn,
    parameter,
    rnn,
    trainer,
    utils,
)
from mxtorch.gluon.block import Block, HybridBlock, SymbolBlock
from mxtorch.gluon.parameter import (
    Constant,
    DeferredInitializationError,
    Parameter,
    ParameterDict,
    tensor_types,
)
from mxtorch.gluon.trainer import Trainer

__getattr__, __dir__, __all__ = _lazy.rooms(__name__, contrib="contrib", model_zoo="model_zoo")
