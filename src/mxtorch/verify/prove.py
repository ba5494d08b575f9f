"""Whether a port computes what the program computed: the port, run under a replay, compared."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from mxtorch.verify.compare import Comparer, Comparison
from mxtorch.verify.launch import Command, Recording, Run, record_torch
from mxtorch.verify.lines import Difference, compare_lines, forgiven
from mxtorch.verify.record import Record
from mxtorch.verify.rounding import SHAKE, Rounding

PROVEN, DIFFERS, NOT_PROVEN = "proven", "differs", "not proven"


@dataclass
class Proof:
    """What the replay of a port showed."""

    status: str
    reason: str
    comparison: Comparison = field(default_factory=Comparison)
    lines: list[Difference] = field(default_factory=list)
    printed: int = 0
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    seconds: tuple[float, float] = (0.0, 0.0)
    # the step from which on the runs agree only as far as the port agrees with itself
    since: int | None = None

    def stamp(self, path: str) -> str:
        """What can be said of one file of the port."""
        if path not in self.files and Path(path).suffix == ".py":
            return f"{NOT_PROVEN} (the run does not pass through it)"
        if self.status == PROVEN:
            return f"{PROVEN} ({self.reason})"
        if self.status == DIFFERS:
            return self.reason
        return f"{NOT_PROVEN} ({self.reason})"

    @property
    def exit_code(self) -> int:
        """0 proven, 3 differs, 4 not proven."""
        return {PROVEN: 0, DIFFERS: 3}.get(self.status, 4)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = self.comparison
        return {
            "status": self.status,
            "reason": self.reason,
            "steps": found.steps,
            "parameters": found.parameters,
            "fault": None if found.fault is None else found.fault.as_dict(),
            "losses": found.losses,
            "lines": [d.as_dict() for d in self.lines],
            "printed": self.printed,
            "notes": self.notes,
            "seconds": list(self.seconds),
        }


@dataclass(frozen=True)
class Port:
    """A port on the disk, and the program that it was."""

    source: Path
    output: Path

    @property
    def root(self) -> Path:
        """The folder that holds the port's files."""
        return self.output if self.output.is_dir() else self.output.parent

    @property
    def file(self) -> Path:
        """The port of a source that is a file."""
        return self.output / self.source.name if self.output.is_dir() else self.output

    def command(self, command: Command) -> Command:
        """The command that runs the port."""
        if command.kind == "module":
            return command
        target = Path(command.target).resolve()
        source = self.source.resolve()
        if source.is_file():
            if target != source:
                return command
            return Command(command.kind, str(self.file), command.arguments)
        inner = self.output / target.relative_to(source)
        return Command(command.kind, str(inner), command.arguments)

    def folder(self, command: Command) -> Path:
        """Where it runs: where the program ran, or for `-m` in the port's own folder."""
        here = Path.cwd()
        source = self.source.resolve()
        if command.kind == "module" and source.is_dir() and here.is_relative_to(source):
            return self.output / here.relative_to(source)
        return here


def prove(
    port: Port,
    command: Command,
    traced: Run,
    trace: Path,
    recording: Recording,
    echo: TextIO | None = None,
) -> Proof:
    """Run the port with the draws and initial weights of the traced run, and compare."""

    def replayed(how: Recording, echo: TextIO | None) -> Run:
        with tempfile.TemporaryDirectory() as scratch:
            return record_torch(
                port.command(command),
                port.root,
                Path(scratch, "port.json"),
                how,
                trace,
                port.folder(command),
                echo,
            )

    run = replayed(recording, echo)
    renamed = {port.file.name: port.source.name} if port.source.is_file() else {}
    proof = judge(traced, run, renamed)
    fault = proof.comparison.fault
    if proof.status == DIFFERS and (fault is None or fault.step > 1):
        shaken = replayed(replace(recording, shake=SHAKE), None)
        proof = judge(traced, run, renamed, shaken)
    return proof


def judge(traced: Run, run: Run, files: Mapping[str, str], shaken: Run | None = None) -> Proof:
    """What two runs, the second under the replay of the first, say about the port.

    `files`: the source's name of a file of the port, where they differ. `shaken`: the second once
    more, its weights rounded otherwise; what that changes speaks against no port.
    """
    replay: Mapping[str, Any] = run.record.head.get("replay", {})
    rounding = Rounding() if shaken is None else of_itself(run.record, shaken.record)
    comparison = Comparer(traced.record, run.record, replay.get("pairs", {}), rounding).run()
    cut = "stopped" in traced.record.head
    proof = Proof("", "", comparison, compare_lines(traced.lines, run.lines, cut))
    if shaken is not None:
        proof.lines = forgiven(proof.lines, run.lines, shaken.lines)
    proof.since = rounding.since
    proof.printed = min(len(traced.lines), len(run.lines))
    proof.notes = list(replay.get("notes", ()))
    proof.files = [files.get(f, f) for f in run.record.head.get("files", ())]
    proof.seconds = (traced.record.head["seconds"], run.record.head["seconds"])
    left = {k: n for k, n in replay.get("left", {}).items() if n}
    if left and not cut:
        said = ", ".join(f"{n} {k}" for k, n in left.items())
        proof.notes.append(f"the port does not draw all that the program drew: {said} left")
    proof.status, proof.reason = _verdict(proof, run, list(replay.get("problems", ())))
    return proof


def of_itself(run: Record, shaken: Record) -> Rounding:
    """How far a run is from itself, its weights rounded otherwise."""
    rounding = Rounding(measuring=True)
    keys = {f"{m['net']}:{p['path']}" for m in run.of("meet") for p in m["parameters"]}
    Comparer(run, shaken, {key: key for key in keys}, rounding).run()
    return rounding.measured()


def _verdict(proof: Proof, run: Run, problems: list[str]) -> tuple[str, str]:
    found = proof.comparison
    fault = next((d for d in proof.lines if d.is_fault), None)
    if run.record.failure:
        return NOT_PROVEN, f"the port ends with {run.record.failure}"
    if problems:
        return NOT_PROVEN, problems[0]
    if found.fault is not None:
        return DIFFERS, str(found.fault)
    if fault is not None:
        return DIFFERS, f"differs in line {fault.line} of what it prints"
    if not (found.steps or found.parameters or proof.printed):
        return NOT_PROVEN, "the run printed nothing and trained nothing"
    parts = ((found.steps, "steps"), (found.parameters, "parameters"), (proof.printed, "lines"))
    said = ", ".join(f"{n} {what}" for n, what in parts if n)
    decided = [] if proof.since is None else [f"rounding decides from step {proof.since} on"]
    return PROVEN, "; ".join([said, *decided])
