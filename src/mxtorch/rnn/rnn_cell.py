"""The cells of `mx.rnn`."""

from mxtorch.rnn._cells import (
    BaseRNNCell,
    GRUCell,
    LSTMCell,
    RNNCell,
    RNNParams,
)
from mxtorch.rnn._conv import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell
from mxtorch.rnn._fused import FusedRNNCell
from mxtorch.rnn._modifiers import ModifierCell, ResidualCell, ZoneoutCell
from mxtorch.rnn._stacks import (
    BidirectionalCell,
    DropoutCell,
    SequentialRNNCell,
)

__all__ = [
    "BaseConvRNNCell",
    "BaseRNNCell",
    "BidirectionalCell",
    "ConvGRUCell",
    "ConvLSTMCell",
    "ConvRNNCell",
    "DropoutCell",
    "FusedRNNCell",
    "GRUCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RNNParams",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]
