"""The learning rates of MXNet's first years; `mx.lr_scheduler` has taken their place."""

from __future__ import annotations

import logging

__all__ = ["FactorScheduler", "LearningRateScheduler"]


class LearningRateScheduler:
    """Base: `base_lr` is set by the optimizer."""

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """The learning rate of this iteration."""
        raise NotImplementedError("must override this")


class FactorScheduler(LearningRateScheduler):
    """The base rate times `factor` for every `step` iterations that have passed."""

    def __init__(self, step: int, factor: float = 0.1) -> None:
        super().__init__()
        if step < 1:
            raise ValueError("Schedule step must be greater or equal than 1 round")
        if factor >= 1.0:
            raise ValueError("Factor must be less than 1 to make lr reduce")
        self.step = step
        self.factor = factor
        self.old_lr = self.base_lr
        self.init = False

    def __call__(self, iteration: int) -> float:
        """The learning rate of this iteration; a new one is logged."""
        if not self.init:
            self.init = True
            self.old_lr = self.base_lr
        rate = self.base_lr * self.factor ** int(iteration / self.step)
        if rate != self.old_lr:
            self.old_lr = rate
            logging.info(
                "At Iteration [%d]: Swith to new learning rate %.5f",
                iteration,
                rate,
            )
        return rate
