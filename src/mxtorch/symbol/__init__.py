"""`mx.sym`: symbols and the operators that compose them."""

from mxtorch.symbol import (
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
from mxtorch.symbol import _internal as gen__internal
from mxtorch.symbol import contrib as gen_contrib
from mxtorch.symbol import image as gen_image
from mxtorch.symbol import linalg as gen_linalg
from mxtorch.symbol import numpy as np
from mxtorch.symbol import numpy_extension as npx
from mxtorch.symbol import op as gen_op
from mxtorch.symbol import random as gen_random
from mxtorch.symbol import sparse as gen_sparse
from mxtorch.symbol._create import (
    arange,
    eye,
    full,
    histogram,
    linspace,
    ones,
    split_v2,
    zeros,
)
from mxtorch.symbol._functions import hypot, maximum, minimum, pow, power
from mxtorch.symbol._namespace import fill
from mxtorch.symbol.symbol import Group, Symbol, Variable, load, load_json, var

fill(globals())
