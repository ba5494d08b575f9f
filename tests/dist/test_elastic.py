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


def start(folder, count, *options, **changes):
    folder.mkdir(exist_ok=True)
    return child.python(
        *("-m", "mxtorch", "launch", "-n", count, *options, PROGRAM),
        cwd=folder,
        timeout=300,
        STORE="dist_sync",
        **LIMITS,
        **changes,
    )


def launch(folder, *options, count=2, **changes):
    done = start(folder, count, *options, **changes)
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


@pytest.mark.parametrize("count", [1, 3])
def test_a_run_goes_on_with_another_number_of_processes(count, tmp_path):
    done = start(tmp_path, 2, KILL="step:9", KILL_RANK="1")
    assert done.returncode != 0
    lines, done = launch(tmp_path, count=count, RESIZE="1")
    assert len(lines) == count
    assert f"with {count} processes instead of 2: epoch 1 " in done.stderr
    content, _ = load((tmp_path / "run.ckpt").read_bytes(), "")
    assert [copy["place"] for copy in content["copies"]] == [[3, 0]] * count
