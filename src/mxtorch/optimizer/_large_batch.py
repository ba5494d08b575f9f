"""Optimizers for large batches: steps in proportion to the norm of each weight."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._front.handle import wrap
from mxtorch._ops import _steps
from mxtorch.optimizer._adam import MeanAndVariance
from mxtorch.optimizer._base import Optimizer, check_arrays, register
from mxtorch.optimizer._fused import Group, zeros_like
from mxtorch.optimizer._sgd import Momentum


@register
class LAMB(MeanAndVariance):
    """Adam's direction, with decay in it, scaled by |w| / |direction|."""

    update_is_used = False

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction
        self.aggregate_num = 45

    def create_state(self, index: Any, weight: Any) -> Any:
        """Mean and variance of the gradient, of the weight's storage type."""
        return zeros_like(weight), zeros_like(weight)

    def rule(self, group: Group) -> None:
        """One step of a group."""
        steps = _steps.lamb_direction(
            group.weights,
            group.grads,
            *group.states,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            t=group.t,
            bias_correction=self.bias_correction,
            wd=group.wd,
            rescale=self.rescale_grad,
            clip=self.clip,
        )
        above = _steps.norms(group.weights, group.are_masters)
        below = torch._foreach_norm(steps)
        bounds = self.lower_bound, self.upper_bound
        ratios = [_steps.lamb_ratio(a, b, *bounds) for a, b in zip(above, below, strict=True)]
        torch._foreach_mul_(steps, ratios)
        torch._foreach_add_(group.weights, steps, alpha=-_steps.f32(group.lr))


@register
class LARS(Momentum):
    """SGD with lr * eta * |w| / (|g| + wd * |w| + eps), except for biases, gammas and betas."""

    _called = "SGD "

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.momentum_correction = momentum_correction
        self.lazy_update = lazy_update
        self.aggregate_num = 4
        self.eta = eta
        self.eps = eps
        self.skip = 0
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def set_wd_mult(self, args_wd_mult: dict[Any, float]) -> None:
        """Factors of the weight decay; names that do not end in _weight start with 0."""
        names = self.idx2name.values()
        self.wd_mult = {n: 0.0 for n in names if not n.endswith("_weight")}
        self.wd_mult.update(self._from_symbol("__wd_mult__"))
        self.wd_mult.update(args_wd_mult)

    def _run(
        self,
        indices: Sequence[Any],
        weights: Sequence[Any],
        grads: Sequence[Any],
        states: Any,
        masters: Sequence[bool] = (),
    ) -> None:
        masters = masters or [False] * len(indices)
        # MXNet looks at the learning rate once a batch of aggregate_num parameters: a new rate
        # corrects the momentum of the first batch only.
        for start in range(0, len(indices), self.aggregate_num):
            part = slice(start, start + self.aggregate_num)
            self._run_part(indices[part], weights[part], grads[part], states[part], masters[part])

    def _run_part(
        self,
        indices: Sequence[Any],
        weights: Sequence[Any],
        grads: Sequence[Any],
        states: Any,
        masters: Sequence[bool],
    ) -> None:
        check_arrays(weights, grads)
        self._update_count(list(indices))
        self.last_lr, self.cur_lr = self.cur_lr, self.learning_rate
        if self.last_lr is None:
            self.last_lr = self.cur_lr
        momentum = self.momentum
        if self.momentum_correction and self.last_lr:
            momentum *= self.cur_lr / self.last_lr
        lrs, wds = self._get_lrs(indices), self._get_wds(indices)
        with torch.no_grad():
            for i, index in enumerate(indices):
                weight, grad = weights[i].whole(), grads[i].storage()
                lr: Any = lrs[i]
                if self._is_scaled(index):
                    lr = self._scaled(lr, wds[i], *_steps.norms([weight, grad], masters[i]))
                moment = None if states[i] is None else states[i].storage()
                self._step(weight, grad, moment, lr, wds[i], momentum)

    def _is_scaled(self, index: Any) -> bool:
        # Gluon's Trainer gives no names, and MXNet then scales biases too.
        return not self.idx2name.get(index, "").endswith(("gamma", "beta", "bias"))

    def _scaled(self, lr: float, wd: float, above: Tensor, below: Tensor) -> Tensor:
        below = below * self.rescale_grad
        scaled = lr * self.eta * above / (below + wd * above + self.eps)
        return torch.where((above > 0) & (below > 0), scaled, torch.full_like(scaled, lr))

    def _step(
        self, weight: Tensor, grad: Tensor, moment: Tensor | None, lr: Any, wd: float, mu: float
    ) -> None:
        (step,) = self.clipped([grad * self.rescale_grad])
        step.add_(weight, alpha=wd).mul_(-lr)
        if moment is None:
            weight.add_(step)
        else:
            weight.add_(moment.mul_(mu).add_(step))


