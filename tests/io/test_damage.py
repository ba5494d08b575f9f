"""What mx.io refuses although MXNet reads on, and what its threads do with errors."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

import mxtorch as mx
from tests.child import python


@pytest.mark.parametrize(
    "cell", ["1e", "e5", "-", "1.2.3", "0x10", "1_0", "1;2", "1 2", "--4", " "]
)
def test_a_cell_that_is_no_number_is_named(tmp_path, cell):
    file = tmp_path / "w.csv"
    file.write_text(f"1\n{cell}\n")
    with pytest.raises(mx.MXNetError, match=r"w\.csv, line 2: '.*' is not a number"):
        mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=1)


def test_a_cell_that_is_missing_is_named(tmp_path):
    file = tmp_path / "w.csv"  # MXNet takes this line for two numbers
    file.write_text("1,,3\n")
    with pytest.raises(mx.MXNetError, match="line 1: 3 numbers"):
        mx.io.CSVIter(data_csv=str(file), data_shape=(2,), batch_size=1)


def test_a_whole_number_with_an_exponent_is_refused(tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("1e3\n")
    with pytest.raises(mx.MXNetError, match="line 1: '1e3' is not a whole number"):
        mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=1, dtype="int32")


def test_too_few_rows_to_fill_up_a_batch_are_refused(tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("1\n2\n3\n")
    it = mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=5)
    assert it.next().data[0].asnumpy().ravel().tolist() == [1, 2, 3, 1, 2]
    with pytest.raises(mx.MXNetError, match="bigger than batch size: 3 rows"):
        mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=7)


def test_arguments_without_effect_warn(tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("1\n")
    with pytest.warns(UserWarning, match="no argument foo"):
        mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=1, foo=1)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1 0:1\nx 1:1\n", "line 2: 'x' is not a number"),
        ("1 1:x\n", "line 1: 'x' is not a number"),
        ("1 0:1\n\n2 3:1\n", "line 3: index 3 is outside of 3 columns"),
        ("1 1\n", "line 1: expected index:value, got '1'"),
        ("1 a:1\n", "line 1: expected index:value"),
    ],
)
def test_sparse_rows_that_mxnet_misreads_are_refused(tmp_path, text, what):
    file = tmp_path / "a.t"
    file.write_text(text)
    with pytest.raises(mx.MXNetError, match=what):
        mx.io.LibSVMIter(data_libsvm=str(file), data_shape=(3,), batch_size=1)


def _digits(folder, images, labels):
    (folder / "im").write_bytes(images)
    (folder / "la").write_bytes(labels)
    return mx.io.MNISTIter(image=str(folder / "im"), label=str(folder / "la"), batch_size=1)


IMAGES = struct.pack(">IIII", 2051, 3, 2, 2) + bytes(12)
LABELS = struct.pack(">II", 2049, 3) + bytes(3)


@pytest.mark.parametrize(
    ("images", "labels", "text"),
    [
        (gzip.compress(IMAGES, mtime=0), LABELS, "compressed"),
        (IMAGES[:-1], LABELS, "11 bytes of values"),
        (IMAGES, LABELS + b"x", "4 bytes of values"),
        (IMAGES[:9], LABELS, "no IDX file"),
        (LABELS, LABELS, "no IDX file"),
        (b"", LABELS, "no IDX file"),
        (IMAGES, struct.pack(">II", 2049, 1) + bytes(1), "1 labels for 3 images"),
        (struct.pack(">IIII", 2051, 2**31, 2**31, 2**31), LABELS, "0 bytes of values"),
    ],
)
def test_damaged_digits_are_refused(tmp_path, images, labels, text):
    with pytest.raises(mx.MXNetError, match=text):
        _digits(tmp_path, images, labels)


def test_digits_say_what_was_loaded_unless_silent(tmp_path, capfd):
    _digits(tmp_path, IMAGES, LABELS)
    assert "load 3 images" in capfd.readouterr().err


class Broken(mx.io.NDArrayIter):
    def next(self):
        if self.cursor >= 0:
            raise KeyError("broken")
        return super().next()


def test_an_error_in_a_prefetching_thread_reaches_the_caller():
    it = mx.io.PrefetchingIter(Broken(np.zeros((4, 2)), None, 1))
    it.next()
    with pytest.raises(KeyError, match="broken"):
        it.next()
    it.reset()
    assert it.next().data[0].shape == (1, 2)


def test_prefetching_threads_end_with_their_iterator():
    it = mx.io.PrefetchingIter(mx.io.NDArrayIter(np.zeros((4, 2)), None, 1))
    (thread,) = it.prefetch_threads
    del it
    thread.join(timeout=10)
    assert not thread.is_alive()


@pytest.mark.parametrize("_", range(3))
def test_a_program_ends_while_threads_prefetch(_):
    code = (
        "import numpy as np, mxtorch as mx\n"
        "its = [mx.io.PrefetchingIter(mx.io.NDArrayIter(np.zeros((400, 200)), None, 100))"
        " for _ in range(4)]\n"
        "its[0].next()\n"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
