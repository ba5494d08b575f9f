"""What a user sees who does something wrong: where, what came, what was expected, what to do."""

from __future__ import annotations

import numpy as np
import pytest

import mxtorch as mx


def message(error: type[BaseException], work) -> str:
    """The text of the error that `work` raises; it must be ours, and no torch traceback alone."""
    with pytest.raises(error) as caught:
        work()
    return str(caught.value)


def test_wrong_weight_shape_names_operator_and_remedy() -> None:
    text = message(
        mx.MXNetError,
        lambda: mx.nd.FullyConnected(
            mx.nd.ones((2, 3)), mx.nd.ones((4, 5)), mx.nd.ones((4,)), num_hidden=4
        ),
    )
    assert "FullyConnected" in text
    assert "(4, 5)" in text
    assert "(4, 3)" in text


@pytest.mark.skipif(mx.num_gpus() > 0, reason="this machine has an accelerator")
def test_absent_gpu_says_so_and_what_to_do() -> None:
    text = message(mx.MXNetError, lambda: mx.nd.ones((2,), ctx=mx.gpu(0)))
    assert "gpu(0)" in text
    assert "mx.cpu()" in text


def test_unknown_keyword_lists_the_known() -> None:
    text = message(mx.MXNetError, lambda: mx.nd.sum(mx.nd.ones((2,)), axes=1))
    assert "'axes'" in text
    assert "axis, keepdims, exclude" in text


def test_unknown_operator_is_an_attribute_error() -> None:
    assert "no_such" in message(AttributeError, lambda: mx.nd.no_such)
    assert "no_such" in message(AttributeError, lambda: mx.sym.no_such)


def test_value_of_the_wrong_kind_says_what_was_expected() -> None:
    text = message(mx.MXNetError, lambda: mx.nd.sum(mx.nd.ones((2,)), axis="first"))
    assert "axis" in text
    assert "'first'" in text


def test_missing_array_is_named() -> None:
    text = message(
        mx.MXNetError,
        lambda: mx.nd.FullyConnected(mx.nd.ones((2, 3)), mx.nd.ones((4, 3)), num_hidden=4),
    )
    assert "bias" in text


def test_something_else_for_an_array() -> None:
    assert "mx.nd.array" in message(mx.MXNetError, lambda: mx.nd.sum(np.ones(3)))


def test_mixed_dtypes_are_refused() -> None:
    x, y = mx.nd.ones((2,)), mx.nd.ones((2,), dtype="int32")
    assert "float32, int32" in message(mx.MXNetError, lambda: x + y)


def test_truncated_file_says_file_and_offset(tmp_path) -> None:
    path = tmp_path / "w.params"
    mx.nd.save(str(path), {"w": mx.nd.ones((3, 4))})
    path.write_bytes(path.read_bytes()[:60])
    text = message(mx.MXNetError, lambda: mx.nd.load(str(path)))
    assert "w.params" in text
    assert "offset" in text or "byte" in text


def test_file_that_is_not_there() -> None:
    assert "no/such.params" in message(mx.MXNetError, lambda: mx.nd.load("no/such.params"))


def test_error_in_a_hybridized_net_names_the_node() -> None:
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3, in_units=4))
    net.initialize()
    net.hybridize()
    text = message(mx.MXNetError, lambda: net(mx.nd.ones((2, 5))))
    assert "FullyConnected" in text
    assert "dense" in text


@pytest.mark.parametrize("name", ["transpose", "flip"])
def test_out_may_be_the_input(name) -> None:
    """MXNet refuses `transpose` and spoils `flip` here; ours computes first and writes then."""
    x = mx.nd.arange(9).reshape((3, 3))
    options = {"axis": 0} if name == "flip" else {}
    expected = getattr(np, name)(x.asnumpy(), **options)
    getattr(mx.nd, name)(x, **options, out=x)
    assert np.array_equal(x.asnumpy(), expected)
