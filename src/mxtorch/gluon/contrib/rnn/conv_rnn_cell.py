"""Recurrent cells whose products are convolutions: states are images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetShapeError
from mxtorch.gluon.parameter import ParameterDict
from mxtorch.gluon.rnn import HybridRecurrentCell

__all__ = [
    "Conv1DGRUCell",
    "Conv1DLSTMCell",
    "Conv1DRNNCell",
    "Conv2DGRUCell",
    "Conv2DLSTMCell",
    "Conv2DRNNCell",
    "Conv3DGRUCell",
    "Conv3DLSTMCell",
    "Conv3DRNNCell",
]

Size = int | Sequence[int]


def _sizes(size: Size, dims: int) -> tuple[int, ...]:
    sizes = (size,) * dims if isinstance(size, int) else tuple(size)
    assert len(sizes) == dims, (
        f"For {dims}D convolution, the convolution settings can only be either int or list/tuple "
        f"of length {dims}"
    )
    return sizes


class _ConvCell(HybridRecurrentCell):
    """What they share. `input_shape` is that of one sample, in `conv_layout` without N.

    The kernel of the states must be odd: its padding keeps their size.
    """

    _dims: int
    _gates: int
    _states = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Size,
        h2h_kernel: Size,
        i2h_pad: Size,
        i2h_dilate: Size,
        h2h_dilate: Size,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        conv_layout: str,
        activation: Any,
        prefix: str | None,
        params: ParameterDict | None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_channels = hidden_channels
        self._input_shape = tuple(input_shape)
        self._conv_layout = conv_layout
        self._activation = activation
        self._h2h_kernel = _sizes(h2h_kernel, self._dims)
        assert all(k % 2 for k in self._h2h_kernel), (
            f"Only support odd number, get h2h_kernel= {h2h_kernel}"
        )
        self._i2h_kernel = _sizes(i2h_kernel, self._dims)
        self._i2h_pad = _sizes(i2h_pad, self._dims)
        self._i2h_dilate = _sizes(i2h_dilate, self._dims)
        self._h2h_dilate = _sizes(h2h_dilate, self._dims)
        kernels = zip(self._h2h_kernel, self._h2h_dilate, strict=True)
        self._h2h_pad = tuple(d * (k - 1) // 2 for k, d in kernels)
        # the batch axis comes first in every layout
        self._channel_axis = conv_layout.find("C")
        channels = self._input_shape[self._channel_axis - 1]
        self._state_shape = self._shape(hidden_channels, self._image())

        def parameter(name: str, shape: tuple[int, ...], init: Any) -> Any:
            return self.params.get(name, shape=shape, init=init, allow_deferred_init=True)

        rows = self._gates * hidden_channels
        i2h = (rows, *self._shape(channels, self._i2h_kernel))
        h2h = (rows, *self._shape(hidden_channels, self._h2h_kernel))
        self.i2h_weight = parameter("i2h_weight", i2h, i2h_weight_initializer)
        self.h2h_weight = parameter("h2h_weight", h2h, h2h_weight_initializer)
        self.i2h_bias = parameter("i2h_bias", (rows,), i2h_bias_initializer)
        self.h2h_bias = parameter("h2h_bias", (rows,), h2h_bias_initializer)

    def _shape(self, channels: int, image: Sequence[int]) -> tuple[int, ...]:
        """Channels and image axes in the order of the layout."""
        at = self._channel_axis - 1
        return (*image[:at], channels, *image[at:])

    def _image(self) -> tuple[int, ...]:
        """The size of the states: what the convolution makes of the input."""
        at = self._channel_axis - 1
        image = self._input_shape[:at] + self._input_shape[at + 1 :]
        if len(image) != len(self._i2h_kernel):
            raise MXNetShapeError(
                f"{type(self).__name__}: input_shape={self._input_shape} must have "
                f"{len(self._i2h_kernel) + 1} lengths: the channels and those of the image"
            )
        facts = zip(image, self._i2h_pad, self._i2h_dilate, self._i2h_kernel, strict=True)
        return tuple(n + 2 * pad - dilate * (k - 1) for n, pad, dilate, k in facts)

    def __repr__(self) -> str:
        rows = self.i2h_weight.shape[0]
        channels = self.i2h_weight.shape[self._channel_axis] or None
        return (
            f"{type(self).__name__}({channels} -> {rows}, {self._activation}, {self._conv_layout})"
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """States of shape (batch, *state) in the layout of the images."""
        info = {"shape": (batch_size, *self._state_shape), "__layout__": self._conv_layout}
        return [dict(info) for _ in range(self._states)]

    def _products(self, F: Any, inputs: Any, states: Any, weights: Sequence[Any]) -> Any:
        """The convolutions of the input and of the first state."""
        i2h_weight, h2h_weight, i2h_bias, h2h_bias = weights
        common = {
            "num_filter": self._gates * self._hidden_channels,
            "stride": (1,) * self._dims,
            "layout": self._conv_layout,
        }
        i2h = F.Convolution(
            inputs,
            i2h_weight,
            i2h_bias,
            kernel=self._i2h_kernel,
            pad=self._i2h_pad,
            dilate=self._i2h_dilate,
            name=self._step_prefix() + "i2h",
            **common,
        )
        h2h = F.Convolution(
            states[0],
            h2h_weight,
            h2h_bias,
            kernel=self._h2h_kernel,
            pad=self._h2h_pad,
            dilate=self._h2h_dilate,
            name=self._step_prefix() + "h2h",
            **common,
        )
        return i2h, h2h

    def _slices(self, F: Any, value: Any, name: str) -> Any:
        name = self._step_prefix() + name
        return F.SliceChannel(value, num_outputs=self._gates, axis=self._channel_axis, name=name)

    def _act(self, F: Any, value: Any, **name: str) -> Any:
        return self._get_activation(F, value, self._activation, **name)

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step: (output, new states)."""
        weights = i2h_weight, h2h_weight, i2h_bias, h2h_bias
        i2h, h2h = self._products(F, inputs, states, weights)
        return self._combine(F, i2h, h2h, states)

    def _combine(self, F: Any, i2h: Any, h2h: Any, states: Any) -> Any:
        raise NotImplementedError


