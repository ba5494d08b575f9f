"""Dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.ambient import Training
from mxtorch._core.attrs import Fraction, Hint, Shape
from mxtorch._core.dtypes import dtype_to_numpy
from mxtorch._core.errors import MXNetIndexError
from mxtorch._core.op import op
from mxtorch._ops._partial import same
from mxtorch._ops.activation import check_float


def _with_mask(
    call: Callable[..., Tensor], data: Tensor, *, axes: Shape | None = (), **attrs: Any
) -> tuple[Tensor, Tensor]:
    """The output, and what the data was multiplied by."""
    ones = torch.ones_like(data)
    mask = call(ones)
    if mask is ones:  # nothing is dropped, and MXNet leaves the mask as it finds it
        return call(data), torch.zeros_like(data)
    for axis in axes or ():
        mask = mask.narrow(axis, 0, 1)
    return data * mask, mask


@op(
    "_npx_dropout",
    reveal=_with_mask,
    view=True,
    outputs=2,
    visible=1,
    output_names=("output", "mask"),
    infer=same,
    lists_input=True,
)
def Dropout(
    data: Tensor,
    *,
    p: Fraction = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: Shape | None = (),
    cudnn_off: Hint[bool | None] = False,
    training: Training = False,
) -> Tensor:
    """Drop elements with probability `p` and scale the rest; along `axes` all or none.

    On the CPU the mask is MXNet's own for the same seed.
    """
    check_float(data)
    axes = axes or ()
    if any(not 0 <= axis < data.ndim for axis in axes):
        raise MXNetIndexError(f"axes={axes} must lie in [0, {data.ndim})")
    if p == 0 or not (training or mode == "always"):
        return data
    return data * draw_mask(tuple(data.shape), p, axes, data)


def draw_mask(shape: Shape, p: float, axes: Shape, like: Tensor) -> Tensor:
    """What data of that shape is multiplied by: 0 or 1 / (1 - p), of length 1 along `axes`."""
    device = like.device
    if device.type == "cpu" and not torch_rng.uses_torch(device):
        kept = rng.current().dropout_mask(shape, p, dtype_to_numpy(like.dtype), axes)
        return torch.from_numpy(kept)
    shape = tuple(1 if i in axes else n for i, n in enumerate(shape))
    mask = torch.empty(shape, dtype=like.dtype, device=device)
    if device.type == "meta":
        return mask
    return mask.bernoulli_(1 - p, generator=torch_rng.generator(device)).div_(1 - p)
