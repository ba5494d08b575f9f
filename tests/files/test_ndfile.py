"""Reading and writing `.params`, against files that real MXNet 1.9.1 wrote or read."""

import json
import os
import pathlib

import numpy as np
import pytest
import torch

from mxtorch._core import ndfile
from mxtorch._core.dtypes import BFLOAT16_NUMPY
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import Entry, from_tensor, to_tensor

FOLDER = pathlib.Path(__file__).parent.parent / "golden" / "files"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
WRITTEN = [name for name, row in MANIFEST.items() if row["writer"] == "mxnet"]
CONTEXTS = {"v2-cpu3": (1, 3), "v2-shared": (5, 0)}


def expected_values(row):
    if row["dtype"] == "bfloat16":
        values = np.array(row["values"], np.uint16).view(BFLOAT16_NUMPY)
    else:
        values = np.array(row["values"], row["dtype"])
    return values.reshape(row["shape"])


def built(name):
    """The entries of a golden file, made from the values that MXNet printed."""
    return [entry_of(row, CONTEXTS.get(name, (1, 0))) for row in MANIFEST[name]["arrays"]]


def entry_of(row, context):
    dense, shape = expected_values(row), tuple(row["shape"])
    indices = tuple(np.array(index, np.int64) for index in row.get("indices", ()))
    if row["stype"] == "row_sparse":
        return Entry(row["name"], dense[indices[0]], shape, "row_sparse", indices, context)
    if row["stype"] == "csr":
        rows = np.repeat(np.arange(shape[0]), np.diff(indices[0]))
        return Entry(row["name"], dense[rows, indices[1]], shape, "csr", indices, context)
    return Entry.dense(row["name"], dense, context)


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("name", MANIFEST)
def test_read_gives_what_mxnet_reads(name, mapped):
    entries = ndfile.read(FOLDER / f"{name}.params", mapped=mapped)
    rows = MANIFEST[name]["arrays"]
    assert [entry.name for entry in entries] == [row["name"] for row in rows]
    for entry, row in zip(entries, rows, strict=True):
        assert (list(entry.shape), entry.stype, entry.dtype) == (
            row["shape"],
            row["stype"],
            row["dtype"],
        )
        assert [index.tolist() for index in entry.indices] == row.get("indices", [])
        dense = entry.to_dense()
        assert dense.dtype == expected_values(row).dtype
        assert dense.shape == tuple(row["shape"])
        assert dense.tobytes() == expected_values(row).tobytes()
        assert f"v{entry.version}" == name[:2] or name == "v1-scalar"
        assert entry.context == CONTEXTS.get(name, (1, 0))


@pytest.mark.parametrize("name", WRITTEN)
def test_write_gives_the_bytes_of_mxnet(name, tmp_path):
    golden = (FOLDER / f"{name}.params").read_bytes()
    np_shape = name.startswith("v3")
    assert ndfile.dumps(built(name), np_shape=np_shape) == golden
    ndfile.write(tmp_path / "x.params", built(name), np_shape=np_shape)
    assert (tmp_path / "x.params").read_bytes() == golden


@pytest.mark.parametrize("name", WRITTEN)
def test_what_was_read_is_written_back(name):
    golden = (FOLDER / f"{name}.params").read_bytes()
    assert ndfile.dumps(ndfile.loads(golden), np_shape=name.startswith("v3")) == golden


def test_read_arrays_can_be_written_to_and_mapped_ones_cannot():
    path = FOLDER / "v2-float32.params"
    assert ndfile.read(path)[0].data.flags.writeable
    assert not ndfile.read(path, mapped=True)[0].data.flags.writeable


def test_offset_is_where_the_array_starts():
    entries = ndfile.read(FOLDER / "v2-list.params")
    assert [entry.offset for entry in entries] == [24, 60, 132]


def test_any_memory_layout_is_written():
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for view in (array.T, array[:, ::2], array[::-1], array.astype(">f4")):
        (entry,) = ndfile.loads(ndfile.dumps([Entry.dense("x", view)]))
        assert entry.data.tobytes() == np.ascontiguousarray(view, "<f4").tobytes()
        assert entry.shape == view.shape


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.bool]
)
def test_tensors_go_there_and_back(dtype):
    tensor = torch.tensor([[0, 1], [2, -3]]).to(dtype).T
    (entry,) = ndfile.loads(ndfile.dumps([Entry.dense(None, from_tensor(tensor))]))
    back = to_tensor(entry.data)
    assert back.dtype == dtype
    assert torch.equal(back, tensor)


def test_tensor_shares_the_memory_of_what_was_read():
    (entry,) = ndfile.read(FOLDER / "v2-float32.params")
    to_tensor(entry.data)[0, 0] = 42
    assert entry.data[0, 0] == 42


def test_mapped_array_at_an_odd_offset_becomes_a_tensor(tmp_path):
    path = tmp_path / "x.params"
    arrays = [np.arange(3, dtype=np.uint8), np.arange(4, dtype=np.float64)]
    ndfile.write(path, [Entry.dense(None, array) for array in arrays])
    entry = ndfile.read(path, mapped=True)[1]
    assert not entry.data.flags.aligned
    assert to_tensor(entry.data).tolist() == [0, 1, 2, 3]


def test_last_of_duplicate_indices_counts():
    entry = Entry(
        None,
        np.array([1, 2, 3], np.float32),
        (3, 4),
        "csr",
        (np.array([0, 2, 2, 3]), np.array([1, 1, 2])),
    )
    assert entry.to_dense().tolist() == [[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_read_from_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = os.fork()
    if child == 0:
        pipe.write_bytes((FOLDER / "v2-dict.params").read_bytes())
        os._exit(0)
    assert [entry.name for entry in ndfile.read(pipe)] == ["arg:fc_weight", "aux:bn_var", ""]
    os.waitpid(child, 0)


@pytest.mark.parametrize(
    ("entries", "np_shape", "message"),
    [
        ([Entry.dense("a", np.ones(1)), Entry.dense(None, np.ones(1))], False, "have a name"),
        ([Entry.dense("a\0b", np.ones(1))], False, "NUL"),
        ([Entry.dense("a", np.ones((), "f4"))], False, r"'a': .* shape \(\)"),
        ([Entry.dense(None, np.ones(1, "i2"))], False, "array 0: MXNet 1.9.1 has no int16"),
        ([Entry(None, np.ones((1, 2)), (3, 2), "row_sparse", (np.ones(1, "i8"),))], True, "dense"),
    ],
)
def test_what_mxnet_could_not_read_is_not_written(entries, np_shape, message, tmp_path):
    with pytest.raises(MXNetError, match=message):
        ndfile.write(tmp_path / "x.params", entries, np_shape=np_shape)
    assert list(tmp_path.iterdir()) == []


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(MXNetError, match=r"nothing\.params: cannot be read: No such file"):
        ndfile.read(tmp_path / "nothing.params")
    with pytest.raises(MXNetError, match=r"cannot be written: No such file"):
        ndfile.write(tmp_path / "no" / "x.params", [])
