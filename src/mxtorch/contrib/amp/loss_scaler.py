"""Loss scaling: a factor that follows the overflows of the gradients."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import torch

__all__ = ["LossScaler"]


class LossScaler:
    """The factor that losses are multiplied by: halved after an overflow, doubled after 2000 steps
    without one."""

    def __init__(self) -> None:
        self._loss_scale = 2.0**16
        self._next_loss_scale = self._loss_scale
        self._max_loss_scale = 2.0**24
        self._scale_seq_len = 2000
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The factor now."""
        return self._loss_scale

    def has_overflow(self, params: Sequence[Any]) -> bool:
        """Whether a gradient is infinite or NaN; sets the factor for the next step."""
        self._loss_scale = self._next_loss_scale
        gradients = [g.storage() for p in params if p.grad_req != "null" for g in p.list_grad()]
        overflow = not all(bool(torch.isfinite(g).all()) for g in gradients)
        if overflow:
            self._next_loss_scale = self._loss_scale / 2.0
            self._unskipped = 0
            logging.info("AMP: decreasing loss scale to %f", self._next_loss_scale)
        else:
            self._unskipped += 1
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2.0)
            logging.info("AMP: increasing loss scale to %f", self._next_loss_scale)
        return overflow
