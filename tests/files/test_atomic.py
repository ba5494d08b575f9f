"""Files that appear whole or not at all."""

import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from mxtorch._core import ndfile
from mxtorch._core.atomic import atomic_write
from tests.child import environment

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")


def test_content_appears_at_the_end(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with atomic_write(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_error_leaves_the_old_content(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), atomic_write(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


@posix
def test_mode_of_the_target_is_kept_and_a_new_file_follows_the_umask(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"")
    old.chmod(0o640)
    umask = os.umask(0o027)
    try:
        for path in (old, new):
            with atomic_write(path) as file:
                file.write(b"1")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


@posix
def test_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    with atomic_write(tmp_path / "link") as file:
        file.write(b"1")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "file").read_bytes() == b"1"


@posix
def test_device_is_written_directly():
    with atomic_write(os.devnull) as file:
        file.write(b"1")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with atomic_write("x") as file:
        file.write(b"1")
    assert (tmp_path / "x").read_bytes() == b"1"


WRITER = """
import sys
import numpy as np
from mxtorch._core import ndfile
from mxtorch._core.ndentry import Entry
number = 0
while True:
    number += 1
    values = np.full(2_000_000, number, np.float32)
    ndfile.write(sys.argv[1], [Entry.dense("x", values), Entry.dense("y", values[:7])])
    print(number, flush=True)
"""


@posix
@pytest.mark.parametrize("delay", [0.0, 0.004, 0.011])
def test_a_kill_while_writing_leaves_a_whole_file(delay, tmp_path):
    path = tmp_path / "x.params"
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        assert process.stdout.readline() == "1\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    finished = int(rest[-1]) if rest else 1
    big, small = ndfile.read(path)
    assert big.data[0] in (finished, finished + 1)
    assert (big.data == big.data[0]).all()
    assert (small.data == big.data[0]).all()
