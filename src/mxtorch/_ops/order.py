"""Sorting and the k largest. Indices come as float32 unless `dtype` says otherwise."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from mxtorch._core.attrs import PlaceDType
from mxtorch._core.op import op
from mxtorch._ops._cxx_order import sorted_along
from mxtorch._ops._gradients import without_slope


def _computed(attrs: Any) -> int:
    return 2 if attrs["ret_typ"] in ("both", "value") else 1


def _shown(attrs: Any) -> int:
    return 2 if attrs["ret_typ"] == "both" else 1


@op("_npx_topk", method=True, outputs=_computed, visible=_shown)
def topk(
    data: Tensor,
    *,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: Literal["both", "indices", "mask", "value"] = "indices",
    is_ascend: bool = False,
    dtype: PlaceDType = torch.float32,
) -> Tensor | tuple[Tensor, Tensor]:
    """The k largest (or smallest) along `axis`: values, indices, both, or a mask of 0 and 1."""
    source = data.reshape(-1) if axis is None else data
    along = 0 if axis is None else axis
    count = k if k > 0 else source.shape[along]
    values, indices = sorted_along(source, along, not is_ascend, count)
    if ret_typ == "mask":
        mask = torch.zeros_like(source.detach()).scatter_(along, indices, 1)
        return without_slope(mask.reshape(data.shape), data)
    if ret_typ == "value":
        return values
    whole = without_slope(indices.to(dtype), data)
    return whole if ret_typ == "indices" else (values, whole)


@op("_npi_sort", method=True, outputs=2, visible=1)
def sort(data: Tensor, *, axis: int | None = -1, is_ascend: bool = True) -> Tensor:
    """The values in order along `axis`; with axis None, of the flattened array."""
    source = data.reshape(-1) if axis is None else data
    along = 0 if axis is None else axis
    return sorted_along(source, along, not is_ascend)[0]


@op("_npi_argsort", method=True)
def argsort(
    data: Tensor,
    *,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: PlaceDType = torch.float32,
) -> Tensor:
    """The indices that put the values in order along `axis`."""
    source = data.reshape(-1) if axis is None else data
    along = 0 if axis is None else axis
    return without_slope(sorted_along(source, along, not is_ascend)[1].to(dtype), data)
