"""Pooling layers and padding."""

from __future__ import annotations

from typing import Any

from mxtorch._core.errors import MXNetAssertionError
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.nn._sizes import CHANNELS_FIRST, CHANNELS_LAST, Size, kernel, repeat


class _Pooling(HybridBlock):
    """A pooling over the inner axes; strides are the pool's size unless given."""

    _ndim = 2

    def __init__(
        self,
        pool_size: Size,
        strides: Size | None,
        padding: Size,
        ceil_mode: bool,
        global_pool: bool,
        pool_type: str,
        layout: str,
        count_include_pad: bool | None = None,
        **kwargs: Any,
    ) -> None:
        ndim = self._ndim
        if layout not in (CHANNELS_FIRST[ndim], CHANNELS_LAST[ndim]):
            raise MXNetAssertionError(
                f"Only {CHANNELS_FIRST[ndim]} and {CHANNELS_LAST[ndim]} layouts are valid for "
                f"{ndim}D Pooling"
            )
        size = kernel(pool_size, ndim, "pool_size")
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "kernel": size,
            "stride": size if strides is None else repeat(strides, ndim),
            "pad": repeat(padding, ndim),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self) -> str:
        return "pool"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The pooled `x`."""
        return F.Pooling(x, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        facts = self._kwargs
        return (
            f"{type(self).__name__}(size={facts['kernel']}, stride={facts['stride']}, "
            f"padding={facts['pad']}, ceil_mode={facts['pooling_convention'] == 'full'}, "
            f"global_pool={facts['global_pool']}, pool_type={facts['pool_type']}, "
            f"layout={facts['layout']})"
        )


class MaxPool1D(_Pooling):
    """The largest value of each window of (batch, channels, width)."""

    _ndim = 1

    def __init__(
        self,
        pool_size: Size = 2,
        strides: Size | None = None,
        padding: Size = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "max", layout, None, **kwargs
        )


class MaxPool2D(_Pooling):
    """The largest value of each window of (batch, channels, height, width)."""

    _ndim = 2

    def __init__(
        self,
        pool_size: Size = (2, 2),
        strides: Size | None = None,
        padding: Size = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "max", layout, None, **kwargs
        )


class MaxPool3D(_Pooling):
    """The largest value of each window of (batch, channels, depth, height, width)."""

    _ndim = 3

    def __init__(
        self,
        pool_size: Size = (2, 2, 2),
        strides: Size | None = None,
        padding: Size = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "max", layout, None, **kwargs
        )


class AvgPool1D(_Pooling):
    """The mean of each window of (batch, channels, width)."""

    _ndim = 1

    def __init__(
        self,
        pool_size: Size = 2,
        strides: Size | None = None,
        padding: Size = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size,
            strides,
            padding,
            ceil_mode,
            False,
            "avg",
            layout,
            count_include_pad,
            **kwargs,
        )


class AvgPool2D(_Pooling):
    """The mean of each window of (batch, channels, height, width)."""

    _ndim = 2

    def __init__(
        self,
        pool_size: Size = (2, 2),
        strides: Size | None = None,
        padding: Size = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size,
            strides,
            padding,
            ceil_mode,
            False,
            "avg",
            layout,
            count_include_pad,
            **kwargs,
        )


class AvgPool3D(_Pooling):
    """The mean of each window of (batch, channels, depth, height, width)."""

    _ndim = 3

    def __init__(
        self,
        pool_size: Size = (2, 2, 2),
        strides: Size | None = None,
        padding: Size = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size,
            strides,
            padding,
            ceil_mode,
            False,
            "avg",
            layout,
            count_include_pad,
            **kwargs,
        )


class _GlobalPooling(_Pooling):
    """One window over everything."""

    _pool_type = "max"

    def __init__(self, layout: str, **kwargs: Any) -> None:
        super().__init__(
            (1,) * self._ndim, None, 0, True, True, self._pool_type, layout, None, **kwargs
        )


class GlobalMaxPool1D(_GlobalPooling):
    """The largest value of each channel."""

    _ndim = 1

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class GlobalMaxPool2D(_GlobalPooling):
    """The largest value of each channel."""

    _ndim = 2

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class GlobalMaxPool3D(_GlobalPooling):
    """The largest value of each channel."""

    _ndim = 3

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class GlobalAvgPool1D(_GlobalPooling):
    """The mean of each channel."""

    _ndim = 1
    _pool_type = "avg"

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class GlobalAvgPool2D(_GlobalPooling):
    """The mean of each channel."""

    _ndim = 2
    _pool_type = "avg"

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class GlobalAvgPool3D(_GlobalPooling):
    """The mean of each channel."""

    _ndim = 3
    _pool_type = "avg"

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(layout, **kwargs)


class ReflectionPad2D(HybridBlock):
    """Mirrors the borders of (batch, channels, height, width) outward."""

    def __init__(self, padding: Size = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if isinstance(padding, int):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        if len(padding) != 8:
            raise MXNetAssertionError(f"padding must be a number or 8 numbers, got {padding}")
        self._padding = padding

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The padded `x`."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
