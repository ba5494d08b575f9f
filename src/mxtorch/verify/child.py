"""The process in which a program is recorded: `python -m mxtorch.verify.child`.

    child.py mxnet JOB     the program under mxtorch
    child.py torch JOB     a PyTorch program, with a replay if the job has a record

JOB is a JSON file, written by `launch`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from mxtorch.run.script import Program
from mxtorch.verify import nets
from mxtorch.verify.tape import StepsReached, Tape


def main(side: str, path: str) -> int:
    """Run the job's program; the exit status."""
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    tape = Tape(job["steps"], job["detail"], job["full"])
    tape.head["program"] = [job["target"], *job["arguments"]]
    tape.head["side"] = side
    program = Program(job["kind"], job["target"], job["arguments"])
    record = _record_mxnet if side == "mxnet" else _record_torch
    try:
        return record(job, tape, program)
    finally:
        tape.head["files"] = _files_run(job["root"])
        tape.save(job["output"])


def _run(work: Callable[[], None], tape: Tape) -> int:
    start = time.perf_counter()
    status: Any = 0
    try:
        work()
    except StepsReached:
        tape.head["stopped"] = tape.updates
    except SystemExit as end:
        status = end.code
    except nets.NotThere as error:
        tape.head["failure"] = str(error)
        status = 1
    except BaseException as error:  # noqa: BLE001 - whatever ends the program is kept
        tape.head["failure"] = f"{type(error).__name__}: {error}"
        traceback.print_exc()
        status = 1
    tape.head["seconds"] = time.perf_counter() - start
    if status is None or isinstance(status, int):
        return status or 0
    print(status, file=sys.stderr)
    return 1


def _record_mxnet(job: dict[str, Any], tape: Tape, program: Program) -> int:
    from mxtorch.run import entry
    from mxtorch.verify.draws import record_draws
    from mxtorch.verify.sight import Sight
    from mxtorch.verify.watch_mxnet import Watch

    entry.install(None, job.get("map"))
    mx = importlib.import_module("mxnet")
    sight = Sight(job["root"])
    watch = Watch(mx, tape, sight.fed)
    watch.start()
    sight.start()
    stop = record_draws(tape, lambda: watch.initializing > 0)
    try:
        if job["kind"] == "net":
            return _run(lambda: _net(nets.run_mxnet, job, mx), tape)
        seen = _Seen(program.kind, program.target, program.arguments, sight)
        return _run(seen.run, tape)
    finally:
        stop()
        watch.stop()
        watch.finish()
        if job.get("facts"):
            sight.facts().write(Path(job["facts"]))


@dataclass(frozen=True)
class _Seen(Program):
    """A program whose values are looked at."""

    sight: Any = None

    def _load(self, main: ModuleType) -> CodeType:
        code = super()._load(main)
        path = getattr(main, "__file__", None)
        return self.sight.compile(path) if self.sight.is_own(path) else code


def _record_torch(job: dict[str, Any], tape: Tape, program: Program) -> int:
    from mxtorch.verify.record import load
    from mxtorch.verify.replay import Replay
    from mxtorch.verify.watch_torch import Watch

    replay = None
    if job.get("replay"):
        record, shake = load(Path(job["replay"])), job.get("shake", 0.0)
        replay = Replay(record, job.get("names"), job["kind"] == "net", shake)
    watch = Watch(tape, replay)
    watch.start()
    try:
        if job["kind"] == "net":
            return _run(lambda: _net(nets.run_torch, job), tape)
        return _run(program.run, tape)
    finally:
        watch.stop()
        watch.finish()
        if replay is not None:
            tape.head["replay"] = {
                "problems": replay.problems,
                "notes": replay.notes,
                "pairs": replay.pairs,
                "left": replay.left(),
            }


def _net(run: Callable[..., None], job: dict[str, Any], *first: Any) -> None:
    sys.path.insert(0, os.getcwd())
    run(*first, job["target"], job["inputs"], job["steps"] or 3)


def _files_run(root: str) -> list[str]:
    """The program's own files that ran, relative to its folder."""
    found = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and os.path.realpath(file).startswith(os.path.join(root, "")):
            found.add(os.path.relpath(os.path.realpath(file), root))
    return sorted(found)


if __name__ == "__main__":
    code = main(sys.argv[1], sys.argv[2])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
