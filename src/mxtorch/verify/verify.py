"""Two runs of what should be the same program, held against each other layer by layer."""

from __future__ import annotations

import importlib.util
import re
import shlex
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch.convert.blocks import search_here
from mxtorch.verify.align import Slot, align
from mxtorch.verify.catalogue import Cause, find_cause
from mxtorch.verify.compare import Comparer, Comparison
from mxtorch.verify.launch import Command, Recording, Run, record_mxnet, record_real, record_torch
from mxtorch.verify.lines import compare_lines
from mxtorch.verify.prints import difference
from mxtorch.verify.prove import of_itself
from mxtorch.verify.record import Record, load
from mxtorch.verify.rounding import SHAKE, Rounding

# what makes a program one of MXNet's; `mxtorch.ops` are functions of tensors
_IMPORTS = re.compile(r"^\s*(?:import|from)\s+(?:mxnet|mxtorch(?!\.ops\b))\b", re.MULTILINE)


@dataclass(frozen=True)
class Side:
    """One of the two: `kind` is `tape`, `mxnet`, `torch` or `real`."""

    kind: str
    command: Command
    path: Path | None = None

    @property
    def noun(self) -> str:
        """What it is, for people."""
        if self.command.kind == "net":
            return "model" if self.command.target.endswith(".json") else "net"
        return "record" if self.kind == "tape" else "program"


class UnknownNames(MXNetValueError):
    """`--names` has parameters that a run has not met."""


@dataclass
class Row:
    """One parameter at the last step that was compared: relative differences, None if unknown."""

    ours: str
    theirs: str
    gradient: float | None = None
    weight: float | None = None


@dataclass
class Verdict:
    """What verify found."""

    comparison: Comparison
    cause: Cause | None
    names: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # of programs that train no net: how many lines they print, and the first that differs
    printed: int = 0
    line: int | None = None
    # the step from which on the second program agrees only as far as it agrees with itself
    since: int | None = None

    @property
    def is_same(self) -> bool:
        """Whether no fault was found, and something was compared."""
        found = self.comparison
        compared = bool(found.steps or found.layers or self.printed)
        return found.fault is None and self.line is None and not self.problems and compared

    def __str__(self) -> str:
        found = self.comparison
        if found.fault is not None:
            return f"{found.fault}" + (f"; likely: {self.cause}" if self.cause else "")
        if self.problems:
            return f"not comparable: {self.problems[0]}"
        if self.line is not None:
            return f"differs in line {self.line} of what they print; neither trained a net"
        if not (found.steps or found.layers):
            if self.printed:
                return f"no difference in {self.printed} printed lines; neither trained a net"
            return "not comparable: neither program trained or called a net"
        since = "" if self.since is None else f"; rounding decides from step {self.since} on"
        return f"no difference in {found.steps} steps, {found.layers} layers' outputs{since}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = self.comparison
        return {
            "same": self.is_same,
            "says": str(self),
            "fault": None if found.fault is None else found.fault.as_dict(),
            "cause": None if self.cause is None else self.cause.as_dict(),
            "steps": found.steps,
            "since": self.since,
            "printed": self.printed,
            "layers": found.layers,
            "losses": found.losses,
            "names": self.names,
            "unmatched": self.unmatched,
            "parameters": [vars(row) for row in self.rows],
            "problems": self.problems,
            "notes": self.notes,
        }


