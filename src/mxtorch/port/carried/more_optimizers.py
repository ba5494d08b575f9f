"""More optimizers with MXNet's formulas."""

from __future__ import annotations

import torch

from mxtorch.port.carried.optimizers import Optimizer


class Ftrl(Optimizer):
    """Follow the regularized leader."""

    def __init__(self, params, lr=0.1, lamda1=0.01, beta=1.0, weight_decay=0.0):
        super().__init__(params, lr=lr, lamda1=lamda1, beta=beta, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state.update(z=torch.zeros_like(p), n=torch.zeros_like(p))
        z, n, lr, lamda1 = state["z"], state["n"], group["lr"], group["lamda1"]
        z.add_(grad - ((n + grad**2).sqrt() - n.sqrt()) * p / lr)
        n.addcmul_(grad, grad)
        scale = (group["beta"] + n.sqrt()) / lr + group["weight_decay"]
        p.copy_(torch.where(z.abs() > lamda1, (z.sign() * lamda1 - z) / scale, 0))


class Signum(Optimizer):
    """A step of one size, in the direction that the momentum has."""

    def __init__(self, params, lr=0.01, momentum=0.9, weight_decay=0.0, wd_lh=0.0):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay, wd_lh=wd_lh)

    def update(self, p, grad, state, group):
        if not state:
            state["momentum"] = torch.zeros_like(p)
        grad = grad.add(p, alpha=group["weight_decay"])
        moved = state["momentum"].lerp_(grad, 1 - group["momentum"])
        p.mul_(1 - group["lr"] * group["wd_lh"]).sub_(moved.sign(), alpha=group["lr"])


class LAMB(Optimizer):
    """Adam's step, as long as the weight is."""

    def __init__(
        self,
        params,
        lr=0.001,
        betas=(0.9, 0.999),
        eps=1e-6,
        weight_decay=0.0,
        lower_bound=None,
        upper_bound=None,
        bias_correction=True,
    ):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.bounds, self.bias_correction = (lower_bound, upper_bound), bias_correction

    def update(self, p, grad, state, group):
        if not state:
            state.update(step=0, mean=torch.zeros_like(p), square=torch.zeros_like(p))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        mean = state["mean"].lerp_(grad, 1 - beta1)
        square = state["square"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if self.bias_correction:
            mean = mean / (1 - beta1 ** state["step"])
            square = square / (1 - beta2 ** state["step"])
        step = mean / (square.sqrt() + group["eps"]) + group["weight_decay"] * p
        length = p.norm()
        if self.bounds != (None, None):
            length = length.clamp(*self.bounds)
        known = (length > 0) & (step.norm() > 0)
        ratio = torch.where(known, length / step.norm(), 1.0)
        p.sub_(group["lr"] * ratio * step)
