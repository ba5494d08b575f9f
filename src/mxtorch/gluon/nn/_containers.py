"""Blocks that hold other blocks or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch import ndarray, symbol
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.gluon._block import list_blocks
from mxtorch.gluon.block import Block, HybridBlock
from mxtorch.gluon.parameter import ParameterDict


class _Stack(Block):
    """What Sequential and HybridSequential have in common."""

    _in_summary = False

    def add(self, *blocks: Any) -> None:
        """Put blocks at the end."""
        for block in blocks:
            self.register_child(block)

    def __repr__(self) -> str:
        return list_blocks(self, self._children)

    def __getitem__(self, key: Any) -> Any:
        layers = list(self._children.values())[key]
        if not isinstance(layers, list):
            return layers
        part = type(self)(prefix=self._prefix)
        with part.name_scope():
            part.add(*layers)
        return part

    def __len__(self) -> int:
        return len(self._children)


class Sequential(_Stack):
    """Blocks one after the other."""

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def forward(self, x: Any) -> Any:
        """The output of the last block."""
        for block in self._children.values():
            x = block(x)
        return x

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridize each child by itself; a HybridSequential is traced as a whole."""
        if self._children and all(isinstance(c, HybridBlock) for c in self._children.values()):
            warn(
                f"All children of this Sequential layer '{self.prefix}' are HybridBlocks. "
                "Consider using HybridSequential for the best performance."
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Stack, HybridBlock):
    """HybridBlocks one after the other."""

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The output of the last block."""
        for block in self._children.values():
            x = block(x)
        return x


class Lambda(Block):
    """A block around a function, or the name of a function of `mx.nd`."""

    def __init__(self, function: str | Callable[..., Any], prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._func_impl: Callable[..., Any]
        if isinstance(function, str):
            if not hasattr(ndarray, function):
                raise MXNetAssertionError(f"Function name {function} is not found in ndarray.")
            self._func_impl = getattr(ndarray, function)
        elif callable(function):
            self._func_impl = function
        else:
            raise _unrecognized(function)

    def forward(self, *args: Any) -> Any:
        """The function's result."""
        return self._func_impl(*args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_impl.__name__})"


class HybridLambda(HybridBlock):
    """A HybridBlock around a function of F and arrays, or the name of one in `mx.nd`, `mx.sym`."""

    def __init__(self, function: str | Callable[..., Any], prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            name = function
            if not (hasattr(ndarray, name) and hasattr(symbol, name)):
                raise MXNetAssertionError(f"Function name {name} is not found in symbol/ndarray.")

            def call(F: Any, *args: Any) -> Any:
                return getattr(F, name)(*args)

            self._func: Callable[..., Any] = call
            self._func_name = name
        elif callable(function):
            self._func = function
            self._func_name = function.__name__
        else:
            raise _unrecognized(function)

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The function's result."""
        return self._func(F, x, *args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"


def _unrecognized(function: Any) -> MXNetValueError:
    return MXNetValueError(f"Unrecognized function in lambda: {function} of type {type(function)}")
