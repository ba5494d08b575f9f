"""`mx.optimizer`: rules that update weights from gradients."""

from mxtorch.ndarray import abs as NDabs  # type: ignore[attr-defined] # an operator, filled in
from mxtorch.optimizer import contrib
from mxtorch.optimizer.optimizer import (
    DCASGD,
    FTML,
    LAMB,
    LARS,
    LBSGD,
    NAG,
    SGD,
    SGLD,
    AdaDelta,
    AdaGrad,
    Adam,
    Adamax,
    Ftrl,
    Nadam,
    Optimizer,
    RMSProp,
    Signum,
    Test,
    Updater,
    ccSGD,
    create,
    get_updater,
    register,
)
