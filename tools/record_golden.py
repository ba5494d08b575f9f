"""Records what real MXNet 1.9.1 does into tests/golden/, for the cases that changed.

make record                          all families, changed cases only
tools/record_golden.py ops/reduce    one family (or: reduce, tests/ops/samples/reduce.py)
tools/record_golden.py --check       is every golden file up to date? (needs no MXNet)
tools/record_golden.py --verify X    run again, compare with what is recorded, write nothing
tools/record_golden.py --spread X    MXNet's own spread: the reason that a tolerance needs
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as onp  # noqa: E402 - needs the path above

from tests import cases, golden_store  # noqa: E402 - needs the path above

WORKER = ROOT / "tools" / "_oracle_worker.py"
MXNET = "1.9.1"
PLAIN = {"MXNET_SUBGRAPH_BACKEND": "NONE", "OMP_NUM_THREADS": "1"}
MISTAKES = ("NameError", "SyntaxError", "NotRecordableError")  # of the case, not of MXNet
VARIANTS = (
    PLAIN,
    PLAIN | {"OMP_NUM_THREADS": "2"},
    PLAIN | {"MXNET_MKLDNN_ENABLED": "0"},
)
Line = dict[str, Any]


class Outcome(NamedTuple):
    """What one case did: its golden line (None if it was lost), and MXNet's message."""

    line: Line | None
    message: str


def find_oracle(given: str | None) -> str:
    """The Python of an environment with real MXNet."""
    for path in (given, os.environ.get("MXTORCH_ORACLE"), str(ROOT / ".oracle/bin/python")):
        if path:
            if not os.access(path, os.X_OK):
                sys.exit(f"no Python with MXNet at {path}: run `make oracle`, or pass --python")
            return path
    raise AssertionError


def read_events(path: pathlib.Path) -> list[Line]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def run_once(
    command: list[str], ids: list[str], env: dict[str, str], timeout: float
) -> tuple[list[Line], str]:
    """One child over `ids`, until it ends or a case takes longer than `timeout`.

    The command is given the file for its results as its last argument.
    """
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.jsonl"
        results.touch()
        log = (pathlib.Path(folder) / "log").open("w+")
        child = subprocess.Popen(
            [*command, str(results)],
            env=os.environ | env,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            text=True,
        )
        assert child.stdin is not None
        child.stdin.write(json.dumps(ids))
        child.stdin.close()
        size, since, why = 0, time.monotonic(), ""
        while child.poll() is None:
            time.sleep(0.05)
            if results.stat().st_size != size:
                size, since = results.stat().st_size, time.monotonic()
            elif time.monotonic() - since > timeout:
                child.kill()
                why = f"no answer for {timeout:g} s"
        code = child.wait()
        if code and not why:
            log.seek(0)
            why = f"exit {code}: " + log.read().strip()[-600:]
        log.close()
        return read_events(results), why


def run_cases(
    command: list[str], ids: list[str], env: dict[str, str], timeout: float
) -> dict[str, Outcome]:
    """Every case's outcome; after a crash or a hang a new child takes the rest.

    A crash may be due to memory that an earlier case spoiled: the case is tried again, alone.
    """
    found: dict[str, Outcome] = {}
    alone: list[str] = []
    while todo := alone or [i for i in ids if i not in found]:
        events, why = run_once(command, todo, env, timeout)
        for event in events:
            if "done" in event:
                found[event["done"]["id"]] = Outcome(event["done"], event["message"])
        started = [e["start"] for e in events if "start" in e]
        if not started:
            sys.exit(f"{' '.join(command)}: cannot run the cases: {why}")
        last = started[-1]
        if last in found:
            alone = []
        elif alone or why.startswith("no answer"):
            found[last], alone = Outcome(None, f"lost: {why}"), []
        else:
            alone = [last]
    return found


