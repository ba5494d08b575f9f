"""Records an MXNet program under real MXNet: run by its own Python, without mxtorch.

    PYTHON real.py JOB

Beside this file it needs `tape.py`, `watch_mxnet.py` and `nets.py` only.
"""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import sys
import time
import traceback
from typing import Any


def _load(name: str) -> Any:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("_mxtorch_" + name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(job: dict[str, Any], nets: Any, mx: Any) -> None:
    if job["kind"] == "net":
        sys.path.insert(0, os.getcwd())
        nets.run_mxnet(mx, job["target"], job["inputs"], job["steps"] or 3)
    elif job["kind"] == "module":
        sys.argv[:] = [job["target"], *job["arguments"]]
        runpy.run_module(job["target"], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = [job["target"], *job["arguments"]]
        sys.path[0] = os.path.dirname(os.path.abspath(job["target"]))
        runpy.run_path(job["target"], run_name="__main__")


def main(path: str) -> int:
    """Run the job's program; the exit status."""
    with open(path) as file:
        job = json.load(file)
    tapes, watches, nets = _load("tape"), _load("watch_mxnet"), _load("nets")
    import mxnet as mx

    tape = tapes.Tape(job["steps"], job["detail"], job["full"])
    tape.head.update(side="mxnet", version_of_mxnet=mx.__version__)
    watch = watches.Watch(mx, tape)
    watch.start()
    start = time.time()
    status = 0
    try:
        _run(job, nets, mx)
    except tapes.StepsReached:
        tape.head["stopped"] = tape.updates
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except nets.NotThere as error:
        tape.head["failure"] = str(error)
        status = 1
    except BaseException as error:  # noqa: BLE001 - whatever ends the program is kept
        tape.head["failure"] = f"{type(error).__name__}: {error}"
        traceback.print_exc()
        status = 1
    finally:
        watch.stop()
        watch.finish()
        tape.head["seconds"] = time.time() - start
        tape.save(job["output"])
    return status


if __name__ == "__main__":
    code = main(sys.argv[1])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
