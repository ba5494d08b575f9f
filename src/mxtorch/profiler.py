"""Profiling, on torch.profiler: MXNet's operators ('operator') and torch's own below them
('torch': `aten::mm`), in tables and in the trace's file.

set_config(filename='trace.json', aggregate_stats=True); set_state('run'); …; set_state('stop');
print(dumps()); dump(). The file is opened by chrome://tracing and https://ui.perfetto.dev.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable, Mapping
from typing import Any

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetKeyError,
    NotSupportedError,
)
from mxtorch._core.spans import now
from mxtorch._core.traces import Recorder
from mxtorch._core.warn import warn

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Frame",
    "Marker",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_kvstore_handle",
    "set_state",
]

_recorder = Recorder()
_options: dict[str, Any] = {
    "filename": "profile.json",
    "profile_all": False,
    "profile_symbolic": True,
    "profile_imperative": True,
    "profile_memory": True,
    "profile_api": True,
    "continuous_dump": False,
    "dump_period": 1.0,
    "aggregate_stats": False,
    "profile_process": "worker",
}


def _check_process(profile_process: str) -> None:
    if profile_process == "server":
        raise NotSupportedError(
            "profile_process='server': there are no parameter servers here; profile the workers"
        )
    if profile_process != "worker":
        raise MXNetKeyError(profile_process)


def set_config(**kwargs: Any) -> None:
    """Set `filename` (of `dump`), `profile_memory` and others.

    All operators are recorded, so profile_all, profile_symbolic, profile_imperative, profile_api,
    continuous_dump, dump_period and aggregate_stats (statistics are always there) change nothing.
    """
    for key in kwargs:
        if key not in _options:
            raise MXNetError(
                f"set_config: there is no argument {key!r}; it takes {', '.join(_options)}"
            )
    _check_process(kwargs.get("profile_process", "worker"))
    _options.update(kwargs)
    _recorder.memory = bool(_options["profile_memory"])


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """'run' or 'stop'; KeyError for anything else."""
    if state not in ("run", "stop"):
        raise MXNetKeyError(state)
    _check_process(profile_process)
    if state == "run":
        _recorder.start()
    else:
        _recorder.stop()
    _paused.clear()


def autostart() -> None:
    """Record from now on, and write the file when the process ends."""
    set_state("run")
    atexit.register(dump)


_paused: list[bool] = []  # whether it was running when `pause` was called


def pause(profile_process: str = "worker") -> None:
    """Record nothing until `resume`."""
    _check_process(profile_process)
    if not _paused:
        _paused.append(_recorder.running)
        _recorder.stop()


def resume(profile_process: str = "worker") -> None:
    """Go on after `pause`."""
    _check_process(profile_process)
    if _paused and _paused.pop():
        _recorder.start()


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Write what has been recorded to the file, which a browser opens.

    `finished` ends the recording.
    """
    _check_process(profile_process)
    if finished:
        _recorder.stop()
    else:
        _recorder.flush()
    with atomic_write(_options["filename"]) as file:
        file.write(json.dumps(_recorder.trace()).encode())


_SORTS: Mapping[str, Callable[[list[float]], float]] = {
    "total": sum,
    "avg": lambda values: sum(values) / len(values),
    "min": min,
    "max": max,
    "count": len,
}


def dumps(
    reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False
) -> str:
    """Statistics of what has been recorded, as a table or as JSON.

    `reset` begins them anew; `dump` still writes everything.
    """
    if format not in ("table", "json"):
        raise MXNetAssertionError(
            f"Invalid value provided for format: {format}. Support: 'table', 'json'"
        )
    if sort_by not in _SORTS:
        raise MXNetAssertionError(
            f"Invalid value provided for sort_by: {sort_by}. "
            "Support: 'total', 'avg', 'min', 'max', 'count'"
        )
    _recorder.flush()
    found = _recorder.statistics()
    key = _SORTS[sort_by]
    ordered = {
        category: sorted(rows.items(), key=lambda row: key(row[1]), reverse=not ascending)
        for category, rows in sorted(found.items())
    }
    text = _table(ordered) if format == "table" else _json(ordered)
    if reset:
        _recorder.forget()
    return text


Rows = dict[str, list[tuple[str, list[float]]]]
_STORAGE = "Device Storage"


