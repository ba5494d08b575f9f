"""Optimizers whose rule runs on lists of tensors: one sequence of kernels for all parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError
from mxtorch._front.handle import Handle, wrap
from mxtorch.optimizer._base import Optimizer

Tensors = list[Tensor]


@dataclass
class Group:
    """Parameters with the same learning rate, weight decay and number of updates."""

    weights: Tensors
    grads: Tensors
    # one list for each array of the state
    states: list[Tensors]
    lr: float
    wd: float
    # how often these parameters have been updated, this update included
    t: int


class FusedOptimizer(Optimizer):
    """An optimizer with a `rule` for groups of tensors; `update` and `update_multi` use it."""

    def rule(self, group: Group) -> None:
        """Update the group's weights and states in place."""
        raise NotImplementedError

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, or lists of them, in place."""
        if isinstance(index, (list, tuple)):
            self._run(index, weight, grad, state)
        else:
            self._run([index], [weight], [grad], [state])

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, or lists of them, through float32 copies where there are such."""
        if isinstance(index, (list, tuple)):
            for arguments in zip(index, weight, grad, state, strict=True):
                super().update_multi_precision(*arguments)
        else:
            super().update_multi_precision(index, weight, grad, state)

    def update_multi(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        """Update many weights in one call."""
        cls = type(self)
        own = cls.update is not FusedOptimizer.update
        if own or cls.update_multi_precision is not FusedOptimizer.update_multi_precision:
            super().update_multi(indices, weights, grads, states)
            return
        masters = [self._has_master(w) for w in weights]
        if not any(masters):
            self._run(indices, weights, grads, states)
            return
        columns = list(zip(weights, grads, states, masters, strict=True))
        self._run(
            indices,
            [s[0] if m else w for w, _, s, m in columns],
            [g.astype(np.float32) if m else g for _, g, _, m in columns],
            [s[1] if m else s for _, _, s, m in columns],
        )
        for weight, _, state, has_master in columns:
            if has_master:
                weight.storage().copy_(state[0].storage())

    def _run(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        self._update_count(list(indices))
        lrs, wds = self._get_lrs(indices), self._get_wds(indices)
        counts = self._index_update_count
        groups: dict[Any, Group] = {}
        for index, weight, grad, state, lr, wd in zip(
            indices, weights, grads, states, lrs, wds, strict=True
        ):
            tensor = weight.storage()
            parts = _parts(state)
            key = (lr, wd, counts[index], weight._kind, len(parts))
            group = groups.get(key)
            if group is None:
                group = groups[key] = Group([], [], [[] for _ in parts], lr, wd, counts[index])
            group.weights.append(tensor)
            group.grads.append(_gradient(grad, weight))
            for column, part in zip(group.states, parts, strict=True):
                column.append(part)
        with torch.no_grad():
            for group in groups.values():
                self.rule(group)

    def gradients(self, group: Group, decay: bool = True) -> Tensors:
        """New tensors: the gradients rescaled, clipped, then with weight decay added."""
        grads = self.clipped(torch._foreach_mul(group.grads, self.rescale_grad))
        if decay and group.wd:
            torch._foreach_add_(grads, group.weights, alpha=group.wd)
        return grads

    def decayed_gradients(self, group: Group) -> Tensors:
        """New tensors: the gradients rescaled, with weight decay added, then clipped."""
        grads = torch._foreach_mul(group.grads, self.rescale_grad)
        if group.wd:
            torch._foreach_add_(grads, group.weights, alpha=group.wd)
        return self.clipped(grads)

    def clipped(self, tensors: Tensors) -> Tensors:
        """The tensors clipped in place by `clip_gradient`, if there is one."""
        if self.clip_gradient:
            torch._foreach_clamp_max_(tensors, self.clip_gradient)
            torch._foreach_clamp_min_(tensors, -self.clip_gradient)
        return tensors


def _gradient(grad: Any, weight: Any) -> Tensor:
    tensor = grad.storage()
    if tensor.shape != weight.storage().shape or tensor.dtype is not weight._kind.dtype:
        raise MXNetError(
            f"optimizer: the gradient is {grad.dtype.__name__} {grad.shape}, "
            f"its weight {weight.dtype.__name__} {weight.shape}"
        )
    return tensor


def _parts(state: Any) -> list[Tensor]:
    """The tensors of a state: None, an array, or a tuple of such (None in it is left out)."""
    if state is None:
        return []
    if isinstance(state, Handle):
        return [state.storage()]
    return [part.storage() for part in state if part is not None]


def zeros_like(weight: Any, dtype: torch.dtype | None = None) -> Any:
    """An array of zeros of the weight's shape on its context."""
    return wrap(weight.detach()._kind, torch.zeros_like(weight.storage(), dtype=dtype))
