"""Convolutions that look beside their own places: another convolution says where."""

from __future__ import annotations

from math import prod
from typing import Any

from mxtorch._core.errors import MXNetError
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.nn import Activation
from mxtorch.gluon.parameter import Parameter, ParameterDict

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]


def _pair(value: Any, argument: str) -> tuple[int, ...]:
    found = (value,) * 2 if isinstance(value, int) else tuple(value)
    if len(found) != 2:
        raise MXNetError(f"{argument}={found} must have 2 numbers: deformable layers are 2-D")
    return found


class _Deformable(HybridBlock):
    """What both layers share; `_shares` numbers of the offsets belong to each place."""

    _shares: int

    def __init__(
        self,
        channels: int,
        kernel_size: Any = (1, 1),
        strides: Any = (1, 1),
        padding: Any = (0, 0),
        dilation: Any = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "",
        adj: Any = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._channels = channels
        self._in_channels = in_channels
        self._op_name = op_name
        kernel = _pair(kernel_size, "kernel_size")
        places = prod(kernel) * num_deformable_group
        shared: dict[str, Any] = {
            "kernel": kernel,
            "stride": _pair(strides, "strides"),
            "dilate": _pair(dilation, "dilation"),
            "pad": _pair(padding, "padding"),
        }
        ends = {"no_bias": not offset_use_bias, "layout": layout}
        self.offset_split_index = 2 * places
        self._kwargs_offset: dict[str, Any] = {
            **shared,
            "num_filter": self._shares * places,
            "num_group": groups,
            **ends,
        }
        self._kwargs_deformable_conv: dict[str, Any] = {
            **shared,
            "num_filter": channels,
            "num_group": groups,
            "num_deformable_group": num_deformable_group,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if adj is not None:
            self._kwargs_offset["adj"] = self._kwargs_deformable_conv["adj"] = adj
        offsets = (offset_weight_initializer, offset_bias_initializer, offset_use_bias)
        own = (weight_initializer, bias_initializer, use_bias)
        with self.name_scope():
            self._make_parameters(offsets, own)
            self.act: Activation | None = None
            if activation:
                self.act = Activation(activation, prefix=activation + "_")

    def _make_parameters(self, offsets: tuple[Any, ...], own: tuple[Any, ...]) -> None:
        """In the order of which random numbers are drawn: MXNet's two layers differ in it."""
        raise NotImplementedError

    def _make_offset(self, weight_init: Any, bias_init: Any, use_bias: bool) -> None:
        facts = self._kwargs_offset
        inside = self._in_channels // facts["num_group"]
        shape = (facts["num_filter"], inside, *facts["kernel"])
        self.offset_weight = self.params.get(
            "offset_weight", shape=shape, init=weight_init, allow_deferred_init=True
        )
        self.offset_bias = self._bias("offset_bias", facts["num_filter"], bias_init, use_bias)

    def _make_convolution(self, weight_init: Any, bias_init: Any, use_bias: bool) -> None:
        shape = (self._channels, 0, *self._kwargs_deformable_conv["kernel"])
        self.deformable_conv_weight = self.params.get(
            "deformable_conv_weight", shape=shape, init=weight_init, allow_deferred_init=True
        )
        self.deformable_conv_bias = self._bias(
            "deformable_conv_bias", self._channels, bias_init, use_bias
        )

    def _bias(self, name: str, length: int, init: Any, wanted: bool) -> Parameter | None:
        if not wanted:
            return None
        return self.params.get(name, shape=(length,), init=init, allow_deferred_init=True)

    def _offsets(self, F: Any, x: Any, weight: Any, bias: Any) -> Any:
        arrays = (x, weight) if bias is None else (x, weight, bias)
        return F.Convolution(*arrays, cudnn_off=True, **self._kwargs_offset)

    def _finish(self, operator: Any, *arrays: Any) -> Any:
        given = [array for array in arrays if array is not None]
        result = operator(*given, name="fwd", **self._kwargs_deformable_conv)
        return result if self.act is None else self.act(result)


class DeformableConvolution(_Deformable):
    """A 2-D convolution whose kernel looks at places that another convolution moves."""

    _shares = 2

    def __init__(
        self,
        channels: int,
        kernel_size: Any = (1, 1),
        strides: Any = (1, 1),
        padding: Any = (0, 0),
        dilation: Any = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "DeformableConvolution",
        adj: Any = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        sizes = (channels, kernel_size, strides, padding, dilation, groups, num_deformable_group)
        facts = (layout, use_bias, in_channels, activation, weight_initializer, bias_initializer)
        offsets = (offset_weight_initializer, offset_bias_initializer, offset_use_bias)
        super().__init__(*sizes, *facts, *offsets, op_name, adj, prefix, params)

    def _make_parameters(self, offsets: tuple[Any, ...], own: tuple[Any, ...]) -> None:
        self._make_offset(*offsets)
        self._make_convolution(*own)

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """The convolution of `x`."""
        offset = self._offsets(F, x, offset_weight, offset_bias)
        operator = F.contrib.DeformableConvolution
        return self._finish(operator, x, offset, deformable_conv_weight, deformable_conv_bias)

    def _alias(self) -> str:
        return "deformable_conv"

    def __repr__(self) -> str:
        facts = self._kwargs_deformable_conv
        inside = self.deformable_conv_weight.shape[1] or None
        text = f"{inside} -> {self._channels}, kernel_size={facts['kernel']}"
        text += f", stride={facts['stride']}"
        if any(facts["pad"]):
            text += f", padding={facts['pad']}"
        if facts["dilate"] != (1, 1):
            text += f", dilation={facts['dilate']}"
        if facts["num_group"] != 1:
            text += f", groups={facts['num_group']}"
        if self.deformable_conv_bias is None:
            text += ", bias=False"
        if self.act:
            text += f", {self.act}"
        return f"{type(self).__name__}({text})"


class ModulatedDeformableConvolution(_Deformable):
    """A DeformableConvolution in which each place has a weight besides, between 0 and 2."""

    _shares = 3

    def __init__(
        self,
        channels: int,
        kernel_size: Any = (1, 1),
        strides: Any = (1, 1),
        padding: Any = (0, 0),
        dilation: Any = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "ModulatedDeformableConvolution",
        adj: Any = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        sizes = (channels, kernel_size, strides, padding, dilation, groups, num_deformable_group)
        facts = (layout, use_bias, in_channels, activation, weight_initializer, bias_initializer)
        offsets = (offset_weight_initializer, offset_bias_initializer, offset_use_bias)
        super().__init__(*sizes, *facts, *offsets, op_name, adj, prefix, params)

    def _make_parameters(self, offsets: tuple[Any, ...], own: tuple[Any, ...]) -> None:
        self._make_convolution(*own)
        self._make_offset(*offsets)

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """The convolution of `x`."""
        both = self._offsets(F, x, offset_weight, offset_bias)
        split = self.offset_split_index
        offset = F.slice_axis(both, axis=1, begin=0, end=split)
        mask = F.sigmoid(F.slice_axis(both, axis=1, begin=split, end=None)) * 2
        operator = F.contrib.ModulatedDeformableConvolution
        weight, bias = deformable_conv_weight, deformable_conv_bias
        return self._finish(operator, x, offset, mask, weight, bias)

    def _alias(self) -> str:
        return "modulated_deformable_conv"
