"""What a program's own operator raises: an MXNetError, of its own class too, with its traceback."""

import traceback

import pytest

import mxtorch as mx
from mxtorch import MXNetError, autograd, gluon, nd


class OddError(Exception):
    """An exception whose constructor takes what ours does not."""

    def __init__(self, code, place):
        super().__init__(f"{code} at {place}")
        self.code = code


def fail():
    raise OddError(7, "here")


class Failing(mx.operator.CustomOp):
    """Fails where it is told to."""

    def __init__(self, where):
        super().__init__()
        self.where = where

    def forward(self, is_train, req, in_data, out_data, aux):
        if self.where == "forward":
            fail()
        self.assign(out_data[0], req[0], in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        if self.where == "backward":
            fail()
        if self.where == "mxnet":
            nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
        self.assign(in_grad[0], req[0], out_grad[0])


@mx.operator.register("failing")
class FailingProp(mx.operator.CustomOpProp):
    def __init__(self, where, result="None"):
        super().__init__()
        self.where = where
        if where == "init":
            fail()

    def list_arguments(self):
        if self.where == "list_arguments":
            fail()
        return ["data"]

    def infer_shape(self, in_shape):
        if self.where == "infer_shape":
            fail()
        odd = {
            "one-list": ([[2]],),
            "two-outputs": ([[2]], [[2], [2]], []),
            "floats": ([[2.0]], [[2]], []),
            "number": 5,
            "other-shape": ([[3]], [[2]], []),
            "a-state": ([[2]], [[2]], [[1]]),
        }
        return odd.get(self.where, (in_shape, in_shape, []))

    def infer_type(self, in_type):
        if self.where == "infer_type":
            fail()
        return super().infer_type(in_type)

    def create_operator(self, ctx, shapes, dtypes):
        if self.where == "create_operator":
            fail()
        return None if self.where == "no-operator" else Failing(self.where)


def run(where):
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type="failing", where=where)
    y.backward()


METHODS = ["init", "list_arguments", "infer_shape", "infer_type", "create_operator"]


@pytest.mark.parametrize("where", [*METHODS, "forward", "backward"])
def test_class_cause_and_traceback(where):
    with pytest.raises(OddError) as info:
        run(where)
    error = info.value
    assert isinstance(error, MXNetError)
    assert "failing" in str(error)
    assert "OddError: 7 at here" in str(error)
    cause = error.__cause__
    assert type(cause) is OddError
    assert cause.code == 7
    assert [f.name for f in traceback.extract_tb(cause.__traceback__)][-1] == "fail"


def test_error_of_an_operator_inside():
    with pytest.raises(MXNetError) as info:
        run("mxnet")
    assert "backward" in str(info.value)
    assert "dot" in str(info.value)


@pytest.mark.parametrize(
    "where",
    ["one-list", "two-outputs", "floats", "number", "a-state", "other-shape", "no-operator"],
)
def test_bad_answers(where):
    with pytest.raises(MXNetError, match=r"Custom|custom operator"):
        run(where)


def test_in_a_hybridized_block_it_runs_once():
    runs = []

    class Once(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            runs.append(1)
            fail()

    @mx.operator.register("once")
    class OnceProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, shapes, dtypes):
            return Once()

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.Custom(x, op_type="once")

    net = Net()
    net.hybridize()
    with pytest.raises(OddError):
        net(nd.ones((2,)))
    assert len(runs) == 1


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_in_an_executor(where):
    symbol = mx.sym.Custom(mx.sym.var("data"), op_type="failing", where=where)
    executor = symbol.simple_bind(mx.cpu(), data=(2,))
    with pytest.raises(OddError):
        executor.forward(is_train=True)
        executor.backward([nd.ones((2,))])


def test_scope_is_put_back():
    with pytest.raises(OddError), autograd.record():
        nd.Custom(nd.ones((2,)), op_type="failing", where="forward")
    assert not autograd.is_recording()
    assert not autograd.is_training()
    assert mx.current_context() == mx.cpu()


def test_sparse_outputs_are_refused():
    @mx.operator.register("sparse_out")
    class Prop(mx.operator.CustomOpProp):
        def infer_storage_type(self, in_stype):
            return in_stype, ["row_sparse"], []

    with pytest.raises(NotImplementedError, match="row_sparse"):
        nd.Custom(nd.ones((2, 2)), op_type="sparse_out")
