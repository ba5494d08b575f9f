"""Arrays of one element that old programs take for numbers."""

import copy
import pickle

import numpy as np
import pytest

import mxtorch as mx
from mxtorch._core import one_element
from mxtorch._core.one_element import OneElement, switch


@pytest.fixture
def on(monkeypatch):
    monkeypatch.setattr(switch, "is_on", True)
    monkeypatch.setattr(switch, "is_quiet", False)


def test_only_where_old_programs_run():
    assert type(mx.nd.array([[2]]).asnumpy()) is np.ndarray


def test_it_is_a_number(on, capsys):
    one_element.note.__globals__["_noted"].discard(one_element._NOTICE)
    array = mx.nd.array([[2.5]]).asnumpy()
    assert (float(array), int(array), complex(array), f"{float(array):.2f}") == (
        2.5,
        2,
        2.5 + 0j,
        "2.50",
    )
    assert capsys.readouterr().err.count("NumPy 2.4") == 1


@pytest.mark.parametrize("shape", [(2,), (0,), (), (1, 2)], ids=str)
def test_other_arrays_are_plain(on, shape):
    assert type(mx.np.ones(shape).asnumpy()) is np.ndarray


def test_rows_of_a_column_are_numbers(on):
    column = mx.nd.array([[1.5], [2.5]]).asnumpy()
    assert [float(row) for row in column] == [1.5, 2.5]
    assert f"{float((column * 2)[1]):.1f} {int(column[0])}" == "5.0 1"
    assert float(mx.nd.ones((2, 3, 1)).asnumpy()[1, 2]) == 1
    assert type(column.sum()) is np.float32
    assert repr(column) == "array([[1.5],\n       [2.5]], dtype=float32)"
    assert [type(x) for x in (column[0, 0], column.flatten()[1])] == [np.float32] * 2
    with pytest.raises(TypeError, match="length-1"):
        float(column)


def test_label_of_a_record_is_a_number(on):
    record = mx.recordio.pack(mx.recordio.IRHeader(0, [3.0], 0, 0), b"")
    assert float(mx.recordio.unpack(record)[0].label) == 3


def test_results_of_one_element_are_numbers_too(on):
    array = mx.nd.array([3]).asnumpy()
    assert float(2 * array) == float(np.square(array) - array) == 6
    for result in (array + np.ones(2), pickle.loads(pickle.dumps(array))):
        assert type(result) is np.ndarray
    assert type(array.sum()) is np.float32
    assert repr(array) == "array([3.], dtype=float32)"
    assert copy.deepcopy(array).tolist() == [3]


def test_joined_arrays_are_no_numbers(on):
    array = mx.nd.array([3]).asnumpy()
    joined = np.concatenate([array, array]).view(OneElement)
    with pytest.raises(TypeError, match="length-1"):
        float(joined)
