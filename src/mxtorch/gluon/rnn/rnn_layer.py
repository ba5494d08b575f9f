"""Recurrent layers over whole sequences: RNN, LSTM, GRU."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from mxtorch import ndarray, symbol
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Op, lookup
from mxtorch._front.eager import invoke_spliced
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.parameter import Parameter
from mxtorch.gluon.rnn._containers import HybridSequentialRNNCell
from mxtorch.gluon.rnn._sequence import TENSORS
from mxtorch.gluon.rnn._unfuse import unfuse
from mxtorch.ndarray import NDArray
from mxtorch.ndarray.numpy._array import in_mode

__all__ = ["GRU", "LSTM", "RNN"]

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
_OWN_NAME = re.compile(r"(l|r)(\d+)_(i2h|h2h|h2r)_(weight|bias)\Z")


class _RNNLayer(HybridBlock):
    """Base: the parameters of all layers and directions, and one call of the operator RNN."""

    l0_i2h_weight: Parameter

    def __init__(
        self,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        mode: str,
        projection_size: int | None,
        h2r_weight_initializer: Any,
        lstm_state_clip_min: float | None,
        lstm_state_clip_max: float | None,
        lstm_state_clip_nan: bool,
        dtype: Any,
        use_sequence_length: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        assert layout in ("TNC", "NTC"), f"Invalid layout {layout}; must be one of ['TNC' or 'NTC']"
        self._hidden_size = hidden_size
        self._projection_size = projection_size or None
        self._num_layers = num_layers
        self._mode = mode
        self._layout = layout
        self._dropout = dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._i2h_weight_initializer = i2h_weight_initializer
        self._h2h_weight_initializer = h2h_weight_initializer
        self._i2h_bias_initializer = i2h_bias_initializer
        self._h2h_bias_initializer = h2h_bias_initializer
        self._h2r_weight_initializer = h2r_weight_initializer
        self._lstm_state_clip_min = lstm_state_clip_min
        self._lstm_state_clip_max = lstm_state_clip_max
        self._lstm_state_clip_nan = lstm_state_clip_nan
        self._dtype = dtype
        self._use_sequence_length = use_sequence_length
        self.skip_states: bool | None = None
        self._gates = _GATES[mode]
        self._make_parameters(input_size)

    def _make_parameters(self, input_size: int) -> None:
        rows, hidden = self._gates * self._hidden_size, self._width
        width = input_size
        for layer in range(self._num_layers):
            for side in "lr"[: self._dir]:
                name = f"{side}{layer}_"
                self._make(name + "i2h_weight", (rows, width), self._i2h_weight_initializer)
                self._make(name + "h2h_weight", (rows, hidden), self._h2h_weight_initializer)
                self._make(name + "i2h_bias", (rows,), self._i2h_bias_initializer)
                self._make(name + "h2h_bias", (rows,), self._h2h_bias_initializer)
                if self._projection_size:
                    shape = (self._projection_size, self._hidden_size)
                    self._make(name + "h2r_weight", shape, self._h2r_weight_initializer)
            width = hidden * self._dir

    def _make(self, name: str, shape: tuple[int, ...], init: Any) -> None:
        parameter = self.params.get(
            name, shape=shape, init=init, allow_deferred_init=True, dtype=self._dtype
        )
        setattr(self, name, parameter)

    @property
    def _width(self) -> int:
        """The number of channels of a layer's output in one direction."""
        return self._projection_size or self._hidden_size

    def __repr__(self) -> str:
        shape = self._reg_params["l0_i2h_weight"].shape
        facts = [f"{shape[1] or None} -> {shape[0] // self._gates}", self._layout]
        if self._num_layers != 1:
            facts.append(f"num_layers={self._num_layers}")
        if self._dropout != 0:
            facts.append(f"dropout={self._dropout}")
        if self._dir == 2:
            facts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(facts)})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Any]:
        """Names in files are those of the cells that the layer could be made of."""
        if prefix:
            prefix += "."
        form = r"_unfused.\2.\1_cell.\3_\4" if self._dir == 2 else r"_unfused.\2.\3_\4"
        named = {_OWN_NAME.sub(form, key): value for key, value in self._reg_params.items()}
        result = {prefix + key: value for key, value in named.items()}
        for name, child in self._children.items():
            result.update(child._collect_params_with_prefix(prefix + name))
        return result

    def _unfuse(self) -> HybridSequentialRNNCell:
        """A stack of cells over the same parameters; AssertionError where cells cannot do it."""
        return unfuse(self)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shape, layout and type of each state."""
        raise NotImplementedError

    def _info(self, batch_size: int, width: int) -> dict[str, Any]:
        shape = (self._num_layers * self._dir, batch_size, width)
        return {"shape": shape, "__layout__": "LNC", "dtype": self._dtype}

    def cast(self, dtype: Any) -> None:
        """Change the element type of the parameters and of first states."""
        super().cast(dtype)
        self._dtype = dtype

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = ndarray.zeros, **kwargs: Any
    ) -> list[Any]:
        """The first states, made by `func(name=…, shape=…, **kwargs)`."""
        return [
            in_mode(func(name=f"{self.prefix}h0_{i}", **{**info, **kwargs}))
            for i, info in enumerate(self.state_info(batch_size))
        ]

    def __call__(  # type: ignore[override] # a Block's takes any number of arrays
        self, inputs: Any, states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        self.skip_states = states is None
        if states is None:
            if isinstance(inputs, NDArray):
                batch_size = inputs.shape[self._layout.find("N")]
                states = self.begin_state(batch_size, ctx=inputs.context, dtype=inputs.dtype)
            else:
                states = self.begin_state(0, func=symbol.zeros)
        if isinstance(states, TENSORS):
            states = [states]
        if self._use_sequence_length:
            return super().__call__(inputs, states, sequence_length, **kwargs)
        return super().__call__(inputs, states, **kwargs)

    def infer_shape(self, inputs: Any, *args: Any) -> None:
        """Set the shapes of the first layer's weights from the inputs'."""
        if inputs.ndim != 3:
            raise MXNetShapeError(
                f"{self.name}: the inputs have shape {inputs.shape}, expected three axes, "
                f"{self._layout}: time T, batch N, channels C"
            )
        for side in "lr"[: self._dir]:
            weight = getattr(self, f"{side}0_i2h_weight")
            weight.shape = (self._gates * self._hidden_size, inputs.shape[2])

    def hybrid_forward(  # type: ignore[override] # MXNet's signature
        self, F: Any, inputs: Any, states: Any, sequence_length: Any = None, **params: Any
    ) -> Any:
        """The sequence in `layout`, states (layers, batch, hidden) → outputs, or (outputs, states)
        if states were given."""
        if F is ndarray:
            batch_size = inputs.shape[self._layout.find("N")]
            for state, info in zip(states, self.state_info(batch_size), strict=False):
                if state.shape != info["shape"]:
                    raise ValueError(
                        f"Invalid recurrent state shape. Expecting {info['shape']}, "
                        f"got {state.shape}."
                    )
        out = self._forward_kernel(F, inputs, states, sequence_length, **params)
        return out[0] if self.skip_states else out

    def _order(self) -> Iterator[str]:
        """The names of the parameters in the order of the operator's vector."""
        for kinds in (("i2h_weight", "h2h_weight", "h2r_weight"), ("i2h_bias", "h2h_bias")):
            for layer in range(self._num_layers):
                for side in "lr"[: self._dir]:
                    for kind in kinds:
                        if self._projection_size or kind != "h2r_weight":
                            yield f"{side}{layer}_{kind}"

    def _forward_kernel(
        self, F: Any, inputs: Any, states: Any, sequence_length: Any, **params: Any
    ) -> Any:
        if self._layout == "NTC":
            inputs = F.swapaxes(inputs, dim1=0, dim2=1)
        parameters = [params[name] for name in self._order()]
        arrays = [*states, sequence_length] if self._use_sequence_length else states
        if F is ndarray:
            # the vector would be a copy on every call; the graph below runs without it too
            outputs, *states = invoke_spliced(
                _operator(), [inputs, parameters, *arrays], self._attributes()
            )
        else:
            flat = [parameter.reshape(-1) for parameter in parameters]
            vector = F._internal._rnn_param_concat(*flat, dim=0)
            outputs, *states = F.RNN(inputs, vector, *arrays, **self._attributes())
        if self._layout == "NTC":
            outputs = F.swapaxes(outputs, dim1=0, dim2=1)
        return outputs, states

    def _attributes(self) -> dict[str, Any]:
        return {
            "use_sequence_length": self._use_sequence_length,
            "state_size": self._hidden_size,
            "projection_size": self._projection_size,
            "num_layers": self._num_layers,
            "bidirectional": self._dir == 2,
            "p": self._dropout,
            "state_outputs": True,
            "mode": self._mode,
            "lstm_state_clip_min": self._lstm_state_clip_min,
            "lstm_state_clip_max": self._lstm_state_clip_max,
            "lstm_state_clip_nan": self._lstm_state_clip_nan,
        }


def _operator() -> Op:
    op = lookup("RNN")
    assert op is not None
    return op


class RNN(_RNNLayer):
    """h' = activation(W x + b + R h + r), in layers."""

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: str = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "rnn_" + activation,
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """One state (layers * directions, batch, hidden)."""
        return [self._info(batch_size, self._hidden_size)]


class LSTM(_RNNLayer):
    """Long short-term memory in layers; gates in the order i, f, c, o.

    `projection_size` makes outputs and states smaller; clipping of states is not supported.
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "lstm",
            projection_size,
            h2r_weight_initializer,
            state_clip_min,
            state_clip_max,
            state_clip_nan,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Two states (layers * directions, batch, hidden): output and memory."""
        return [self._info(batch_size, self._width), self._info(batch_size, self._hidden_size)]


class GRU(_RNNLayer):
    """Gated recurrent units in layers; gates in the order r, z, h."""

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "gru",
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """One state (layers * directions, batch, hidden)."""
        return [self._info(batch_size, self._hidden_size)]
