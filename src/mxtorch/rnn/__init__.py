"""`mx.rnn`: recurrent cells of symbols, and sentences in buckets."""

from mxtorch.rnn import io, rnn, rnn_cell
from mxtorch.rnn.io import BucketSentenceIter, encode_sentences
from mxtorch.rnn.rnn import (
    do_rnn_checkpoint,
    load_rnn_checkpoint,
    rnn_unroll,
    save_rnn_checkpoint,
)
from mxtorch.rnn.rnn_cell import (
    BaseConvRNNCell,
    BaseRNNCell,
    BidirectionalCell,
    ConvGRUCell,
    ConvLSTMCell,
    ConvRNNCell,
    DropoutCell,
    FusedRNNCell,
    GRUCell,
    LSTMCell,
    ModifierCell,
    ResidualCell,
    RNNCell,
    RNNParams,
    SequentialRNNCell,
    ZoneoutCell,
)
