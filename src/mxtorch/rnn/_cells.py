"""Cells of the symbolic interface: the base, parameters, and the plain cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mxtorch import ndarray
from mxtorch import symbol as sym
from mxtorch._core.errors import MXNetAssertionError
from mxtorch.initializer import LSTMBias
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

Weights = dict[str, NDArray]
StateInfo = list[dict[str, Any]]
symbol: Any = sym  # filled from the operator table


def check(condition: Any, text: str) -> None:
    """AssertionError with `text` unless the condition holds."""
    if not condition:
        raise MXNetAssertionError(text)


def _normalize_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int]:
    """(a sequence as one symbol or a list of steps as `merge` says, the axis of time)."""
    check(inputs is not None, "unroll: inputs must be given: a symbol, or a list of symbols")
    axis = layout.find("T")
    in_axis = axis if in_layout is None else in_layout.find("T")
    if isinstance(inputs, Symbol):
        if merge is False:
            check(
                len(inputs.list_outputs()) == 1,
                "unroll doesn't allow grouped symbol as input. Please convert to list with "
                "list(inputs) first or let unroll handle splitting.",
            )
            inputs = list(symbol.split(inputs, axis=in_axis, num_outputs=length, squeeze_axis=1))
    else:
        check(length is None or len(inputs) == length, f"{len(inputs)} inputs for {length} steps")
        if merge is True:
            inputs = [symbol.expand_dims(step, axis=axis) for step in inputs]
            inputs = symbol.Concat(*inputs, dim=axis)
            in_axis = axis
    if isinstance(inputs, Symbol) and axis != in_axis:
        inputs = symbol.swapaxes(inputs, dim1=axis, dim2=in_axis)
    return inputs, axis


class RNNParams:
    """Variables by name, which cells may share; they are made when first asked for."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Any] = {}

    def get(self, name: str, **kwargs: Any) -> Any:
        """The variable `prefix + name`; `kwargs` are those of `sym.Variable`."""
        name = self._prefix + name
        if name not in self._params:
            self._params[name] = symbol.Variable(name, **kwargs)
        return self._params[name]


class BaseRNNCell:
    """One step of a recurrent network: `output, states = cell(input, states)`.

    `unroll` makes a graph of several steps. Weights are packed, those of all gates in one array,
    unless `unpack_weights` takes them apart.
    """

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False  # whether a modifier such as ZoneoutCell calls this cell
        self.reset()

    def reset(self) -> None:
        """Count steps and states from 0 again, to unroll another time."""
        self._init_counter = -1
        self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def _step_prefix(self) -> str:
        """The prefix of the next step's names: 'lstm_t0_'."""
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        raise NotImplementedError

    @property
    def params(self) -> RNNParams:
        """The parameters; once asked for they may be shared."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> StateInfo:
        """Shape (batch 0: unknown) and layout of each state."""
        raise NotImplementedError

    @property
    def state_shape(self) -> list[Any]:
        """The shape of each state."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        """How the parts of packed weights are called."""
        return ()

    def _refuse_modified(self) -> None:
        check(
            not self._modified,
            "After applying modifier cells (e.g. DropoutCell) the base cell cannot be called "
            "directly. Call the modifier cell instead.",
        )

    def begin_state(self, func: Callable[..., Any] = symbol.zeros, **kwargs: Any) -> Any:
        """The first states, made by `func`, which gets name, shape and `kwargs`."""
        self._refuse_modified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            if info is None:
                state = func(name=name, **kwargs)
            else:
                state = func(name=name, **{**kwargs, **info})
            states.append(state)
        return states

    def _groups(self) -> list[str]:
        return [f"{self._prefix}{group}" for group in ("i2h", "h2h")]

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """Packed weights as arrays for each gate; other entries stay."""
        found = dict(args)
        if not self._gate_names:
            return found
        for group in self._groups():
            packed = {what: found.pop(f"{group}_{what}") for what in ("weight", "bias")}
            for j, gate in enumerate(self._gate_names):
                for what, array in packed.items():
                    size = array.shape[0] // len(self._gate_names)
                    part = array[j * size : (j + 1) * size]
                    found[f"{group}{gate}_{what}"] = part.copy()
        return found

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """Arrays for each gate as packed weights; other entries stay."""
        found = dict(args)
        if not self._gate_names:
            return found
        for group in self._groups():
            for what in ("weight", "bias"):
                parts = [found.pop(f"{group}{gate}_{what}") for gate in self._gate_names]
                found[f"{group}_{what}"] = ndarray.concatenate(parts)
        return found

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """(outputs, states) of `length` steps.

        `inputs` is a symbol of that layout or a list of symbols, a step each. Outputs are one
        symbol with `merge_outputs`, else a list.
        """
        self.reset()
        inputs, _ = _normalize_sequence(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for i in range(length):
            output, states = self(inputs[i], states)
            outputs.append(output)
        return _normalize_sequence(length, outputs, layout, merge_outputs)[0], states

    def _get_activation(self, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """An activation by name, or the function's result."""
        if isinstance(activation, str):
            return symbol.Activation(inputs, act_type=activation, **kwargs)
        return activation(inputs, **kwargs)


