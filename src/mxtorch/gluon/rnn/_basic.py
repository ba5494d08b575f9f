"""RNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

from typing import Any

from mxtorch.gluon.rnn._base import HybridRecurrentCell


class GatedCell(HybridRecurrentCell):
    """Base: input and state each go through a dense layer to `gates` parts of `hidden_size`."""

    _gates: int

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        input_size: int,
        prefix: str | None,
        params: Any,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size = hidden_size
        self._input_size = input_size
        rows = self._gates * hidden_size
        self.i2h_weight = self.params.get(
            "i2h_weight",
            shape=(rows, input_size),
            init=i2h_weight_initializer,
            allow_deferred_init=True,
        )
        self.h2h_weight = self.params.get(
            "h2h_weight",
            shape=(rows, hidden_size),
            init=h2h_weight_initializer,
            allow_deferred_init=True,
        )
        self.i2h_bias = self.params.get(
            "i2h_bias", shape=(rows,), init=i2h_bias_initializer, allow_deferred_init=True
        )
        self.h2h_bias = self.params.get(
            "h2h_bias", shape=(rows,), init=h2h_bias_initializer, allow_deferred_init=True
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """One state (batch, hidden)."""
        return [{"shape": (batch_size, self._hidden_size), "__layout__": "NC"}]

    def _dense(
        self, F: Any, inputs: Any, states: Any, weights: tuple[Any, Any], biases: tuple[Any, Any]
    ) -> tuple[Any, Any]:
        prefix, rows = self._step_prefix(), self._gates * self._hidden_size
        i2h = F.FullyConnected(
            data=inputs, weight=weights[0], bias=biases[0], num_hidden=rows, name=prefix + "i2h"
        )
        h2h = F.FullyConnected(
            data=states[0], weight=weights[1], bias=biases[1], num_hidden=rows, name=prefix + "h2h"
        )
        return i2h, h2h

    def _mapping(self) -> str:
        shape = self.i2h_weight.shape
        return f"{shape[1] or None} -> {shape[0]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()})"


class RNNCell(GatedCell):
    """h' = activation(W x + b + R h + r)."""

    _gates = 1

    def __init__(
        self,
        hidden_size: int,
        activation: Any = "tanh",
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(
            hidden_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            input_size,
            prefix,
            params,
        )
        self._activation = activation

    def _alias(self) -> str:
        return "rnn"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()}, {self._activation})"

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
        """(batch, input), [(batch, hidden)] → (batch, hidden), [(batch, hidden)]."""
        prefix = self._step_prefix()
        i2h, h2h = self._dense(F, inputs, states, (i2h_weight, h2h_weight), (i2h_bias, h2h_bias))
        total = F.elemwise_add(i2h, h2h, name=prefix + "plus0")
        output = self._get_activation(F, total, self._activation, name=prefix + "out")
        return output, [output]


class LSTMCell(GatedCell):
    """Long short-term memory; gates in the order i, f, c, o."""

    _gates = 4

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        super().__init__(
            hidden_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            input_size,
            prefix,
            params,
        )
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def _alias(self) -> str:
        return "lstm"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Two states (batch, hidden): output and memory."""
        return super().state_info(batch_size) * 2

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
        """(batch, input), [h, c] → h', [h', c']."""
        prefix = self._step_prefix()
        i2h, h2h = self._dense(F, inputs, states, (i2h_weight, h2h_weight), (i2h_bias, h2h_bias))
        total = F.elemwise_add(i2h, h2h, name=prefix + "plus0")
        gates = F.SliceChannel(total, num_outputs=4, name=prefix + "slice")
        gate, act = self._recurrent_activation, self._activation
        into = self._get_activation(F, gates[0], gate, name=prefix + "i")
        forget = self._get_activation(F, gates[1], gate, name=prefix + "f")
        new = self._get_activation(F, gates[2], act, name=prefix + "c")
        out = self._get_activation(F, gates[3], gate, name=prefix + "o")
        memory = F.elemwise_add(
            F.elemwise_mul(forget, states[1], name=prefix + "mul0"),
            F.elemwise_mul(into, new, name=prefix + "mul1"),
            name=prefix + "state",
        )
        seen = F.Activation(memory, act_type=act, name=prefix + "activation0")
        output = F.elemwise_mul(out, seen, name=prefix + "out")
        return output, [output, memory]


class GRUCell(GatedCell):
    """Gated recurrent unit; gates in the order r, z, h, the reset after the dense layer."""

    _gates = 3

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(
            hidden_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            input_size,
            prefix,
            params,
        )

    def _alias(self) -> str:
        return "gru"

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
        """(batch, input), [(batch, hidden)] → (batch, hidden), [(batch, hidden)]."""
        prefix, before = self._step_prefix(), states[0]
        i2h, h2h = self._dense(F, inputs, states, (i2h_weight, h2h_weight), (i2h_bias, h2h_bias))
        i2h_r, i2h_z, i2h_h = F.SliceChannel(i2h, num_outputs=3, name=prefix + "i2h_slice")
        h2h_r, h2h_z, h2h_h = F.SliceChannel(h2h, num_outputs=3, name=prefix + "h2h_slice")
        total = F.elemwise_add(i2h_r, h2h_r, name=prefix + "plus0")
        reset = F.Activation(total, act_type="sigmoid", name=prefix + "r_act")
        total = F.elemwise_add(i2h_z, h2h_z, name=prefix + "plus1")
        update = F.Activation(total, act_type="sigmoid", name=prefix + "z_act")
        kept = F.elemwise_mul(reset, h2h_h, name=prefix + "mul0")
        total = F.elemwise_add(i2h_h, kept, name=prefix + "plus2")
        new = F.Activation(total, act_type="tanh", name=prefix + "h_act")
        ones = F.ones_like(update, name=prefix + "ones_like0")
        share = F.elemwise_sub(ones, update, name=prefix + "minus0")
        output = F.elemwise_add(
            F.elemwise_mul(share, new, name=prefix + "mul1"),
            F.elemwise_mul(update, before, name=prefix + "mul20"),
            name=prefix + "out",
        )
        return output, [output]
