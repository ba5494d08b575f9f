"""Optimizers whose rule runs on lists of tensors: one sequence of kernels for all parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import writes
from mxtorch._core.device import Context
from mxtorch._core.dtypes import dtype_name
from mxtorch._core.errors import MXNetError, first_line
from mxtorch._front.handle import Handle, is_sparse, wrap
from mxtorch._ops._steps import Tensors
from mxtorch.optimizer._base import Optimizer, check_arrays


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
    ctx: Context
    # whether the weights are float32 copies of float16 ones
    are_masters: bool = False


class FusedOptimizer(Optimizer):
    """An optimizer with a `rule` for groups of tensors; `update` and `update_multi` use it."""

    # whether a subclass that overrides `update` alone changes what the updater does
    update_is_used: ClassVar[bool] = True
    # whether the order of the parameters matters, so that each is a group of its own
    in_order: ClassVar[bool] = False

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
        if not isinstance(index, (list, tuple)):
            index, weight, grad, state = [index], [weight], [grad], [state]
        if self.update_is_used and type(self).update is not FusedOptimizer.update:
            for arguments in zip(index, weight, grad, state, strict=True):
                super().update_multi_precision(*arguments)
        else:
            self._run_multi_precision(index, weight, grad, state)

    def update_multi(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        """Update many weights in one call."""
        if type(self).update_multi_precision is FusedOptimizer.update_multi_precision:
            self.update_multi_precision(indices, weights, grads, states)
        else:
            super().update_multi(indices, weights, grads, states)

    def _run_multi_precision(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        masters = [self._has_master(w) for w in weights]
        if not any(masters):
            self._run(indices, weights, grads, states)
            return
        columns = list(zip(weights, grads, states, masters, strict=True))
        parts = [self.split_state(s) if m else (w, s) for w, _, s, m in columns]
        grads = [g.astype(np.float32) if m else g for _, g, _, m in columns]
        self._run(indices, [p[0] for p in parts], grads, [p[1] for p in parts], masters)
        for (weight, _, _, has_master), (master, _) in zip(columns, parts, strict=True):
            if has_master:
                weight.whole().copy_(master.storage())

    def takes_rows(self, weight: Any, wd: float) -> bool:
        """Whether a gradient by rows (row_sparse) updates those rows only."""
        return bool(getattr(self, "lazy_update", False))

    def zeros(self, weight: Any, dtype: torch.dtype | None = None) -> Any:
        """Zeros beside a weight: of its storage type if a gradient by rows updates those alone."""
        if is_sparse(weight) and not getattr(self, "lazy_update", False):
            weight = weight.tostype("default")
        return zeros_like(weight, dtype)

    def _run(
        self,
        indices: Sequence[Any],
        weights: Sequence[Any],
        grads: Sequence[Any],
        states: Any,
        masters: Sequence[bool] = (),
    ) -> None:
        """Update the weights; `masters` tells which of them are copies of float16 ones."""
        check_arrays(weights, grads)
        self._update_count(indices)
        counts = self._index_update_count
        keys = list(
            zip(
                self._get_lrs(indices),
                self._get_wds(indices),
                [counts[i] for i in indices],
                [w._kind for w in weights],
                indices if self.in_order else [None] * len(indices),
                masters or [False] * len(indices),
                strict=True,
            )
        )
        groups: dict[Any, list[int]] = {}
        for position, key in enumerate(keys):
            groups.setdefault(key, []).append(position)
        with torch.no_grad():
            for (lr, wd, t, kind, _, low), chosen in groups.items():
                by_rows = [
                    p for p in chosen if is_sparse(grads[p]) and self.takes_rows(weights[p], wd)
                ]
                for p in by_rows:
                    self._run_rows(weights[p], grads[p], states[p], (lr, wd, t))
                chosen = [p for p in chosen if p not in by_rows]
                if not chosen:
                    continue
                tensors = _wholes([weights[p] for p in chosen])
                slopes = [grads[p].storage() for p in chosen]
                columns = self._columns([states[p] for p in chosen], kind.dtype)
                _check(tensors, slopes)
                self._run_rule(Group(tensors, slopes, columns, lr, wd, t, kind.ctx, low))

    def _run_rule(self, group: Group) -> None:
        try:
            self.rule(group)
        except RuntimeError as error:
            if isinstance(error, MXNetError):
                raise
            shapes = [[tuple(t.shape) for t in column] for column in group.states]
            raise MXNetError(
                f"{type(self).__name__}: weights of the shapes "
                f"{[tuple(w.shape) for w in group.weights]} with states of the shapes {shapes}: "
                f"{first_line(error)}"
            ) from error

    def _run_rows(
        self, weight: Any, grad: Any, state: Any, facts: tuple[float, float, int]
    ) -> None:
        """Update the rows of one weight and of its state that the gradient has."""
        value = grad.stored()
        columns = self._columns([state], weight._kind.dtype)
        wholes = [weight.whole(), *(column[0] for column in columns)]
        if tuple(value.shape) != tuple(wholes[0].shape):
            raise MXNetError(
                f"optimizer: the gradient has shape {value.shape}, its weight {weight.shape}"
            )
        weight_rows, *state_rows = (whole[value.indices] for whole in wholes)
        states: list[Tensors] = [[rows] for rows in state_rows]
        self._run_rule(Group([weight_rows], [value.data], states, *facts, weight._kind.ctx))
        for whole, rows in zip(wholes, (weight_rows, *state_rows), strict=True):
            whole.index_copy_(0, value.indices, rows)

    def _columns(self, states: list[Any], dtype: torch.dtype) -> list[Tensors]:
        """The states' tensors, one list for each array of a state."""
        parts = map(_parts, states)
        columns: list[Tensors] = [_wholes(column) for column in zip(*parts, strict=True)]
        if any(column[0].dtype is not dtype for column in columns):
            raise MXNetError(
                f"{type(self).__name__} keeps float32 states, the weight is {dtype_name(dtype)}. "
                "Use multi_precision=True for float16 weights, float32 weights otherwise."
            )
        return columns

    @property
    def clip(self) -> float | None:
        """The limit of gradients, or None."""
        return self.clip_gradient or None

    def gradients(self, group: Group) -> Tensors:
        """New tensors: the gradients rescaled, then clipped; no weight decay."""
        return self.clipped(torch._foreach_mul(group.grads, self.rescale_grad))

    def decayed_gradients(self, group: Group) -> Tensors:
        """New tensors: the gradients rescaled, with weight decay added, then clipped."""
        grads = torch._foreach_mul(group.grads, self.rescale_grad)
        if group.wd:
            torch._foreach_add_(grads, group.weights, alpha=group.wd)
        return self.clipped(grads)

    def clipped(self, tensors: Tensors) -> Tensors:
        """The tensors clipped in place by `clip_gradient`, if there is one."""
        if self.clip_gradient:
            limit = self.clip_gradient
            torch._foreach_clamp_max_(tensors, limit)
            torch._foreach_clamp_min_(tensors, -limit)
        return tensors


