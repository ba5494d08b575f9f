"""`mx.gluon`: blocks, parameters, training."""

from mxtorch.gluon import (
    block,
    contrib,
    data,
    loss,
    model_zoo,
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
