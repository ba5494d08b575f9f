"""Python processes that can import this tree's mxtorch, installed or not."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).parent.parent / "src"


def environment(**changes):
    """This process's environment with the source tree on PYTHONPATH, and `changes` (None: unset)."""
    paths = [str(SOURCE), os.environ.get("PYTHONPATH", "")]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)), OMP_NUM_THREADS="1")
    env.update({name: value for name, value in changes.items() if value is not None})
    return {name: value for name, value in env.items() if changes.get(name, value) is not None}


def python(*arguments, cwd=None, stdin="", timeout=120, **changes):
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
        env=environment(**changes),
    )
