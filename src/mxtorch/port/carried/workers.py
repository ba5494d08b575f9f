"""Processes that torchrun starts and that average what they compute."""

from __future__ import annotations

import torch
from torch import distributed as dist

from mxtorch.port.carried.parallel import processes


def all_reduce(tensor, average=True):
    """The mean, or the sum, of a tensor over all processes."""
    count, total = processes()[1], tensor.detach().clone()
    if count > 1:
        dist.all_reduce(total)
    return total / count if average else total


def all_gather(tensor):
    """The tensors of all processes, one after another along the first axis."""
    count = processes()[1]
    if count == 1:
        return tensor
    found = [None] * count
    dist.all_gather_object(found, tensor.detach().cpu())
    return torch.cat(found).to(tensor.device)


def broadcast(tensor, root_rank):
    """The tensor of one process, in all."""
    found = tensor.detach().clone()
    if processes()[1] > 1:
        dist.broadcast(found, root_rank)
    return found


def broadcast_parameters(parameters, root_rank=0):
    """Give all processes the values that one has."""
    if processes()[1] > 1:
        for tensor in parameters.values():
            dist.broadcast(tensor.detach(), root_rank)


def averaged(optimizer):
    """The optimizer, which averages gradients over the processes before each step."""
    count = processes()[1]

    def before(optimizer, args, kwargs):
        for group in optimizer.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    dist.all_reduce(weight.grad)
                    weight.grad /= count

    if count > 1:
        optimizer.register_step_pre_hook(before)
    return optimizer
