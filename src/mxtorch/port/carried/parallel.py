"""One program in several processes, which torchrun starts; alone it computes everything."""

from __future__ import annotations

import atexit

import torch
from torch import distributed as dist


def join_processes():
    """Join the processes that torchrun has started; they part when the program ends."""
    import torch.distributed.nn  # noqa: F401 - imported later it would keep the group alive

    dist.init_process_group()
    atexit.register(dist.destroy_process_group)


def processes():
    """The number of this process and how many torchrun has started: 0 and 1 without it."""
    if not dist.is_torchelastic_launched():
        return 0, 1
    if not dist.is_initialized():
        join_processes()
        seed = torch.tensor(torch.initial_seed() % 2**31)
        dist.broadcast(seed, 0)  # all are to shuffle alike
        torch.default_generator.manual_seed(int(seed))
    return dist.get_rank(), dist.get_world_size()


def own_device(devices):
    """The device of this process."""
    return devices[processes()[0] % len(devices)]


def split_and_load(data, devices, batch_axis=0, even_split=True):
    """The parts of a batch, as many as devices: those that this process computes."""
    data = torch.as_tensor(data)
    size, count = data.shape[batch_axis], len(devices)
    rank, world = processes()
    if even_split and size % count:
        raise ValueError(f"a batch of {size} cannot be split into {count} equal parts")
    if count % world:
        raise ValueError(f"{world} processes cannot share {count} parts of a batch")
    device = own_device(devices)
    return [part.to(device) for part in data.tensor_split(count, batch_axis)[rank::world]]


def synchronized(optimizer, store=None):
    """The optimizer, which adds gradients up over the processes before each step."""
    add_up = dist.all_reduce if store is None else store.add_up
    if (processes()[1] if store is None else store.num_workers) > 1:

        def before(optimizer, args, kwargs):
            for group in optimizer.param_groups:
                for weight in group["params"]:
                    if weight.grad is not None:
                        add_up(weight.grad)

        for group in optimizer.param_groups:
            for weight in group["params"]:
                if not isinstance(weight, torch.nn.UninitializedParameter):
                    dist.broadcast(weight.data, 0)
        optimizer.register_step_pre_hook(before)
    return optimizer
