"""Batch normalisation with the activation in it."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.ambient import Kept, Training
from mxtorch._core.attrs import Hint
from mxtorch._core.op import op
from mxtorch._ops.norm import BATCH_NORM, MOVING, BatchNorm


@op(name="_contrib_BatchNormWithReLU", variable_attrs=MOVING, **BATCH_NORM)
def BatchNormWithReLU(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: Hint[bool] = False,
    min_calib_range: Hint[float | None] = None,
    max_calib_range: Hint[float | None] = None,
    training: Training = False,
    kept: Kept = True,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """`BatchNorm`, negative values cut off."""
    result = BatchNorm(
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        use_global_stats=use_global_stats,
        output_mean_var=output_mean_var,
        axis=axis,
        training=training,
        kept=kept,
    )
    if isinstance(result, Tensor):
        return torch.relu(result)
    out, mean, inverse = result
    return torch.relu(out), mean, inverse
