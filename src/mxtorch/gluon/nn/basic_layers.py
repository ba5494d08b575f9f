"""Basic layers; containers and normalization come from files of their own."""

from __future__ import annotations

from typing import Any

from mxtorch._core.modes import modes
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.nn._containers import HybridLambda, HybridSequential, Lambda, Sequential
from mxtorch.gluon.nn._norm import (
    BatchNorm,
    BatchNormReLU,
    GroupNorm,
    InstanceNorm,
    LayerNorm,
)
from mxtorch.gluon.nn.activations import Activation
from mxtorch.gluon.parameter import Parameter

__all__ = [
    "BatchNorm",
    "BatchNormReLU",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "HybridLambda",
    "HybridSequential",
    "InstanceNorm",
    "Lambda",
    "LayerNorm",
    "Sequential",
]


class Dense(HybridBlock):
    """A fully connected layer; with `flatten` all axes but the first are one."""

    def __init__(
        self,
        units: int,
        activation: str | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_units: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._flatten = flatten
        self._units = units
        self._in_units = in_units
        self.bias: Parameter | None
        self.act: Activation | None
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            self.bias = None
            if use_bias:
                self.bias = self.params.get(
                    "bias",
                    shape=(units,),
                    init=bias_initializer,
                    dtype=dtype,
                    allow_deferred_init=True,
                )
            self.act = None
            if activation is not None:
                self.act = Activation(activation, prefix=activation + "_")

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """x weightᵀ + bias, and the activation of it."""
        arrays = (x, weight) if bias is None else (x, weight, bias)
        result = F.FullyConnected(
            *arrays,
            no_bias=bias is None,
            num_hidden=self._units,
            flatten=self._flatten,
            name="fwd",
        )
        return result if self.act is None else self.act(result)

    def __repr__(self) -> str:
        shape = self.weight.shape
        act = self.act or "linear"
        return f"{type(self).__name__}({shape[1] or None} -> {shape[0]}, {act})"


class Dropout(HybridBlock):
    """Sets elements to 0 with probability `rate` in training; the mask is shared along `axes`."""

    def __init__(self, rate: float, axes: Any = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._rate = rate
        self._axes = axes

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x`, with elements dropped in training."""
        if self._rate > 0:
            return F.Dropout(x, p=self._rate, axes=self._axes, name="fwd", cudnn_off=False)
        return F.np.copy(x) if modes.np_array else F.identity(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


class Embedding(HybridBlock):
    """Rows of a table by number; numbers outside are clipped."""

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        sparse_grad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            allow_deferred_init=True,
            grad_stype="row_sparse" if sparse_grad else "default",
        )

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        """The rows of the table that `x` names."""
        return F.Embedding(x, weight, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        facts = self._kwargs
        return (
            f"{type(self).__name__}({facts['input_dim']} -> {facts['output_dim']}, "
            f"{facts['dtype']})"
        )


class Flatten(HybridBlock):
    """All axes but the first made one."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x` with two axes."""
        return F.npx.batch_flatten(x) if modes.np_array else F.Flatten(x)

    def __repr__(self) -> str:
        return type(self).__name__
