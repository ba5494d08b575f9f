"""Which of MXNet's operators are registered, and what share of real programs' use that is.

tools/census.py            prints the counts and the most used names that are missing
tools/census.py --update   takes what is registered by now off tests/ops/census_missing.txt
"""

from __future__ import annotations

import argparse
import csv
import json
import pathlib
import sys
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
API = ROOT / "tests" / "golden" / "api"
MISSING = ROOT / "tests" / "ops" / "census_missing.txt"
# Why an operator name of MXNet may be missing.
REASONS = {
    "later": "to be built",
    "numpy": "behind mx.np and mx.npx; comes with them",
    "gradient": "a gradient of MXNet's own graph; torch's autograd does it",
    "callback": "takes a pointer into MXNet's C library, or is part of its engine",
    "backend": "a fused node that MXNet's graph rewriting makes; no program writes it",
}


class Recorded(NamedTuple):
    """An operator of MXNet's registry: parameters are [name, type, default if it has one]."""

    name: str
    names: list[str]
    counted_by: str | None
    params: list[list[str]]


def operators() -> list[Recorded]:
    lines = (API / "operators.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [
        Recorded(r["name"], [r["name"], *r.get("aliases", [])], r.get("var"), r["params"])
        for r in records
    ]


def missing() -> dict[str, str]:
    """The listed names and their reasons."""
    lines = MISSING.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def write_missing(names: dict[str, str]) -> None:
    head = ["# MXNet 1.9.1's operator names that are not registered, and why (tools/census.py)."]
    head += [f"#   {reason}: {text}" for reason, text in REASONS.items()]
    lines = head + [f"{name} {reason}" for name, reason in sorted(names.items())]
    MISSING.write_text("\n".join(lines) + "\n", encoding="utf-8")


def usage() -> dict[str, int]:
    """In how many files of user code each name of mx.nd and mx.sym occurs."""
    with (API / "usage.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: int(row["files"]) for row in csv.DictReader(file)}


def exists(root: object, dotted: str) -> bool:
    """Whether `mx.…` leads somewhere from the package `root`."""
    for part in dotted.split(".")[1:]:
        root = getattr(root, part, None)
        if root is None:
            return False
    return True


def share(mx: object) -> tuple[float, list[tuple[str, int]]]:
    """The usage-weighted share of names that exist, and those that do not, most used first."""
    used = usage()
    gone = {name: files for name, files in used.items() if not exists(mx, name)}
    return 1 - sum(gone.values()) / sum(used.values()), sorted(gone.items(), key=lambda x: -x[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    import mxtorch
    from mxtorch._core.op import lookup

    if args.update:
        write_missing({n: why for n, why in missing().items() if lookup(n) is None})
    names = [name for record in operators() for name in record.names]
    registered = sum(lookup(name) is not None for name in names)
    weighted, gone = share(mxtorch)
    print(f"{registered} of {len(names)} operator names registered")
    print(f"{weighted:.1%} of the uses of mx.nd and mx.sym names in real programs")
    print("most used of those missing: " + ", ".join(f"{n} ({k})" for n, k in gone[:20]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
