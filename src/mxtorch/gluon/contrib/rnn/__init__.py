"""`mx.gluon.contrib.rnn`: further recurrent cells."""

from mxtorch.gluon.contrib.rnn import conv_rnn_cell, rnn_cell
from mxtorch.gluon.contrib.rnn.conv_rnn_cell import (
    Conv1DGRUCell,
    Conv1DLSTMCell,
    Conv1DRNNCell,
    Conv2DGRUCell,
    Conv2DLSTMCell,
    Conv2DRNNCell,
    Conv3DGRUCell,
    Conv3DLSTMCell,
    Conv3DRNNCell,
)
from mxtorch.gluon.contrib.rnn.rnn_cell import LSTMPCell, VariationalDropoutCell
