"""Steps of optimizers on single arrays, in place."""

from __future__ import annotations

import torch


def scaled_gradient(weight, grad, wd, rescale_grad, clip_gradient):
    """A gradient as a step takes it: scaled, within bounds, with the decay."""
    grad = grad.detach() * rescale_grad
    if clip_gradient > 0:
        grad = grad.clamp(-clip_gradient, clip_gradient)
    return grad + wd * weight


@torch.no_grad()
def sgd_update(weight, grad, lr, wd=0.0, rescale_grad=1.0, clip_gradient=-1.0):
    """Gradient descent."""
    weight -= lr * scaled_gradient(weight, grad, wd, rescale_grad, clip_gradient)


@torch.no_grad()
def sgd_mom_update(
    weight, grad, mom, lr, momentum=0.0, wd=0.0, rescale_grad=1.0, clip_gradient=-1.0
):
    """Gradient descent with momentum, the rate in it."""
    step = lr * scaled_gradient(weight, grad, wd, rescale_grad, clip_gradient)
    mom.mul_(momentum).sub_(step)
    weight += mom


@torch.no_grad()
def adam_update(
    weight,
    grad,
    mean,
    var,
    lr,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    wd=0.0,
    rescale_grad=1.0,
    clip_gradient=-1.0,
):
    """Adam without the correction of its beginning, which the caller's rate has."""
    grad = scaled_gradient(weight, grad, wd, rescale_grad, clip_gradient)
    mean.mul_(beta1).add_(grad, alpha=1 - beta1)
    var.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    weight -= lr * mean / (var.sqrt() + epsilon)


def averaged_step(optimizer, batch_size):
    """A step on gradients divided by the batch size, which are forgotten then."""
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is not None:
                parameter.grad /= batch_size
    optimizer.step()
    optimizer.zero_grad()


def restart(optimizer, **options):
    """Go on with other options; what the optimizer has gathered is forgotten."""
    optimizer.state.clear()
    for group in optimizer.param_groups:
        group.update(options)
