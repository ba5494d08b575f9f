"""Damaged `.params` files: an MXNetError that says where, never anything else."""

import math
import pathlib
import random
import struct
import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mxtorch._core import ndfile
from mxtorch._core.errors import MXNetError

FOLDER = pathlib.Path(__file__).parent.parent / "golden" / "files"
FILES = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.params"))}
V2 = 0xF993FAC9


def one(array, names=bytes(8)):
    return struct.pack("<QQQ", 0x112, 0, 1) + array + names


def dense(dims, flag=0, data=b"", stype=0, magic=V2):
    head = struct.pack(f"<Iii{len(dims)}q", magic, stype, len(dims), *dims)
    return head + struct.pack("<iii", 1, 0, flag) + data


def row_sparse(index=1, index_flag=6, index_shape=(1,), stored=(1, 2), shape=(6, 2)):
    head = struct.pack("<Ii", V2, 1)
    for dims in (stored, shape):
        head += struct.pack(f"<i{len(dims)}q", len(dims), *dims)
    head += struct.pack("<iii", 1, 0, 0)
    head += struct.pack(f"<ii{len(index_shape)}q", index_flag, len(index_shape), *index_shape)
    return head + bytes(8) + struct.pack("<q", index)


def csr(pointers, columns):
    head = struct.pack("<Iiiq", V2, 2, 1, len(columns)) + struct.pack("<iqq", 2, 2, 4)
    head += struct.pack("<iii", 1, 0, 0)
    head += struct.pack("<iiq", 6, 1, len(pointers)) + struct.pack("<iiq", 6, 1, len(columns))
    values = bytes(4 * len(columns))
    return head + values + struct.pack(f"<{len(pointers) + len(columns)}q", *pointers, *columns)


