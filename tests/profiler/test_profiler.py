"""mx.profiler: what is recorded, tables, the trace's file."""

import json

import pytest

import mxtorch as mx
from mxtorch import autograd, nd, profiler
from mxtorch._core.traces import Recorder
from mxtorch.gluon import nn


@pytest.fixture(autouse=True)
def clean(tmp_path, monkeypatch):
    monkeypatch.setattr(profiler, "_recorder", Recorder())
    file = str(tmp_path / "profile.json")
    profiler.set_config(filename=file, continuous_dump=False, aggregate_stats=True)
    yield
    profiler.set_state("stop")


def work():
    x = nd.ones((20, 20))
    return nd.dot(x, x).asnumpy()


def statistics():
    return json.loads(profiler.dumps(format="json"))


def test_operators_are_counted():
    profiler.set_state("run")
    for _ in range(3):
        work()
    profiler.set_state("stop")
    work()
    found = statistics()["Time"]
    assert {k: v["Count"] for k, v in found["operator"].items()} == {"_ones": 3, "dot": 3}
    row = found["torch"]["aten::mm"]
    assert row["Count"] == 3
    assert 0 < row["Min"] <= row["Avg"] <= row["Max"] <= row["Total"]


def recorded(function):
    """How often each operator ran in the function, without what creates arrays."""
    profiler.set_state("run")
    function()
    profiler.set_state("stop")
    found = statistics()["Time"]
    return {
        name: row["Count"]
        for category in ("operator", "Custom Operator")
        for name, row in found.get(category, {}).items()
        if name not in ("_ones", "_zeros", "_full")
    }


def test_names_are_mxnets():
    x = nd.ones((2, 3))

    def run():
        y = nd.concat(x, x, dim=0)
        y += 2
        nd.softmax(x + 1) * x
        x.sum()
        nd.FullyConnected(x, nd.ones((2, 3)), no_bias=True, num_hidden=2)

    assert recorded(run) == {
        "Concat": 1,
        "_plus_scalar": 2,
        "softmax": 1,
        "broadcast_mul": 1,
        "sum": 1,
        "FullyConnected": 1,
    }


def test_gradients_and_graphs():
    net = nn.Dense(2, in_units=3, activation="relu")
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 3))
    x.attach_grad()
    graph = mx.sym.FullyConnected(mx.sym.var("d"), num_hidden=2, name="f")
    executor = graph.simple_bind(mx.cpu(), d=(2, 3))

    def run():
        with autograd.record():
            loss = net(x).mean()
        loss.backward()
        net(x)
        executor.forward(is_train=True)
        executor.backward(nd.ones((2, 2)))

    assert recorded(run) == {
        "FullyConnected": 3,
        "Activation": 2,
        "mean": 1,
        "_backward_FullyConnected": 2,
        "_backward_Activation": 1,
        "_backward_mean": 1,
    }


class AddOne(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + 1)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * 2)


@mx.operator.register("ProfiledAddOne")
class AddOneProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, in_shapes, in_dtypes):
        return AddOne()


def test_operators_in_python():
    x = nd.ones((2, 3))
    x.attach_grad()

    def run():
        with autograd.record():
            y = nd.Custom(x, op_type="ProfiledAddOne")
        y.backward()

    found = recorded(run)
    assert {name: found[name] for name in found if "AddOne" in name} == {
        "ProfiledAddOne::_plus_scalar": 1,
        "ProfiledAddOne::pure_python": 1,
        "_backward_ProfiledAddOne::_mul_scalar": 1,
        "_backward_ProfiledAddOne::pure_python": 1,
    }


def test_table_is_sorted():
    profiler.set_state("run")
    work()
    profiler.set_state("stop")
    for sort_by, ascending in (("total", False), ("count", True), ("avg", False), ("min", True)):
        table = profiler.dumps(sort_by=sort_by, ascending=ascending)
        assert "Profile Statistics:" in table and "operator\n=================" in table
        lines = [line.split() for line in table.splitlines() if line.startswith("aten::")]
        column = {"count": -5, "total": -4, "min": -3, "avg": -1}[sort_by]
        values = [float(line[column]) for line in lines]
        assert values == sorted(values, reverse=not ascending)
    assert "aten::mm" in profiler.dumps(reset=True)
    assert "aten::mm" not in profiler.dumps()


