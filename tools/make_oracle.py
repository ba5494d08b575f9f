"""Makes .oracle: Python 3.8 with real MXNet 1.9.1, which the golden files are recorded from."""

from __future__ import annotations

import os
import pathlib
import platform
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORACLE = ROOT / ".oracle"
REQUIREMENTS = ("mxnet==1.9.1", "numpy<1.24")
HOW_TO_GET_ONE = """\
Real MXNet 1.9.1 needs Python 3.8, and none was found. Ways to get one:
  pyenv install 3.8     (pyenv compiles it; then run make oracle again)
  uv python install 3.8 (uv downloads it; then run make oracle again)
or name one: ORACLE_PYTHON=/path/to/python3.8 make oracle"""


def output(*command: str) -> str:
    """What the command prints; empty if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def candidates() -> list[str]:
    """Commands and paths that may be a Python 3.8."""
    found = [os.environ.get("ORACLE_PYTHON", ""), "python3.8"]
    for version in output("pyenv", "versions", "--bare").split():
        if version.startswith("3.8."):
            found.append(f"{output('pyenv', 'root')}/versions/{version}/bin/python")
    found.append(output("uv", "python", "find", "3.8"))
    return [path for path in found if path]


def find_python() -> str:
    ask = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    for path in candidates():
        if output(path, "-c", ask) == "3.8":
            return path
    sys.exit(HOW_TO_GET_ONE)


def main() -> int:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        sys.exit("MXNet 1.9.1 exists for x86-64 Linux only; the golden files work everywhere.")
    python = str(ORACLE / "bin" / "python")
    subprocess.run([find_python(), "-m", "venv", "--clear", str(ORACLE)], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    ask = "import mxnet; assert mxnet.nd.ones(2).sum().asscalar() == 2; print(mxnet.__version__)"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=120)
    if done.stdout.strip() != "1.9.1":
        sys.exit(f".oracle does not run MXNet: {done.stderr.strip()[-600:]}")
    print("MXNet 1.9.1 is in .oracle; `make record` uses it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
