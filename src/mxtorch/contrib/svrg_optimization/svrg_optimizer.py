"""The optimizer behind a store that holds parameters and gradients over all data."""

from __future__ import annotations

from typing import Any

from mxtorch import optimizer as opt
from mxtorch.optimizer import Optimizer


@opt.register
class _AssignmentOptimizer(Optimizer):
    """Puts what is pushed in place of what is stored."""

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Assign."""
        weight[:] = grad


@opt.register
class _SVRGOptimizer(Optimizer):
    """`default_optimizer` for parameters; keys with 'full' in their name are assigned."""

    def __init__(self, default_optimizer: Any, **kwargs: Any) -> None:
        own = {"rescale_grad", "param_idx2name", "wd", "clip_gradient", "learning_rate"}
        own |= {"lr_scheduler", "sym", "begin_num_update", "multi_precision", "param_dict"}
        super().__init__(**{k: v for k, v in kwargs.items() if k in own})
        if isinstance(default_optimizer, str):
            self.default_opt = opt.create(default_optimizer, **kwargs)
        else:
            self.default_opt = default_optimizer
        self.aux_opt = opt.create(_AssignmentOptimizer.__name__)

    def _check_index(self, index: Any) -> bool:
        """Whether a key is that of a gradient over all data."""
        return "full" in str(self.idx2name.get(index, index))

    def create_state(self, index: Any, weight: Any) -> Any:
        """The state of the optimizer that is responsible."""
        chosen = self.aux_opt if self._check_index(index) else self.default_opt
        return chosen.create_state(index, weight)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update by the optimizer that is responsible."""
        chosen = self.aux_opt if self._check_index(index) else self.default_opt
        chosen.update(index, weight, grad, state)
