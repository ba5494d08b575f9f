"""Under `mxtorch launch` a run that loses a process starts again and ends with the same numbers."""

import os
import pathlib

import pytest

from mxtorch._resume.file import load
from tests import child

PROGRAM = pathlib.Path(__file__).parents[1] / "resume" / "programs" / "train.py"
LIMITS = {"MXTORCH_DIST_TIMEOUT": "20", "MXTORCH_START_TIMEOUT": "100"}
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(os.name != "posix", reason="kills processes by POSIX signals"),
]


def launch(folder, *options, **changes):
    folder.mkdir(exist_ok=True)
    done = child.python(
        *("-m", "mxtorch", "launch", "-n", "2", *options, PROGRAM),
        cwd=folder,
        timeout=300,
        STORE="dist_sync",
        **LIMITS,
        **changes,
    )
    assert done.returncode == 0, done.stderr
    return sorted(line for line in done.stdout.replace("rank", "\nrank").splitlines() if line), done


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    lines, _ = launch(tmp_path_factory.mktemp("undisturbed") / "run")
    assert len(lines) == 2
    return lines


@pytest.mark.parametrize(("kill", "rank"), [("step:9", "1"), ("write:5", "0")])
def test_the_numbers_are_those_of_an_undisturbed_run(kill, rank, tmp_path, undisturbed):
    lines, done = launch(tmp_path, "--max-restarts", "2", KILL=kill, KILL_RANK=rank)
    assert lines == undisturbed
    assert "after a fault all processes start again, 2 time(s)" in done.stderr
    assert "any other starts from the files that it reads itself" in done.stderr
    assert "the run goes on from run.ckpt" in done.stderr
    content, _ = load((tmp_path / "run.ckpt").read_bytes(), "")
    assert [copy["place"] for copy in content["copies"]] == [[3, 0], [3, 0]]


def test_another_number_of_processes_is_refused(tmp_path):
    launch(tmp_path)
    done = child.python(PROGRAM, cwd=tmp_path)
    assert done.returncode == 1
    assert "was written by 2 processes, and there are 1 now" in done.stderr
