"""Python processes that can import this tree's mxtorch, installed or not."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).parent.parent / "src"


def environment(paths=(), **changes):
    """This process's environment with the source tree and `paths` on PYTHONPATH, and `changes`."""
    folders = [SOURCE, *paths, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    joined = os.pathsep.join(str(folder) for folder in folders if folder)
    return {**os.environ, "PYTHONPATH": joined, "OMP_NUM_THREADS": "1", **changes}


def python(*arguments, cwd=None, stdin="", timeout=120, paths=(), **changes):
    """Run Python with the arguments to its end; the completed process, output as text."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        check=False,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        env=environment(paths, **changes),
    )
