"""Ports and proves the programs of tests/port/cases; writes the table of the documentation.

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
numbers and weights ([how](proving.md)). `tools/prove_programs.py` writes this page.

| program | lines | stamp |
|---|---:|---|
"""
_ROW = re.compile(r"^\| `(\w+)` \| (\d+) \| (.*) \|$", re.MULTILINE)


def prove(path: Path) -> str:
    """The stamp of one program."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-m", "mxtorch", "port", str(path), "-o", f"{folder}/{path.name}"),
            *("--trace", "--json", "--", "python", str(path)),
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"not proven (not done in {TIMEOUT} s)"
    return stamp(done.stdout, done.stderr)


def stamp(printed: str, errors: str) -> str:
    """What `mxtorch port --json` says of a program that is one file."""
    try:
        found: dict[str, Any] = json.loads(printed)
    except ValueError:
        last = errors.strip().splitlines()[-1:] or ["it printed nothing"]
        return f"not proven ({last[0].removeprefix('mxtorch: error: ')})"
    return str(found["files"][0]["stamp"])


def rows(page: str) -> dict[str, tuple[int, str]]:
    """The rows of the table so far: lines and stamp by program."""
    return {name: (int(lines), text) for name, lines, text in _ROW.findall(page)}


def render(found: dict[str, tuple[int, str]]) -> str:
    """The page."""
    table = "".join(
        f"| `{name}` | {lines} | {text} |\n" for name, (lines, text) in sorted(found.items())
    )
    proven = sum(text.startswith("proven") for _, text in found.values())
    return f"{HEAD}{table}\n{proven} of {len(found)} are proven.\n"


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
        else:
            text = prove(path)
        text = text.replace("|", "\\|").replace("\n", " ")
        known[name] = (len(path.read_text(encoding="utf-8").splitlines()), text)
        print(f"{name}: {text}", flush=True)
        PAGE.write_text(render(known), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
