"""`mxtorch inspect` of RecordIO files."""

import json

import pytest

from mxtorch import recordio

JPEG = b"\xff\xd8\xff\xe0 and so on"


@pytest.fixture
def file(tmp_path):
    writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    writer.write_idx(0, recordio.pack((0, 1, 0, 0), JPEG))
    writer.write_idx(1, recordio.pack((0, [1, 2], 1, 0), b"\x89PNG and so on"))
    writer.write_idx(2, recordio.pack((0, 1, 0, 0), JPEG))
    writer.write_idx(3, b"xxxx\x0a\x23\xd7\xce1")
    writer.close()
    return tmp_path / "a.rec"


def test_json(file, mxtorch):
    status, output, error = mxtorch("inspect", file, "--json")
    assert (status, error) == (0, "")
    found = json.loads(output)
    assert found == {
        "file": str(file),
        "format": "mxnet.recordio",
        "records": 4,
        "bytes": 38 + 46 + 38 + 9,
        "smallest": 9,
        "largest": 46,
        "split": 1,
        "contents": {"jpeg": 2, "png": 1, "other": 1},
        "labels": {"1": 2, "2": 1},
        "index": {"file": str(file.with_suffix(".idx")), "keys": 4, "fits": True},
    }


def test_text(file, mxtorch):
    status, output, _ = mxtorch("inspect", file)
    assert status == 0
    assert "4 records, 131 bytes in them, from 9 to 46; 1 in several parts" in output
    assert "2 jpeg, 1 png, 1 other" in output
    assert "a.idx, 4 keys, fits" in output


def test_an_index_of_another_file(file, mxtorch):
    file.with_suffix(".idx").write_text("0\t4\n")
    assert "does not fit" in mxtorch("inspect", file)[1]
    file.with_suffix(".idx").unlink()
    assert "none beside it" in mxtorch("inspect", file)[1]


def test_damage(file, mxtorch):
    file.write_bytes(file.read_bytes()[:-2])
    status, output, error = mxtorch("inspect", file, "--json")
    assert status == 1
    assert "damaged at byte" in error
    assert "damaged at byte" in json.loads(output)["error"]


def test_stats_are_for_arrays(file, mxtorch):
    status, _, error = mxtorch("inspect", file, "--stats")
    assert status == 2
    assert "--stats" in error
