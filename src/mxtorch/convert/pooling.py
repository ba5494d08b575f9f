"""Pooling in PyTorch source: a call of torch's own where its windows are MXNet's."""

from __future__ import annotations

import ast
from typing import Any

from mxtorch.convert.calls import expression
from mxtorch.convert.syntax import Layer, Place, call, method

CHANNELS_FIRST = (None, "", "NCW", "NCHW", "NCDHW")


def lengths(value: Any, count: int, default: int) -> Any:
    """A length for each axis, as one number if they are all alike."""
    every = tuple(value) if value else (default,) * count
    return every[0] if len(set(every)) == 1 else every


def pooling(place: Place) -> Layer | None:
    """The largest, the mean or the sum of windows that torch places as MXNet does."""
    attrs, shape = place.attrs, place.shapes[0]
    kind = attrs["pool_type"]
    if attrs["layout"] not in CHANNELS_FIRST or shape is None or kind not in _KINDS:
        return None
    attrs.told("p_value")  # of another type
    if kind != "avg":
        attrs.told("count_include_pad")
    count = len(shape) - 2
    if attrs["global_pool"]:
        attrs.told("kernel", "stride", "pad", "count_include_pad", "pooling_convention")
        return expression(lambda x: _KINDS[kind](x, count))
    full = attrs["pooling_convention"] == "full"
    kernel, stride, pad = (
        tuple(attrs[name]) or (default,) * count
        for name, default in (("kernel", 1), ("stride", 1), ("pad", 0))
    )
    if attrs["pooling_convention"] == "same" or any(
        2 * p > k or (full and p and k < p + s) for k, s, p in zip(kernel, stride, pad, strict=True)
    ):
        return None  # torch takes no such padding, or leaves out windows that begin in it
    windows = lengths(kernel, count, 1)
    keywords: dict[str, Any] = {
        "stride": lengths(stride, count, 1),
        "padding": lengths(pad, count, 0) if any(pad) else None,
        "ceil_mode": full or None,
    }
    if kind == "max":
        return expression(lambda x: call(f"F.max_pool{count}d", x, windows, **keywords))
    if kind == "avg":
        keywords["count_include_pad"] = None if attrs["count_include_pad"] is not False else False
    elif count == 1:
        return None  # torch's has no divisor
    else:
        keywords["divisor_override"] = 1
    return expression(lambda x: call(f"F.avg_pool{count}d", x, windows, **keywords))


def _sum_of_all(x: ast.expr, count: int) -> ast.expr:
    axes = tuple(range(2, 2 + count))
    return method(x, "sum", dim=axes, keepdim=True)


_KINDS = {
    "max": lambda x, count: call(f"F.adaptive_max_pool{count}d", x, 1),
    "avg": lambda x, count: call(f"F.adaptive_avg_pool{count}d", x, 1),
    "sum": _sum_of_all,
}