@register
class LBSGD(Optimizer):
    """SGD on gradients averaged over `batch_scale` calls, with a warmup of the learning rate.

    The weight moves at every `batch_scale`-th call only.
    """

    _called = "SGD "

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(multi_precision=multi_precision, **kwargs)
        logging.info("Running Large-Batch SGD Algorithm")
        logging.info(
            "(Batch_scale=%f, warmup_epochs=%d, warmup_strategy=%s, updates_per_epoch=%d)",
            batch_scale,
            warmup_epochs,
            warmup_strategy,
            updates_per_epoch,
        )
        self.momentum = momentum
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.lbmult = 1
        self.cumgrads: dict[Any, dict[str, Any]] = {}
        self.adaptive = False
        self.admult = 1

    def create_state(self, index: Any, weight: Any) -> Any:
        """The momentum, or None without momentum."""
        return None if self.momentum == 0.0 else zeros_like(weight)

    def _warmup(self, calls: int) -> float:
        """The factor of the learning rate after so many calls."""
        whole, most = self.warmup_epochs * self.updates_per_epoch, float(self.batch_scale)
        if calls >= whole:
            return most
        curves = {"linear": 1.0, "power2": 2.0, "sqrt": 0.5}
        power = curves.get(self.warmup_strategy)
        return 1.0 if power is None else 1.0 + (most - 1) * (calls / whole) ** power

    def _adapted(self, weight: Tensor, grad: Tensor, wd: float) -> float:
        above, below = (float((t * t).sum()) for t in (weight, grad))
        return min(100.0, max(0.01, math.sqrt(above / (below + wd * above + 1e-18))))

    def _gather(self, index: Any, grad: Tensor) -> tuple[Tensor | None, int]:
        """The mean gradient of a full batch, or None; and how many calls there have been."""
        kept = self.cumgrads.setdefault(index, {"cum_grad": 0, "num_cums": self.init_updates})
        total = grad.clone()
        if kept["num_cums"] > self.init_updates and not isinstance(kept["cum_grad"], int):
            total += kept["cum_grad"].storage()
        kept["num_cums"] += 1
        if (kept["num_cums"] - self.init_updates) % self.batch_scale:
            kept["cum_grad"] = total
            return None, kept["num_cums"]
        kept["cum_grad"] = 0
        return total / self.batch_scale, kept["num_cums"]

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Gather a gradient; update the weight when a batch is full."""
        check_arrays([weight], [grad])
        self._update_count(index)
        lr, wd = self._get_lr(index), self._get_wd(index)
        mean, calls = self._gather(index, grad.storage())
        kept = self.cumgrads[index]
        if mean is None:
            kept["cum_grad"] = wrap(weight.detach()._kind, kept["cum_grad"])
            return
        tensor = weight.whole()
        if self.warmup_strategy == "lars":
            lr *= self._adapted(tensor, mean, wd)
        else:
            lr *= self._warmup(calls)
        mean *= self.rescale_grad
        if self.clip_gradient:
            mean.clamp_(-self.clip_gradient, self.clip_gradient)
        mean.add_(tensor, alpha=wd).mul_(-lr)
        if state is not None:
            mean = state.storage().mul_(self.momentum).add_(mean)
        tensor.add_(mean)
