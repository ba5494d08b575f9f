"""`data @ weight.T + bias` of float32 matrices on the CPU, forward and backward by oneDNN.

torch's own linear layers go through MKL or OpenBLAS. From some size on oneDNN is faster, on
processors that MKL does not know twice as fast (AMD EPYC with AVX-512, 128 x 768 by 3072: 2.9 ms
and 6.3 ms), and MXNet's FullyConnected is oneDNN too.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core import torch_compat
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import follows

# Below so many multiplications the way to oneDNN costs more than it saves.
_MANY = 2**20


class _Product(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(data, weight)
        return torch_compat.linear(data, weight, bias)

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
            torch_compat.linear(gradient, weight.t(), None) if by_data else None,
            torch_compat.linear(gradient.t(), data.t(), None) if by_weight else None,
            gradient.sum(0) if by_bias else None,
        )


def product(data: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """The product over the last axis of `data`."""
    traced = type(data) is not Tensor  # its size may be a symbol, which must not be looked at
    if traced or data.numel() * weight.shape[0] < _MANY:
        return F.linear(data, weight, bias)
    if not torch_compat.has_linear(data, weight):
        return F.linear(data, weight, bias)
    matrix = data.reshape(-1, data.shape[-1])
    if follows(data, weight, bias):
        result: Tensor = _Product.apply(matrix, weight, bias)
    else:
        result = torch_compat.linear(matrix, weight, bias)
    return result.reshape(*data.shape[:-1], weight.shape[0])
