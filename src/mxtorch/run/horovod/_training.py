"""A Trainer and an optimizer that average gradients over the processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxtorch import optimizer as opt
from mxtorch._core.errors import MXNetError
from mxtorch._core.warn import warn
from mxtorch.gluon.trainer import Trainer
from mxtorch.kvstore._early import EarlySums, begin_together
from mxtorch.optimizer import Optimizer
from mxtorch.run.horovod._basics import the_group
from mxtorch.run.horovod._operations import Compression, sum_into


class DistributedTrainer(Trainer):
    """A Trainer whose gradients are averaged over the processes before each update.

    compression: what they travel as. num_groups, prefix: accepted; all travel in flat buckets.
    """

    def __init__(
        self,
        params: Any,
        optimizer: Any,
        optimizer_params: Any = None,
        compression: Any = Compression.none,
        gradient_predivide_factor: float = 1.0,
        prefix: str | None = None,
        num_groups: int = 0,
    ) -> None:
        if isinstance(optimizer, DistributedOptimizer):
            optimizer = optimizer._optimizer
            warn(
                "DistributedTrainer does not take DistributedOptimizer as its optimizer. We have "
                "unwrapped it for you."
            )
        super().__init__(params, optimizer, optimizer_params, kvstore=None)
        self._compression = compression
        self._predivide = gradient_predivide_factor
        self._scale *= gradient_predivide_factor / the_group().size
        self._batch_size: float | None = None
        self._early: EarlySums | None = None

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Average gradients over the processes and update; see Trainer."""
        if self._batch_size is None:
            self._batch_size = batch_size
            self._check_first_step(batch_size)
        super().step(batch_size, ignore_stale_grad)

    def _check_first_step(self, batch_size: float) -> None:
        group = the_group()
        if group.size > 1:
            shapes = {str(i): str(p.shape) for i, p in self._trained()}
            group.check_same(
                "DistributedTrainer: first step",
                {"batch_size": batch_size, **shapes},
                "Every process must train the same net on batches of one size.",
            )

    def _allreduce_grads(self) -> None:
        if the_group().size == 1 and len(self._contexts) == 1:
            return
        rows = [p._check_and_get(p._grad, list) for _, p in self._trained()]
        first = [row[0] for row in rows]
        for row in rows:
            for other in row[1:]:
                row[0] += other.as_in_context(row[0].context)
        if self._predivide != 1:
            for grad in first:
                grad /= self._predivide
        self._sum(first)
        for row in rows:
            for other in row[1:]:
                other[:] = row[0].as_in_context(other.context)

    def _sum(self, gradients: list[Any]) -> None:
        """Sum over the processes, in place; from the second step on while backward runs."""
        if self._early is not None:
            totals, goes_on = self._early.take([gradient.storage() for gradient in gradients])
            for gradient, total in zip(gradients, totals, strict=True):
                gradient.receive(total)
            if not goes_on:
                self._early.end()
                self._early = None
            return
        sum_into(gradients, 1, self._compression.wire)
        if not self._early_was_asked:
            self._early_was_asked = True
            is_plain = self._compression.wire is None and self._predivide == 1
            if is_plain and len(self._contexts) == 1:
                arrays = [p._check_and_get(p._data, list)[0] for _, p in self._trained()]
                self._early = begin_together(the_group(), arrays)


class DistributedOptimizer(Optimizer):
    """An optimizer that averages gradients over the processes before each update.

    Everything else is that of the optimizer that it wraps.
    """

    def __init__(
        self, optimizer: Any, gradient_predivide_factor: float = 1.0, num_groups: int = 0
    ) -> None:
        wrapped = opt.create(optimizer)
        wrapped.rescale_grad *= gradient_predivide_factor / the_group().size
        self.__dict__["_optimizer"] = wrapped
        self.__dict__["_predivide"] = gradient_predivide_factor

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        if name in _OWN or name.startswith("__") or name in own:
            return object.__getattribute__(self, name)
        return getattr(own["_optimizer"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._optimizer, name, value)

    def __getstate__(self) -> Any:
        raise MXNetError(
            "DistributedOptimizer cannot be saved with its states; save those of the optimizer "
            "that it wraps"
        )

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Average the gradient and update one weight, or lists."""
        self._average(grad)
        self._optimizer.update(index, weight, grad, state)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """`update` of a weight that may have a float32 copy."""
        self._average(grad)
        self._optimizer.update_multi_precision(index, weight, grad, state)

    def update_multi(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        """`update` of many weights, whose gradients travel together."""
        self._average(grads)
        self._optimizer.update_multi(indices, weights, grads, states)

    def _average(self, grads: Any) -> None:
        arrays = list(grads) if isinstance(grads, (list, tuple)) else [grads]
        if self._predivide != 1:
            for grad in arrays:
                grad /= self._predivide
        sum_into(arrays, 1)


_OWN = {"update", "update_multi_precision", "update_multi", "_average", "_optimizer", "_predivide"}
