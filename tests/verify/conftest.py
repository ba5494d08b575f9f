"""Runs of the programs here, recorded once; PyTorch programs run in this process."""

import runpy
import sys
from pathlib import Path

import pytest

from mxtorch.verify.launch import Command, Recording, record_mxnet
from mxtorch.verify.record import Record
from mxtorch.verify.replay import Replay
from mxtorch.verify.tape import Tape
from mxtorch.verify.watch_torch import Watch

HERE = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def traces(tmp_path_factory):
    """The record of an MXNet program by its name."""
    known = {}
    folder = tmp_path_factory.mktemp("traces")

    def trace(name):
        if name not in known:
            path = HERE / f"{name}_mxnet.py"
            recording = Recording(detail=8, full=True)
            command = Command("script", str(path))
            known[name] = record_mxnet(command, HERE, folder / f"{name}.json", recording)
        return known[name].record

    return trace


@pytest.fixture
def replayed(tmp_path, traces):
    """Run a changed PyTorch program under the replay of its MXNet program."""

    def run(name, text):
        path = tmp_path / "program.py"
        path.write_text(text)
        ours = traces(name)
        tape, replay = Tape(detail=8, full=True), Replay(ours)
        watch = Watch(tape, replay)
        argv = sys.argv[:]
        watch.start()
        try:
            runpy.run_path(str(path), run_name="__main__")
        finally:
            watch.stop()
            watch.finish()
            sys.argv[:] = argv
        return ours, Record(tape.head, {}, tape.events, tape.arrays), replay

    return run
