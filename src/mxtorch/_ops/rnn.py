"""Recurrent layers over whole sequences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from mxtorch._core import env, rng, torch_rng
from mxtorch._core.ambient import Recording, Training
from mxtorch._core.attrs import Fraction, Refused
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
Mode = Literal["gru", "lstm", "rnn_relu", "rnn_tanh"]


def weight_shapes(
    mode: str, inputs: int, state: int, layers: int, directions: int, projection: int | None
) -> Iterator[list[tuple[int, ...]]]:
    """For each layer and direction the shapes of i2h and h2h weights (and the projection)."""
    rows = GATES[mode] * state
    hidden = projection or state
    for layer in range(layers):
        width = inputs if layer == 0 else directions * hidden
        for _ in range(directions):
            shapes: list[tuple[int, ...]] = [(rows, width), (rows, hidden)]
            yield [*shapes, (hidden, state)] if projection else shapes


def parameter_count(
    mode: str, inputs: int, state: int, layers: int, directions: int, projection: int | None
) -> int:
    """Length of the flat parameter vector."""
    bias = 2 * GATES[mode] * state
    every = weight_shapes(mode, inputs, state, layers, directions, projection)
    return sum(bias + sum(a * b for a, b in shapes) for shapes in every)


def unpack(
    parameters: Tensor | Sequence[Tensor], every: Sequence[Sequence[tuple[int, ...]]], rows: int
) -> list[list[Tensor]]:
    """All weights, then all biases, flat or one by one, as torch's lists of weights."""
    shapes = [shape for one in every for shape in one] + [(rows,)] * (2 * len(every))
    parts = iter(_split(parameters, shapes))
    weights = [[next(parts) for _ in one] for one in every]
    return [[*w[:2], next(parts), next(parts), *w[2:]] for w in weights]


def _split(
    parameters: Tensor | Sequence[Tensor], shapes: Sequence[tuple[int, ...]]
) -> Sequence[Tensor]:
    """The parameters in these shapes; cuDNN wants them side by side in memory, others do not."""
    sizes = [prod(shape) for shape in shapes]
    if not isinstance(parameters, Tensor):
        came = [p.numel() for p in parameters]
        if came == sizes and not parameters[0].is_cuda:
            pairs = zip(parameters, shapes, strict=True)
            return [p if p.shape == shape else p.view(shape) for p, shape in pairs]
        parameters = torch.cat([p.reshape(-1) for p in parameters])
    if sum(sizes) != parameters.numel():
        raise MXNetShapeError(
            f"parameters has {parameters.numel()} elements, this network needs {sum(sizes)}"
        )
    pieces = zip(parameters.split(sizes), shapes, strict=True)
    return [piece.view(shape) for piece, shape in pieces]


def _rnn_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, _, _, cell, length = shapes
    if data is None:
        return list(shapes)
    directions = 2 if attrs["bidirectional"] else 1
    size, layers, projection = attrs["state_size"], attrs["num_layers"], attrs["projection_size"]
    count = parameter_count(attrs["mode"], data[2], size, layers, directions, projection)
    state = (layers * directions, data[1])
    if attrs["mode"] == "lstm":
        cell = (*state, size)
    if attrs["use_sequence_length"]:
        length = (data[1],)
    return [data, (count,), (*state, projection or size), cell, length]


def _rnn_needs(attrs: Attrs) -> tuple[str, ...]:
    cell = ("state_cell",) if attrs["mode"] == "lstm" else ()
    return (*cell, "sequence_length") if attrs.get("use_sequence_length") else cell


def _rnn_outputs(attrs: Attrs) -> int:
    if not attrs["state_outputs"]:
        return 1
    return 3 if attrs["mode"] == "lstm" else 2


class _Net(NamedTuple):
    """What stays the same from layer to layer."""

    mode: str
    directions: int
    # how many elements of the batch each step has (torch's packed form), and how they are sorted
    packed: PackedSequence | None


@op(
    "_npx_rnn",
    needs=_rnn_needs,
    fill=_rnn_shapes,
    outputs=_rnn_outputs,
    output_names=("output", "state_output", "statecell_output"),
    splices=("parameters", "_rnn_param_concat"),
)
def RNN(
    data: Tensor,
    parameters: Tensor | Sequence[Tensor],
    state: Tensor,
    state_cell: Tensor | None = None,
    sequence_length: Tensor | None = None,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool = False,
    mode: Mode,
    p: Fraction = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: Refused[float | None] = None,
    lstm_state_clip_max: Refused[float | None] = None,
    lstm_state_clip_nan: Refused[bool] = False,
    use_sequence_length: bool = False,
    training: Training = False,
    recording: Recording = False,
) -> Tensor | tuple[Tensor, ...]:
    """LSTM, GRU or plain recurrent layers over (time, batch, channel) data.

    `p` drops between layers. On the CPU float32 layers ignore it, as MXNet's do (a warning says so)
    unless MXNET_USE_MKLDNN_RNN=0. `sequence_length` works as with cuDNN; MXNet's CPU ignores it.
    """
    directions = 2 if bidirectional else 1
    _check_rnn(data, mode, projection_size)
    every = list(
        weight_shapes(mode, data.shape[2], state_size, num_layers, directions, projection_size)
    )
    if isinstance(parameters, Tensor):
        require(parameters.ndim == 1, parameters, needs="all parameters in one row")
    layers = unpack(parameters, every, GATES[mode] * state_size)
    hidden = (state,) if mode != "lstm" else (state, required(state_cell, "state_cell"))
    _check_states(hidden, (num_layers * directions, data.shape[1]), state_size, projection_size)
    packed = None
    if use_sequence_length and not data.is_meta:
        lengths = required(sequence_length, "sequence_length").to("cpu", torch.int64)
        packed = pack_padded_sequence(data, lengths, enforce_sorted=False)
    net = _Net(mode, directions, packed)
    if p > 0 and num_layers > 1 and _drops(data, training, recording):
        results = _run_dropping(net, data, layers, hidden, p)
    else:
        results = _run(net, data, layers, hidden)
    return results if state_outputs else results[0]


