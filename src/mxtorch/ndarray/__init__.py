"""`mx.nd`: arrays and the operators on them."""

from mxtorch._core.device import Context, current_context
from mxtorch.ndarray import (
    _internal,
    contrib,
    image,
    linalg,
    numpy,
    numpy_extension,
    op,
    random,
    sparse,
)
from mxtorch.ndarray._create import (
    arange,
    array,
    concatenate,
    empty,
    eye,
    from_dlpack,
    from_numpy,
    from_torch,
    full,
    linspace,
    moveaxis,
    ones,
    to_dlpack_for_read,
    to_dlpack_for_write,
    zeros,
)
from mxtorch.ndarray._functions import (
    add,
    divide,
    equal,
    greater,
    greater_equal,
    histogram,
    lesser,
    lesser_equal,
    logical_and,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    modulo,
    multiply,
    not_equal,
    onehot_encode,
    power,
    split_v2,
    subtract,
    true_divide,
)
from mxtorch.ndarray import numpy as np
from mxtorch.ndarray import numpy_extension as npx
from mxtorch.ndarray._namespace import fill
from mxtorch.ndarray.ndarray import NDArray, waitall
from mxtorch.ndarray.utils import load, load_frombuffer, save



fill(globals())
