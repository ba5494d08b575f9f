"""Activations and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.ambient import Training
from mxtorch._core.attrs import FloatDType, Refused
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError, NotSupportedError
from mxtorch._core.op import Attrs, Dims, Dtypes, op
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import run_function, single
from mxtorch._ops._partial import same, unchanged


def check_float(data: Tensor) -> None:
    """These are defined for floats only."""
    if not data.is_floating_point():
        name = str(data.dtype).removeprefix("torch.")
        raise MXNetTypeError(
            f"only float types, not {name}; convert first, e.g. x.astype('float32')"
        )


@op(infer=same)
def hard_sigmoid(data: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """`alpha * data + beta`, clipped to [0, 1]."""
    check_float(data)
    return F.hardtanh(data * single(alpha, data) + single(beta, data), 0.0, 1.0)


_ACTIVATIONS = {
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "softrelu": F.softplus,
    "softsign": F.softsign,
    "tanh": torch.tanh,
}


@op("_npx_activation", infer=same, output_names=("output",))
def Activation(
    data: Tensor, *, act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"]
) -> Tensor:
    """The activation `act_type`, element by element."""
    check_float(data)
    return _ACTIVATIONS[act_type](data)


def _prelu_shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, gamma = shapes
    if attrs["act_type"] == "prelu" and gamma is None and data is not None:
        gamma = (data[1] if len(data) > 1 else 1,)
    return [data, gamma]


class _Selu(Function):
    """SELU with MXNet's gradient, `scale * (alpha + out)` below zero: the derivative it is not."""

    scale, alpha = 1.0507009873554805, 1.6732632423543772

    @staticmethod
    def forward(ctx: Any, data: Tensor) -> Tensor:
        out = F.selu(data)
        ctx.save_for_backward(data, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        data, out = ctx.saved_tensors
        return grad * torch.where(data > 0, 1.0, _Selu.alpha + out) * _Selu.scale


_LeakyKinds = Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"]


@op(
    "_npx_leaky_relu",
    needs=lambda attrs: ("gamma",) if attrs.get("act_type") == "prelu" else (),
    fill=_prelu_shapes,
    outputs=lambda attrs: 2 if attrs["act_type"] == "rrelu" else 1,
    output_names=("output", "mask"),
    variable_attrs={"gamma": {"__init__": '["Constant", {"value": 0.25}]'}},
    gradient="below 0 with act_type='selu' larger than the slope",
)
def LeakyReLU(
    data: Tensor,
    gamma: Tensor | None = None,
    *,
    act_type: _LeakyKinds = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    training: Training = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Rectifiers that are not flat below zero."""
    check_float(data)
    if act_type == "leaky":
        return F.leaky_relu(data, single(slope, data))
    if act_type == "elu":
        return F.elu(data, single(slope, data))
    if act_type == "selu":
        return run_function(_Selu, data)
    if act_type == "gelu":
        return F.gelu(data)
    if act_type == "prelu":
        assert gamma is not None
        return _prelu(data, gamma)
    if training:
        raise NotSupportedError(
            "act_type='rrelu' in training mode crashes MXNet 1.9.1, so there is no result to "
            "match; use act_type='leaky', or run it in predict mode"
        )
    middle = (lower_bound + upper_bound) / 2
    return F.leaky_relu(data, middle), torch.full_like(data, middle)


def _prelu(data: Tensor, gamma: Tensor) -> Tensor:
    if gamma.numel() != 1 and gamma.ndim == 1 and data.ndim > 1:
        gamma = gamma.reshape(1, -1, *[1] * (data.ndim - 2))
    result = torch.where(data > 0, data, data * gamma)
    if result.shape != data.shape:
        raise MXNetShapeError(f"gamma of {tuple(gamma.shape)} does not fit {tuple(data.shape)}")
    return result


def _softmax_dtype(data: Tensor, dtype: torch.dtype | None) -> torch.dtype:
    check_float(data)
    return data.dtype if dtype is None else dtype


def _softmax_types(given: Dtypes, attrs: Attrs) -> tuple[Dtypes, Dtypes]:
    """Data of a type that is not known has that of the result, if an attribute tells it."""
    dtype = attrs.get("dtype")
    return [given[0] or dtype, *given[1:]], [dtype or given[0]]


def _length_shape(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, length = shapes
    if length is None and data is not None and attrs["use_length"]:
        axis = attrs["axis"] % len(data)
        length = (*data[:axis], *data[axis + 1 :])
    return [data, length]


def _cast(result: Tensor, dtype: torch.dtype) -> Tensor:
    """`result` in the wanted type; MXNet computes in the input's type first."""
    return result if result.dtype is dtype else result.to(dtype)


def _tempered(data: Tensor, temperature: float | None) -> Tensor:
    return data if temperature is None or temperature == 1.0 else data / temperature


def _direct_softmax(
    data: Tensor,
    axis: int = -1,
    temperature: float | None = None,
    dtype: torch.dtype | None = None,
    use_length: bool | None = False,
) -> Tensor | None:
    return torch.softmax(data, axis) if temperature is None and dtype is None else None


@op(
    "_npx_softmax",
    method=True,
    mixed=True,
    direct=_direct_softmax,
    needs=lambda attrs: ("length",) if attrs.get("use_length") else (),
    fill=_length_shape,
    dtypes=_softmax_types,
    output_names=("output",),
)
def softmax(
    data: Tensor,
    length: Tensor | None = None,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: FloatDType | None = None,
    use_length: bool | None = False,
) -> Tensor:
    """Exponentials along `axis`, divided by their sum; zero from `length` on if that is used."""
    if dtype is None and temperature is None and not use_length:
        check_float(data)
        return torch.softmax(data, axis)
    kind = _softmax_dtype(data, dtype)
    data = _tempered(data, temperature)
    if not use_length:
        return _cast(torch.softmax(data, axis), kind)
    if length is None:
        raise MXNetTypeError("use_length=True needs the array length")
    # while shapes are inferred its type is not known
    if length.dtype not in (torch.int32, torch.int64) and not length.is_meta:
        raise MXNetTypeError("length must be an int32 or int64 array")
    beyond = _beyond(data, length, axis)
    return _cast(
        torch.softmax(data.masked_fill(beyond, -torch.inf), axis).masked_fill(beyond, 0), kind
    )


def _beyond(data: Tensor, length: Tensor, axis: int) -> Tensor:
    """Where the index along `axis` is not below that row's length."""
    axis %= data.ndim
    rest = data.shape[:axis] + data.shape[axis + 1 :]
    if length.shape != rest:
        raise MXNetShapeError(
            f"length has shape {tuple(length.shape)}, data without axis {axis} {tuple(rest)}"
        )
    steps = torch.arange(data.shape[axis], device=data.device)
    steps = steps.reshape(-1, *[1] * (data.ndim - 1 - axis))
    return steps >= length.unsqueeze(axis)


@op(method=True, infer=same, dtypes=_softmax_types, output_names=("output",))
def softmin(
    data: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: FloatDType | None = None,
    use_length: Refused[bool | None] = False,
) -> Tensor:
    """Softmax of the negative."""
    kind = _softmax_dtype(data, dtype)
    return _cast(torch.softmax(-_tempered(data, temperature), axis), kind)


@op("_npx_log_softmax", method=True, infer=same, dtypes=_softmax_types, lists_input=True)
def log_softmax(
    data: Tensor,
    *,
    axis: int = -1,
    temperature: float | None = None,
    dtype: FloatDType | None = None,
    use_length: Refused[bool | None] = False,
) -> Tensor:
    """The logarithm of softmax."""
    kind = _softmax_dtype(data, dtype)
    return _cast(torch.log_softmax(_tempered(data, temperature), axis), kind)


class _SoftmaxActivation(Function):
    """Softmax over the last axis, with MXNet's gradient: it sums over axis 1."""

    @staticmethod
    def forward(ctx: Any, data: Tensor) -> Tensor:
        out = torch.softmax(data, -1)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        out: Tensor = ctx.saved_tensors[0]
        product = out * grad
        return product - out * product.sum(1, keepdim=True)


@op(
    gradient="with mode='instance' on 3 axes or more, as if the softmax were over axis 1",
    infer=unchanged,
    output_names=("output",),
)
def SoftmaxActivation(data: Tensor, *, mode: Literal["channel", "instance"] = "instance") -> Tensor:
    """Softmax over the last axis, or over axis 1 with `mode='channel'`."""
    check_float(data)
    if mode == "channel" and data.ndim < 3:
        raise MXNetShapeError(f"mode='channel' needs 3 axes or more, data has {data.ndim}")
    if data.ndim < 3 or mode == "channel":
        return torch.softmax(data, 1 if mode == "channel" else -1)
    return run_function(_SoftmaxActivation, data)
