"""`data @ weight.T + bias` of float32 on the CPU, added up in the order in which MXNet does.

MXNet's FullyConnected is oneDNN's, torch's linear layers go through MKL or OpenBLAS. Through oneDNN
results and gradients of small products are MXNet's to the last bit (ADR 16), and large ones twice
as fast on processors that MKL does not know (AMD EPYC with AVX-512, 128 x 768 by 3072: 2.9 ms and
6.3 ms).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core import torch_compat
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows

# MXNet's kernel for fewer rows than this (and more than one) adds up in this many lanes.
_LANES = 16
# Between so many multiplications torch's own product is faster, most of all with several threads.
_FEW, _MANY = 2**14, 2**23


class _Product(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(data, weight)
        return _forward(data, weight, bias)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        data, weight = ctx.saved_tensors
        by_data, by_weight, by_bias = ctx.needs_input_grad
        gradient = gradient.contiguous()
        if torch.is_grad_enabled():  # a second derivative is wanted
            return (
                gradient @ weight if by_data else None,
                gradient.t() @ data if by_weight else None,
                gradient.sum(0) if by_bias else None,
            )
        return (
            _data_gradient(gradient, weight) if by_data else None,
            _chained(gradient.t(), data.t()) if by_weight else None,
            _sum_of_rows(gradient) if by_bias else None,
        )


def _forward(data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    if not 2 <= len(data) < _LANES or data.shape[1] > _LANES:
        return torch_compat.linear(data, weight, bias)
    result = _in_lanes(data, weight)
    return result if bias is None else result + bias


def _data_gradient(gradient: Tensor, weight: Tensor) -> Tensor:
    units, inputs = weight.shape
    if inputs == 1 and len(gradient) < _LANES and units <= _LANES:
        return _in_lanes(gradient, weight.t())
    return _chained(gradient, weight.t())


def _chained(left: Tensor, right: Tensor) -> Tensor:
    """`left @ right.T`, each element added up one product after the other.

    oneDNN does so for matrices; of vectors it is given a second copy.
    """
    if len(left) == 1:
        return _chained(left.repeat(2, 1), right)[:1]
    if len(right) == 1:
        return _chained(left, right.repeat(2, 1))[:, :1].contiguous()
    return torch_compat.linear(left, right, None)


def _sum_of_rows(rows: Tensor) -> Tensor:
    """Row after row, as NumPy adds them up and torch does not."""
    values = rows.numpy()
    if rows.shape[1] == 1:  # NumPy would add up pairs
        return torch.from_numpy(np.add.accumulate(values)[-1])
    return torch.from_numpy(np.add.reduce(values, 0))


def _in_lanes(left: Tensor, right: Tensor) -> Tensor:
    """`left @ right.T` of up to 16 products an element, added up by halves of 16 lanes."""
    products = left.unsqueeze(1) * right
    half = _LANES // 2
    while half:
        kept = products[..., :half]
        if products.shape[-1] > half:
            rest = products[..., half:]
            kept = kept + F.pad(rest, (0, kept.shape[-1] - rest.shape[-1]))
        products, half = kept, half // 2
    return products.squeeze(-1)


def _is_for_onednn(data: Tensor, weight: Tensor) -> bool:
    if type(data) is not Tensor:  # its size may be a symbol, which must not be looked at
        return False
    count = data.numel() * weight.shape[0]
    return (0 < count <= _FEW or count >= _MANY) and torch_compat.has_linear(data, weight)


def product(data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """The product over the last axis of `data`."""
    if not _is_for_onednn(data, weight):
        return F.linear(data, weight, bias)
    matrix = data.reshape(-1, data.shape[-1])
    if follows(data, weight, bias):
        result: Tensor = _Product.apply(matrix, weight, bias)
    else:
        result = _forward(matrix, weight, bias)
    return result.reshape(*data.shape[:-1], weight.shape[0])
