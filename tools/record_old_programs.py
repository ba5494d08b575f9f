"""Records what real MXNet 1.9.1 prints for the programs of tests/run/programs.

    tools/record_old_programs.py --python PYTHON [PROGRAM …]

They use names that newer packages have removed, so PYTHON must be an old one:

    python3.7 -m venv .oracle37
    .oracle37/bin/pip install mxnet==1.9.1 'numpy<1.17' scipy==1.1.0 'Pillow<7' \\
        scikit-learn==0.20.4 'setuptools<60'

What not even that has is replaced in the source that is run: modules of Python 2, and the GPU,
whose contexts are printed as such again.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.record_golden import VARIANTS  # noqa: E402 - the path is set above
from tools.record_programs import SHARE, spread  # noqa: E402 - the path is set above

PROGRAMS = ROOT / "tests" / "run" / "programs"
PYTHON_3 = (
    ("import cPickle as pickle", "import pickle"),
    ("import Queue", "import queue as Queue"),
    ("import ConfigParser", "import configparser as ConfigParser"),
    ("import urllib\n", "import urllib.parse as urllib\n"),
    ("from StringIO import", "from io import"),
    ("from itertools import izip", "izip = zip"),
    ("string.lowercase", "string.ascii_lowercase"),
    ("string.join(['a', 'b'], '-')", "'-'.join(['a', 'b'])"),
    ("sys.maxint", "sys.maxsize"),
    ("os.getcwdu", "os.getcwd"),
)


def run(python: str, program: pathlib.Path, env: dict[str, str]) -> str:
    """What the program prints on real MXNet."""
    source = program.read_text(encoding="utf-8")
    for old, new in PYTHON_3:
        source = source.replace(old, new)
    on_gpu = "--map gpu=cpu" in source
    if on_gpu:
        source = source.replace("mx.gpu(", "mx.cpu(")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / program.name
        copy.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [python, "-W", "ignore", str(copy)],
            env=os.environ | env | {"PROGRAM_PYTHON": python},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
        )
    if done.returncode:
        sys.exit(f"{program.name}: {done.stderr.strip()[-600:]}")
    return re.sub(r"\bcpu\(", "gpu(", done.stdout) if on_gpu else done.stdout


def main(argv: list[str] | None = None) -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--python", required=True)
    args = parser.parse_args(argv)
    failed = 0
    for program in args.programs or sorted(PROGRAMS.glob("*.py")):
        plain, *others = [run(args.python, program.resolve(), env) for env in VARIANTS[:2]]
        worst, line = max((spread(plain, other) for other in others), default=(0.0, ""))
        if worst > SHARE:
            print(f"NOT RECORDED {program.name}: its own runs differ by {worst:.2g}: {line}")
            failed += 1
            continue
        program.with_suffix(".expected").write_text(plain, encoding="utf-8")
        print(f"{program.name}: {len(plain.splitlines())} lines")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
