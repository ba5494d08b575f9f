"""Learning rates as functions of the number of an update, from 1."""

from __future__ import annotations

import math


class Schedule:
    """A learning rate by update, after a warmup."""

    def __init__(self, base_lr=0.01, warmup_steps=0, warmup_begin_lr=0.0, warmup_mode="linear"):
        self.base_lr = self.base_lr_orig = self.warmup_final_lr = base_lr
        self.warmup_steps, self.warmup_begin_lr = warmup_steps, warmup_begin_lr
        self.warmup_mode = warmup_mode

    def __call__(self, num_update):
        if num_update >= self.warmup_steps:
            return self.rate(num_update)
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        share = num_update / self.warmup_steps
        return self.warmup_begin_lr + share * (self.warmup_final_lr - self.warmup_begin_lr)


class FactorScheduler(Schedule):
    """Times `factor` after every `step` updates."""

    def __init__(self, step, factor=1, stop_factor_lr=1e-8, base_lr=0.01, **warmup):
        super().__init__(base_lr, **warmup)
        self.step, self.factor, self.stop_factor_lr = step, factor, stop_factor_lr

    def rate(self, num_update):
        count = max(0, num_update - 1) // self.step
        return max(self.base_lr * self.factor**count, self.stop_factor_lr)


class MultiFactorScheduler(Schedule):
    """Times `factor` after each of the updates in `step`."""

    def __init__(self, step, factor=1, base_lr=0.01, **warmup):
        super().__init__(base_lr, **warmup)
        self.step, self.factor = step, factor

    def rate(self, num_update):
        return self.base_lr * self.factor ** sum(num_update > s for s in self.step)


class PolyScheduler(Schedule):
    """Down to `final_lr` at `max_update`, by a power of what is left."""

    def __init__(self, max_update, base_lr=0.01, pwr=2, final_lr=0, **warmup):
        super().__init__(base_lr, **warmup)
        self.max_update, self.power, self.final_lr = max_update, pwr, final_lr

    def shape(self, done):
        return (1 - done) ** self.power

    def rate(self, num_update):
        if num_update <= self.max_update:
            done = (num_update - self.warmup_steps) / (self.max_update - self.warmup_steps)
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * self.shape(done)
        return self.base_lr


class CosineScheduler(PolyScheduler):
    """Down to `final_lr` at `max_update`, along half a cosine."""

    def __init__(self, max_update, base_lr=0.01, final_lr=0, **warmup):
        super().__init__(max_update, base_lr, 1, final_lr, **warmup)

    def shape(self, done):
        return (1 + math.cos(math.pi * done)) / 2
