"""Classes name MXNet's modules while `mxnet` is mxtorch, and their own before and after."""

import inspect
import pickle

import mxtorch
from mxtorch._core.homes import defined_in
from mxtorch.run import alias
from tests.child import python


def test_names_come_and_go():
    before = inspect.getfile
    assert repr(mxtorch.nd.NDArray) == "<class 'mxtorch.ndarray.ndarray.NDArray'>"
    alias.install()
    try:
        assert repr(mxtorch.gluon.Block) == "<class 'mxtorch.gluon._block.Block'>"
        import mxnet

        assert repr(mxnet.nd.NDArray) == "<class 'mxnet.ndarray.ndarray.NDArray'>"
        assert mxnet.gluon.Block.__module__ == "mxnet.gluon.block"
        assert defined_in(mxnet.gluon.Block) == "mxtorch.gluon._block"
        assert inspect.getsource(mxnet.nd.NDArray).startswith("class NDArray")
        assert inspect.getsource(mxnet.gluon.Trainer).startswith("class Trainer")
        assert inspect.getsource(mxnet.gluon.Block).startswith("class Block")
        assert inspect.getsource(mxnet.metric.Accuracy).startswith(("class Accuracy", "@"))
        assert inspect.getsource(mxnet.gluon.Block.hybridize).lstrip().startswith("def hybridize")
        text = pickle.dumps(mxnet.gluon.Block)
        assert pickle.loads(text) is mxtorch.gluon.Block
    finally:
        alias.uninstall()
    assert repr(mxtorch.nd.NDArray) == "<class 'mxtorch.ndarray.ndarray.NDArray'>"
    assert mxtorch.gluon.Block.__module__ == "mxtorch.gluon._block"
    assert inspect.getfile is before
    assert inspect.getsource(mxtorch.gluon.Block).startswith("class Block")


def test_modules_that_load_later():
    text = """
import mxtorch
mxtorch.install()
import mxnet
print(mxnet.image.ImageIter, mxnet.io.DataBatch.__module__, mxnet.mod.Module)
import mxnet.rnn
print(mxnet.rnn.LSTMCell, mxtorch.monitor.Monitor)
"""
    result = python("-c", text)
    assert result.stdout.splitlines() == [
        "<class 'mxnet.image.image.ImageIter'> mxnet.io.io <class 'mxnet.module.module.Module'>",
        "<class 'mxnet.rnn.rnn_cell.LSTMCell'> <class 'mxnet.monitor.Monitor'>",
    ], result.stderr
