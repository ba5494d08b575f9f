"""`mx.optimizer`: rules that update weights from gradients."""

from mxtorch.optimizer._adam import FTML, Adam, Adamax, Nadam
from mxtorch.optimizer._adaptive import AdaDelta, AdaGrad, Ftrl, RMSProp
from mxtorch.optimizer._base import Optimizer, create, register
from mxtorch.optimizer._large_batch import LAMB, LARS, LBSGD
from mxtorch.optimizer._sgd import DCASGD, NAG, SGD, SGLD, Signum, ccSGD
from mxtorch.optimizer._test import Test
from mxtorch.optimizer._updater import Updater, get_updater

__all__ = [
    "DCASGD",
    "FTML",
    "LAMB",
    "LARS",
    "LBSGD",
    "NAG",
    "SGD",
    "SGLD",
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "create",
    "get_updater",
    "register",
]
