"""What MXNet has and mxtorch refuses, and that its errors are MXNet's kind and Python's."""

import pytest

import mxtorch as mx
from mxtorch import autograd, gluon, nd
from mxtorch.gluon import nn


def dense():
    layer = nn.Dense(2, in_units=2)
    layer.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    return layer


def test_a_backend_that_is_not_there_is_reported(caplog):
    net = nn.HybridSequential()
    net.add(dense())
    net.hybridize(backend="TensorRT")
    assert "TensorRT" in caplog.text
    assert net(nd.ones((1, 2))).shape == (1, 2)


def test_unknown_store_is_named():
    with pytest.raises(ValueError, match=r"'bad' is not a store.*device"):
        gluon.Trainer(dense().collect_params(), "sgd", kvstore="bad")


ERRORS = {
    AssertionError: lambda: gluon.Parameter("w", grad_req="bad"),
    ValueError: lambda: gluon.Parameter("w", shape=(2, 0)).initialize(),
    TypeError: lambda: setattr(nn.Dense(2, activation="relu"), "act", 3),
    KeyError: lambda: gluon.ParameterDict().get_constant("k"),
    RuntimeError: lambda: gluon.Parameter("w", shape=(2,)).data(),
    UserWarning: lambda: gluon.Trainer(dense().collect_params(), "sgd").step(1),
}


@pytest.mark.parametrize("cls", ERRORS, ids=lambda cls: cls.__name__)
def test_error_is_also_an_mxnet_error(cls):
    with pytest.raises(cls) as info:
        ERRORS[cls]()
    assert isinstance(info.value, mx.MXNetError)
    assert not str(info.value).startswith(("'", '"'))


def test_states_file_that_is_not_there():
    layer = dense()
    trainer = gluon.Trainer(layer.collect_params(), "sgd")
    with pytest.raises(FileNotFoundError, match=r"nope\.states"):
        trainer.load_states("/nope.states")


def test_states_file_that_is_none(tmp_path):
    path = tmp_path / "x.states"
    path.write_bytes(b"not a pickle")
    trainer = gluon.Trainer(dense().collect_params(), "sgd")
    with pytest.raises(mx.MXNetError, match="no optimizer states"):
        trainer.load_states(str(path))


def test_wrong_shape_names_the_node():
    layer = nn.Dense(3, in_units=2, prefix="fc_")
    layer.initialize()
    layer.hybridize()
    with pytest.raises(mx.MXNetError, match=r"fc_fwd.*\(3, 2\).*\(3, 4\)"):
        layer(nd.ones((1, 4)))


def test_stale_gradient_is_caught_as_the_warning_it_is_in_mxnet():
    layer = nn.Dense(1, in_units=2)
    layer.initialize()
    trainer = gluon.Trainer(layer.collect_params(), "sgd")
    with autograd.record():
        loss = layer(nd.ones((1, 2)))
    loss.backward()
    trainer.step(1)
    try:
        trainer.step(1)
    except UserWarning as warning:
        assert "ignore_stale_grad" in str(warning)
    else:
        pytest.fail("a step without a backward before it must raise")


@pytest.mark.parametrize("shape", [(3, 6), (3, 6, 5, 4)])
def test_a_convolutional_cell_tells_how_many_lengths_it_takes(shape):
    with pytest.raises(mx.base.MXNetError, match="must have 3 lengths"):
        gluon.contrib.rnn.Conv2DLSTMCell(shape, 2, 3, 3)
