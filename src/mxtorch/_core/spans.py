"""When operators ran, for whoever asks: the profiler."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch

# Called with an operator's name and when it began, in microseconds since the epoch, as it ends.
Report = Callable[[str, float], None]
T = TypeVar("T")


class Spans:
    """`report` is None while nobody asks: operators go their shortest way then. `inside` is the
    operator written in Python that runs now."""

    __slots__ = ("inside", "report")

    def __init__(self) -> None:
        self.report: Report | None = None
        self.inside = ""


spans = Spans()


def now() -> float:
    """Microseconds since the epoch, the clock of all events."""
    return time.time_ns() / 1000


def noted(
    name: str, body: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """What the body makes of the arguments, reported under the name; its gradient will be too."""
    began = now()
    results = body(*args, **kwargs)
    if spans.report is not None:
        spans.report(name, began)
    first = results if isinstance(results, torch.Tensor) else next(iter(results or ()), None)
    if isinstance(first, torch.Tensor) and first.grad_fn is not None:
        _note_gradient(f"_backward_{name.lstrip('_')}", first.grad_fn)
    return results


def timed(name: str, function: Callable[..., T], *args: Any) -> T:
    """What the function returns, reported under the name."""
    began = now()
    result = function(*args)
    if spans.report is not None:
        spans.report(name, began)
    return result


@contextlib.contextmanager
def inside(operator: str) -> Iterator[None]:
    """What runs in here is a part of that operator, which a program wrote in Python."""
    before, spans.inside = spans.inside, operator
    began = now()
    try:
        yield
    finally:
        if spans.report is not None:
            spans.report("pure_python", began)
        spans.inside = before


def _note_gradient(name: str, node: Any) -> None:
    starts: list[float] = []

    def begin(gradients: Any) -> None:
        starts.append(now())

    def end(inputs: Any, outputs: Any) -> None:
        if spans.report is not None and starts:
            spans.report(name, starts.pop())

    node.register_prehook(begin)
    node.register_hook(end)
