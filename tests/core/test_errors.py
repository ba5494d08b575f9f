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


_X, _Y = (2, 3), (2, 4)


@pytest.mark.parametrize(
    ("name", "shapes", "attrs", "expected"),
    [
        ("broadcast_add", (_X, _Y), {}, "lhs (2, 3) and rhs (2, 4) do not fit: 3 and 4 along"),
        ("transpose", (_X,), {"axes": (0, 0)}, "axes=(0, 0) must name each axis once"),
        ("one_hot", (_X,), {"depth": -2}, "depth=-2 must not be negative"),
        ("topk", (_X,), {"k": 9}, "k=9: the axis has 3"),
        ("sum", (_X,), {"axis": 4}, "axis=4 is no axis here: expected -2 to 1; data (2, 3)"),
        ("softmax", (_X,), {"axis": 3}, "axis=3 is no axis here: expected -2 to 1"),
        ("Concat", (_X, _Y), {"dim": 0}, "arg0 (2, 3), arg1 (2, 4)"),
        ("stack", (_X, _Y), {}, "arg0 (2, 3), arg1 (2, 4)"),
        ("dot", (_X, _Y), {}, "cannot be multiplied: lhs (2, 3), rhs (2, 4)"),
        ("LayerNorm", (_X, (3,), _Y), {}, "beta has shape (2, 4)"),
        ("SequenceMask", ((3, 2),), {"axis": 2}, "axis=2 of the steps must be 0 or 1"),
        ("linalg_inverse", (_X,), {}, "A (2, 3) holds matrices of 2 x 3; expected square ones"),
        ("depth_to_space", ((3,),), {"block_size": 2}, "data (3,) has 1 axis; 4 are expected"),
        ("tile", (_X,), {"reps": (-1,)}, "reps=(-1,) must not be negative"),
        (
            "Convolution",
            ((1, 3, 2, 2), (4, 3, 3, 3)),
            {"kernel": (3, 3), "num_filter": 4, "no_bias": True},
            "kernel=(3, 3) is larger than the padded images",
        ),
    ],
)
def test_what_does_not_fit_is_named(name, shapes, attrs, expected) -> None:
    arrays = [mx.nd.ones(shape) for shape in shapes]
    assert expected in message(mx.MXNetError, lambda: getattr(mx.nd, name)(*arrays, **attrs))


def test_a_type_that_cannot_be_computed_with_is_named() -> None:
    whole = mx.nd.ones((2, 2), dtype="int32")
    text = message(mx.MXNetError, lambda: mx.nd.linalg_inverse(whole))
    assert "cannot compute with int32" in text


def test_a_shape_that_inference_cannot_use_is_named() -> None:
    net = mx.sym.LayerNorm(mx.sym.var("data"), axis=3)
    text = message(mx.MXNetError, lambda: net.simple_bind(mx.cpu(), data=(2, 3)))
    assert "axis=3 is no axis here: expected -2 to 1" in text


_CALLS = {
    "keyword": lambda nd, x: nd.sum(x, axes=1),
    "keyword-of-two": lambda nd, x: nd.batch_dot(x, x, axes=1),
    "keyword-of-many": lambda nd, x: nd.concat(x, x, axes=1),
    "keyword-without-array": lambda nd, x: nd.random.uniform(shape=2, axes=1),
    "list": lambda nd, x: nd.sum([1]),
    "list-of-two": lambda nd, x: nd.broadcast_add([1], x),
    "value": lambda nd, x: nd.sum(x, axis="a"),
    "value-without-array": lambda nd, x: nd.random.uniform(shape="a"),
    "missing": lambda nd, x: nd.one_hot(x),
}


@pytest.mark.parametrize("name", _CALLS)
def test_nothing_is_shown_before_the_error(name) -> None:
    """No "During handling of the above exception" with what looked the call up."""
    with pytest.raises(mx.MXNetError) as caught:
        _CALLS[name](mx.nd, mx.nd.ones((2, 3)))
    assert caught.value.__context__ is None or caught.value.__suppress_context__


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
