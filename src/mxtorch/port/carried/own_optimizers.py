"""What a program's own optimizers are made of, which update one parameter at a time."""

from __future__ import annotations

import torch

from mxtorch.port.carried.optimizers import optimizer_by_name


class OwnOptimizer:
    """Base of a rule that updates one parameter: `create_state(index, weight)` makes what is kept
    for it, `update(index, weight, grad, state)` changes weight and state in place."""

    by_name: dict = {}

    def __init__(
        self,
        rescale_grad=1.0,
        clip_gradient=None,
        learning_rate=0.01,
        lr_scheduler=None,
        wd=0.0,
        begin_num_update=0,
        **without_effect,
    ):
        self.rescale_grad, self.clip_gradient = rescale_grad, clip_gradient
        self.lr, self.wd, self.lr_scheduler = learning_rate, wd, lr_scheduler
        if lr_scheduler is not None and learning_rate is not None:
            lr_scheduler.base_lr = learning_rate
        self.begin_num_update = self.num_update = begin_num_update
        self._index_update_count = {}

    def create_state(self, index, weight):
        return None

    def _update_count(self, index):
        """Count an update of a parameter."""
        count = self._index_update_count.get(index, self.begin_num_update) + 1
        self._index_update_count[index] = count
        self.num_update = max(count, self.num_update)

    def _get_lr(self, index):
        return self.lr if self.lr_scheduler is None else self.lr_scheduler(self.num_update)

    def _get_wd(self, index):
        return self.wd

    def over(self, params):
        """The optimizer of these parameters."""
        return ByParameter(params, self)


class ByParameter(torch.optim.Optimizer):
    """An optimizer that updates each parameter by a rule of the program's own."""

    def __init__(self, params, rule):
        super().__init__(params, {"lr": rule.lr})
        self.rule = rule

    @torch.no_grad()
    def step(self):
        index = 0
        for group in self.param_groups:
            self.rule.lr = group["lr"]
            for weight in group["params"]:
                if weight.grad is not None:
                    kept = self.state[weight]
                    if "own" not in kept:
                        kept["own"] = self.rule.create_state(index, weight.data)
                    self.rule.update(index, weight.data, weight.grad, kept["own"])
                index += 1


def registered(cls):
    """A class of one's own that `own_optimizer` finds by its name."""
    OwnOptimizer.by_name[cls.__name__.lower()] = cls
    return cls


def own_optimizer(params, rule, options=None):
    """The optimizer of a rule, or of a name: a registered one, or MXNet's."""
    if isinstance(rule, OwnOptimizer):
        return rule.over(params)
    if rule.lower() in OwnOptimizer.by_name:
        return OwnOptimizer.by_name[rule.lower()](**(options or {})).over(params)
    return optimizer_by_name(params, rule, options)
