"""2-bit gradients: an element is sent as -threshold, 0 or threshold; what is left over is kept."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError

_PER_BYTE = 4


class TwoBit:
    """Quantizes gradients; the error of one step (`left_over`) is added to the next gradient."""

    def __init__(self, threshold: float = 0.5) -> None:
        if not threshold > 0:
            raise MXNetError(f"threshold={threshold} must be greater than 0")
        self.threshold = threshold
        self.left_over: dict[Any, Tensor] = {}

    def quantize(self, key: Any, gradient: Tensor) -> Tensor:
        """The codes of a gradient: int8 of its shape, -1, 0 or 1 thresholds.

        key: which gradient it is; its left-over is kept under it.
        """
        if gradient.dtype is not torch.float32:
            raise MXNetError(
                f"key {key}: gradient compression takes float32, not {gradient.dtype}; leave "
                "compression out, or train with float32 gradients"
            )
        left = self.left_over.get(key)
        total = gradient if left is None else left.to(gradient.device) + gradient
        codes = (total >= self.threshold).to(torch.int8) - (total <= -self.threshold).to(torch.int8)
        self.left_over[key] = total - codes * self.threshold
        return codes

    def value(self, codes: Tensor) -> Tensor:
        """What codes stand for, as float32."""
        return codes * torch.tensor(self.threshold, dtype=torch.float32, device=codes.device)


def pack(codes: Tensor) -> Tensor:
    """A row of codes, four in a byte."""
    padding = -codes.numel() % _PER_BYTE
    row = torch.nn.functional.pad((codes.reshape(-1) + 1).to(torch.uint8), (0, padding))
    places = row.reshape(-1, _PER_BYTE) << _shifts(row.device)
    return places.sum(1, dtype=torch.uint8)


def unpack(packed: Tensor, count: int) -> Tensor:
    """The first `count` codes of such bytes."""
    row = (packed.reshape(-1, 1) >> _shifts(packed.device)) & 3
    return row.reshape(-1)[:count].to(torch.int8) - 1


def _shifts(device: torch.device) -> Tensor:
    return torch.arange(0, 2 * _PER_BYTE, 2, dtype=torch.uint8, device=device)
