"""Activation layers."""

from __future__ import annotations

from typing import Any

from mxtorch import initializer
from mxtorch._core.errors import MXNetAssertionError
from mxtorch.gluon.block import HybridBlock

__all__ = ["ELU", "GELU", "SELU", "Activation", "LeakyReLU", "PReLU", "SiLU", "Swish"]


class Activation(HybridBlock):
    """'relu', 'sigmoid', 'tanh', 'softrelu' or 'softsign' of each element."""

    def __init__(self, activation: str, **kwargs: Any) -> None:
        self._act_type = activation
        super().__init__(**kwargs)

    def _alias(self) -> str:
        return self._act_type

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The activation of `x`."""
        return F.Activation(x, act_type=self._act_type, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"


class LeakyReLU(HybridBlock):
    """x where it is positive, else alpha x."""

    def __init__(self, alpha: float, **kwargs: Any) -> None:
        if alpha < 0:
            raise MXNetAssertionError("Slope coefficient for LeakyReLU must be no less than 0.")
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The leaky ReLU of `x`."""
        return F.LeakyReLU(x, act_type="leaky", slope=self._alpha, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"


class PReLU(HybridBlock):
    """Leaky ReLU with a trained slope, one for all channels or one for each."""

    def __init__(
        self,
        alpha_initializer: Any = initializer.Constant(0.25),  # noqa: B008 - MXNet's signature
        in_channels: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Any:
        """The leaky ReLU of `x`."""
        return F.LeakyReLU(x, gamma=alpha, act_type="prelu", name="fwd")


class ELU(HybridBlock):
    """x where it is positive, else alpha (exp(x) - 1)."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The ELU of `x`."""
        return F.LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """ELU scaled so that activations keep mean 0 and variance 1."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The SELU of `x`."""
        return F.LeakyReLU(x, act_type="selu", name="fwd")


class GELU(HybridBlock):
    """x times the normal distribution function of x (by erf)."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The GELU of `x`."""
        return F.LeakyReLU(x, act_type="gelu", name="fwd")


class Swish(HybridBlock):
    """x sigmoid(beta x)."""

    def __init__(self, beta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The Swish of `x`."""
        return x * F.sigmoid(self._beta * x, name="fwd")


class SiLU(HybridBlock):
    """x sigmoid(x); MXNet 2's name for `Swish()`."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The SiLU of `x`."""
        return x * F.sigmoid(x, name="fwd")
