"""Compares operators of mxtorch with real MXNet 1.9.1 on seeded variations of the sample rows.

tools/differential.py sum take            40 variations of each: shapes, dtypes, attributes, values
tools/differential.py --top 50 -n 200     the 50 operators that programs use most
tools/differential.py --seed 7 --all      other variations, of every operator that has samples
tools/differential.py -n -200 sum           200 calls of it with one thing wrong (wrong_calls.py)
tools/differential.py --show 5 sum        five examples of each kind of difference, not one
tools/differential.py FILE.txt            the snippets in it (see tests/snippets.py)

Each is run as mx.nd (forward and gradients), adding to gradients, with `out=`, as a Symbol, or for
its inferred shapes and types. What differs is printed by operator and kind. What MXNet itself does
not do twice in the same way, or dies of, is counted and not compared. Needs an environment with
MXNet: --python, or MXTORCH_ORACLE.
"""

from __future__ import annotations

import argparse
import base64
import csv
import os
import pathlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import golden_store, replay  # noqa: E402 - needs the path above
from tools import (  # noqa: E402 - needs the path above
    census,
    not_compared,
    record_golden,
    variations,
    wrong_calls,
)
from tools.record_golden import Line, Outcome  # noqa: E402 - needs the path above

WORKER = str(ROOT / "tools" / "_differential_worker.py")


class TooLargeError(Exception):
    """An array of which MXNet's run left only a summary."""


class Difference(NamedTuple):
    """One case that came out otherwise than in MXNet."""

    operator: str
    kind: str
    case: str
    text: str


def decode(record: Any) -> Any:
    """What golden_store.encode wrote down."""
    if isinstance(record, list):
        return [decode(x) for x in record]
    if not isinstance(record, dict):
        return record
    if "d" in record:
        if "sha" in record:
            raise TooLargeError
        return replay.Array(record["k"], golden_store.unpack(record, record["s"]))
    if "tuple" in record:
        return tuple(decode(x) for x in record["tuple"])
    if "dict" in record:
        return {decode(k): decode(v) for k, v in record["dict"]}
    return base64.b64decode(record["bytes"])


def difference(case: Any, ours: Outcome, theirs: Outcome) -> Difference | None:
    """How the two outcomes differ; None if they do not."""
    name = getattr(case, "op", "snippet")
    if ours.line is None:
        return Difference(name, "we crash", case.id, ours.message)
    a, b = ours.line, theirs.line
    assert b is not None
    if "error" in a or "error" in b:
        if "error" not in a:
            return Difference(name, "MXNet raises", case.id, theirs.message)
        if "error" not in b:
            return Difference(name, "we raise", case.id, ours.message)
        if b["error"][0] not in a["error"]:
            text = f"{ours.message[:120]} | MXNet: {theirs.message[:120]}"
            return Difference(name, "other class", case.id, text)
        return None
    try:
        result: dict[str, Any] = {"out": decode(a["out"]), "many": a.get("many", False)}
        for key in ("grad", "changed"):
            result[key] = {name: decode(array) for name, array in a.get(key, {}).items()}
        case.tol = rounding(b, case)
        golden_store.compare_line(case, result, b)
    except TooLargeError:
        return None
    except golden_store.Mismatch as error:
        return Difference(name, kind_of(str(error)), case.id, str(error))
    return None


def rounding(line: Line, case: Any) -> float | None:
    """The tolerance of the coarsest type that occurs, for MXNet may compute in any of them."""
    found = {x.dtype for x in getattr(case, "inputs", ()) if x is not None}
    found |= {array.get("d") for array in line["out"] if isinstance(array, dict)}
    return max((golden_store.TOLERANCE.get(str(d), 0.0) for d in found), default=0.0) or None


def kind_of(text: str) -> str:
    """The kind of difference that a Mismatch tells."""
    part = "gradient" if text.startswith("gradient") else "value"
    found = re.search(r": (kind|dtype|shape) ", text)
    return f"{part} {found[1]}" if found else part