def required(tensor: Tensor | None, name: str) -> Tensor:
    """The array, or an error that names it."""
    if tensor is None:
        raise MXNetTypeError(f"the array {name} is missing")
    return tensor


def _check_rnn(data: Tensor, mode: str, projection: int | None) -> None:
    check_float(data)
    if data.ndim != 3:
        raise MXNetShapeError(f"data must be (time, batch, channel), got shape {tuple(data.shape)}")
    if projection is not None and mode != "lstm":
        raise MXNetValueError(f"projection_size is for mode='lstm', not {mode!r}")


def _check_states(
    hidden: Sequence[Tensor], outer: tuple[int, int], size: int, projection: int | None
) -> None:
    for tensor, width in zip(hidden, (projection or size, size), strict=False):
        if tensor.shape != (*outer, width):
            raise MXNetShapeError(
                f"a state has shape {tuple(tensor.shape)}, expected {(*outer, width)}"
            )


def _run(
    net: _Net, data: Tensor, layers: Sequence[Sequence[Tensor]], hidden: Sequence[Tensor]
) -> tuple[Tensor, ...]:
    """All the layers in one call."""
    weights = [w for layer in layers for w in layer]
    depth = len(layers) // net.directions
    # cuDNN keeps what backward needs in training alone
    common = (weights, True, depth, 0.0, torch.is_grad_enabled(), net.directions == 2)
    run = _projected if len(layers[0]) == 5 else getattr(torch._VF, net.mode)
    if net.packed is None:
        states = tuple(hidden) if net.mode == "lstm" else hidden[0]
        return tuple(run(data, states, *common, False))
    return _run_packed(net.packed, run, common, hidden, data.shape[0])


def _projected(*arguments: Any) -> tuple[Tensor, ...]:
    """An LSTM with projections: torch says once that oneDNN does not have them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "LSTM with projections", UserWarning)
        results: tuple[Tensor, ...] = torch._VF.lstm(*arguments)
    return results


def _run_packed(
    packed: PackedSequence,
    run: Callable[..., Any],
    common: tuple[Any, ...],
    hidden: Sequence[Tensor],
    steps: int,
) -> tuple[Tensor, ...]:
    """The layers over sequences of unequal length: zeros after their ends."""
    order, back = packed.sorted_indices, packed.unsorted_indices
    assert order is not None and back is not None
    ordered = [h.index_select(1, order) for h in hidden]
    states = tuple(ordered) if len(ordered) == 2 else ordered[0]
    out, *last = run(packed.data, packed.batch_sizes, states, *common)
    whole, _ = pad_packed_sequence(packed._replace(data=out), total_length=steps)
    return (whole, *(h.index_select(1, back) for h in last))


def _drops(data: Tensor, training: bool, recording: bool) -> bool:
    """Whether `p` has an effect here."""
    if data.is_meta:
        return False
    if not data.is_cpu:
        return training
    if not (training or recording):
        return False
    if data.dtype is torch.float32 and env.USE_MKLDNN_RNN.get():
        _warn_dropout()
        return False
    return True


@cache
def _warn_dropout() -> None:
    warnings.warn(
        "RNN: on the CPU float32 layers apply no dropout between layers, as MXNet 1.9.1 does; "
        "set MXNET_USE_MKLDNN_RNN=0 to apply it",
        stacklevel=2,
    )


def _run_dropping(
    net: _Net,
    data: Tensor,
    layers: Sequence[Sequence[Tensor]],
    hidden: Sequence[Tensor],
    p: float,
) -> tuple[Tensor, ...]:
    """Layer by layer, with dropout on what every layer but the last gives."""
    step = net.directions
    finals: list[tuple[Tensor, ...]] = []
    for start in range(0, len(layers), step):
        if start:
            data = _drop(data, p)
            if net.packed is not None:
                net = net._replace(packed=_repack(net.packed, data))
        part = [h[start : start + step] for h in hidden]
        data, *last = _run(net, data, layers[start : start + step], part)
        finals.append(tuple(last))
    return (data, *(torch.cat(states) for states in zip(*finals, strict=True)))


def _repack(packed: PackedSequence, data: Tensor) -> PackedSequence:
    """The same lengths and order around other data."""
    assert packed.sorted_indices is not None
    ordered = data.index_select(1, packed.sorted_indices)
    rows = [ordered[t, :n] for t, n in enumerate(packed.batch_sizes.tolist())]
    return packed._replace(data=torch.cat(rows))


def _drop(data: Tensor, p: float) -> Tensor:
    """Drop with probability `p`; the draws of the CPU are MXNet's."""
    if data.is_cpu and not torch_rng.uses_torch(data.device):
        keep = torch.from_numpy(rng.current().rnn_dropout_keep(tuple(data.shape), p))
    else:
        uniform = torch.rand(
            data.shape, generator=torch_rng.generator(data.device), device=data.device
        )
        keep = uniform >= p
    return torch.where(keep, data / float(np.float32(1) - np.float32(p)), 0)
