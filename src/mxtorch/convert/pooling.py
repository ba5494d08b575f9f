"""Pooling in PyTorch source: a call of torch's own where its windows are MXNet's."""

from __future__ import annotations

import ast
from typing import Any

import torch

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
    if attrs["pooling_convention"] == "same":
        return None
    if any(
        2 * p > k or (full and k < p + s) for k, s, p in zip(kernel, stride, pad, strict=True)
    ):  # torch takes no such padding, or leaves out windows that begin in it
        return None if kind != "max" and count == 1 else _padded(place, full)
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


def _padded(place: Place, full: bool) -> Layer:
    """Windows of an array that has been padded before, for any number that a last one lacks."""
    attrs, count = place.attrs, len(place.attrs["kernel"])
    pad = tuple(attrs["pad"]) or (0,) * count
    stride = tuple(attrs["stride"]) or (1,) * count
    more = tuple(s - 1 if full else 0 for s in stride)
    around = tuple(
        n for p, m in zip(reversed(pad), reversed(more), strict=True) for n in (p, p + m)
    )
    kernel, step = lengths(attrs["kernel"], count, 1), lengths(stride, count, 1)
    if attrs["pool_type"] == "max":
        kind = place.dtypes[0] or torch.float32
        lowest = max(torch.finfo(torch.float32).min, torch.finfo(kind).min)
        return expression(
            lambda x: call(
                f"F.max_pool{count}d", call("F.pad", x, around, value=lowest), kernel, stride=step
            )
        )

    def total(x: ast.expr) -> ast.expr:
        return call(f"F.avg_pool{count}d", x, kernel, stride=step, divisor_override=1)

    def mean(x: ast.expr) -> ast.expr:
        ones: ast.expr = call("torch.ones_like", x)
        outside = around
        if attrs["count_include_pad"] is not False:
            ones = call("F.pad", ones, tuple(p for p in reversed(pad) for _ in (0, 1)), value=1)
            outside = tuple(n for m in reversed(more) for n in (0, m))
        if any(outside):
            ones = call("F.pad", ones, outside)
        counted = method(total(ones), "clamp", min=1)
        return ast.BinOp(total(call("F.pad", x, around)), ast.Div(), counted)

    if attrs["pool_type"] == "avg":
        return expression(mean)
    return expression(lambda x: total(call("F.pad", x, around)))


def _sum_of_all(x: ast.expr, count: int) -> ast.expr:
    axes = tuple(range(2, 2 + count))
    return method(x, "sum", dim=axes, keepdim=True)


_KINDS = {
    "max": lambda x, count: call(f"F.adaptive_max_pool{count}d", x, 1),
    "avg": lambda x, count: call(f"F.adaptive_avg_pool{count}d", x, 1),
    "sum": _sum_of_all,
}
