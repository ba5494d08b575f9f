"""Ports and proves the programs of tests/port/cases, and holds each against its port with
`mxtorch verify`; writes the table of the documentation.

tools/prove_programs.py                 all of them
tools/prove_programs.py lenet dcgan     these, whose rows are renewed
tools/prove_programs.py --from FOLDER   from what `mxtorch port --trace --json` has printed there
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "port" / "cases"
PAGE = ROOT / "docs" / "guide" / "proven-programs.md"
TIMEOUT = 600

HEAD = """\
# Programs that were ported and proven

Each of these programs (`tests/port/cases`) was run by real MXNet 1.9.1 before the rules that port
it were written. `mxtorch port --trace` ran it, ported it, and ran the port with the recorded random
numbers and weights ([how](proving.md)). Then `mxtorch verify` held the two against each other.
`tools/prove_programs.py` writes this page.

| program | lines | stamp | verify |
|---|---:|---|---|
"""
_ROW = re.compile(r"^\| `(\w+)` \| (\d+) \| (.*) \| (.*) \|$", re.MULTILINE)
NO_FAULT = "no difference"


def prove(path: Path) -> tuple[str, str]:
    """The stamp of one program, and what verify says of it and its port."""
    with tempfile.TemporaryDirectory() as folder:
        port = f"{folder}/{path.name}"
        words = ["port", str(path), "-o", port, "--trace", "--json", "--", "python", str(path)]
        done = run(words, folder)
        if done is None:
            return f"not proven (not done in {TIMEOUT} s)", "not run"
        said = run(["verify", str(path), port, "--json"], folder)
    return stamp(done.stdout, done.stderr), "not run" if said is None else verdict(said.stdout)


def run(words: list[str], folder: str) -> subprocess.CompletedProcess[str] | None:
    """`mxtorch` with these words; None if it takes too long."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    try:
        return subprocess.run(
            [sys.executable, "-m", "mxtorch", *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def verdict(printed: str) -> str:
    """What `mxtorch verify --json` says."""
    try:
        return str(json.loads(printed)["says"])
    except ValueError:
        return "it left no verdict"


def stamp(printed: str, errors: str) -> str:
    """What `mxtorch port --json` says of a program that is one file."""
    try:
        found: dict[str, Any] = json.loads(printed)
    except ValueError:
        last = errors.strip().splitlines()[-1:] or ["it printed nothing"]
        return f"not proven ({last[0].removeprefix('mxtorch: error: ')})"
    return str(found["files"][0]["stamp"])


def rows(page: str) -> dict[str, tuple[int, str, str]]:
    """The rows of the table so far: lines, stamp and verdict by program."""
    return {name: (int(lines), *texts) for name, lines, *texts in _ROW.findall(page)}


def render(found: dict[str, tuple[int, str, str]]) -> str:
    """The page."""
    table = "".join(
        f"| `{name}` | {lines} | {text} | {said} |\n"
        for name, (lines, text, said) in sorted(found.items())
    )
    proven = sum(text.startswith("proven") for _, text, _ in found.values())
    faults = sum(not said.startswith(NO_FAULT) for _, _, said in found.values())
    count = len(found)
    return (
        f"{HEAD}{table}\n{proven} of {count} are proven; verify reports a fault in {faults} of"
        f" {count}.\n"
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--from", dest="folder", type=Path)
    args = parser.parse_args(argv)
    known = rows(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    paths = {p.stem: p for p in sorted(CASES.glob("*.py"))}
    known = {name: row for name, row in known.items() if name in paths}
    for name in args.names or paths:
        path = paths[name]
        if args.folder is not None:
            printed = args.folder / f"{name}.json"
            if not printed.exists():
                continue
            text = stamp(printed.read_text(), (args.folder / f"{name}.err").read_text())
            said = known[name][2] if name in known else "not run"
        else:
            text, said = prove(path)
        text, said = (t.replace("|", "\\|").replace("\n", " ") for t in (text, said))
        known[name] = (len(path.read_text(encoding="utf-8").splitlines()), text, said)
        print(f"{name}: {text}; {said}", flush=True)
        PAGE.write_text(render(known), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
