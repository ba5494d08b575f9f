"""Results that belong to a graph although they have no gradient by what autograd follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.op import Op
from mxtorch._ops._gradients import without_slope

# Whether results of an operator have a gradient by some of its inputs.
_has_gradient: dict[Op, bool] = {}


def in_graph(op: Op, results: Any, tensors: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """Results without a gradient by the arrays that autograd follows here (indices, a condition)
    belong to its graph all the same if the operator has a gradient: backward gives zeros then."""
    outputs = [results] if isinstance(results, Tensor) else list(results)
    if all(y.requires_grad or not y.is_floating_point() for y in outputs):
        return results
    followed = [t for t in tensors if isinstance(t, Tensor) and t.requires_grad]
    if not followed or not torch.is_grad_enabled():
        return results
    if not any(y.requires_grad for y in outputs) and not _is_differentiable(op, tensors, attrs):
        return results
    joined = [y if y.requires_grad else without_slope(y, *followed) for y in outputs]
    return joined[0] if isinstance(results, Tensor) else joined


def _is_differentiable(op: Op, tensors: Sequence[Any], attrs: Mapping[str, Any]) -> bool:
    """Whether there is a gradient by any array: found out once, by running the body again."""
    if op.mutates or any(ambient.name == "context" for ambient in op.ambient.values()):
        return False
    if op not in _has_gradient:
        leaves = [
            t.detach().requires_grad_() if isinstance(t, Tensor) and t.is_floating_point() else t
            for t in tensors
        ]
        trial = op.body(*leaves, **attrs)
        _has_gradient[op] = (trial if isinstance(trial, Tensor) else trial[0]).requires_grad
    return _has_gradient[op]
