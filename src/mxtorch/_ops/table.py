"""Importing this module fills the operator table with every family."""

from mxtorch._ops import (
    activation,
    binary,
    conv,
    dense,
    dropout,
    loss,
    norm,
    pool,
    reduce,
    rnn,
    unary,
)

FAMILIES = (activation, binary, conv, dense, dropout, loss, norm, pool, reduce, rnn, unary)
