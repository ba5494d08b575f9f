"""Records what real MXNet 1.9.1 prints for the programs of tests/e2e and the README.

tools/record_programs.py                  every program that has no record yet
tools/record_programs.py tests/e2e/variants/layers.py …
tools/record_programs.py --check          run all again and compare, write nothing

A program whose own runs differ (one and two threads, without oneDNN) by more than a quarter of
what its test allows is not recorded: it would test the machine. A variant in which MXNet itself
fails is left out (its RNN layers do not run without oneDNN).
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.e2e import lines  # noqa: E402 - the path is set above
from tools.record_golden import VARIANTS, find_oracle  # noqa: E402 - the path is set above

SHARE = 0.25
QUICK_START = ROOT / "examples/quickstart/train.py"  # the README shows it


def run(python: str, program: pathlib.Path, env: dict[str, str]) -> str | None:
    """What the program prints on real MXNet; None if it fails there."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [python, str(program)],
            env=os.environ | {"MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0"} | env,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
        )
    if done.returncode:
        settings = " ".join(f"{k}={v}" for k, v in env.items())
        print(f"{program.name} fails with {settings}: {done.stderr.strip()[-300:]}")
        return None
    return done.stdout


def spread(plain: str, other: str) -> tuple[float, str]:
    """The worst line of another run, in units of what the test allows, and that line."""
    ours, theirs = other.splitlines(), plain.splitlines()
    if len(ours) != len(theirs):
        return float("inf"), "another number of lines"
    return max((lines.line_gap(a, b), f"{a} | {b}") for a, b in zip(ours, theirs, strict=True))


def record(python: str, program: pathlib.Path, write: bool) -> bool:
    """Runs one program in all variants; whether it may be (or is) recorded."""
    plain, *others = [run(python, program, env) for env in VARIANTS]
    if plain is None:
        return False
    worst, line = max(spread(plain, other) for other in others if other is not None)
    path = program.with_suffix(".expected")
    good = worst <= SHARE
    if not good:
        print(f"NOT RECORDED {program.name}: its own runs differ by {worst:.2g}: {line}")
    elif write:
        path.write_text(plain, encoding="utf-8")
        print(f"{program.name}: {len(plain.splitlines())} lines, own spread {worst:.2g}")
    elif not path.exists() or lines.differences(plain, path.read_text(encoding="utf-8")):
        print(f"{program.name}: not as recorded")
        good = False
    return good


def main(argv: list[str] | None = None) -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--python", help="Python of the environment with MXNet")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args(argv)
    python = find_oracle(args.python)
    programs = args.programs or [*sorted((ROOT / "tests/e2e").glob("*/*.py")), QUICK_START]
    if not args.programs and not args.check:
        programs = [p for p in programs if not p.with_suffix(".expected").exists()]
    results = [record(python, p.resolve(), not args.check) for p in programs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
