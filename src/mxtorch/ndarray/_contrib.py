"""Functions of `mx.nd.contrib` that MXNet writes in Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mxtorch._core.op import find_op
from mxtorch._front.updates import Updates
from mxtorch.ndarray import random
from mxtorch.ndarray._create import full
from mxtorch.ndarray._namespace import make
from mxtorch.ndarray.ndarray import NDArray


def _number(value: Any, beside: NDArray) -> NDArray:
    if isinstance(value, NDArray):
        return value
    # in float16 a scale may overflow that float32 holds
    return full((1,), value, ctx=beside.ctx, dtype="float32")


def _holds_floats(data: NDArray) -> bool:
    return np.dtype(data.dtype).kind == "f"


updates = Updates(lambda name: make(find_op(name)), _number)


def isnan(data: Any) -> Any:
    """1 where a value is not a number, else 0, in the dtype of `data`."""
    return data != data


def isinf(data: Any) -> Any:
    """1 where a value is infinite, else 0, in the dtype of `data`."""
    return data.abs() == np.inf if _holds_floats(data) else data != data


def isfinite(data: Any) -> Any:
    """1 where a value is neither infinite nor nan, else 0, in the dtype of `data`."""
    return (data == data) * (1 - isinf(data))


def _expected(classes: Any, count: int, range_log: float) -> Any:
    """How often each class is expected among `count` draws."""
    return ((classes + 2.0) / (classes + 1.0)).log() / range_log * count


def rand_zipfian(
    true_classes: Any, num_sampled: int, range_max: int, ctx: Any = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Classes drawn from a Zipfian distribution, with replacement: P(k) ~ log((k + 2) / (k + 1)).

    Returns the int64 draws (num_sampled,), and how often the true classes and the drawn ones are
    expected among them (float64).
    """
    range_log = math.log(range_max + 1)
    draws = random.uniform(0, range_log, shape=(num_sampled,), dtype="float64", ctx=ctx)
    classes = (draws.exp() - 1).astype("int64") % range_max
    true_count = _expected(
        true_classes.as_in_context(classes.ctx).astype("float64"), num_sampled, range_log
    )
    return classes, true_count, _expected(classes.astype("float64"), num_sampled, range_log)
