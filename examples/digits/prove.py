"""Scans train_mxnet.py, ports it to PyTorch guided by a run, and proves the port by a second one.

python examples/digits/prove.py [--folder build/digits] [--epochs 1]

Prints where the report is. Exit code 1 if the port is not proven.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE / "train_mxnet.py"


def mxtorch(*words: object) -> int:
    """The exit code of a command of mxtorch's."""
    command = [sys.executable, "-m", "mxtorch", *map(str, words)]
    print("$ mxtorch", *map(str, words), flush=True)
    return subprocess.run(command, check=False).returncode


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/digits"))
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args(argv)

    args.folder.mkdir(parents=True, exist_ok=True)
    report = args.folder / "report.html"
    saved = args.folder / "digits.params"
    mxtorch("scan", SCRIPT)
    code = mxtorch(
        *("port", SCRIPT, "-o", args.folder / "train_torch.py", "--trace", "--html", report),
        *("--", "python", SCRIPT, "--epochs", args.epochs, "--out", saved),
    )
    print(f"the port: {args.folder / 'train_torch.py'}")
    print(f"the report: {report.resolve()}")
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())
