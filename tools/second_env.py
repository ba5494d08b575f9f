"""Runs the old programs of tests/run in a second environment: NumPy 1.26, pandas, IPython.

    tools/second_env.py [--python PYTHON] [--numpy '<2'] [--torch REQUIREMENT] [--passes 2]

The environment is made once, in .second-env. If a package cannot be had, this says so and ends with
exit code 0, or with 1 under --strict.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = (
    "setuptools<80",  # the last with a pkg_resources of its own
    "scipy<1.12",  # before it dropped NumPy's names
    "pandas<2",
    "Pillow<10",
    "matplotlib<3.9",
    "scikit-learn<1.5",
    "safetensors",
    "tqdm",
    "rich",
    "click",
    "IPython",
    "pytest>=8",
)
TESTS = ("tests/run/test_old_programs.py", "tests/run/test_era.py")


def make(folder: pathlib.Path, python: str, numpy: str, torch: str) -> str | None:
    """Make the environment if it is not there; what went wrong, or None."""
    ready = folder / ".ready"
    wanted = "\n".join([python, numpy, torch, *PACKAGES])
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted:
        return None
    own = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    for command in (
        [python, "-m", "venv", "--clear", str(folder)],
        [own, "-m", "pip", "install", "--quiet", torch, f"numpy{numpy}", *PACKAGES],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{' '.join(command)}: {done.stderr.strip()[-500:]}"
    ready.write_text(wanted, encoding="utf-8")
    return None


def main(argv: list[str] | None = None) -> int:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--python", default=getattr(sys, "_base_executable", sys.executable))
    parser.add_argument("--numpy", default="<2")
    parser.add_argument("--torch", default=f"torch=={importlib.metadata.version('torch')}")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".second-env")
    parser.add_argument("--passes", type=int, default=2, help="how often to run them all")
    parser.add_argument("--strict", action="store_true", help="fail if it cannot be made")
    args = parser.parse_args(argv)
    problem = make(args.folder, args.python, args.numpy, args.torch)
    if problem:
        print(f"skipped: the second environment cannot be made here: {problem}")
        return int(args.strict)
    own = args.folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-W",
        "default",
        "-o",
        "addopts=--import-mode=importlib",
    ]
    for _ in range(args.passes):
        done = subprocess.run([own, "-m", "pytest", *options, *TESTS], cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
