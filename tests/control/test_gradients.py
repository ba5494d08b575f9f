"""Gradients of graphs with graphs inside, where MXNet 1.9.1 itself fails: as those on arrays."""

import pytest
import torch

import mxtorch as mx
from mxtorch import autograd, gluon, nd


def nested(F, x, w):
    def body(a, state):
        return F.contrib.foreach(lambda p, q: (p * q + w, q * p), a, state)

    outputs, state = F.contrib.foreach(body, x, F.ones((1,)))
    return outputs.sum() + state.sum()


def branches(F, x, w):
    def body(a, state):
        y = F.contrib.cond(state < 3, lambda: a * w, lambda: a + state * w)
        return y, state + a

    outputs, state = F.contrib.foreach(body, x, F.ones((1,)))
    return outputs.sum() + state.sum()


def loop_from_outside(F, x, w):
    z = w * 2
    a, state = F.contrib.foreach(lambda p, q: (p * z, q + z), x * 3, F.ones((1,)))
    return (a * a).sum() + (state * z).sum()


def loop_in_loop(F, x, w):
    def inner(total):
        return F.contrib.while_loop(
            lambda i, t: i < 3, lambda i, t: ([], [i + 1, t * w]), [F.zeros((1,)), total], 4
        )[1][1]

    return F.contrib.foreach(lambda a, s: (inner(a + s), s + w), x, F.ones((1,)))[0].sum()


@pytest.mark.parametrize("program", [nested, branches, loop_from_outside, loop_in_loop])
def test_traced_is_plain(program):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x, w):
            return program(F, x, w)

    x = nd.array([[1, 0.5], [2, 0.25], [3, 0.125]]) if program is nested else nd.array([1, 2, 3])
    w = nd.array([0.5])
    results = []
    for hybrid in (False, True):
        net = Net()
        net.hybridize(hybrid)
        x.attach_grad()
        w.attach_grad()
        with autograd.record():
            y = net(x, w)
        y.backward()
        results.append([a.copy().as_torch() for a in (y, x.grad, w.grad)])
    for plain, traced in zip(*results, strict=True):
        torch.testing.assert_close(traced, plain)


def test_moving_statistics_inside_a_loop():
    x, h = mx.sym.var("x"), mx.sym.var("h")
    outputs, state = mx.sym.contrib.foreach(
        lambda a, s: (mx.sym.BatchNorm(a, name="bn", momentum=0.5), s), x, h
    )
    arrays = {
        "x": nd.arange(12).reshape((3, 2, 2)),
        "h": nd.ones((1,)),
        "bn_gamma": nd.ones((2,)),
        "bn_beta": nd.zeros((2,)),
        "bn_moving_mean": nd.zeros((2,)),
        "bn_moving_var": nd.ones((2,)),
    }
    group = mx.sym.Group([outputs, state])
    assert set(group.list_arguments()) == set(arrays)
    y = group.bind(mx.cpu(), arrays).forward(is_train=True)[0]
    torch.testing.assert_close(y.as_torch().mean(1), torch.zeros(3, 2), atol=1e-5, rtol=0)


def test_unknown_operator_inside_is_named():
    text = mx.sym.Group(
        list(mx.sym.contrib.foreach(lambda a, s: (a * 2, s), mx.sym.var("x"), mx.sym.var("h")))
    ).tojson()
    symbol = mx.sym.load_json(text.replace("_mul_scalar", "_never_heard_of"))
    assert symbol.list_arguments() == ["x", "h"]
    with pytest.raises(mx.MXNetError, match="_never_heard_of"):
        symbol.bind(mx.cpu(), {"x": nd.ones((2,)), "h": nd.ones((1,))}).forward()


@pytest.mark.parametrize("damage", ['"subgraphs": 3', '"subgraphs": [4]', '"subgraphs": [{}]'])
def test_damaged_files(damage):
    text = (
        '{"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "_foreach", "name": "f", '
        f'"inputs": [[0, 0, 0]], {damage}}}], "heads": [[1, 0, 0]]}}'
    )
    with pytest.raises(mx.MXNetError, match="symbol file"):
        mx.sym.load_json(text)