def run_both(python: str, names: list[str], seed: int, count: int, timeout: float) -> Any:
    """(case, our outcome, MXNet's, MXNet's of a second run) of each variation."""
    todo = {case.id: case for case in wrong_calls.cases_of(names, seed, count)}
    found = []
    plain = {**record_golden.PLAIN, "PYTHONHASHSEED": "0"}
    # memory that nobody wrote is not zero by luck
    again = {**plain, "MALLOC_PERTURB_": "85"}
    runs = [(sys.executable, "mxtorch", plain), (python, "mxnet", plain), (python, "mxnet", again)]
    if all(name.endswith(".txt") for name in names):
        runs.pop()
    for program, library, env in runs:
        command = [program, WORKER, library, str(seed), str(count), ",".join(names)]
        found.append(record_golden.run_cases(command, list(todo), env, timeout))
    found += found[1:2] * (len(runs) == 2)
    return [(case, *(outcomes[i] for outcomes in found)) for i, case in todo.items()]


def reason(found: Difference) -> str:
    """Why this difference does not count; empty if it does."""
    text = " ".join(f"{found.kind} {found.case} | {found.text}".split())
    return not_compared.why_not(found.operator, text)


def compare(results: Any) -> Iterator[Difference | str]:
    """The differences; for a case that is not compared, why."""
    for case, ours, theirs, again in results:
        if theirs.line is None or again.line is None:
            yield "MXNet dies"
            continue
        if theirs.line != again.line:
            yield "MXNet does not do the same twice"
            continue
        found = difference(case, ours, theirs)
        yield (found and (reason(found) or found)) or "same"


def by_use() -> list[str]:
    """The names of operators that have rows, the most used first."""
    with (census.API / "usage.csv").open(encoding="utf-8", newline="") as file:
        rank = {row["name"]: -int(row["files"]) for row in csv.DictReader(file)}
    return sorted(
        variations.base_rows(),
        key=lambda n: min(rank.get(p + n, 0) for p in ("mx.nd.", "mx.sym.", "mx.nd.NDArray.")),
    )


def report(differences: list[Difference], show: int) -> None:
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for found in differences:
        groups[found.operator, found.kind].append(found)
    for (operator, kind), found_here in groups.items():
        print(f"\n{operator}: {kind} ({len(found_here)})")
        for one in found_here[:show]:
            print(f"  {one.case}\n    {' '.join(one.text.split())[:300]}", flush=True)


def parse(argv: list[str] | None) -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("names", nargs="*", metavar="OPERATOR", help="as rows call it: sum")
    parser.add_argument("--python", help="Python of the environment with MXNet")
    parser.add_argument("--all", action="store_true", help="every operator that has rows")
    parser.add_argument("--top", type=int, help="the operators that programs use most")
    parser.add_argument("-n", type=int, default=40, help="variations of each operator")
    parser.add_argument("--seed", type=int, default=0, help="of the variations")
    parser.add_argument("--show", type=int, default=1, help="examples of each kind")
    parser.add_argument("--jobs", type=int, default=max((os.cpu_count() or 2) // 2, 1))
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one case")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    args = parse(argv)
    names = args.names or (by_use() if args.all else by_use()[: args.top or 20])
    python = record_golden.find_oracle(args.python)
    chunks = [names[i : i + 16] for i in range(0, len(names), 16)]
    counts: dict[str, int] = defaultdict(int)
    with ThreadPoolExecutor(args.jobs) as pool:
        for results in pool.map(
            lambda chunk: run_both(python, chunk, args.seed, args.n, args.timeout), chunks
        ):
            differences = []
            for found in compare(results):
                if isinstance(found, str):
                    counts[found] += 1
                else:
                    differences.append(found)
                    counts[f"differs: {found.kind}"] += 1
            report(differences, args.show)
    print(f"\n{sum(counts.values())} cases of {len(names)} operators")
    for what, n in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"  {n:6d} {what}")
    return int(any(what.startswith("differs") for what in counts))


if __name__ == "__main__":
    sys.exit(main())
