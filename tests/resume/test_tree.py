"""Nested values become JSON and tensors, and the same values again; nothing else is read."""

import collections
import json
import math

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._resume.file import dump, load
from mxtorch._resume.tree import pack, unpack


def there_and_back(value):
    tensors = {}
    content = pack(value, tensors, "value")
    content, tensors = load(dump(content, tensors), "file")
    return unpack(content, tensors)


PLAIN = [None, True, 3, 2**70, -0.1, 1e-320, math.inf, "text\n\u4e2d", b"", b"\x00\xff"]
NESTED = [[], [1, [2.5, None]], (), (1, (2,)), {}, {"a": {"b": [1]}}, {1: {2: (3,)}, "x": 4}]


@pytest.mark.parametrize("value", [*PLAIN, *NESTED, {(0, 1): "pair"}], ids=repr)
def test_plain_values(value):
    found = there_and_back(value)
    assert found == value and type(found) is type(value)


def test_nan_is_kept():
    assert math.isnan(there_and_back(math.nan))


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int64", "uint32", "uint64", "float16", "complex64"]
)
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (1, 0, 2)])
def test_numpy_arrays(dtype, shape):
    value = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
    found = there_and_back(value)
    assert found.dtype == value.dtype and found.shape == value.shape
    assert (found == value).all()
    found[...] = 0  # it may be written to


def test_numpy_numbers_and_other_orders():
    found = there_and_back(np.float32(0.1))
    assert type(found) is np.float32 and found == np.float32(0.1)
    backwards = np.arange(6, dtype=">i4").reshape(2, 3).T
    assert (there_and_back(backwards) == backwards).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.int8, torch.bool])
def test_tensors(dtype):
    value = torch.arange(12).reshape(3, 4).T.to(dtype)
    found = there_and_back({"a": value, "b": value[1:], "c": torch.empty(0, 2)})
    assert found["a"].dtype is dtype
    assert torch.equal(found["a"], value) and torch.equal(found["b"], value[1:])
    assert found["c"].shape == (0, 2)


def test_arrays():
    value = (mx.nd.array([[1, 2]], ctx=mx.cpu(3), dtype="float16"), mx.np.array(5.0))
    one, other = there_and_back(value)
    assert type(one) is mx.nd.NDArray and one.context == mx.cpu(3) and one.dtype == np.float16
    assert type(other) is mx.np.ndarray and other.shape == ()


@pytest.mark.parametrize("stype", ["row_sparse", "csr"])
def test_sparse_arrays(stype):
    value = mx.nd.array([[0, 1], [0, 0], [2, 0]]).tostype(stype)
    found = there_and_back(value)
    assert found.stype == stype
    assert (found.asnumpy() == value.asnumpy()).all()


def test_what_is_kept_is_a_copy():
    array, tensors = mx.nd.zeros((2,)), {}
    content = pack(array, tensors, "a")
    array[:] = 1
    assert unpack(content, tensors).asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize(
    "value", [object(), {"a": [print]}, collections.OrderedDict, np.array(["x"])]
)
def test_other_types_are_named(value):
    with pytest.raises(MXNetTypeError, match="checkpoint: here"):
        pack(value, {}, "here")


ARRAY = {"is": "array", "at": "t", "ctx": "cpu(0)", "np": False}
ROWS = {"is": "row_sparse", "at": ["i", "t"], "shape": [3], "ctx": "cpu(0)", "np": False}
TENSORS = {"t": torch.zeros(2), "i": torch.tensor([0, 3]), "u": torch.zeros(5, dtype=torch.uint8)}


@pytest.mark.parametrize(
    "node",
    [
        {},
        {"is": 3},
        {"is": "object"},
        {"is": "tuple"},
        {"is": "tuple", "of": 3},
        {"is": "dict", "of": [1]},
        {"is": "pairs", "of": [[1], []]},
        {"is": "pairs", "of": [[[]], [1]]},
        {**ARRAY, "at": "nowhere"},
        {**ARRAY, "ctx": "tpu(0)"},
        {"is": "tensor", "at": "t", "device": "nonsense"},
        {"is": "numpy", "at": "u", "dtype": "float32", "shape": [1]},
        {"is": "numpy", "at": "u", "dtype": "uint8", "shape": [4]},
        {"is": "numpy", "at": "u", "dtype": "O", "shape": [1]},
        ROWS,
        {**ROWS, "at": ["t", "t"]},
        {"is": "csr", "at": ["i", "i", "t"], "shape": [1, 2], "ctx": "cpu(0)", "np": False},
    ],
    ids=repr,
)
def test_damaged_nodes_raise(node):
    with pytest.raises(MXNetError):
        unpack(json.loads(json.dumps(node)), TENSORS)
