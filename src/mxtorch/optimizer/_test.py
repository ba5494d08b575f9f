"""An optimizer for tests of the machinery around optimizers."""

from __future__ import annotations

from typing import Any

import torch

from mxtorch.optimizer._base import Optimizer, register
from mxtorch.optimizer._fused import zeros_like


@register
class Test(Optimizer):
    """w += rescale_grad * grad; the state is a copy of the weight."""

    __test__ = False  # for pytest: no test case

    def create_state(self, index: Any, weight: Any) -> Any:
        """Zeros, in float32 whatever the weight is."""
        return zeros_like(weight, torch.float32)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """One step."""
        weight.whole().add_(grad.storage(), alpha=self.rescale_grad)
        state.storage().copy_(weight.storage())
