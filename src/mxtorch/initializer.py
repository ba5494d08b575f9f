"""Initial values of parameters: `mx.init.Xavier()` and its kin.

Values are drawn from MXNet's own stream (`mx.nd.random`), so a seed gives MXNet's weights.
"""

from __future__ import annotations

import json
import logging
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mxtorch._core.classes import registry_of
from mxtorch._core.errors import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from mxtorch.ndarray import NDArray, array, load, random, zeros
from mxtorch.ndarray.numpy import random as np_random
from mxtorch.ndarray.numpy._array import ndarray as np_ndarray

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "create",
    "register",
]


class InitDesc(str):
    """A parameter's name together with its attributes and the initializer of its whole net."""

    attrs: dict[str, Any]
    global_init: Any

    def __new__(
        cls, name: str, attrs: dict[str, Any] | None = None, global_init: Any = None
    ) -> InitDesc:
        self = super().__new__(cls, name)
        self.attrs = attrs or {}
        self.global_init = global_init
        return self


def _root_mean_square(values: NDArray) -> str:
    numbers = values.asnumpy()
    return str((np.linalg.norm(numbers.ravel()) / np.sqrt(numbers.size)).astype(numbers.dtype))


class Initializer:
    """Base of all initializers: a subclass fills weights in `_init_weight(name, array)`.

    Called with a name, it also decides by the name's ending: biases and betas are zeros, gammas
    ones. A parameter's own initializer (attribute `__init__`) comes before that rule.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[NDArray], Any] = _root_mean_square

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[NDArray], Any] | None = None
    ) -> Initializer:
        """Log each initialized parameter with `print_func` of it (its root mean square)."""
        self._verbose = verbose
        self._print_func = _root_mean_square if print_func is None else print_func
        return self

    def dumps(self) -> str:
        """The initializer as JSON text that `create` reads."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, desc: InitDesc | str, arr: NDArray) -> None:
        if not isinstance(desc, InitDesc):
            warnings.warn(
                "Calling initializer with init(str, NDArray) has been deprecated."
                "please use init(mx.init.InitDesc(...), NDArray) instead.",
                DeprecationWarning,
                stacklevel=2,  # calls of our own say nothing, as in MXNet
            )
            if not isinstance(desc, str):
                raise MXNetTypeError("name must be string")
            if not isinstance(arr, NDArray):
                raise MXNetTypeError("arr must be NDArray")
            self._init_by_plain_name(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        own = desc.attrs.get("__init__", "")
        if own:
            create(own)._init_weight(desc, arr)
            self._report(desc, own, arr)
            return
        ending = self._init_by_name(desc, arr)
        if ending is not None:
            self._report(desc, ending, arr)

    def _init_by_name(self, name: str, arr: NDArray) -> str | None:
        """Fill the array as the name's ending says; the ending."""
        for ending, method in _BY_ENDING:
            if name.endswith(ending):
                getattr(self, method)(name, arr)
                return ending
        self._init_default(name, arr)
        return None

    def _init_by_plain_name(self, name: str, arr: NDArray) -> None:
        """What a name without attributes says: FeedForward's parameters have no more."""
        if name.startswith("upsampling"):
            Bilinear()._init_weight(name, arr)
        elif name.startswith("stn_loc") and name.endswith("weight"):
            self._init_zero(name, arr)
        elif name.startswith("stn_loc") and name.endswith("bias"):
            arr[:] = np.array([1.0, 0, 0, 0, 1.0, 0])  # the identity of a spatial transformer
        else:
            for ending, method in _OF_STATES:
                if name.endswith(ending):
                    getattr(self, method)(name, arr)
                    return
            self._init_by_name(name, arr)

    def _report(self, desc: str, what: Any, arr: NDArray) -> None:
        if self._verbose:
            logging.info("Initialized %s as %s: %s", desc, what, self._print_func(arr))

    def _init_weight(self, name: str, arr: NDArray) -> None:
        raise NotImplementedError("Must override it")

    def _init_bias(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    _init_beta = _init_bias
    _init_zero = _init_bias

    def _init_gamma(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    _init_one = _init_gamma

    def _init_default(self, name: str, _: NDArray) -> None:
        raise MXNetValueError(
            f"Unknown initialization pattern for {name}. "
            'Default initialization is now limited to "weight", "bias", "gamma" (1.0), '
            'and "beta" (0.0).'
            "Please use mx.sym.Variable(init=mx.init.*) to set initialization pattern"
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Initializer)
            and type(self) is type(other)
            and self._kwargs == other._kwargs
        )


# Names' endings and who fills them, in the order in which they are tried.
_BY_ENDING = (
    ("weight", "_init_weight"),
    ("bias", "_init_bias"),
    ("gamma", "_init_gamma"),
    ("beta", "_init_beta"),
    ("min", "_init_zero"),
    ("max", "_init_one"),
)

# Of moving statistics, in plain names only: elsewhere their attributes say it.
_OF_STATES = (
    ("moving_mean", "_init_zero"),
    ("moving_var", "_init_one"),
    ("moving_inv_var", "_init_zero"),
    ("moving_avg", "_init_zero"),
)

_registry = registry_of(Initializer, "initializer")


def register(klass: type) -> type:
    """Enter an initializer under its class name (in lower case); a decorator."""
    return _registry.register(klass)


def alias(*aliases: str) -> Callable[[Any], Any]:
    """A decorator that enters an initializer under further names."""
    return _registry.alias(*aliases)


def create(*args: Any, **kwargs: Any) -> Any:
    """An initializer from a name with arguments, JSON text of `dumps`, or one as it is."""
    first = args[0] if args else kwargs.get("initializer")
    if not isinstance(first, (str, dict, Initializer)):
        raise MXNetAssertionError(
            f"initializer must be of string type or an Initializer, got {first!r}"
        )
    return _registry.create(*args, **kwargs)


@alias("zeros")
@register
class Zero(Initializer):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0


@alias("ones")
@register
class One(Initializer):
    """Ones."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 1


@register
class Constant(Initializer):
    """One number everywhere, or the values of an array that broadcasts to the parameter."""

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        self.value = value

    def _init_weight(self, _: str, arr: NDArray) -> None:
        value = self.value
        arr[:] = array(value, dtype=arr.dtype) if isinstance(value, (list, tuple)) else value

    def dumps(self) -> str:
        """The initializer as JSON text; an array is written as lists."""
        value = self.value.asnumpy() if isinstance(self.value, NDArray) else self.value
        if isinstance(value, (np.ndarray, np.generic)):
            value = value.tolist()
        return json.dumps(["constant", {"value": value}])


draws: Any = np_random  # its functions come from the table


def _uniform(scale: float, arr: NDArray) -> None:
    """Fill with uniform numbers; arrays of mx.np take them from mx.np's stream."""
    if isinstance(arr, np_ndarray):
        draws.uniform(-scale, scale, size=arr.shape, dtype=arr.dtype, out=arr)
    else:
        random.uniform(-scale, scale, out=arr)


def _normal(sigma: float, arr: NDArray) -> None:
    if isinstance(arr, np_ndarray):
        draws.normal(0, sigma, size=arr.shape, dtype=arr.dtype, out=arr)
    else:
        random.normal(0, sigma, out=arr)


@register
class Uniform(Initializer):
    """Uniform in [-scale, scale)."""

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _uniform(self.scale, arr)


@register
class Normal(Initializer):
    """Normal around 0 with standard deviation `sigma`."""

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _normal(self.sigma, arr)


@register
class Orthogonal(Initializer):
    """`scale` times a matrix with orthogonal rows or columns, from a random one's SVD."""

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, _: str, arr: NDArray) -> None:
        if self.rand_type not in ("uniform", "normal"):
            raise MXNetValueError(
                f"Orthogonal: rand_type must be 'uniform' or 'normal', got {self.rand_type!r}"
            )
        if len(arr.shape) < 2:
            raise MXNetError(f"Orthogonal: needs at least two axes, got shape {arr.shape}")
        shape = (arr.shape[0], int(np.prod(arr.shape[1:])))
        if self.rand_type == "uniform":
            start = random.uniform(-1.0, 1.0, shape=shape)
        else:
            start = random.normal(0.0, 1.0, shape=shape)
        left, _values, right = np.linalg.svd(start.asnumpy(), full_matrices=False)
        chosen = left if left.shape == shape else right
        arr[:] = self.scale * chosen.reshape(arr.shape)


@register
class Xavier(Initializer):
    """Uniform or Gaussian with a width of sqrt(magnitude / fan).

    The fans are shape[1] and shape[0] times the rest, whatever the layer's layout.
    """

    def __init__(
        self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3
    ) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        shape = arr.shape
        if len(shape) < 2:
            raise MXNetValueError(
                f"Xavier initializer cannot be applied to vector {name}. It requires at least 2D."
            )
        rest = float(np.prod(shape[2:])) if len(shape) > 2 else 1.0
        fan_in, fan_out = shape[1] * rest, shape[0] * rest
        factors = {"avg": (fan_in + fan_out) / 2.0, "in": fan_in, "out": fan_out}
        if self.factor_type not in factors:
            raise MXNetValueError("Incorrect factor type")
        scale = np.sqrt(self.magnitude / factors[self.factor_type])
        if self.rnd_type == "uniform":
            _uniform(scale, arr)
        elif self.rnd_type == "gaussian":
            _normal(scale, arr)
        else:
            raise MXNetValueError("Unknown random type")


@register
class MSRAPrelu(Xavier):
    """Xavier's Gaussian for layers before a PReLU of that slope."""

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


@register
class Bilinear(Initializer):
    """The weight of an upsampling deconvolution that interpolates linearly."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) != 4:
            raise MXNetValueError(f"Bilinear: {name} must have four axes, its shape is {arr.shape}")
        height, width = arr.shape[2:]
        factor = np.ceil(width / 2.0)
        center = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        across = 1 - np.abs(np.arange(width) / factor - center)
        down = 1 - np.abs(np.arange(height) / factor - center)
        kernel = (down[:, None] * across[None, :]).astype(np.float32)
        arr[:] = np.broadcast_to(kernel, arr.shape)


@register
class LSTMBias(Initializer):
    """Zeros, but `forget_bias` for the forget gate: the second quarter."""

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0
        hidden = arr.shape[0] // 4
        arr[hidden : 2 * hidden] = self.forget_bias


@register
class FusedRNN(Initializer):
    """Fills the one parameter vector of a fused RNN layer, gate by gate.

    Weights by `init`, or by the whole net's initializer if it is None; biases are zeros, but
    `forget_bias` for an LSTM's forget gates.
    """

    def __init__(
        self,
        init: Initializer | str | None,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        chosen = None if init is None else create(init)
        super().__init__(
            init=None if chosen is None else chosen.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = chosen
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._bidirectional = bidirectional
        self._forget_bias = forget_bias

    def _init_weight(self, desc: Any, arr: NDArray) -> None:
        gates = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}[self._mode]
        hidden = self._num_hidden
        directions = 2 if self._bidirectional else 1
        fill = self._init or getattr(desc, "global_init", None)
        if fill is None:
            raise MXNetValueError(f"FusedRNN: there is no initializer for the weights of {desc}")
        position = 0
        for columns in self._columns(arr.size, gates, directions):
            for _ in range(gates):
                piece = zeros((hidden, columns), dtype=arr.dtype)
                fill(InitDesc("weight", global_init=desc.global_init), piece)
                arr[position : position + piece.size] = piece.reshape((-1,))
                position += piece.size
        arr[position:] = 0
        if self._mode == "lstm":
            for start in range(position + hidden, arr.size, 4 * hidden):
                arr[start : start + hidden] = self._forget_bias

    def _columns(self, size: int, gates: int, directions: int) -> list[int]:
        """How many inputs each weight matrix has, in the order of the vector."""
        hidden, layers = self._num_hidden, self._num_layers
        rows = gates * hidden
        deeper = (layers - 1) * (directions * hidden + hidden + 2)
        inputs, rest = divmod(size - directions * rows * deeper, directions * rows)
        inputs -= hidden + 2
        if rest or inputs < 1:
            raise MXNetAssertionError("Invalid parameters size for FusedRNNCell")
        columns = [inputs, hidden] * directions
        return columns + [directions * hidden, hidden] * directions * (layers - 1)


class Load:
    """Takes values from a file or a dict of arrays; `default_init` for names that it lacks."""

    def __init__(
        self,
        param: str | Mapping[str, NDArray],
        default_init: Any = None,
        verbose: bool = False,
    ) -> None:
        arrays = load(param) if isinstance(param, str) else param
        if not isinstance(arrays, Mapping):
            raise MXNetAssertionError("Load: the file holds arrays without names")
        self.param = {
            name.split(":", 1)[1] if name.startswith(("arg:", "aux:")) else name: array
            for name, array in arrays.items()
        }
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: NDArray) -> None:
        if name in self.param:
            source = self.param[name]
            if arr.shape != source.shape:
                raise MXNetAssertionError(
                    f"Parameter {name} cannot be initialized from loading. Shape mismatch, "
                    f"target {arr.shape} vs loaded {source.shape}"
                )
            arr[:] = source
            how = "loading"
        else:
            if self.default_init is None:
                raise MXNetAssertionError(
                    f"Cannot Initialize {name}. Not found in loaded param and no default "
                    "Initializer is provided."
                )
            self.default_init(name, arr)
            how = "default"
        if self.verbose:
            logging.info("Initialized %s by %s", name, how)


class Mixed:
    """Chooses an initializer by the first regular expression that matches the name's beginning."""

    def __init__(self, patterns: Sequence[str], initializers: Sequence[Any]) -> None:
        if len(patterns) != len(initializers):
            raise MXNetAssertionError(
                f"Mixed: {len(patterns)} patterns came with {len(initializers)} initializers"
            )
        self.map = list(zip(map(re.compile, patterns), initializers, strict=True))

    def __call__(self, name: str, arr: NDArray) -> None:
        for pattern, chosen in self.map:
            if pattern.match(name):
                chosen(name, arr)
                return
        raise MXNetValueError(
            f"Parameter name {name} did not match any pattern. Consider adding a "
            '".*" pattern at the end with default Initializer.'
        )