def _check(weights: Tensors, grads: Tensors) -> None:
    for weight, grad in zip(weights, grads, strict=True):
        if grad.shape != weight.shape or grad.dtype is not weight.dtype:
            raise MXNetError(
                f"optimizer: the gradient is {dtype_name(grad.dtype)} {tuple(grad.shape)}, "
                f"its weight {dtype_name(weight.dtype)} {tuple(weight.shape)}"
            )


def _parts(state: Any) -> list[Handle]:
    """The arrays of a state: None, an array, or a tuple of such (None in it is left out)."""
    if state is None:
        return []
    if isinstance(state, Handle):
        return [state]
    return [part for part in state if part is not None]


def _wholes(arrays: Sequence[Handle]) -> list[Tensor]:
    """The arrays' memory, to be written: that of all elements, as `Handle.whole`."""
    tensors = [a.whole() if a._kind.is_sparse else a.storage() for a in arrays]
    writes.note(tensors)
    return tensors


def zeros_like(weight: Any, dtype: torch.dtype | None = None) -> Any:
    """An array of zeros of the weight's shape and storage type on its context."""
    if is_sparse(weight):
        zeros = weight.astype(weight.dtype if dtype is None else dtype)
        zeros.whole().zero_()
        return zeros
    return wrap(weight.detach()._kind, torch.zeros_like(weight.storage(), dtype=dtype))