DAMAGED = {
    "empty": (b"", "byte 0 of 0: expected the magic number .* 0 bytes"),
    "magic": (struct.pack("<QQQQ", 0x113, 0, 0, 0), "byte 0 of 32: expected .*0x112.*found 0x113"),
    "npz": (b"PK\x03\x04" + bytes(22) + b"\5\0\0\0w.npy", "NumPy .npz archive"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    "html": (b"<!DOCTYPE html>", "web page"),
    "json": (b'{"nodes": []}', "-symbol.json"),
    "array count": (struct.pack("<QQQQ", 0x112, 0, 2**60, 0), "byte 16 of 32: .* fits into the 8"),
    "array magic": (one(struct.pack("<I", 0xDEADBEEF) + bytes(40)), "byte 24.*0xdeadbeef"),
    "dtype": (one(dense((3,), 13, bytes(12))), "byte 52.*type flag .* found 13"),
    "negative dtype": (one(dense((3,), -1, bytes(12))), "type flag .* found -1"),
    "stype": (one(dense((3,), 0, bytes(12), stype=3)), "byte 28.*storage type 0 .* found 3"),
    "sparse V3": (
        one(dense((3,), 0, bytes(12), 1, V2 + 1)),
        r"storage type 0 \(default\), found 1",
    ),
    "negative size": (one(dense((-1, 2), 0, bytes(8))), "without negative sizes"),
    "dimensions": (one(dense((1,) * 40, 0, bytes(4))), "at most 32 dimensions, found 40"),
    "overflow": (one(dense((2**62, 2**62), 0, bytes(4))), "fits into memory"),
    "empty overflow": (one(dense((0, 2**62, 2**62), 0)), "fits into memory"),
    "no value": (one(struct.pack("<Iii", V2, 0, 0) + bytes(16)), "saved without one"),
    "cut values": (one(dense((3,), 0, bytes(8)), b""), r"values of a float32 .* \(12 bytes\)"),
    "no names": (one(dense((3,), 0, bytes(12)), b""), "the number of names"),
    "name count": (one(dense((3,), 0, bytes(12)), struct.pack("<Q", 2**50)), "number of names"),
    "two names": (
        one(dense((3,), 0, bytes(12)), struct.pack("<QQQ", 2, 0, 0)),
        "0 or 1 names, one for each array, found 2",
    ),
    "name length": (
        one(dense((3,), 0, bytes(12)), struct.pack("<QQ", 1, 99)),
        r"name \(99 bytes\)",
    ),
    "utf-8": (one(dense((3,), 0, bytes(12)), struct.pack("<QQ", 1, 1) + b"\xff"), "UTF-8"),
    "rubbish": (one(dense((3,), 0, bytes(12))) + b"xyz", "end of the file, found 3 more bytes"),
    "row index": (one(row_sparse(index=6)), "indices within shape .* from 6 to 6"),
    "negative row index": (one(row_sparse(index=-1)), "from -1 to -1"),
    "float row index": (one(row_sparse(index_flag=1)), "whole numbers as indices"),
    "row count": (one(row_sparse(index_shape=(2,))), r"row_sparse parts of shapes"),
    "row sparse scalar": (one(row_sparse(shape=())), "row_sparse parts"),
    "column": (one(csr((0, 1, 2), (0, 4))), "from 0 to 4"),
    "falling pointers": (one(csr((0, 2, 1), (0, 1))), "rise from 0 to 2"),
    "first pointer": (one(csr((1, 1, 2), (0, 1))), "rise from 0 to 2"),
    "last pointer": (one(csr((0, 1, 3), (0, 1))), "rise from 0 to 2"),
    "pointer count": (one(csr((0, 2), (0, 1))), "csr parts of shapes"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damage_is_named(case, tmp_path):
    data, message = DAMAGED[case]
    with pytest.raises(MXNetError, match=message):
        ndfile.loads(data)
    path = tmp_path / "x.params"
    path.write_bytes(data)
    for mapped in (False, True):
        with pytest.raises(MXNetError, match=rf"x\.params: .*{message}"):
            ndfile.read(path, mapped=mapped)


@pytest.mark.parametrize("name", FILES)
def test_every_truncation_is_refused(name):
    data = FILES[name]
    for length in range(len(data)):
        with pytest.raises(MXNetError):
            ndfile.loads(data[:length])


def test_ten_gigabytes_claimed_in_a_kilobyte():
    data = one(dense((10 * 2**30 // 4,), 0, bytes(1000)))
    tracemalloc.start()
    started = time.perf_counter()
    with pytest.raises(MXNetError, match=r"\(10737418240 bytes\), found 1008 bytes"):
        ndfile.loads(data)
    elapsed = time.perf_counter() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert elapsed < 1
    assert peak < 100_000


def reads_or_refuses(data):
    try:
        entries = ndfile.loads(data)
    except MXNetError:
        return
    stored = sum(entry.nbytes for entry in entries)
    assert stored <= len(data)
    for entry in entries:
        if entry.stype != "default" and math.prod(entry.shape) < 1_000_000:
            assert entry.to_dense().shape == entry.shape


fuzz = settings(
    max_examples=700, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
numbers = st.sampled_from([0, 1, 2, 3, 5, 13, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1])


@fuzz
@given(st.sampled_from(list(FILES.values())), st.integers(0, 2**31), st.integers(1, 4))
def test_flipped_bytes(data, seed, count):
    rng = random.Random(seed)
    mutable = bytearray(data)
    for _ in range(count):
        mutable[rng.randrange(len(mutable))] = rng.randrange(256)
    reads_or_refuses(bytes(mutable))


@fuzz
@given(st.sampled_from(list(FILES.values())), st.integers(0, 60), numbers, st.booleans())
def test_absurd_numbers(data, word, number, wide):
    form, size = ("<Q", 8) if wide else ("<I", 4)
    at = min(4 * word, len(data) - size)
    value = number if wide else number & 0xFFFFFFFF
    reads_or_refuses(data[:at] + struct.pack(form, value) + data[at + size :])


@fuzz
@given(st.integers(0, 3), st.binary(max_size=200))
def test_random_arrays(count, body):
    reads_or_refuses(struct.pack("<QQQ", 0x112, 0, count) + body)
