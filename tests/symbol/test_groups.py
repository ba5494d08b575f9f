"""Values move between the devices of groups; a device without memory stands for a second one."""

import pytest
import torch

import mxtorch as mx
from mxtorch._graph import lower as lowering
from mxtorch._graph.node import variables
from mxtorch._graph.place import place
from mxtorch.base import MXNetError

GROUPS = {"near": mx.cpu(0), "far": mx.cpu(1)}


@pytest.fixture(autouse=True)
def _two_devices(monkeypatch):
    devices = {GROUPS["near"]: torch.device("cpu"), GROUPS["far"]: torch.device("meta")}
    monkeypatch.setattr(lowering, "context_to_device", devices.__getitem__)


def lowered(symbol, far=()):
    nodes = [*variables(symbol._outputs)[0], *variables(symbol._outputs)[1]]
    own = {id(n): GROUPS["far" if n.name in far else "near"] for n in nodes}
    places = place(symbol._outputs, GROUPS, own)
    return lowering.lower(symbol._outputs, nodes, training=True, places=places)


def test_inputs_come_to_the_device_of_their_node():
    x, w = mx.sym.var("x"), mx.sym.var("w")
    with mx.AttrScope(ctx_group="near"):
        near = mx.sym.exp(x)
    with mx.AttrScope(ctx_group="far"):
        far = mx.sym.broadcast_mul(near, w)
    module = lowered(mx.sym.Group([near, far, far + 1]), far=["w"])
    x = torch.zeros(2, 1, requires_grad=True)
    results = module(x, torch.zeros(1, 3, device="meta"))
    assert [r.device.type for r in results] == ["cpu", "meta", "meta"]
    assert [tuple(r.shape) for r in results] == [(2, 1), (2, 3), (2, 3)]
    assert results[2].requires_grad
    moves = [n for n in module.graph.nodes if n.target is lowering.move]
    assert len(moves) == 1


def test_what_a_node_writes_must_be_where_it_runs():
    with mx.AttrScope(ctx_group="far"):
        data, gamma, beta = (mx.sym.var(n) for n in ("data", "gamma", "beta"))
        mean, var = mx.sym.var("mean"), mx.sym.var("var")
        symbol = mx.sym.BatchNorm(data, gamma, beta, mean, var, name="bn")
    lowered(symbol, far=["data", "gamma", "beta", "mean", "var"])
    with pytest.raises(MXNetError, match="BatchNorm 'bn' writes 'mean', which is on another"):
        lowered(symbol, far=["data", "gamma", "beta", "var"])


def test_groups_are_contexts_by_name():
    with pytest.raises(TypeError, match="group2ctx must be a dict"):
        mx.sym.var("x").simple_bind(mx.cpu(), x=(2,), group2ctx={"near": 3})
