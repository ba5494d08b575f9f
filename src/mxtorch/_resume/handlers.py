"""The states of an Estimator's event handlers and metrics.

A handler that has `_state_dict` says its state; of others those attributes are saved that have
changed since training began: what a program gave them is its own affair.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.position import load_state, state_of
from mxtorch._resume.file import checksum
from mxtorch._resume.subjects import plain_attributes
from mxtorch._resume.tree import Tensors, pack
from mxtorch.metric import EvalMetric

_METRICS = EvalMetric.__module__.rpartition(".")[0]


class FitState:
    """A subject of a checkpoint: everything around the batches of `Estimator.fit`."""

    def __init__(self, handlers: Sequence[Any], metrics: Sequence[EvalMetric]) -> None:
        self.handlers, self.metrics = list(handlers), list(metrics)
        self._start = [_marks(handler) for handler in self.handlers]

    def get(self) -> Any:
        return {
            "names": self._names(),
            "handlers": [
                self._handler_state(handler, start)
                for handler, start in zip(self.handlers, self._start, strict=True)
            ],
            "metrics": [metric_state(metric) for metric in self.metrics],
        }

    def _handler_state(self, handler: Any, start: dict[str, Any]) -> Any:
        own = state_of(handler)
        if own is not None:
            return own
        now = _marks(handler)
        changed = [name for name in now if now[name] != start.get(name)]
        return {name: vars(handler)[name] for name in changed}

    def put(self, state: Any) -> None:
        if list(state["names"]) != self._names():
            raise MXNetValueError(
                f"checkpoint: event handlers and metrics are {', '.join(self._names())} here and "
                f"{', '.join(state['names'])} in the file; fit with the same ones"
            )
        for handler, saved in zip(self.handlers, state["handlers"], strict=True):
            if state_of(handler) is not None:
                load_state(handler, saved)
            else:
                handler.__dict__.update(saved)
        for metric, saved in zip(self.metrics, state["metrics"], strict=True):
            put_metric_state(metric, saved)

    def _names(self) -> list[str]:
        return [type(each).__name__ for each in (*self.handlers, *self.metrics)]


def _marks(handler: Any) -> dict[str, Any]:
    """For each attribute that can be written, what tells its value from others."""
    found = {}
    for name, value in vars(handler).items():
        tensors: Tensors = {}
        try:
            node = pack(value, tensors, name)
        except MXNetTypeError:
            continue
        found[name] = json.dumps(node), [checksum(tensor) for tensor in tensors.values()]
    return found


def _inner(metric: Any) -> dict[str, list[Any]]:
    """The parts of a metric that count for themselves: other metrics, or helpers of its own."""
    found = {}
    for name, value in vars(metric).items():
        parts = value if isinstance(value, list) else [value]
        own = [
            part
            for part in parts
            if isinstance(part, EvalMetric) or type(part).__module__.startswith(_METRICS)
        ]
        if own:
            found[name] = own
    return found


def metric_state(metric: Any) -> dict[str, Any]:
    """What a metric has counted so far."""
    inner = {name: [metric_state(p) for p in parts] for name, parts in _inner(metric).items()}
    return {"own": plain_attributes(metric), "inner": inner}


def put_metric_state(metric: Any, state: dict[str, Any]) -> None:
    """Take over what `metric_state` gave."""
    metric.__dict__.update(state["own"])
    for name, parts in _inner(metric).items():
        for part, saved in zip(parts, state["inner"][name], strict=True):
            put_metric_state(part, saved)
