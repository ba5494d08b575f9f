"""A key-value store: values that workers add to and read."""

from __future__ import annotations

import torch
from torch import distributed as dist

from mxtorch.port.carried.parallel import join_processes


class KeyValueStore:
    """Values by key. What is pushed is added up, over all processes for a kind `dist_sync`.

    Without an optimizer a sum takes the value's place. Processes are started by torchrun.
    """

    def __init__(self, kind="local"):
        self.type, self.values, self.optimizers = kind, {}, {}
        self.make, self.scale = None, 1.0
        if kind.startswith("dist") and not dist.is_initialized():
            join_processes()

    @property
    def rank(self):
        return dist.get_rank() if self.type.startswith("dist") else 0

    @property
    def num_workers(self):
        return dist.get_world_size() if self.type.startswith("dist") else 1

    def add_up(self, tensor):
        """Add a tensor up over all processes, in place."""
        if self.num_workers > 1:
            dist.all_reduce(tensor)

    def init(self, key, value):
        keys, values = (key, value) if isinstance(key, (list, tuple)) else ([key], [value])
        for one, tensor in zip(keys, values, strict=True):
            self.values[one] = tensor.detach().clone()
            if self.num_workers > 1:
                dist.broadcast(self.values[one], 0)

    def push(self, key, value, priority=0):
        keys, values = (key, value) if isinstance(key, (list, tuple)) else ([key], [value])
        for one, given in zip(keys, values, strict=True):
            parts = given if isinstance(given, (list, tuple)) else [given]
            total = torch.stack([p.detach().to(self.values[one].device) for p in parts]).sum(0)
            self.add_up(total)
            if self.make is None:
                self.values[one] = total
                continue
            weight = self.values[one]
            if one not in self.optimizers:
                self.optimizers[one] = self.make([weight.requires_grad_()])
            weight.grad = total * self.scale
            self.optimizers[one].step()

    @torch.no_grad()
    def pull(self, key, out, priority=0):
        keys, outs = (key, out) if isinstance(key, (list, tuple)) else ([key], [out])
        for one, wanted in zip(keys, outs, strict=True):
            for tensor in wanted if isinstance(wanted, (list, tuple)) else [wanted]:
                tensor.copy_(self.values[one])

    def set_optimizer(self, make, scale=1.0):
        """`make` makes an optimizer of parameters; what is pushed are gradients from now on."""
        self.make, self.scale = make, scale
