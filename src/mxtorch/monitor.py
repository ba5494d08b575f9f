"""Monitor: statistics of a module's arrays while it trains."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from mxtorch import ndarray as nd
from mxtorch._core.errors import MXNetAssertionError
from mxtorch.ndarray import NDArray

__all__ = ["Monitor"]

ndarray: Any = nd  # filled from the operator table


def _mean_size(array: NDArray) -> NDArray:
    """The root mean square of the values."""
    return ndarray.norm(array) / array.size**0.5


class Monitor:
    """Every `interval` batches, `stat_func` of all arrays whose name matches `pattern`.

    Arrays are the outputs of operators (their inputs too with `monitor_all`), the gradients that
    pass through them, and the parameters. Call `tic` before a batch and `toc` after it.
    """

    def __init__(
        self,
        interval: int,
        stat_func: Callable[[NDArray], Any] | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        self.stat_func = stat_func or _mean_size
        self.interval = interval
        self.activated = False
        self.queue: list[tuple[int, str, Any]] = []
        self.step = 0
        self.exes: list[Any] = []
        self.re_prog = re.compile(pattern)
        self.sort = sort
        self.monitor_all = monitor_all

    def stat_helper(self, name: bytes | str, array: NDArray) -> None:
        """What executors call with each array."""
        text = name.decode() if isinstance(name, bytes) else name
        if self.activated and self.re_prog.match(text):
            self.queue.append((self.step, text, self.stat_func(array)))

    def install(self, exe: Any) -> None:
        """Watch an executor."""
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def tic(self) -> None:
        """A batch begins; it is watched if it is its turn."""
        if self.step % self.interval == 0:
            for exe in self.exes:
                for array in exe.arg_arrays:
                    array.wait_to_read()
                for array in exe.aux_arrays:
                    array.wait_to_read()
            self.queue = []
            self.activated = True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """A batch is done: (step, name, text of the statistic) of all arrays watched."""
        if not self.activated:
            return []
        for exe in self.exes:
            symbol = exe._symbol
            for names, arrays in (
                (symbol.list_arguments(), exe.arg_arrays),
                (symbol.list_auxiliary_states(), exe.aux_arrays),
            ):
                for name, array in zip(names, arrays, strict=True):
                    if self.re_prog.match(name):
                        self.queue.append((self.step, name, self.stat_func(array)))
        self.activated = False
        if self.sort:
            self.queue.sort(key=lambda entry: entry[1])
        found = [(step, name, _text(value)) for step, name, value in self.queue]
        self.queue = []
        return found

    def toc_print(self) -> None:
        """The same, logged."""
        for step, name, text in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, text)


def _text(value: Any) -> str:
    """One statistic, or several: arrays with a tab after each."""
    values = [value] if isinstance(value, NDArray) else value
    if not isinstance(values, list):
        raise MXNetAssertionError(
            f"stat_func must return an NDArray or a list of them, not {type(value).__name__}"
        )
    parts = []
    for part in values:
        if not isinstance(part, NDArray):
            raise MXNetAssertionError("stat_func must return an NDArray or a list of them")
        parts.append(str(part.asscalar() if part.shape == (1,) else part.asnumpy()) + "\t")
    return "".join(parts)
