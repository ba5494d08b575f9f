"""Runs programs one after the other where neither mxtorch nor mxnet can be imported.

    alone.py FOLDER

Each `.py` of the folder leaves what it printed in a `.out` and its complaints in an `.err`. torch
is imported once; every program runs in a fork.
"""

import os
import pathlib
import runpy
import sys

import torch
import torch._dynamo  # optimizers import it, which takes longer than most programs

BLOCKED = ("mxtorch", "mxnet")


def main(folder):
    for name in BLOCKED:
        sys.modules[name] = None
    os.chdir(folder)
    torch.set_num_threads(1)
    for path in sorted(folder.glob("*.py")):
        child = os.fork()
        if child == 0:
            run(path)
        os.waitpid(child, 0)


def run(path):
    """Run a program with its output in files; does not return."""
    for stream, suffix in ((1, ".out"), (2, ".err")):
        os.dup2(os.open(path.with_suffix(suffix), os.O_CREAT | os.O_WRONLY | os.O_TRUNC), stream)
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.stdout.flush()
        sys.excepthook(*sys.exc_info()) if sys.exc_info()[0] else None
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
