"""Recordings by torch.profiler, piece by piece, with a program's own events in them."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections import defaultdict
from typing import Any

import torch

from mxtorch._core.device import is_cuda_in_use
from mxtorch._core.spans import now, spans

Event = dict[str, Any]


class Recorder:
    """Records while it runs; the events of all pieces are kept in microseconds since the epoch."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._forgotten = 0  # how many of the events the statistics leave out
        self.memory = False
        self._profile: Any = None

    @property
    def running(self) -> bool:
        """Whether it is recording now."""
        return self._profile is not None

    def start(self) -> None:
        """Record from now on; nothing if it does already."""
        if self._profile is None:
            kinds = [torch.profiler.ProfilerActivity.CPU]
            if is_cuda_in_use():
                kinds.append(torch.profiler.ProfilerActivity.CUDA)
            self._profile = torch.profiler.profile(activities=kinds, profile_memory=self.memory)
            self._profile.start()
            spans.report = self.report

    def stop(self) -> None:
        """End the piece and take its events over; nothing if none runs."""
        if self._profile is None:
            return
        spans.report = None
        self._profile.stop()
        handle, path = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            self._profile.export_chrome_trace(path)
            with open(path, encoding="utf-8") as file:
                trace = json.load(file)
        finally:
            os.unlink(path)
            self._profile = None
        base = trace.get("baseTimeNanoseconds", 0) / 1000
        for event in trace["traceEvents"]:
            if event.get("cat") == "Trace":
                continue
            if ("ts" in event and "dur" in event) or event.get("name") == "[memory]":
                self.events.append({**event, "ts": event["ts"] + base})

    def report(self, name: str, began: float) -> None:
        """An operator of MXNet's that has run, perhaps inside one that is written in Python."""
        category = "operator"
        if spans.inside:
            name, category = f"{spans.inside}::{name}", "Custom Operator"
        self.add(name, category, "X", began, dur=now() - began)

    def flush(self) -> None:
        """Take over what has been recorded so far and go on."""
        if self.running:
            self.stop()
            self.start()

    def add(self, name: str, category: str, phase: str, start: float, **facts: Any) -> None:
        """An event of the program's own; nothing if it is not recording."""
        if self.running:
            place = {"pid": os.getpid(), "tid": threading.get_ident() % 2**31}
            event = {"name": name, "cat": category, "ph": phase, "ts": start, **place, **facts}
            self.events.append(event)

    def trace(self) -> dict[str, Any]:
        """What a browser opens (chrome://tracing, ui.perfetto.dev)."""
        first = min((e["ts"] for e in self.events), default=0.0)
        events = [{**e, "ts": e["ts"] - first} for e in self.events]
        return {"displayTimeUnit": "ms", "traceEvents": events}

    def forget(self) -> None:
        """Begin the statistics anew; the trace keeps its events."""
        self._forgotten = len(self.events)

    def statistics(self) -> dict[str, dict[str, list[float]]]:
        """For each category and name the durations in milliseconds (of counters: the values)."""
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for event in self.events[self._forgotten :]:
            own = str(event.get("cat", ""))
            category = _CATEGORIES.get(own, own)
            if event["ph"] == "X":
                found[category][event["name"]].append(event["dur"] / 1000)
            elif event["ph"] == "C":
                found[category][event["name"]].append(float(event["args"]["value"]))
            elif event["ph"] == "i" and event["name"] == "[memory]":
                _add_memory(found, event["args"])
        return found


# torch's categories that MXNet has another word for
_CATEGORIES = {"cpu_op": "torch", "kernel": "kernel", "user_annotation": "annotation"}


def _add_memory(found: dict[str, dict[str, list[float]]], facts: dict[str, Any]) -> None:
    size = facts.get("Bytes", 0)
    if size > 0:
        device = "cpu" if facts.get("Device Type") == 0 else "gpu"
        index = max(facts.get("Device Id", 0), 0)
        found["Device Storage"][f"Memory: {device}/{index}"].append(size / 1000)
