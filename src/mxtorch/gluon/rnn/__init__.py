"""`mx.gluon.rnn`: recurrent layers and cells."""

from mxtorch.gluon.rnn import rnn_cell, rnn_layer
from mxtorch.gluon.rnn.rnn_cell import (
    BidirectionalCell,
    DropoutCell,
    GRUCell,
    HybridRecurrentCell,
    HybridSequentialRNNCell,
    LSTMCell,
    ModifierCell,
    RecurrentCell,
    ResidualCell,
    RNNCell,
    SequentialRNNCell,
    ZoneoutCell,
)
from mxtorch.gluon.rnn.rnn_layer import GRU, LSTM, RNN
