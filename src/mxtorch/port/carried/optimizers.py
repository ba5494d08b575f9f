"""Optimizers with MXNet's formulas where torch's differ, and learning rates by update."""

from __future__ import annotations

import torch


class Optimizer(torch.optim.Optimizer):
    """An optimizer whose subclasses say how one parameter moves."""

    def __init__(self, params, **defaults):
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.update(p, p.grad, self.state[p], group)


class MomentumSGD(Optimizer):
    """SGD whose momentum holds the learning rate, which matters once that changes."""

    def __init__(self, params, lr=0.01, momentum=0.0, weight_decay=0.0):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state["momentum"] = torch.zeros_like(p)
        grad = grad.add(p, alpha=group["weight_decay"])
        p.add_(state["momentum"].mul_(group["momentum"]).sub_(grad, alpha=group["lr"]))


class NAG(Optimizer):
    """Nesterov's momentum, the weights decayed as they stand."""

    def __init__(self, params, lr=0.01, momentum=0.0, weight_decay=0.0):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state["momentum"] = torch.zeros_like(p)
        old = state["momentum"]
        mu, lr, decay = group["momentum"], group["lr"], group["weight_decay"]
        ahead = mu * old - lr * grad.add(p, alpha=decay)
        p.sub_(mu * old).add_(ahead, alpha=1 + mu)
        old.mul_(mu).sub_(grad.add(p, alpha=decay), alpha=lr)


class Adam(Optimizer):
    """Adam whose eps is beside the root of the second moment as it stands, not as corrected."""

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state.update(step=0, mean=torch.zeros_like(p), square=torch.zeros_like(p))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        grad = grad.add(p, alpha=group["weight_decay"])
        mean = state["mean"].mul_(beta1).add_(grad, alpha=1 - beta1)
        square = state["square"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction = (1 - beta2 ** state["step"]) ** 0.5 / (1 - beta1 ** state["step"])
        p.addcdiv_(mean, square.sqrt() + group["eps"], value=-group["lr"] * correction)


class AdaGrad(Optimizer):
    """AdaGrad with eps below the root and decay beside the gradient."""

    def __init__(self, params, lr=0.01, eps=1e-7, weight_decay=0.0):
        super().__init__(params, lr=lr, eps=eps, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state["sum"] = torch.zeros_like(p)
        state["sum"].addcmul_(grad, grad)
        step = grad / (state["sum"] + group["eps"]).sqrt() + group["weight_decay"] * p
        p.sub_(step, alpha=group["lr"])


class RMSProp(Optimizer):
    """RMSProp with eps below the root."""

    def __init__(self, params, lr=0.001, alpha=0.9, eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state["square"] = torch.zeros_like(p)
        grad = grad.add(p, alpha=group["weight_decay"])
        square = state["square"].mul_(group["alpha"])
        square.addcmul_(grad, grad, value=1 - group["alpha"])
        p.sub_(grad / (square + group["eps"]).sqrt(), alpha=group["lr"])


class AdaDelta(Optimizer):
    """AdaDelta without a learning rate, and decay beside the gradient."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-5, weight_decay=0.0):
        super().__init__(params, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)

    def update(self, p, grad, state, group):
        if not state:
            state["square"], state["moved"] = torch.zeros_like(p), torch.zeros_like(p)
        rho, eps = group["rho"], group["eps"]
        square = state["square"].mul_(rho).addcmul_(grad, grad, value=1 - rho)
        step = grad * ((state["moved"] + eps) / (square + eps)).sqrt()
        state["moved"].mul_(rho).addcmul_(step, step, value=1 - rho)
        p.sub_(step + group["weight_decay"] * p)


def optimizer_by_name(params, name, options=None):
    """An optimizer by the name and with the options that MXNet has for it."""
    options = {key: value for key, value in dict(options or {}).items() if value is not None}
    name = name.lower()
    for key in ("lazy_update", "use_fused_step", "multi_precision", "param_idx2name"):
        options.pop(key, None)  # they change no numbers
    schedule = options.pop("lr_scheduler", None)
    scale, limit = options.pop("rescale_grad", 1.0), options.pop("clip_gradient", None)
    # the schedule's own rate holds where neither the options nor the optimizer have one
    keep_base = name in ("sgd", "nag", "adagrad") and "learning_rate" not in options
    names = {"learning_rate": "lr", "wd": "weight_decay", "gamma1": "alpha", "epsilon": "eps"}
    given = {names.get(key, key): value for key, value in options.items()}
    if {"beta1", "beta2"} & given.keys():
        given["betas"] = (given.pop("beta1", 0.9), given.pop("beta2", 0.999))
    makers = {
        "sgd": MomentumSGD,
        "nag": NAG,
        "adam": Adam,
        "adamax": torch.optim.Adamax,
        "nadam": torch.optim.NAdam,
        "adagrad": AdaGrad,
        "rmsprop": RMSProp,
        "adadelta": AdaDelta,
    }
    if name not in makers:
        raise ValueError(f"optimizer {name!r}; known are {', '.join(makers)}")
    decay = 0.0
    if limit is not None and name in ("adam", "adamax", "nadam", "rmsprop"):
        decay = given.pop("weight_decay", 0.0)  # it is limited too
    if name == "nadam":
        given.setdefault("lr", 0.001)
    optimizer = makers[name](params, **given)
    if scale != 1.0 or limit is not None:
        optimizer.register_step_pre_hook(lambda *_: limit_gradients(optimizer, scale, limit, decay))
    return scheduled(optimizer, schedule, keep_base)


@torch.no_grad()
def limit_gradients(optimizer, scale, limit, decay=0.0):
    """Multiply the gradients, add the decay, and keep each number within the limit."""
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.grad is not None:
                p.grad.mul_(scale).add_(p, alpha=decay)
                if limit is not None:
                    p.grad.clamp_(-limit, limit)


def parameter_groups(params, lr, weight_decay=0.0):
    """Parameters by their own multiples of the learning rate and of the decay."""
    groups = {}
    for p in params:
        key = getattr(p, "lr_mult", 1.0), getattr(p, "wd_mult", 1.0)
        groups.setdefault(key, []).append(p)
    return [
        {"params": ps, "lr": lr * rate, "weight_decay": weight_decay * decay, "lr_mult": rate}
        for (rate, decay), ps in groups.items()
    ]


def multiplied(optimizer):
    """The optimizer of groups of one parameter; each step reads its multiples anew."""

    def before_step(*_):
        for group in optimizer.param_groups:
            p = group["params"][0]
            group["lr_mult"] = getattr(p, "lr_mult", 1.0)
            group["lr"] = optimizer.defaults["lr"] * group["lr_mult"]
            decay = optimizer.defaults.get("weight_decay", 0.0)
            group["weight_decay"] = decay * getattr(p, "wd_mult", 1.0)

    optimizer.register_step_pre_hook(before_step)
    return optimizer


def set_learning_rate(optimizer, lr):
    """Set the learning rate, of each group times its own multiple."""
    optimizer.defaults["lr"] = lr
    for group in optimizer.param_groups:
        group["lr"] = lr * group.get("lr_mult", 1.0)


def scheduled(optimizer, schedule, keep_base=False):
    """The optimizer; before each step its learning rate becomes `schedule(number of the step)`."""
    if schedule is None:
        return optimizer
    if not keep_base:
        schedule.base_lr = optimizer.defaults["lr"]
    number = 0

    def before_step(*_):
        nonlocal number
        number += 1
        set_learning_rate(optimizer, schedule(number))

    optimizer.register_step_pre_hook(before_step)
    return optimizer
