"""`mx.np`: NumPy's interface on MXNet's arrays."""

from mxtorch.ndarray.numpy import _protocol
from mxtorch.ndarray.numpy._namespace import fill
from mxtorch.numpy import (
    _op,
    arrayprint,
    fallback,
    fallback_linalg,
    function_base,
    io,
    linalg,
    multiarray,
    random,
    stride_tricks,
    utils,
)
from mxtorch.numpy.arrayprint import set_printoptions
from mxtorch.numpy.function_base import meshgrid
from mxtorch.numpy.io import genfromtxt
from mxtorch.numpy.multiarray import array, empty, ndarray
from mxtorch.numpy.stride_tricks import broadcast_arrays
from mxtorch.numpy.utils import (
    NAN,
    NINF,
    NZERO,
    PINF,
    PZERO,
    NaN,
    bool,
    bool_,
    e,
    finfo,
    float16,
    float32,
    float64,
    inf,
    int8,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    uint8,
)

fallback.fill(globals())
fill(globals(), "np")
