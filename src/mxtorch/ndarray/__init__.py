"""`mx.nd`: arrays and the operators on them."""

from mxtorch._core.device import Context, current_context
from mxtorch.ndarray import (
    _internal,
    _mirrored,
    contrib,
    image,
    linalg,
    numpy,
    numpy_extension,
    op,
    random,
    sparse,
)
from mxtorch.ndarray import _internal as gen__internal
from mxtorch.ndarray import contrib as gen_contrib
from mxtorch.ndarray import image as gen_image
from mxtorch.ndarray import linalg as gen_linalg
from mxtorch.ndarray import numpy as np
from mxtorch.ndarray import numpy_extension as npx
from mxtorch.ndarray import op as gen_op
from mxtorch.ndarray import random as gen_random
from mxtorch.ndarray import sparse as gen_sparse
from mxtorch.ndarray._any import array, empty, zeros
from mxtorch.ndarray._create import (
    arange,
    concatenate,
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
)
from mxtorch.ndarray._functions import (
    add,
    divide,
    equal,
    greater,
    greater_equal,
    histogram,
    imdecode,
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
from mxtorch.ndarray._namespace import fill
from mxtorch.ndarray.ndarray import NDArray, waitall
from mxtorch.ndarray.utils import load, load_frombuffer, save

fill(globals())
