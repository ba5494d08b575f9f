"""How an operator sums tensors over the processes that train together; `_dist` sets it."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

SumInPlace = Callable[[list[Tensor]], None]


class Peers:
    """count: how many processes there are. sum: adds tensors up over them, in place."""

    count: int = 1
    sum: SumInPlace | None = None


peers = Peers()
