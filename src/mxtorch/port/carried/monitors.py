"""A monitor of a net: a statistic of what its modules give and of its parameters, now and then."""

from __future__ import annotations

import logging
import re

import torch

from mxtorch.port.helpers import parameters_by_name, running_statistics


class Monitor:
    """Every `interval` batches, `stat_func` of each array whose name matches `pattern`."""

    def __init__(self, interval, stat_func=None, pattern=".*", sort=False):
        self.interval, self.sort = interval, sort
        self.stat = stat_func or (lambda array: array.norm() / array.numel() ** 0.5)
        self.matches = re.compile(pattern).match
        self.step, self.is_on, self.net = 0, False, None
        self.found = []

    def install(self, net):
        """Watch the modules of a net."""
        self.net = net
        for path, module in net.named_modules():
            if path and not list(module.children()):
                name = f"{path.replace('.', '_')}_output"
                module.register_forward_hook(lambda _, __, out, name=name: self.note(name, out))

    def note(self, name, array):
        if self.is_on and isinstance(array, torch.Tensor) and self.matches(name):
            self.found.append((self.step, name, self.stat(array.detach())))

    def tic(self):
        """Before a batch."""
        self.is_on = self.step % self.interval == 0
        self.found = []
        self.step += 1

    def toc(self):
        """After a batch: numbers of batches, names and statistics."""
        if self.is_on and self.net is not None:
            for part in (parameters_by_name(self.net), running_statistics(self.net)):
                for name, array in part.items():
                    self.note(name, array)
        self.is_on = False
        found = sorted(self.found, key=lambda entry: entry[1]) if self.sort else self.found
        return [(step, name, said(stat)) for step, name, stat in found]

    def toc_print(self):
        """After a batch: the same, logged."""
        for step, name, stat in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, stat)


def said(stat):
    """A statistic, or several, as text."""
    parts = stat if isinstance(stat, (list, tuple)) else [stat]
    return "".join(f"{p.item() if p.numel() == 1 else p.cpu().numpy()}\t" for p in parts)