def read_inputs(texts: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """`data=2,3,8,8`, `2,3`, `tokens=4,5:100` (whole numbers below 100)."""
    found = []
    for i, text in enumerate(texts):
        name, _, shape = text.rpartition("=")
        shape, _, below = shape.partition(":")
        try:
            numbers = [int(n) for n in shape.split(",") if n.strip()]
            limit = int(below) if below else None
        except ValueError:
            raise MXNetValueError(f"--shape {text}: expected NAME=2,3 or NAME=2,3:100") from None
        found.append({"name": name or f"data{i or ''}", "shape": numbers, "below": limit})
    return tuple(found)


def read_side(
    text: str, arguments: str, inputs: tuple[dict[str, Any], ...], python: str | None
) -> Side:
    """What A or B on the command line is."""
    path = Path(text)
    mxnet = "real" if python else "mxnet"
    if path.suffix in (".json", ".py") and not path.is_file():
        raise MXNetError(f"there is no file {text}")
    if text.endswith("-symbol.json"):
        return Side(mxnet, Command("net", text, (), _needed(inputs, text)))
    if path.suffix == ".json":
        return Side("tape", Command("tape", text), path)
    if path.suffix == ".py":
        source = path.read_text(encoding="utf-8", errors="replace")
        kind = mxnet if _IMPORTS.search(source) else "torch"
        return Side(kind, Command("script", text, tuple(shlex.split(arguments))))
    if re.fullmatch(r"[\w.]+:\w+", text):
        kind = mxnet if _IMPORTS.search(_source(text.partition(":")[0])) else "torch"
        return Side(kind, Command("net", text, (), _needed(inputs, text)))
    raise MXNetValueError(
        f"{text} is no program (.py), net (package.module:name), model (-symbol.json) or record "
        "of a run (.json)"
    )


def _needed(inputs: tuple[dict[str, Any], ...], text: str) -> tuple[dict[str, Any], ...]:
    if not inputs:
        raise MXNetValueError(f"{text} needs --shape, as in --shape data=2,3,32,32")
    return inputs


def _source(module: str) -> str:
    search_here()
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise MXNetError(f"there is no module {module} to import here")
    return Path(spec.origin).read_text(encoding="utf-8", errors="replace")


def verify(
    a: Side,
    b: Side,
    folder: Path,
    recording: Recording,
    python: str | None = None,
    echo: TextIO | None = None,
) -> Verdict:
    """Run both, the records in `folder` as a.json and b.json, and compare them."""
    runs = (
        _run_first(a, b, folder, recording, python, echo),
        _run_second(a, b, folder, recording, echo),
    )
    first, second = (run.record for run in runs)
    for name, side, record in (("first", a, first), ("second", b, second)):
        if record.failure:
            raise MXNetError(f"the {name} {side.noun} ends with {record.failure}{_given(side)}")
    _refuse_unknown((a, b), (first, second), recording.names)
    replay: Mapping[str, Any] = second.head.get("replay", {})
    pairs = dict(replay.get("pairs") or pair_by_name(first, second, recording.names))
    if not pairs and _keys(first) and _keys(second):
        return _strangers(first, second)
    comparison, rounding = Comparer(first, second, pairs).run(), Rounding()
    if comparison.fault is not None and comparison.fault.step > 1 and b.kind == "torch":
        how = replace(recording, shake=SHAKE)
        with tempfile.TemporaryDirectory() as scratch:
            shaken = _run_second(a, b, folder, how, None, Path(scratch, "b.json")).record
        rounding = of_itself(second, shaken)
        comparison = Comparer(first, second, pairs, rounding).run()
    cause = find_cause(comparison, first, second, pairs)
    verdict = Verdict(comparison, cause, {v: k for k, v in pairs.items()}, since=rounding.since)
    if not (comparison.steps or comparison.layers):
        lines = runs[0].lines, runs[1].lines
        verdict.printed = min(map(len, lines))
        faults = [d for d in compare_lines(*lines, cut=False) if d.is_fault]
        verdict.line = faults[0].line if faults else None
    verdict.problems = list(replay.get("problems", ()))
    verdict.notes = list(replay.get("notes", ()))
    verdict.unmatched = _unmatched(first, second, pairs)
    verdict.rows = _rows(comparison, first, second, pairs)
    return verdict


def _given(side: Side) -> str:
    """What a net was called with, to be read after its error."""
    inputs = side.command.inputs
    shapes = ", ".join(f"{i['name']} {tuple(i['shape'])}" for i in inputs)
    return f" (its input by --shape: {shapes})" if shapes else ""


def _strangers(first: Record, second: Record) -> Verdict:
    """The verdict on nets of which no parameter of one is one of the other."""
    counts = [len(_keys(record)) for record in (first, second)]
    text = (
        f"no parameter is in both: of {counts[0]} in the first and {counts[1]} in the second none "
        "has the other's name or shape; --names FILE says which belong together"
    )
    unmatched = _unmatched(first, second, {})
    return Verdict(Comparison(), None, {}, unmatched=unmatched, problems=[text])


def _announce(echo: TextIO | None, which: str, side: Side) -> None:
    """Whose output follows."""
    if echo is not None and side.kind != "tape":
        echo.write(f"--- {which}: {side.command.target}\n")
        echo.flush()


def _run_first(
    a: Side, b: Side, folder: Path, recording: Recording, python: str | None, echo: TextIO | None
) -> Run:
    if a.kind == "tape":
        assert a.path is not None
        return Run(load(a.path), [], 0)
    output = folder / "a.json"
    _announce(echo, "first", a)
    if a.kind == "real":
        assert python is not None
        return record_real(python, a.command, output, recording, echo)
    return _run(a, output, recording, None, echo)


def _run_second(
    a: Side,
    b: Side,
    folder: Path,
    recording: Recording,
    echo: TextIO | None,
    output: Path | None = None,
) -> Run:
    if b.kind == "tape":
        assert b.path is not None
        return Run(load(b.path), [], 0)
    output = output or folder / "b.json"
    _announce(echo, "second", b)
    if b.kind != "torch":
        return _run(Side("mxnet", b.command), output, recording, None, echo)
    source = a.path or folder / "a.json"
    if a.kind == "real":  # mxtorch draws what MXNet drew, and says what it was
        source = folder / "draws.json"
        _run(Side("mxnet", a.command), source, recording, None, None)
    return _run(b, output, recording, source, echo)


def _run(
    side: Side, output: Path, recording: Recording, replay: Path | None, echo: TextIO | None
) -> Run:
    root = Path.cwd()
    if side.command.kind == "script":
        root = Path(side.command.target).resolve().parent
    if side.kind == "torch":
        return record_torch(side.command, root, output, recording, replay, echo=echo)
    return record_mxnet(side.command, root, output, recording, echo=echo)


def _refuse_unknown(
    sides: tuple[Side, Side], records: tuple[Record, Record], given: Mapping[str, str]
) -> None:
    """Names of parameters that neither run has met would change nothing, and say nothing."""
    for which, side, record, paths in zip(
        ("first", "second"), sides, records, (given.values(), given), strict=True
    ):
        known = {p["path"] for m in record.of("meet") for p in m["parameters"]}
        unknown = [path for path in paths if path not in known]
        if unknown:
            raise UnknownNames(
                f"--names: the {which} {side.noun} has no parameter {unknown[0]!r}; "
                f"it has {', '.join(sorted(known)) or 'none'}"
            )


def pair_by_name(first: Record, second: Record, given: Mapping[str, str]) -> dict[str, str]:
    """The first run's key of each of the second's, net by net."""
    found = {}
    theirs = {m["net"]: m for m in second.of("meet")}
    for meet in first.of("meet"):
        other = theirs.get(meet["net"])
        if other is None:
            continue
        slots = [
            [Slot(p["path"], tuple(p["shape"])) for p in m["parameters"]] for m in (other, meet)
        ]
        for path, mine in align(slots[0], slots[1], given).items():
            found[f"{meet['net']}:{path}"] = f"{meet['net']}:{mine}"
    return found


def _keys(record: Record) -> list[str]:
    return [f"{m['net']}:{p['path']}" for m in record.of("meet") for p in m["parameters"]]


def _unmatched(first: Record, second: Record, pairs: Mapping[str, str]) -> list[str]:
    known = set(pairs.values())
    left = [f"first: {k}" for k in _keys(first) if k not in known]
    return left + [f"second: {k}" for k in _keys(second) if k not in pairs]


def _rows(
    comparison: Comparison, first: Record, second: Record, pairs: Mapping[str, str]
) -> list[Row]:
    """How far the parameters are apart at the step of the fault, or at the last detailed one."""
    steps = comparison.at
    if steps is None:
        both = list(zip(first.steps(), second.steps(), strict=False))
        detailed = [p for p in both if p[0].updates and p[0].updates[-1]["weights"]]
        steps = detailed[-1] if detailed else None
    rows = []
    for theirs, ours in pairs.items():
        row = Row(ours, theirs)
        if steps is not None and steps[0].updates and steps[1].updates:
            for part, name in (("gradients", "gradient"), ("weights", "weight")):
                a = steps[0].updates[-1][part].get(ours)
                b = steps[1].updates[-1][part].get(theirs)
                if a is not None and b is not None:
                    setattr(row, name, difference(a, b))
        rows.append(row)
    return rows