class _RNNStep(_ConvCell):
    _gates = 1

    def _alias(self) -> str:
        return "conv_rnn"

    def _combine(self, F: Any, i2h: Any, h2h: Any, states: Any) -> Any:
        output = self._act(F, i2h + h2h, name=self._step_prefix() + "out")
        return output, [output]


class _LSTMStep(_ConvCell):
    _gates = 4
    _states = 2

    def _alias(self) -> str:
        return "conv_lstm"

    def _combine(self, F: Any, i2h: Any, h2h: Any, states: Any) -> Any:
        prefix = self._step_prefix()
        into, forget, new, out = self._slices(F, i2h + h2h, "slice")
        into = F.Activation(into, act_type="sigmoid", name=prefix + "i")
        forget = F.Activation(forget, act_type="sigmoid", name=prefix + "f")
        new = self._act(F, new, name=prefix + "c")
        out = F.Activation(out, act_type="sigmoid", name=prefix + "o")
        memory = F.elemwise_add(forget * states[1], into * new, name=prefix + "state")
        output = F.elemwise_mul(out, self._act(F, memory), name=prefix + "out")
        return output, [output, memory]


class _GRUStep(_ConvCell):
    _gates = 3

    def _alias(self) -> str:
        return "conv_gru"

    def _combine(self, F: Any, i2h: Any, h2h: Any, states: Any) -> Any:
        prefix = self._step_prefix()
        i2h_r, i2h_z, i2h_h = self._slices(F, i2h, "i2h_slice")
        h2h_r, h2h_z, h2h_h = self._slices(F, h2h, "h2h_slice")
        reset = F.Activation(i2h_r + h2h_r, act_type="sigmoid", name=prefix + "r_act")
        update = F.Activation(i2h_z + h2h_z, act_type="sigmoid", name=prefix + "z_act")
        new = self._act(F, i2h_h + reset * h2h_h, name=prefix + "h_act")
        output = F.elemwise_add((1.0 - update) * new, update * states[0], name=prefix + "out")
        return output, [output]


class _Conv1D(_ConvCell):
    _dims = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Size,
        h2h_kernel: Size,
        i2h_pad: Size = (0,),
        i2h_dilate: Size = (1,),
        h2h_dilate: Size = (1,),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            conv_layout,
            activation,
            prefix,
            params,
        )


class _Conv2D(_ConvCell):
    _dims = 2

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Size,
        h2h_kernel: Size,
        i2h_pad: Size = (0, 0),
        i2h_dilate: Size = (1, 1),
        h2h_dilate: Size = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            conv_layout,
            activation,
            prefix,
            params,
        )


class _Conv3D(_ConvCell):
    _dims = 3

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Size,
        h2h_kernel: Size,
        i2h_pad: Size = (0, 0, 0),
        i2h_dilate: Size = (1, 1, 1),
        h2h_dilate: Size = (1, 1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW",
        activation: Any = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv1DRNNCell(_Conv1D, _RNNStep):
    """A plain recurrent step on sequences: convolutions in place of the products."""


class Conv1DLSTMCell(_Conv1D, _LSTMStep):
    """An LSTM step on sequences: convolutions in place of the products."""


class Conv1DGRUCell(_Conv1D, _GRUStep):
    """A GRU step on sequences: convolutions in place of the products."""


class Conv2DRNNCell(_Conv2D, _RNNStep):
    """A plain recurrent step on images: convolutions in place of the products."""


class Conv2DLSTMCell(_Conv2D, _LSTMStep):
    """An LSTM step on images: convolutions in place of the products."""


class Conv2DGRUCell(_Conv2D, _GRUStep):
    """A GRU step on images: convolutions in place of the products."""


class Conv3DRNNCell(_Conv3D, _RNNStep):
    """A plain recurrent step on volumes: convolutions in place of the products."""


class Conv3DLSTMCell(_Conv3D, _LSTMStep):
    """An LSTM step on volumes: convolutions in place of the products."""


class Conv3DGRUCell(_Conv3D, _GRUStep):
    """A GRU step on volumes: convolutions in place of the products."""
