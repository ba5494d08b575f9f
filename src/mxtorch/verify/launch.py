"""Runs programs in processes of their own, recorded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import mxtorch
from mxtorch._core import env
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch.verify.record import Record, load


@dataclass(frozen=True)
class Command:
    """A program and its arguments: `kind` is `script`, `module`, or `net` (see `nets`)."""

    kind: str
    target: str
    arguments: tuple[str, ...] = ()
    # of a net: name, shape and, for whole numbers, the limit of each input
    inputs: tuple[dict[str, Any], ...] = ()


def read_command(words: Sequence[str]) -> Command:
    """What follows `--`: `python train.py …`, `train.py …`, `python -m package.train …`."""
    rest = list(words)
    if rest and Path(rest[0]).name.startswith("python"):
        del rest[0]
    if len(rest) > 1 and rest[0] == "-m":
        return Command("module", rest[1], tuple(rest[2:]))
    if not rest or rest[0].startswith("-"):
        raise MXNetValueError("give the program after --, as in `-- python train.py --epochs 1`")
    return Command("script", rest[0], tuple(rest[1:]))


@dataclass
class Run:
    """A recorded run: its record, what it printed, its exit status."""

    record: Record
    lines: list[str]
    status: int


@dataclass(frozen=True)
class Recording:
    """How a run is recorded: see `Tape`."""

    steps: int | None = None
    detail: int = 20
    full: bool = False
    names: dict[str, str] = field(default_factory=dict)
    # the relative change of the weights of a replayed run after each update
    shake: float = 0.0


def record_mxnet(
    command: Command,
    root: Path,
    output: Path,
    recording: Recording,
    facts: Path | None = None,
    echo: TextIO | None = None,
) -> Run:
    """Run an MXNet program under mxtorch; the record goes to `output`, what it saw to `facts`."""
    more = {} if facts is None else {"facts": str(facts.resolve())}
    return _record("mxnet", command, root, output, recording, more, Path.cwd(), echo)


def record_real(
    python: str, command: Command, output: Path, recording: Recording, echo: TextIO | None = None
) -> Run:
    """Run an MXNet program under real MXNet, by its Python; the record goes to `output`."""
    return _record("real", command, Path.cwd(), output, recording, {"python": python},
                   Path.cwd(), echo)  # fmt: skip


def record_torch(
    command: Command,
    root: Path,
    output: Path,
    recording: Recording,
    replay: Path | None = None,
    folder: Path | None = None,
    echo: TextIO | None = None,
) -> Run:
    """Run a PyTorch program, if asked for with the random numbers of the run in `replay`."""
    more: dict[str, Any] = {}
    if replay is not None:
        more = {"replay": str(replay.resolve()), "names": recording.names}
        more["shake"] = recording.shake
    return _record("torch", command, root, output, recording, more, folder or Path.cwd(), echo)


def _record(
    side: str,
    command: Command,
    root: Path,
    output: Path,
    recording: Recording,
    more: dict[str, Any],
    folder: Path,
    echo: TextIO | None,
) -> Run:
    job = {
        "kind": command.kind,
        "target": command.target,
        "arguments": list(command.arguments),
        "inputs": list(command.inputs),
        "root": os.path.realpath(root),
        "output": str(output.resolve()),
        "steps": recording.steps,
        "detail": recording.detail,
        "full": recording.full,
        **more,
    }
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "job.json")
        path.write_text(json.dumps(job), encoding="utf-8")
        words = [sys.executable, "-m", "mxtorch.verify.child", side, str(path)]
        if side == "real":
            words = [more["python"], str(Path(__file__).with_name("real.py")), str(path)]
        lines, status = run_words(words, folder, echo, is_ours=side != "real")
    if not output.exists():
        raise MXNetError(f"{command.target}: the run ended with {status} and left no record")
    return Run(load(output), lines, status)


def run_words(
    words: Sequence[str], folder: Path, echo: TextIO | None, is_ours: bool = True
) -> tuple[list[str], int]:
    """Run a command; its lines of output, which go on to `echo`, and its status.

    `is_ours`: it is to find mxtorch; otherwise it is not to find what only this Python can use.
    """
    package = str(Path(mxtorch.__file__).resolve().parent.parent)
    found = env.child_environment(package if is_ours else "")
    with subprocess.Popen(
        words,
        cwd=folder,
        env=found,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as child:
        assert child.stdout is not None
        lines = []
        for line in child.stdout:
            lines.append(line.rstrip("\n"))
            if echo is not None:
                echo.write(line)
                echo.flush()
    return lines, child.returncode
