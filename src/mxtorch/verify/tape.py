"""What a run did, in order: events as JSON, arrays beside them.

Also read by real MXNet's Python 3.8, without torch and without mxtorch.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

VERSION = 1
# elements of an array that are kept as they are, evenly spread
_SAMPLE = 16


class StepsReached(BaseException):
    """The run has taken as many steps as were asked for; no handler of the program's takes it."""


class Tape:
    """The events of one run and the arrays that they name.

    An event is a dict with a `kind`; `array` keeps an array and gives the key that an event holds.
    `detail`: for how many steps the values of layers and weights are kept; `full`: whether whole
    arrays are, not only prints of them; `steps`: after how many updates the run ends.
    """

    def __init__(self, steps: int | None = None, detail: int = 20, full: bool = False) -> None:
        self.events: list[dict[str, Any]] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.facts: dict[str, Any] = {}
        self.head: dict[str, Any] = {"version": VERSION}
        self.steps = steps
        self.detail = detail
        self.full = full
        self.updates = 0

    @property
    def is_detailed(self) -> bool:
        """Whether values of layers and weights are still kept."""
        return self.updates < self.detail

    def add(self, kind: str, **facts: Any) -> dict[str, Any]:
        """A new event."""
        event = {"kind": kind, **facts}
        self.events.append(event)
        return event

    def array(self, kind: str, values: np.ndarray) -> str:
        """Keep an array as it is now; its key."""
        key = f"{kind}/{len(self.arrays)}"
        self.arrays[key] = np.array(values, order="C")
        return key

    def print_of(self, values: np.ndarray, kind: str = "value") -> dict[str, Any]:
        """What is kept of an array to compare it by."""
        found: dict[str, Any] = fingerprint(values)
        if self.full and self.is_detailed:
            found["array"] = self.array(kind, values)
        return found

    def updated(self) -> None:
        """Count an update; StepsReached after the last that was asked for."""
        self.updates += 1
        if self.steps is not None and self.updates >= self.steps:
            raise StepsReached

    def save(self, path: str) -> None:
        """Write `path` (JSON) and the arrays beside it, each whole or not at all."""
        beside = save_arrays(os.path.splitext(path)[0], self.arrays)
        whole = {**self.head, "arrays": os.path.basename(beside)}
        whole["facts"] = self.facts
        whole["events"] = self.events
        write_whole(path, json.dumps(whole).encode())


def is_plain(value: Any) -> bool:
    """Whether a setting can be written down: a number, a text, or a tuple of such."""
    if isinstance(value, tuple):
        return all(is_plain(item) for item in value)
    return isinstance(value, (int, float, str, bool, type(None)))


def fingerprint(values: np.ndarray) -> dict[str, Any]:
    """Shape, the sum of sizes and some elements of an array."""
    flat = values.reshape(-1)
    if flat.dtype.kind not in "fc" or flat.dtype.itemsize < 4:
        flat = flat.astype(np.float64)
    step = max(1, flat.size // _SAMPLE)
    # numpy adds in pairs: accurate enough for sums of sizes, and faster than in float64
    return {
        "shape": list(values.shape),
        "abs": float(np.abs(flat).sum()),
        "sample": [float(v) for v in flat[::step][:_SAMPLE]],
    }


def write_whole(path: str, content: bytes) -> None:
    """Write a file so that it appears whole."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def save_arrays(stem: str, arrays: dict[str, np.ndarray]) -> str:
    """Write arrays as safetensors, as .npz where that is not installed; the path."""
    try:
        from safetensors.numpy import save
    except ImportError:
        temporary = f"{stem}.{os.getpid()}.tmp.npz"
        np.savez(temporary, **arrays)  # type: ignore[arg-type]
        os.replace(temporary, stem + ".npz")
        return stem + ".npz"
    write_whole(stem + ".safetensors", save(arrays))
    return stem + ".safetensors"
