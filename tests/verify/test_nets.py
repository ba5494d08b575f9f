"""Nets that are run on batches of their own, and models among them."""

import pytest
import torch

import mxtorch as mx
from mxtorch.verify import nets, watch_mxnet, watch_torch
from mxtorch.verify.catalogue import find_cause
from mxtorch.verify.compare import Comparer
from mxtorch.verify.record import Record
from mxtorch.verify.replay import Replay
from mxtorch.verify.tape import Tape
from mxtorch.verify.verify import pair_by_name, read_inputs

INPUTS = list(read_inputs(("data=2,1,8,8",)))


def save(folder, name="model", prefix="", act="relu", eps=1e-5, momentum=0.9, pool="max"):
    data = mx.sym.Variable("data")
    found = mx.sym.Convolution(data, num_filter=4, kernel=(3, 3), name=f"{prefix}conv")
    found = mx.sym.Activation(found, act_type=act)
    found = mx.sym.Pooling(found, kernel=(2, 2), stride=(2, 2), pool_type=pool)
    bn = {"eps": eps, "momentum": momentum, "fix_gamma": False}
    found = mx.sym.BatchNorm(found, name=f"{prefix}bn", **bn)
    found = mx.sym.FullyConnected(found, num_hidden=3, name=f"{prefix}fc")
    path = folder / f"{name}-symbol.json"
    found.save(str(path))
    return str(path)


def model(path):
    tape = Tape(full=True)
    tape.head["side"] = "mxnet"
    watch = watch_mxnet.Watch(mx, tape)
    watch.start()
    try:
        nets.run_mxnet(mx, path, INPUTS, 2)
    finally:
        watch.stop()
        watch.finish()
    return Record(tape.head, {}, tape.events, tape.arrays)


def module(monkeypatch, first, act=torch.nn.ReLU, eps=1e-5, momentum=0.1, pool="Max"):
    nn = torch.nn
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3), act(), getattr(nn, f"{pool}Pool2d")(2),
        nn.BatchNorm2d(4, eps, momentum), nn.Flatten(), nn.Linear(36, 3),
    )  # fmt: skip
    monkeypatch.setattr(nets, "make", lambda target: net)
    tape, replay = Tape(full=True), Replay(first, None, True)
    watch = watch_torch.Watch(tape, replay)
    watch.start()
    try:
        nets.run_torch("", INPUTS, 2)
    finally:
        watch.stop()
        watch.finish()
    return Record(tape.head, {}, tape.events, tape.arrays), dict(replay.pairs)


def said(first, second, pairs):
    comparison = Comparer(first, second, pairs).run()
    cause = find_cause(comparison, first, second, pairs)
    return comparison.fault and (comparison.fault.layer, cause and f"{cause.name}: {cause.detail}")


def test_a_model_without_parameters(tmp_path):
    """Values for any shape, and the same ones however the parameters are called."""
    first, second = (model(save(tmp_path, name, name)) for name in ("a", "b"))
    pairs = pair_by_name(first, second, {})
    assert len(pairs) == 8
    assert said(first, second, pairs) is None
    start = {p["name"]: first.value(p["array"]) for p in first.of("meet")[0]["parameters"]}
    assert all(values.std() > 0 for values in start.values())
    # a variance is positive, a scale near 1
    assert start["abn_moving_var"].min() > 0.5
    assert start["abn_gamma"].min() > 0.5


FAULTS = [
    ({"act": "tanh"}, {"act": torch.nn.Tanh}, "conv", "activation: activation0: relu and {}anh"),
    ({"eps": 0.1}, {"eps": 0.1}, "bn", "eps: bn: eps 1e-05 and 0.1"),
    ({"momentum": 0.5}, {"momentum": 0.5}, "bn", "momentum: bn: torch's 0.1 and 0.5"),
    ({"pool": "avg"}, {"pool": "Avg"}, "conv", "pooling: pooling0: MaxPool2D and AvgPool2{}"),
]


@pytest.mark.parametrize(("ours", "theirs", "layer", "cause"), FAULTS)
def test_a_fault_in_a_model(tmp_path, monkeypatch, ours, theirs, layer, cause):
    """The layer and the cause are those that the same program would have."""
    with mx.name.NameManager():
        first = model(save(tmp_path))
    with mx.name.NameManager():
        other = model(save(tmp_path, "other", **ours))
    names = ("D", "d") if "pool" in ours else ("t", "T")
    assert said(first, other, pair_by_name(first, other, {})) == (layer, cause.format(names[0]))
    assert said(first, *module(monkeypatch, first, **theirs)) == (layer, cause.format(names[1]))
    assert said(first, *module(monkeypatch, first)) is None
