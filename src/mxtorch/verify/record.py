"""A tape that is read back: checked, and cut into steps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from mxtorch._core.errors import MXNetError
from mxtorch.verify.tape import VERSION

Event = dict[str, Any]


@dataclass
class Step:
    """What happened up to and with one update (or one backward, where nothing is updated)."""

    number: int
    losses: list[Event] = field(default_factory=list)
    calls: list[Event] = field(default_factory=list)
    updates: list[Event] = field(default_factory=list)

    @property
    def loss(self) -> float | None:
        """The sum of what backward started from; None if it did not run."""
        return float(sum(e["value"] for e in self.losses)) if self.losses else None


@dataclass
class Record:
    """What a run did."""

    head: dict[str, Any]
    facts: dict[str, Any]
    events: list[Event]
    arrays: dict[str, np.ndarray]

    def of(self, kind: str) -> list[Event]:
        """The events of one kind, in order."""
        return [e for e in self.events if e["kind"] == kind]

    def value(self, key: str) -> np.ndarray:
        """An array by its key; MXNetError if the file does not hold it."""
        try:
            return self.arrays[key]
        except KeyError:
            raise MXNetError(f"the record has no array {key!r}: it is damaged") from None

    @property
    def has_updates(self) -> bool:
        """Whether an optimizer was seen at work."""
        return any(e["kind"] == "update" for e in self.events)

    def steps(self, by_update: bool | None = None) -> Iterator[Step]:
        """The steps, in order: each ends with an update, or with a backward if not `by_update`.

        If that is not given, with updates where there are any.
        """
        by_update = self.has_updates if by_update is None else by_update
        step = Step(1)
        for event in self.events:
            kind = event["kind"]
            if kind == "backward":
                step.losses.append(event)
            elif kind == "call":
                step.calls.append(event)
            elif kind == "update":
                step.updates.append(event)
            if kind == ("update" if by_update else "backward"):
                yield step
                step = Step(step.number + 1)

    @property
    def final(self) -> dict[str, str]:
        """The keys of the final parameters, by net and path."""
        return dict(next((e["values"] for e in self.of("final")), {}))

    @property
    def failure(self) -> str:
        """Why the program ended early; empty if it did not."""
        return str(self.head.get("failure", ""))


def load(path: Path) -> Record:
    """Read a record; MXNetError if it is none or its arrays are missing."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        events, facts = whole["events"], whole["facts"]
        name = Path(whole["arrays"]).name
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MXNetError(f"{path} is not a record of a run: {error}") from error
    if whole.get("version") != VERSION:
        raise MXNetError(f"{path} is a record of version {whole.get('version')}, not {VERSION}")
    head = {k: v for k, v in whole.items() if k not in ("events", "facts")}
    return Record(head, facts, events, _arrays(path.parent / name))


def _arrays(path: Path) -> dict[str, np.ndarray]:
    if not path.is_file():
        raise MXNetError(f"there is no {path}: a record's arrays belong beside its .json")
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                return {key: file[key] for key in file.files}
        return dict(load_file(path))
    except (OSError, ValueError, SafetensorError) as error:
        raise MXNetError(f"{path} does not hold the arrays of a record: {error}") from error
