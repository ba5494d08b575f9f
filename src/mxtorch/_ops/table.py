"""Importing this module fills the operator table with every family."""

from mxtorch._ops import (
    binary,
    create,
    image,
    index,
    linalg,
    matmul,
    order,
    reduce,
    sequence,
    shape,
)

FAMILIES = (
    binary,
    create,
    image,
    index,
    linalg,
    matmul,
    order,
    reduce,
    sequence,
    shape,
)
