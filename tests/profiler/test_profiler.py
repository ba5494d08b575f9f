"""mx.profiler: what is recorded, tables, the trace's file."""

import json

import pytest

import mxtorch as mx
from mxtorch import nd, profiler


@pytest.fixture(autouse=True)
def clean(tmp_path):
    profiler.set_config(filename=str(tmp_path / "profile.json"))
    yield
    profiler.set_state("stop")
    profiler.dumps(reset=True)


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
    operators = statistics()["Time"]["operator"]
    assert operators["aten::mm"]["Count"] == 3
    row = operators["aten::mm"]
    assert 0 < row["Min"] <= row["Avg"] <= row["Max"] <= row["Total"]


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


def test_pause_and_resume():
    profiler.set_state("run")
    work()
    profiler.pause()
    profiler.pause()
    work()
    profiler.resume()
    work()
    profiler.set_state("stop")
    assert statistics()["Time"]["operator"]["aten::mm"]["Count"] == 2


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
