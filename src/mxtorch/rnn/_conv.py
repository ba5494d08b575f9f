"""Cells whose layers are convolutions; their states are images."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mxtorch import symbol as sym
from mxtorch.rnn._cells import (
    BaseRNNCell,
    RNNParams,
    StateInfo,
    check,
    gru_step,
    lstm_step,
)

Pair = Sequence[int]
symbol: Any = sym  # filled from the operator table
LEAKY = partial(symbol.LeakyReLU, act_type="leaky", slope=0.2)


class BaseConvRNNCell(BaseRNNCell):
    """Base of the convolutional cells; `input_shape` is that of one input with any batch."""

    def __init__(
        self,
        input_shape: Pair,
        num_hidden: int,
        h2h_kernel: Pair,
        h2h_dilate: Pair,
        i2h_kernel: Pair,
        i2h_stride: Pair,
        i2h_pad: Pair,
        i2h_dilate: Pair,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        activation: Any,
        prefix: str = "",
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._h2h_kernel = h2h_kernel
        check(
            h2h_kernel[0] % 2 == 1 and h2h_kernel[1] % 2 == 1,
            f"Only support odd number, get h2h_kernel= {h2h_kernel}",
        )
        # the state keeps its size
        self._h2h_pad = tuple(
            d * (k - 1) // 2 for d, k in zip(h2h_dilate, h2h_kernel, strict=False)
        )
        self._h2h_dilate = h2h_dilate
        self._i2h_kernel = i2h_kernel
        self._i2h_stride = i2h_stride
        self._i2h_pad = i2h_pad
        self._i2h_dilate = i2h_dilate
        self._num_hidden = num_hidden
        self._input_shape = input_shape
        self._conv_layout = conv_layout
        self._activation = activation
        shapes = symbol.Convolution(
            data=symbol.Variable("data"),
            num_filter=num_hidden,
            kernel=i2h_kernel,
            stride=i2h_stride,
            pad=i2h_pad,
            dilate=i2h_dilate,
            layout=conv_layout,
        ).infer_shape(data=tuple(input_shape))[1]
        self._state_shape = (0, *shapes[0][1:])
        self._iW = self.params.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = self.params.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = self.params.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = self.params.get("h2h_bias", init=h2h_bias_initializer)

    @property
    def _num_gates(self) -> int:
        return len(self._gate_names)

    @property
    def state_info(self) -> StateInfo:
        """One state."""
        return [{"shape": self._state_shape, "__layout__": self._conv_layout}]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        raise NotImplementedError("BaseConvRNNCell is abstract class for convolutional RNN")

    def _conv_forward(self, inputs: Any, states: Any, name: str) -> tuple[Any, Any]:
        """Input and state, each through its convolution."""
        i2h = symbol.Convolution(
            name=f"{name}i2h",
            data=inputs,
            num_filter=self._num_hidden * self._num_gates,
            kernel=self._i2h_kernel,
            stride=self._i2h_stride,
            pad=self._i2h_pad,
            dilate=self._i2h_dilate,
            weight=self._iW,
            bias=self._iB,
            layout=self._conv_layout,
        )
        h2h = symbol.Convolution(
            name=f"{name}h2h",
            data=states[0],
            num_filter=self._num_hidden * self._num_gates,
            kernel=self._h2h_kernel,
            dilate=self._h2h_dilate,
            pad=self._h2h_pad,
            stride=(1, 1),
            weight=self._hW,
            bias=self._hB,
            layout=self._conv_layout,
        )
        return i2h, h2h


class _ConvCell(BaseConvRNNCell):
    """The arguments that the convolutional cells share, with their defaults."""

    def __init__(
        self,
        input_shape: Pair,
        num_hidden: int,
        h2h_kernel: Pair = (3, 3),
        h2h_dilate: Pair = (1, 1),
        i2h_kernel: Pair = (3, 3),
        i2h_stride: Pair = (1, 1),
        i2h_pad: Pair = (1, 1),
        i2h_dilate: Pair = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = LEAKY,
        prefix: str | None = None,
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        super().__init__(
            input_shape,
            num_hidden,
            h2h_kernel,
            h2h_dilate,
            i2h_kernel,
            i2h_stride,
            i2h_pad,
            i2h_dilate,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            activation,
            prefix=type(self)._default_prefix if prefix is None else prefix,
            params=params,
            conv_layout=conv_layout,
        )

    _default_prefix = ""


class ConvRNNCell(_ConvCell):
    """RNNCell with convolutions."""

    _default_prefix = "ConvRNN_"

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._conv_forward(inputs, states, name)
        output = self._get_activation(i2h + h2h, self._activation, name=f"{name}out")
        return output, [output]


class ConvLSTMCell(_ConvCell):
    """LSTMCell with convolutions."""

    _default_prefix = "ConvLSTM_"

    @property
    def state_info(self) -> StateInfo:
        """Output and memory."""
        return [{"shape": self._state_shape, "__layout__": self._conv_layout} for _ in range(2)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_i", "_f", "_c", "_o"]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._conv_forward(inputs, states, name)
        gates = symbol.SliceChannel(
            i2h + h2h, num_outputs=4, axis=self._conv_layout.find("C"), name=f"{name}slice"
        )
        return lstm_step(gates, states[1], name, self._activation, self._get_activation)


class ConvGRUCell(_ConvCell):
    """GRUCell with convolutions."""

    _default_prefix = "ConvGRU_"

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._conv_forward(inputs, states, name)
        return gru_step(i2h, h2h, states[0], name, self._activation, self._get_activation)