def test_reset_keeps_the_trace(tmp_path):
    profiler.set_state("run")
    work()
    profiler.set_state("stop")
    profiler.dumps(reset=True)
    profiler.dump()
    events = json.loads((tmp_path / "profile.json").read_text())["traceEvents"]
    assert any(event["name"] == "dot" for event in events)


def test_pause_and_resume():
    profiler.set_state("run")
    work()
    profiler.pause()
    profiler.pause()
    work()
    profiler.resume()
    work()
    profiler.set_state("stop")
    assert statistics()["Time"]["operator"]["dot"]["Count"] == 2


def test_trace_file(tmp_path):
    profiler.set_state("run")
    work()
    profiler.dump(finished=False)
    work()
    profiler.dump()
    work()
    trace = json.loads((tmp_path / "profile.json").read_text())
    events = trace["traceEvents"]
    assert sum(e["name"] == "aten::mm" for e in events) == 2
    assert min(e["ts"] for e in events) == 0
    assert all(e["ph"] in "XiC" and e["ts"] >= 0 for e in events)


def test_own_events(tmp_path):
    domain = profiler.Domain("mine")
    task, frame = domain.new_task("task"), domain.new_frame("frame")
    event, marker = profiler.Event("event"), domain.new_marker("marker")
    task.start()
    task.stop()  # before the recording: left out
    profiler.set_state("run")
    for span in (task, frame, event):
        span.start()
        work()
        span.stop()
        assert str(span) == span.name
    counter = domain.new_counter("counter", 5)
    counter += 3
    counter -= 1
    counter.decrement()
    counter.increment(2)
    marker.mark("process")
    profiler.set_state("stop")
    found = statistics()["Time"]
    assert found["mine"]["task"]["Count"] == 1 and found["mine,frame"]["frame"]["Count"] == 1
    assert found["event"]["event"]["Total"] > 0
    counted = {"Count": 5, "Total": 34, "Min": 5, "Max": 8, "Avg": 6.8}
    assert found["mine"]["counter"] == counted
    profiler.dump()
    events = json.loads((tmp_path / "profile.json").read_text())["traceEvents"]
    values = [e["args"]["value"] for e in events if e["ph"] == "C"]
    assert values == [5, 8, 7, 6, 8]
    assert [e["s"] for e in events if e["name"] == "marker"] == ["p"]
    inside = next(e for e in events if e["name"] == "task")
    mm = next(e for e in events if e["name"] == "aten::mm")
    assert inside["ts"] <= mm["ts"] <= inside["ts"] + inside["dur"]


def test_memory():
    profiler.set_config(profile_memory=True)
    profiler.set_state("run")
    work()
    profiler.set_state("stop")
    assert statistics()["Memory"]["Device Storage"]["Memory: cpu/0"]["Max"] >= 1.6
    assert "Use  (kB)" in profiler.dumps()


def test_former_names(tmp_path):
    with pytest.warns(UserWarning, match="set_config"):
        profiler.profiler_set_config("all", str(tmp_path / "old.json"))
    with pytest.warns(UserWarning, match="set_state"):
        profiler.profiler_set_state("run")
    work()
    with pytest.warns(UserWarning, match="dump"):
        profiler.dump_profile()
    assert (tmp_path / "old.json").exists()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: profiler.set_config(foo=1), mx.MXNetError),
        (lambda: profiler.set_config(contiguous_dump=True), mx.MXNetError),
        (lambda: profiler.set_state("foo"), KeyError),
        (lambda: profiler.set_state("run", "foo"), KeyError),
        (lambda: profiler.set_state("run", "server"), mx.MXNetError),
        (lambda: profiler.dumps(format="x"), AssertionError),
        (lambda: profiler.dumps(sort_by="x"), AssertionError),
        (lambda: profiler.Marker(profiler.Domain("d"), "m").mark("x"), mx.MXNetError),
        (lambda: profiler.set_kvstore_handle(3), mx.MXNetError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()
