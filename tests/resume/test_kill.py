"""A process that is killed: its file is whole, and the next one ends with the same numbers."""

import pathlib
import signal

import pytest

from mxtorch._resume.file import load
from tests import child

PROGRAM = pathlib.Path(__file__).parent / "programs" / "train.py"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    done = child.python(PROGRAM, cwd=tmp_path_factory.mktemp("undisturbed"))
    assert done.returncode == 0, done.stderr
    return done.stdout


FULL = [pytest.param(kill, marks=pytest.mark.full) for kill in ("step:1", "step:9", "write:1")]


@pytest.mark.parametrize("kill", ["write:6", *FULL])
def test_killed_once(kill, tmp_path, undisturbed):
    done = child.python(PROGRAM, cwd=tmp_path, KILL=kill)
    assert done.returncode == -signal.SIGKILL
    file = tmp_path / "run.ckpt"
    assert file.exists() == (kill not in ("step:1", "write:1"))
    if file.exists():
        load(file.read_bytes(), "")  # it is whole
    again = child.python(PROGRAM, cwd=tmp_path, KILL=kill)
    assert again.returncode == 0, again.stderr
    assert again.stdout == undisturbed
    assert ("goes on" in again.stderr) == (kill not in ("step:1", "write:1"))
