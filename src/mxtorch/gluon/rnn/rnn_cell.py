"""Recurrent cells: one step of a sequence, and `unroll` for all steps."""

from mxtorch.gluon.rnn._base import HybridRecurrentCell, RecurrentCell
from mxtorch.gluon.rnn._basic import GRUCell, LSTMCell, RNNCell
from mxtorch.gluon.rnn._containers import (
    BidirectionalCell,
    HybridSequentialRNNCell,
    SequentialRNNCell,
)
from mxtorch.gluon.rnn._containers import state_info as _cells_state_info
from mxtorch.gluon.rnn._modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from mxtorch.gluon.rnn._sequence import as_list as _as_list
from mxtorch.gluon.rnn._sequence import begin_state_for as _get_begin_state
from mxtorch.gluon.rnn._sequence import format_sequence as _format_sequence
from mxtorch.gluon.rnn._sequence import mask_steps as _mask_sequence_variable_length
from mxtorch.gluon.rnn._sequence import reverse_steps as _reverse_sequences

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
