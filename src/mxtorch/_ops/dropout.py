"""Dropout."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.ambient import Training
from mxtorch._core.attrs import Hint, Shape
from mxtorch._core.errors import MXNetValueError
from mxtorch._core.op import op


@op("_npx_dropout", view=True)
def Dropout(
    data: Tensor,
    *,
    p: float = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: Shape = (),
    cudnn_off: Hint[bool | None] = False,
    training: Training = False,
) -> Tensor:
    """Drop elements with probability `p` and scale the rest; along `axes` all or none."""
    if not 0 <= p <= 1:
        raise MXNetValueError(f"p={p} is not a probability")
    if p == 0 or not (training or mode == "always"):
        return data
    shape = [1 if i in axes else n for i, n in enumerate(data.shape)]
    mask = torch.empty(shape, dtype=data.dtype, device=data.device).bernoulli_(1 - p)
    return data * mask.div_(1 - p)
