"""Functions of `mx.sym.contrib` that MXNet writes in Python."""

from __future__ import annotations

import math
from typing import Any

from mxtorch._core.op import find_op
from mxtorch._front.updates import Updates
from mxtorch.symbol import random
from mxtorch.symbol._create import full
from mxtorch.symbol._namespace import compose, make
from mxtorch.symbol.symbol import Symbol


def _number(value: Any, beside: Symbol) -> Symbol:
    return value if isinstance(value, Symbol) else full((1,), value)


updates = Updates(lambda name: make(find_op(name), name), _number)


def _expected(classes: Any, count: int, range_log: float) -> Symbol:
    log: Any = compose("log", (classes + 2.0) / (classes + 1.0))
    result: Symbol = log / range_log * count
    return result


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int
) -> tuple[Symbol, Symbol, Symbol]:
    """`mx.nd.contrib.rand_zipfian` of symbols."""
    range_log = math.log(range_max + 1)
    draws: Any = random.uniform(0, range_log, shape=(num_sampled,), dtype="float64")
    grown: Any = compose("exp", draws)
    whole: Any = compose("Cast", grown - 1, dtype="int64")
    classes = whole % range_max
    wide = compose("Cast", classes, dtype="float64")
    true_wide = compose("Cast", true_classes, dtype="float64")
    true_count = _expected(true_wide, num_sampled, range_log)
    return classes, true_count, _expected(wide, num_sampled, range_log)