def _table(ordered: Rows) -> str:
    lines = ["", "Profile Statistics:", "\tNote the difference in units for different entries."]
    for category, rows in ordered.items():
        is_memory = category == _STORAGE
        unit = "Use  (kB)" if is_memory else "Time (ms)"
        heads = [f"Min {unit}", f"Max {unit}", f"Avg {unit}"]
        heads = ["Total Count", *([] if is_memory else [unit]), *heads]
        lines += [category, "================="]
        lines.append(f"{'Name':<25} " + " ".join(f"{head:>16}" for head in heads))
        lines.append(f"{'----':<25} " + " ".join(f"{'-' * len(head):>16}" for head in heads))
        for name, values in rows:
            numbers = [min(values), max(values), sum(values) / len(values)]
            numbers = numbers if is_memory else [sum(values), *numbers]
            row = f"{name[:40]:<25} {len(values):>16}"
            lines.append(row + "".join(f" {number:>16.4f}" for number in numbers))
        lines.append("")
    return "\n".join(lines) + "\n"


def _json(ordered: Rows) -> str:
    result: dict[str, Any] = {"Time": {}, "Memory": {}, "Unit": {"Time": "ms", "Memory": "kB"}}
    for category, rows in ordered.items():
        is_memory = category == _STORAGE
        result["Memory" if is_memory else "Time"][category] = {
            name: {
                "Count": len(values),
                **({} if is_memory else {"Total": sum(values)}),
                "Min": min(values),
                "Max": max(values),
                "Avg": sum(values) / len(values),
            }
            for name, values in rows
        }
    return json.dumps(result, indent=4)


# a program's own events --------------------------------------------------------------------------


class Domain:
    """A name under which events are listed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.handle = id(self)

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """A task of this domain."""
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """A frame of this domain."""
        return Frame(self, name)

    def new_counter(self, name: str, value: float | None = None) -> Counter:
        """A counter of this domain."""
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """A marker of this domain."""
        return Marker(self, name)


class _Span:
    """Something with a start and an end."""

    def __init__(self, name: str, category: str) -> None:
        self.name = name
        self.handle = id(self)
        self._category = category
        self._started: float | None = None

    def start(self) -> None:
        """Begin."""
        self._started = now()

    def stop(self) -> None:
        """End; what `start` has not begun is left out."""
        if self._started is not None:
            began, self._started = self._started, None
            _recorder.add(self.name, self._category, "X", began, dur=now() - began)

    def __str__(self) -> str:
        return self.name


class Task(_Span):
    """A piece of work, which may begin on one thread and end on another."""

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, str(domain))


class Frame(_Span):
    """One of several like pieces: a step of training, an image."""

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, f"{domain},frame")


class Event(_Span):
    """A piece of work on one thread."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "event")


class Counter:
    """A number that changes."""

    def __init__(self, domain: Domain, name: str, value: float | None = None) -> None:
        self.name = name
        self.handle = id(self)
        self._category = str(domain)
        self._value: float = 0
        if value is not None:
            self.set_value(value)

    def set_value(self, value: float) -> None:
        """Set the number."""
        self._value = value
        _recorder.add(self.name, self._category, "C", now(), args={"value": value})

    def increment(self, delta: float = 1) -> None:
        """Add to the number."""
        self.set_value(self._value + delta)

    def decrement(self, delta: float = 1) -> None:
        """Subtract from the number."""
        self.set_value(self._value - delta)

    def __iadd__(self, delta: float) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: float) -> Counter:
        self.decrement(delta)
        return self

    def __str__(self) -> str:
        return self.name


class Marker:
    """A moment."""

    def __init__(self, domain: Domain, name: str) -> None:
        self.name = name
        self.domain = domain

    def mark(self, scope: str = "process") -> None:
        """Note the moment, for the 'global', 'process', 'thread', 'task' or 'marker' scope."""
        letters = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}
        if scope not in letters:
            raise MXNetError(
                f"Invalid Input: '{scope}', valid values are: {{'global', 'marker', 'process', "
                "'task', 'thread'}"
            )
        category = f"{self.domain},instant_marker"
        _recorder.add(self.name, category, "i", now(), s=letters[scope])


# former names ------------------------------------------------------------------------------------


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """Deprecated: `set_config`."""
    warn(
        "profiler.profiler_set_config() is deprecated. Please use profiler.set_config() instead",
        UserWarning,
    )
    set_config(**{f"profile_{mode}": True, "filename": filename})


def profiler_set_state(state: str = "stop") -> None:
    """Deprecated: `set_state`."""
    warn(
        "profiler.profiler_set_state() is deprecated. Please use profiler.set_state() instead",
        UserWarning,
    )
    set_state(state)


def dump_profile() -> None:
    """Deprecated: `dump`."""
    warn("profiler.dump_profile() is deprecated. Please use profiler.dump() instead", UserWarning)
    dump(True)


def set_kvstore_handle(handle: Any) -> None:
    """Refused: it is for parameter servers, which there are none of."""
    raise NotSupportedError("set_kvstore_handle: there are no parameter servers here")
