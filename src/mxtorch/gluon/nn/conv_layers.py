"""Convolution and pooling layers."""

from __future__ import annotations

from typing import Any

from mxtorch._core.errors import MXNetAssertionError, MXNetError
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.nn._pool import (
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalAvgPool3D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    ReflectionPad2D,
)
from mxtorch.gluon.nn._sizes import CHANNELS_FIRST, CHANNELS_LAST, Size, kernel, repeat
from mxtorch.gluon.nn.activations import Activation
from mxtorch.gluon.parameter import Parameter

__all__ = [
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "ReflectionPad2D",
]


class _Conv(HybridBlock):
    """A convolution with any number of axes, or its transpose."""

    _op_name = "Convolution"
    _ndim = 2
    # MXNet's CPU kernels have channels-last layouts for these numbers of axes
    _channels_last: tuple[int, ...] = (2, 3)

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size,
        padding: Size,
        dilation: Size,
        groups: int,
        layout: str,
        in_channels: int = 0,
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        adj: Size | None = None,
        **kwargs: Any,
    ) -> None:
        self._check_layout(layout)
        super().__init__(**kwargs)
        ndim = self._ndim
        self._channels = channels
        self._in_channels = in_channels
        self._kwargs: dict[str, Any] = {
            "kernel": kernel(kernel_size, ndim, "kernel_size"),
            "stride": repeat(strides, ndim),
            "dilate": repeat(dilation, ndim),
            "pad": repeat(padding, ndim),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if adj is not None:
            self._kwargs["adj"] = repeat(adj, ndim)
        self._check_sizes()
        self.bias: Parameter | None
        self.act: Activation | None
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=self._weight_shape(),
                init=weight_initializer,
                allow_deferred_init=True,
            )
            self.bias = None
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True
                )
            self.act = None
            if activation is not None:
                self.act = Activation(activation, prefix=activation + "_")

    def _alias(self) -> str:
        return "conv"

    def _check_layout(self, layout: str) -> None:
        allowed = [CHANNELS_FIRST[self._ndim]]
        if self._ndim in self._channels_last:
            allowed.append(CHANNELS_LAST[self._ndim])
        if layout not in allowed:
            names = " and ".join(f"'{name}'" for name in allowed)
            raise MXNetAssertionError(f"Only supports {names} layout for now")

    def _check_sizes(self) -> None:
        facts, groups = self._kwargs, self._kwargs["num_group"]
        for argument, key in (("strides", "stride"), ("dilation", "dilate"), ("padding", "pad")):
            if len(facts[key]) != self._ndim:
                raise MXNetError(
                    f"{type(self).__name__}: {argument}={tuple(facts[key])} must have one number "
                    f"for each of the {self._ndim} axes of kernel_size={tuple(facts['kernel'])}"
                )
        if self._channels % groups or self._in_channels % groups:
            raise MXNetError(
                f"{type(self).__name__}: channels={self._channels} and "
                f"in_channels={self._in_channels} must be multiples of groups={groups}"
            )

    def _weight_shape(self) -> tuple[int, ...]:
        facts = self._kwargs
        inside = self._in_channels // facts["num_group"]
        if facts["layout"] == CHANNELS_LAST[self._ndim]:
            return (self._channels, *facts["kernel"], inside)
        return (self._channels, inside, *facts["kernel"])

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """The convolution of `x`, and the activation of it."""
        arrays = (x, weight) if bias is None else (x, weight, bias)
        result = getattr(F, self._op_name)(*arrays, name="fwd", **self._kwargs)
        return result if self.act is None else self.act(result)

    def __repr__(self) -> str:
        facts, ndim = self._kwargs, self._ndim
        shape = self.weight.shape
        text = f"{shape[1] or None} -> {shape[0]}, kernel_size={facts['kernel']}"
        text += f", stride={facts['stride']}"
        if facts["pad"] != (0,) * ndim:
            text += f", padding={facts['pad']}"
        if facts["dilate"] != (1,) * ndim:
            text += f", dilation={facts['dilate']}"
        if facts["num_group"] != 1:
            text += f", groups={facts['num_group']}"
        if self.bias is None:
            text += ", bias=False"
        if self.act is not None:
            text += f", {self.act}"
        return f"{type(self).__name__}({text})"


class Conv1D(_Conv):
    """Convolution over the last axis of (batch, channels, width)."""

    _ndim = 1
    _channels_last = ()

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = 1,
        padding: Size = 0,
        dilation: Size = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class Conv2D(_Conv):
    """Convolution over the last two axes of (batch, channels, height, width), or NHWC."""

    _ndim = 2

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = (1, 1),
        padding: Size = (0, 0),
        dilation: Size = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class Conv3D(_Conv):
    """Convolution over the last three axes of (batch, channels, depth, height, width), or NDHWC."""

    _ndim = 3

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = (1, 1, 1),
        padding: Size = (0, 0, 0),
        dilation: Size = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class _Transpose(_Conv):
    """A transposed convolution: weights are (in, out / groups, kernel)."""

    _op_name = "Deconvolution"

    def _check_sizes(self) -> None:
        super()._check_sizes()
        facts = self._kwargs
        self.outpad = facts["adj"]
        if len(self.outpad) != self._ndim or any(
            a >= s for a, s in zip(self.outpad, facts["stride"], strict=True)
        ):
            raise MXNetError(
                f"{type(self).__name__}: output_padding={tuple(self.outpad)} must be smaller than "
                f"strides={tuple(facts['stride'])} on each axis"
            )
        if facts["num_group"] > 1 and not self._in_channels:
            raise MXNetError(f"{type(self).__name__}: groups need in_channels")

    def _weight_shape(self) -> tuple[int, ...]:
        facts = self._kwargs
        outside = self._channels // facts["num_group"]
        if facts["layout"] == CHANNELS_LAST[self._ndim]:
            return (self._in_channels, *facts["kernel"], outside)
        return (self._in_channels, outside, *facts["kernel"])


class Conv1DTranspose(_Transpose):
    """Transposed convolution over the last axis of (batch, channels, width)."""

    _ndim = 1
    _channels_last = ()

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = 1,
        padding: Size = 0,
        output_padding: Size = 0,
        dilation: Size = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            adj=output_padding,
            **kwargs,
        )


class Conv2DTranspose(_Transpose):
    """Transposed convolution over the last two axes of (batch, channels, height, width)."""

    _ndim = 2

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = (1, 1),
        padding: Size = (0, 0),
        output_padding: Size = (0, 0),
        dilation: Size = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            adj=output_padding,
            **kwargs,
        )


class Conv3DTranspose(_Transpose):
    """Transposed convolution over the last three axes of (batch, channels, depth, …)."""

    _ndim = 3

    def __init__(
        self,
        channels: int,
        kernel_size: Size,
        strides: Size = (1, 1, 1),
        padding: Size = (0, 0, 0),
        output_padding: Size = (0, 0, 0),
        dilation: Size = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            adj=output_padding,
            **kwargs,
        )
