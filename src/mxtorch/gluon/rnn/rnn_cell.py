"""Recurrent cells: one step of a sequence, and `unroll` for all steps."""

from mxtorch.gluon.rnn._base import HybridRecurrentCell, RecurrentCell
from mxtorch.gluon.rnn._basic import GRUCell, LSTMCell, RNNCell
from mxtorch.gluon.rnn._containers import (
    BidirectionalCell,
    HybridSequentialRNNCell,
    SequentialRNNCell,
)
from mxtorch.gluon.rnn._modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]