def run_with_variables(
    python: str, name: str, chosen: list[cases.Case], env: dict[str, str], timeout: float
) -> dict[str, Outcome]:
    """The same for cases with variables of their own: one child for each set of variables."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for case in chosen:
        groups.setdefault(tuple(sorted(case.env.items())), []).append(case.id)
    found: dict[str, Outcome] = {}
    for variables, ids in groups.items():
        command = [python, str(WORKER), name]
        found |= run_cases(command, ids, env | dict(variables), timeout)
    return found


def refusal(case: cases.Case, outcome: Outcome) -> str:
    """Why this outcome must not be recorded; empty if it may be."""
    if outcome.line is None:
        return outcome.message
    error = outcome.line.get("error")
    if error in MISTAKES:
        return outcome.message
    expected = case.raises or (isinstance(case, cases.S) and not case.derived)
    if case.raises != error and expected:
        if error:
            return f"raised {outcome.message}\n      (if that is meant: raises={error!r})"
        return f"did not raise {case.raises}"
    return ""


def record(python: str, name: str, everything: bool, timeout: float) -> int:
    """Brings one golden file up to date; the number of cases that could not be recorded."""
    todo = cases.load(name)
    path = cases.golden_path(name)
    old = golden_store.Family.read(path)
    if not everything and golden_store.is_fresh(todo, old):
        return 0
    changed = [c for c in todo if everything or old.records.get(c.id, {}).get("hash") != c.hash]
    found = run_with_variables(python, name, changed, PLAIN, timeout)
    records, bad = {}, 0
    for case in todo:
        if case.id not in found:
            records[case.id] = old.records[case.id]
            continue
        problem = refusal(case, found[case.id])
        if problem:
            bad += 1
            print(f"  NOT RECORDED {case.id}: {problem}")
            continue
        line = found[case.id].line
        assert line is not None
        records[case.id] = line
        if "error" in line and not case.raises:
            print(f"  raises {case.id}: {found[case.id].message}")
    header = {
        "format": golden_store.FORMAT,
        "mxnet": MXNET,
        "hash": golden_store.family_hash([c for c in todo if c.id in records]),
    }
    golden_store.Family(header, records).write(path)
    print(
        f"{name}: {len(changed) - bad} recorded, {len(todo)} cases, "
        f"{path.stat().st_size / 1024:.0f} KiB"
    )
    return bad


def check(name: str) -> int:
    """1 if the golden file is not what the cases say."""
    todo, family = cases.load(name), golden_store.Family.read(cases.golden_path(name))
    if golden_store.is_fresh(todo, family):
        return 0
    stale = [c.id for c in todo if family.records.get(c.id, {}).get("hash") != c.hash]
    gone = set(family.records) - {c.id for c in todo}
    print(
        f"{name}: not up to date ({len(stale)} to record, {len(gone)} gone): "
        f"tools/record_golden.py {name}\n  " + "\n  ".join(stale[:5])
    )
    return 1


def floats(line: Line | None) -> Iterator[tuple[str, Any]]:
    """Every float array of a line: where it stands, its values (or sampled elements)."""

    def walk(where: str, node: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(node, list):
            for i, item in enumerate(node):
                yield from walk(f"{where}[{i}]", item)
        elif isinstance(node, dict) and "d" not in node:
            for key, item in node.items():
                yield from walk(f"{where}.{key}", item)
        elif isinstance(node, dict) and node["d"].startswith("float"):
            yield where, golden_store.unpack(node, (-1,)).astype(float)

    return walk("", {k: v for k, v in (line or {}).items() if k in ("out", "grad", "changed")})


def spread(python: str, name: str, timeout: float) -> int:
    """Prints how far MXNet's own runs are apart, relative to the largest value."""
    todo = cases.load(name)
    plain, *others = [run_with_variables(python, name, todo, env, timeout) for env in VARIANTS]
    for case in [c.id for c in todo]:
        worst: dict[str, float] = {}
        for other in others:
            pairs = zip(floats(plain[case].line), floats(other[case].line), strict=False)
            for (where, a), (_, b) in pairs:
                largest = max(onp.nanmax(abs(a), initial=0.0), 1e-30)
                far = float(onp.nanmax(abs(a - b), initial=0.0) / largest)
                worst[where] = max(worst.get(where, 0.0), far)
        text = "  ".join(f"{where[1:]} {far:.1e}" for where, far in worst.items() if far)
        print(f"{case}: {text or 'identical'}")
    return 0


def verify(python: str, name: str, timeout: float) -> int:
    """Runs the family again; the number of cases that came out otherwise than recorded.

    Not those with `xfail`: what MXNet does there may change from run to run.
    """
    todo = [case for case in cases.load(name) if not case.xfail]
    old = golden_store.Family.read(cases.golden_path(name))
    found = run_with_variables(python, name, todo, PLAIN, timeout)
    reasons = {case.id: difference(case, found[case.id].line, old) for case in todo}
    differ = {i: reason for i, reason in reasons.items() if reason}
    print(
        f"{name}: {len(todo) - len(differ)} of {len(todo)} as recorded"
        + "".join(f"\n  differs: {i}: {reason}" for i, reason in differ.items())
    )
    return len(differ)


def difference(case: Any, line: Line | None, old: golden_store.Family) -> str:
    """How a new line differs from the recorded one; '' within the case's tolerance.

    Another processor rounds otherwise, so bits alone say nothing.
    """
    record = old.records.get(case.id)
    if line is None or record is None or "error" in line or "error" in record:
        return "" if line == record else f"{line}, recorded: {record}"[:300]
    if line == record:
        return ""
    try:
        golden_store.compare_line(case, golden_store.line_result(line), record)
    except golden_store.Mismatch as mismatch:
        return str(mismatch)
    return ""


def is_meant(name: str, text: str) -> bool:
    """Whether `text` names this family: whole, its last part, or its file of cases."""
    if not text.endswith(".py"):
        return text in (name, name.split("/")[1])
    room, file = pathlib.PurePath(text.replace("/samples/", "/")).parts[-2:]
    return name == f"{room}/{file.removeprefix('cases_').removesuffix('.py')}"


def select(wanted: list[str]) -> list[str]:
    known = cases.names()
    chosen = {text: [name for name in known if is_meant(name, text)] for text in wanted}
    for text, hits in chosen.items():
        if not hits:
            sys.exit(f"no family {text!r}; there are: {', '.join(known)}")
    return sorted({name for hits in chosen.values() for name in hits}) or known


def parse(argv: list[str] | None) -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("names", nargs="*", metavar="FAMILY")
    parser.add_argument("--python", help="Python of the environment with MXNet")
    parser.add_argument("--all", action="store_true", help="unchanged cases too")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one case")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="only say what is out of date")
    mode.add_argument("--verify", action="store_true", help="run again and compare")
    mode.add_argument("--spread", action="store_true", help="how far MXNet's runs are apart")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    args = parse(argv)
    names = select(args.names)
    if args.check:
        return int(sum(check(name) for name in names) > 0)
    python = find_oracle(args.python)
    if args.spread:
        return int(sum(spread(python, name, args.timeout) for name in names) > 0)
    if args.verify:
        return int(sum(verify(python, name, args.timeout) for name in names) > 0)
    return int(sum(record(python, name, args.all, args.timeout) for name in names) > 0)


if __name__ == "__main__":
    sys.exit(main())
