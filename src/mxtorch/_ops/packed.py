"""Operators in inference: BatchNorm folded into what it follows, weights packed for oneDNN."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from mxtorch._core import torch_compat
from mxtorch._core.op import Attrs
from mxtorch._core.packing import Constants, Packed, Role, Scaling, enter
from mxtorch._ops import activation, binary, conv, dense, dropout, norm, pool, shape  # noqa: F401 - their entries
from mxtorch._ops.conv import steps

# Below so many rows a matrix product waits for memory, and packing gains nothing.
_FEW_ROWS = 8


def _batch_norm(constants: Constants, attrs: Attrs) -> Scaling | None:
    if attrs["axis"] != 1 or attrs["output_mean_var"]:
        return None
    gamma, beta, mean, var = (t.double() for t in constants if t is not None)
    scale = torch.rsqrt(var + attrs["eps"])
    if not attrs["fix_gamma"]:
        scale = scale * gamma
    return scale, beta - mean * scale


def _scaled(constants: Constants, scaling: Scaling) -> Constants:
    """Weight and bias, rounded once."""
    (weight, bias), (scale, shift) = (*constants, None)[:2], scaling
    assert weight is not None
    if bias is not None:
        shift = shift + bias.double() * scale
    columns = scale.reshape(-1, *[1] * (weight.ndim - 1))
    return (weight.double() * columns).to(weight.dtype), shift.to(weight.dtype)


def _convolution_absorbs(constants: Constants, attrs: Attrs, scaling: Scaling) -> Constants | None:
    return None if conv.is_channels_last(attrs["layout"]) else _scaled(constants, scaling)


def _dense_absorbs(constants: Constants, attrs: Attrs, scaling: Scaling) -> Constants | None:
    return _scaled(constants, scaling) if attrs["flatten"] else None


def _pack_convolution(
    constants: Constants, attrs: Attrs, data: tuple[int, ...], ending: str
) -> Packed | None:
    weight, bias = (*constants, None)[:2]
    assert weight is not None
    if len(attrs["kernel"]) != 2 or conv.is_channels_last(attrs["layout"]):
        return None
    stride, pad, dilate = steps(2, attrs["stride"], attrs["pad"], attrs["dilate"])
    groups = attrs["num_group"]
    form = (tuple(pad), tuple(stride), tuple(dilate), groups)
    return torch_compat.pack_convolution(weight, bias, form, data, ending)


def _pack_dense(
    constants: Constants, attrs: Attrs, data: tuple[int, ...], ending: str
) -> Packed | None:
    weight, bias = (*constants, None)[:2]
    assert weight is not None
    rows = math.prod(data) // max(weight.shape[1], 1)
    if rows < _FEW_ROWS:
        return None
    product = torch_compat.pack_linear(weight, bias, rows, ending)
    if product is None or not (attrs["flatten"] and len(data) != 2):
        return product

    def flat(tensor: Tensor) -> Tensor:
        return product(tensor.reshape(tensor.shape[0], -1))

    return flat


def _ending(attrs: Attrs) -> str | None:
    name: str = attrs["act_type"]
    return name if name in ("relu", "sigmoid", "tanh") else None


enter(Role(affine=_batch_norm, any_layout=True), "BatchNorm")
enter(Role(absorb=_convolution_absorbs, pack=_pack_convolution), "Convolution")
enter(Role(absorb=_dense_absorbs, pack=_pack_dense), "FullyConnected")
enter(Role(ending=_ending, any_layout=True), "Activation")
enter(Role(ending=lambda attrs: "relu", any_layout=True), "relu")
enter(Role(ending=lambda attrs: "sigmoid", any_layout=True), "sigmoid")
enter(Role(ending=lambda attrs: "tanh", any_layout=True), "tanh")
enter(
    Role(any_layout=True),
    "Concat",
    "Dropout",
    "LeakyReLU",
    "Pooling",
    "broadcast_add",
    "broadcast_mul",
    "clip",
    "elemwise_add",
    "elemwise_mul",
)
