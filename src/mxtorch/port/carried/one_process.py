"""One process with several devices: each computes a part of the batch, and the loss of it."""

from __future__ import annotations

import torch
from torch import nn


def split_over(data, devices, batch_axis=0, even_split=True):
    """A part of the batch on each device."""
    data = torch.as_tensor(data)
    size, count = data.shape[batch_axis], len(devices)
    if even_split and size % count:
        raise ValueError(f"a batch of {size} cannot be split into {count} equal parts")
    parts = data.tensor_split(count, batch_axis)
    return [part.to(device) for part, device in zip(parts, devices, strict=True)]


def over_devices(net, devices):
    """The net, on the first device. On others it computes with copies of its parameters, through
    which the gradients come back; statistics are those of the first."""
    forward, runner = net.to(devices[0]).forward, nn.Module()

    def where_the_input_is(*args, **kwargs):
        tensors = {**dict(runner.named_parameters()), **dict(runner.named_buffers())}
        device = next((x.device for x in args if isinstance(x, torch.Tensor)), devices[0])
        if all(tensor.device == device for tensor in tensors.values()):
            return forward(*args, **kwargs)
        copies = {name: tensor.to(device) for name, tensor in tensors.items()}
        return torch.func.functional_call(runner, copies, args, kwargs)

    runner.net, runner.forward, net.forward = net, forward, where_the_input_is
    return net