class _DenseCell(BaseRNNCell):
    """A cell of two dense layers: input to hidden, hidden to hidden."""

    _iW: Any
    _iB: Any
    _hW: Any
    _hB: Any

    def __init__(self, num_hidden: int, prefix: str, params: RNNParams | None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden

    @property
    def state_info(self) -> StateInfo:
        """One state of shape (batch, hidden)."""
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"}]

    def _dense(self, inputs: Any, state: Any, name: str) -> tuple[Any, Any]:
        """Input and state, each through its layer."""
        size = self._num_hidden * len(self._gate_names)
        i2h = symbol.FullyConnected(
            data=inputs, weight=self._iW, bias=self._iB, num_hidden=size, name=f"{name}i2h"
        )
        h2h = symbol.FullyConnected(
            data=state, weight=self._hW, bias=self._hB, num_hidden=size, name=f"{name}h2h"
        )
        return i2h, h2h


class RNNCell(_DenseCell):
    """`activation(W x + b + U h + c)`."""

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: RNNParams | None = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation
        self._iW, self._iB = self.params.get("i2h_weight"), self.params.get("i2h_bias")
        self._hW, self._hB = self.params.get("h2h_weight"), self.params.get("h2h_bias")

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._dense(inputs, states[0], name)
        output = self._get_activation(i2h + h2h, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(_DenseCell):
    """Long short-term memory; the forget gate's bias starts at `forget_bias`."""

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: RNNParams | None = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._iW, self._hW = self.params.get("i2h_weight"), self.params.get("h2h_weight")
        self._iB = self.params.get("i2h_bias", init=LSTMBias(forget_bias=forget_bias))
        self._hB = self.params.get("h2h_bias")

    @property
    def state_info(self) -> StateInfo:
        """Output and memory, each of shape (batch, hidden)."""
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"} for _ in range(2)]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_i", "_f", "_c", "_o"]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._dense(inputs, states[0], name)
        gates = symbol.SliceChannel(i2h + h2h, num_outputs=4, name=f"{name}slice")
        return lstm_step(gates, states[1], name, "tanh", self._get_activation)


def lstm_step(
    gates: Any, memory: Any, name: str, activation: Any, apply: Callable[..., Any]
) -> tuple[Any, list[Any]]:
    """Output and states of an LSTM from its four gates before activation."""
    taken = symbol.Activation(gates[0], act_type="sigmoid", name=f"{name}i")
    kept = symbol.Activation(gates[1], act_type="sigmoid", name=f"{name}f")
    new = apply(gates[2], activation, name=f"{name}c")
    shown = symbol.Activation(gates[3], act_type="sigmoid", name=f"{name}o")
    memory = symbol._internal._plus(kept * memory, taken * new, name=f"{name}state")
    output = symbol._internal._mul(shown, apply(memory, activation), name=f"{name}out")
    return output, [output, memory]


class GRUCell(_DenseCell):
    """Gated recurrent unit; the reset gate acts behind the state's dense layer, as in cuDNN."""

    def __init__(
        self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._iW, self._iB = self.params.get("i2h_weight"), self.params.get("i2h_bias")
        self._hW, self._hB = self.params.get("h2h_weight"), self.params.get("h2h_bias")

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    def __call__(self, inputs: Any, states: Any) -> Any:
        """(output, new states) of one step."""
        name = self._step_prefix()
        i2h, h2h = self._dense(inputs, states[0], f"{name}_")
        return gru_step(i2h, h2h, states[0], name, "tanh", self._get_activation)


def gru_step(
    i2h: Any, h2h: Any, state: Any, name: str, activation: Any, apply: Callable[..., Any]
) -> tuple[Any, list[Any]]:
    """Output and states of a GRU from what comes of its input and of its state."""
    i2h_r, i2h_z, i2h_new = symbol.SliceChannel(i2h, num_outputs=3, name=f"{name}_i2h_slice")
    h2h_r, h2h_z, h2h_new = symbol.SliceChannel(h2h, num_outputs=3, name=f"{name}_h2h_slice")
    reset = symbol.Activation(i2h_r + h2h_r, act_type="sigmoid", name=f"{name}_r_act")
    update = symbol.Activation(i2h_z + h2h_z, act_type="sigmoid", name=f"{name}_z_act")
    new = apply(i2h_new + reset * h2h_new, activation, name=f"{name}_h_act")
    output = symbol._internal._plus((1.0 - update) * new, update * state, name=f"{name}out")
    return output, [output]
