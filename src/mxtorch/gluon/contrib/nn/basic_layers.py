"""Branches side by side, sub-pixel upsampling, an embedding with sparse gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mxtorch import ndarray
from mxtorch._core.errors import MXNetAssertionError
from mxtorch.gluon.block import Block, HybridBlock
from mxtorch.gluon.nn import HybridSequential, Sequential
from mxtorch.gluon.nn._norm import SyncBatchNorm
from mxtorch.gluon.parameter import ParameterDict

__all__ = [
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
    "SparseEmbedding",
    "SyncBatchNorm",
]

nd: Any = ndarray


class Concurrent(Sequential):
    """Blocks that get the same input; their outputs are concatenated along `axis`."""

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Any) -> Any:
        """The outputs of all blocks, concatenated."""
        return nd.concat(*(block(x) for block in self._children.values()), dim=self.axis)


class HybridConcurrent(HybridSequential):
    """HybridBlocks that get the same input; their outputs are concatenated along `axis`."""

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The outputs of all blocks, concatenated."""
        return F.concat(*(block(x) for block in self._children.values()), dim=self.axis)


class Identity(HybridBlock):
    """Gives its input back: the branch of a HybridConcurrent that skips a layer."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x` itself."""
        return x


class SparseEmbedding(Block):
    """An Embedding whose gradient is a row_sparse array."""

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": True,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
            stype="row_sparse",
        )

    def forward(self, x: Any) -> Any:
        """The rows of the table that `x` names."""
        weight = self.weight.row_sparse_data(x)
        return nd.Embedding(x, weight, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        facts = self._kwargs
        sizes = f"{facts['input_dim']} -> {facts['output_dim']}"
        return f"{type(self).__name__}({sizes}, {facts['dtype']})"


class PixelShuffle1D(HybridBlock):
    """(N, f*C, W) to (N, C, W*f)."""

    def __init__(self, factor: int) -> None:
        super().__init__()
        self._factor = int(factor)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x`, longer and with fewer channels."""
        x = F.reshape(x, (0, -4, -1, self._factor, 0))
        x = F.transpose(x, (0, 1, 3, 2))
        return F.reshape(x, (0, 0, -3))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factor})"


class _PixelShuffle(HybridBlock):
    """A factor for each of several axes."""

    _axes: int

    def __init__(self, factor: Any) -> None:
        super().__init__()
        if isinstance(factor, Iterable):
            self._factors = tuple(int(each) for each in factor)
        else:
            self._factors = (int(factor),) * self._axes
        if len(self._factors) != self._axes:
            raise MXNetAssertionError(f"wrong length {len(self._factors)}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"


class PixelShuffle2D(_PixelShuffle):
    """(N, f1*f2*C, H, W) to (N, C, H*f1, W*f2)."""

    _axes = 2

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x`, larger and with fewer channels."""
        down, across = self._factors
        x = F.reshape(x, (0, -4, -1, down * across, 0, 0))
        x = F.reshape(x, (0, 0, -4, down, across, 0, 0))
        x = F.transpose(x, (0, 1, 4, 2, 5, 3))
        return F.reshape(x, (0, 0, -3, -3))


class PixelShuffle3D(_PixelShuffle):
    """(N, f1*f2*f3*C, D, H, W) to (N, C, D*f1, H*f2, W*f3)."""

    _axes = 3

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """`x`, larger and with fewer channels; MXNet's transpose takes six axes at most."""
        deep, down, across = self._factors
        x = F.reshape(x, (0, -4, -1, deep * down * across, 0, 0, 0))
        x = F.swapaxes(x, 2, 3)
        x = F.reshape(x, (0, 0, 0, -4, deep, down * across, 0, 0))
        x = F.reshape(x, (0, 0, -3, 0, 0, 0))
        x = F.swapaxes(x, 3, 4)
        x = F.reshape(x, (0, 0, 0, 0, -4, down, across, 0))
        x = F.reshape(x, (0, 0, 0, -3, 0, 0))
        x = F.swapaxes(x, 4, 5)
        return F.reshape(x, (0, 0, 0, 0, -3))
