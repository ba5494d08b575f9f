"""RecordIO files that are damaged, divided, shared between processes; images in them."""

from __future__ import annotations

import multiprocessing
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mxtorch as mx
from mxtorch import recordio
from mxtorch._core import recfile

MAGIC = recfile.MAGIC


def write(path, records):
    writer = recordio.MXRecordIO(path, "w")
    for record in records:
        writer.write(record)
    writer.close()
    return path


def read(path):
    reader = recordio.MXRecordIO(path, "r")
    return list(iter(reader.read, None))


PIECES = st.lists(st.sampled_from([MAGIC, b"", b"a", b"abcd", b"xyz\0"]), max_size=6)
RECORDS = st.lists(PIECES.map(b"".join), max_size=6)


@settings(max_examples=200, deadline=None)
@given(RECORDS)
def test_what_is_written_is_read(tmp_path_factory, records):
    path = tmp_path_factory.getbasetemp() / "round.rec"
    assert read(write(path, records)) == records


@settings(max_examples=500, deadline=None)
@given(RECORDS, st.integers(0, 300), st.binary(max_size=8), st.booleans())
def test_damage_is_an_error_or_another_file(tmp_path_factory, records, at, bytes_, cut):
    path = write(tmp_path_factory.getbasetemp() / "damaged.rec", records)
    data = path.read_bytes()
    path.write_bytes(data[:at] if cut else data[:at] + bytes_ + data[at + len(bytes_) :])
    try:
        found = read(path)
    except mx.MXNetError as error:
        assert "damaged at byte" in str(error) or "this is no RecordIO file" in str(error)
    else:
        assert sum(map(len, found)) <= len(data) + 12


@pytest.mark.parametrize("kinds", [[2, 3], [3], [1, 0], [1, 1, 3], [1], [5]])
def test_parts_out_of_order_are_damage(tmp_path, kinds):
    path = tmp_path / "parts.rec"
    path.write_bytes(b"".join(struct.pack("<4sI4s", MAGIC, k << 29 | 4, b"abcd") for k in kinds))
    with pytest.raises(mx.MXNetError, match="part"):
        read(path)


def test_a_length_beyond_the_file_allocates_nothing(tmp_path):
    path = tmp_path / "long.rec"
    path.write_bytes(struct.pack("<4sI", MAGIC, (1 << 29) - 1) + b"abc")
    with pytest.raises(mx.MXNetError, match="found 3 bytes before the end"):
        read(path)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50])
def test_shards_together_are_the_file(tmp_path, count):
    rng = np.random.RandomState(count)
    records = [rng.bytes(rng.randint(0, 200)) + MAGIC * rng.randint(0, 3) for _ in range(60)]
    path = write(tmp_path / "a.rec", records)
    found = []
    with open(path, "rb") as file:
        reader = recfile.RecordReader(file, "a.rec")
        for part in range(count):
            begin, end = recfile.shard(path, count, part)
            reader.seek(begin)
            while reader.tell() < end:
                found.append(reader.read())
    assert found == records


def test_a_shard_that_does_not_exist(tmp_path):
    with pytest.raises(mx.MXNetError, match="part_index=3 is none of 3"):
        recfile.shard(write(tmp_path / "a.rec", []), 3, 3)


def test_an_open_writer_is_not_copied(tmp_path):
    writer = recordio.MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(b"abc")
    with pytest.raises(mx.MXNetError, match="open for writing"):
        pickle.dumps(writer)
    writer.close()
    assert read(tmp_path / "a.rec") == [b"abc"]


def test_a_header_can_be_sent_to_another_process():
    header = recordio.IRHeader(0, 4, 2, 0)
    assert pickle.loads(pickle.dumps(header)) == header


def test_an_index_of_another_file_is_named(tmp_path):
    write(tmp_path / "a.rec", [b"abc"])
    (tmp_path / "a.idx").write_text("0\t4000\n")
    reader = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r")
    with pytest.raises(mx.MXNetError, match="another file"):
        reader.read_idx(0)


def test_a_place_can_be_sought_behind_the_end(tmp_path):
    writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    writer.write_idx(0, b"abc")
    writer.close()
    reader = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r")
    assert (reader.read(), reader.read()) == (b"abc", None)
    assert reader.read_idx(0) == b"abc"  # MXNet gives None until `reset`


def _in_child(reader, writer, pipe):
    found = []
    for call in (reader.read, lambda: reader.read_idx(0), reader.read, lambda: writer.write(b"no")):
        try:
            found.append(call())
        except mx.MXNetError as error:
            found.append(str(error))
    pipe.send(found)
    pipe.close()


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here"
)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_opens_the_files_itself(tmp_path):
    first = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    for i in range(3):
        first.write_idx(i, b"%d" % i)
    first.close()
    reader = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r")
    writer = recordio.MXRecordIO(tmp_path / "b.rec", "w")
    writer.write(b"yes")
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    child = context.Process(target=_in_child, args=(reader, writer, theirs))
    child.start()
    assert mine.poll(60)
    refused = "Forbidden operation in multiple processes"
    assert mine.recv() == [refused, b"0", b"1", refused]
    child.join()
    assert reader.read() == b"0"
    writer.close()
    assert read(tmp_path / "b.rec") == [b"yes"]


class TestImages:
    @pytest.fixture(autouse=True)
    def _needs_opencv(self):
        pytest.importorskip("cv2")

    @pytest.fixture
    def picture(self):
        return (np.arange(48 * 40 * 3) % 251).reshape(48, 40, 3).astype(np.uint8)

    def test_png_is_exact(self, picture):
        record = recordio.pack_img((0, [1, 2.5], 7, 0), picture, quality=9, img_fmt=".png")
        header, found = recordio.unpack_img(record)
        assert header.label.tolist() == [1, 2.5]
        assert (found == picture).all()
        assert recordio.unpack_img(record, iscolor=0)[1].shape == (48, 40)

    def test_gray_stays_gray_unless_color_is_asked_for(self, picture):
        record = recordio.pack_img((0, 1, 7, 0), picture[:, :, 0], img_fmt=".png", quality=3)
        assert recordio.unpack_img(record)[1].shape == (48, 40)
        assert recordio.unpack_img(record, 1)[1].shape == (48, 40, 3)

    def test_jpeg_is_close_and_quality_counts(self):
        smooth = np.fromfunction(lambda y, x, c: y * 3 + x + c * 9, (40, 40, 3)).astype(np.uint8)
        low, high = (recordio.pack_img((0, 1, 7, 0), smooth, q) for q in (20, 95))
        assert len(low) < len(high)
        assert abs(recordio.unpack_img(high)[1].astype(int) - smooth).mean() < 3

    def test_an_ndarray_is_taken_too(self, picture):
        array = mx.nd.array(picture, dtype="uint8")
        record = recordio.pack_img((0, 1, 7, 0), array, 3, ".png")
        assert (recordio.unpack_img(record)[1] == picture).all()

    def test_bytes_that_are_no_image(self):
        assert recordio.unpack_img(recordio.pack((0, 1, 7, 0), b"no image"))[1] is None
        with pytest.raises(mx.MXNetError, match="cannot be decoded"):
            recordio.unpack_img(recordio.pack((0, 1, 7, 0), b""))
