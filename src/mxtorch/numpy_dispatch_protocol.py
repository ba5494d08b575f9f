"""Which official NumPy functions and ufuncs `mx.np` answers for when they meet its arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as onp

from mxtorch.ndarray.numpy import _protocol

__all__ = ["with_array_function_protocol", "with_array_ufunc_protocol"]

F = TypeVar("F", bound=Callable[..., Any])

_FUNCTIONS = """
all any sometrue argmin argmax around round round_ argsort sort append broadcast_arrays
broadcast_to clip concatenate copy cumsum diag diagonal diagflat dot expand_dims fix flip flipud
fliplr inner insert max amax mean min amin nonzero ones_like atleast_1d atleast_2d atleast_3d prod
product ravel repeat reshape roll split array_split hsplit vsplit dsplit squeeze stack std sum
swapaxes take tensordot tile transpose unique unravel_index diag_indices_from delete var vdot
vstack column_stack hstack dstack zeros_like linalg.norm linalg.cholesky linalg.inv linalg.solve
linalg.tensorinv linalg.tensorsolve linalg.pinv linalg.eigvals linalg.eig linalg.eigvalsh
linalg.eigh shape trace tril meshgrid outer einsum polyval shares_memory may_share_memory quantile
percentile diff ediff1d resize where full_like bincount empty_like nan_to_num isnan isfinite
isposinf isneginf isinf pad
""".split()  # noqa: SIM905 - a hundred names, a line each otherwise
_UFUNCS = """
abs fabs add arctan2 copysign degrees hypot lcm subtract multiply true_divide negative power mod
matmul absolute rint sign exp log log2 log10 expm1 sqrt square cbrt reciprocal invert bitwise_not
remainder sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh maximum minimum
ceil trunc floor bitwise_and bitwise_xor bitwise_or logical_not equal not_equal less less_equal
greater greater_equal
""".split()  # noqa: SIM905 - fifty names, a line each otherwise


def _exists(name: str) -> bool:
    """Whether the installed NumPy still has it."""
    module: Any = onp
    for part in name.split("."):
        module = getattr(module, part, None)
    return module is not None


_NUMPY_ARRAY_FUNCTION_LIST = [name for name in _FUNCTIONS if _exists(name)]
_NUMPY_ARRAY_UFUNC_LIST = [name for name in _UFUNCS if _exists(name)]
_NUMPY_ARRAY_FUNCTION_DICT = {
    name: _protocol.functions[name]
    for name in _NUMPY_ARRAY_FUNCTION_LIST
    if name in _protocol.functions
}
_NUMPY_ARRAY_UFUNC_DICT = {name: _protocol.functions[name] for name in _NUMPY_ARRAY_UFUNC_LIST}


def with_array_function_protocol(func: F) -> F:
    """A decorator of programs that rely on NumPy's function protocol: it is always on."""
    return func


def with_array_ufunc_protocol(func: F) -> F:
    """A decorator of programs that rely on NumPy's ufunc protocol: it is always on."""
    return func
