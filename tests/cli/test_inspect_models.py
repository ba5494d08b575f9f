"""`mxtorch inspect` of graphs and of optimizer states."""

import json
import pathlib
import pickle

import pytest

import mxtorch as mx


@pytest.fixture
def graph(tmp_path):
    data = mx.sym.var("data", shape=(0, 3))
    body = mx.sym.BatchNorm(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), name="norm")
    path = tmp_path / "my model-symbol.json"
    mx.sym.Group([body, mx.sym.relu(body, name="last")]).save(str(path))
    return path


def test_graph(graph, mxtorch):
    status, output, error = mxtorch("inspect", graph, "--json")
    assert (status, error) == (0, "")
    assert json.loads(output) == {
        "file": str(graph),
        "format": "mxnet.symbol",
        "version": "1.9.1",
        "nodes": 10,
        "arguments": [
            {"name": "data", "shape": "(0, 3)"},
            *({"name": name} for name in ("fc_weight", "fc_bias", "norm_gamma", "norm_beta")),
        ],
        "auxiliary": [{"name": "norm_moving_mean"}, {"name": "norm_moving_var"}],
        "outputs": ["norm_output", "last_output"],
        "operators": {"FullyConnected": 1, "BatchNorm": 1, "relu": 1},
        "missing": [],
    }
    status, output, _ = mxtorch("inspect", graph)
    assert status == 0
    assert ["data", "argument", "(0,", "3)"] in [line.split() for line in output.splitlines()]
    assert output.endswith("my model-symbol.json: 10 nodes, written by MXNet 1.9.1\n")


def test_graph_of_an_operator_that_is_not_there(graph, mxtorch):
    text = graph.read_text().replace('"relu"', '"_my_own"').replace("mxnet_version", "other")
    graph.write_text(text)
    found = json.loads(mxtorch("inspect", graph, "--json")[1])
    assert (found["missing"], found["version"]) == (["_my_own"], None)
    output = mxtorch("inspect", graph)[1]
    assert "not available in mxtorch: _my_own" in output
    assert "MXNet before 0.9" in output


def updater(optimizer):
    found = mx.optimizer.get_updater(optimizer)
    for index, shape in ((0, (2, 3)), ("fc_bias", (4,))):
        found(index, mx.nd.ones(shape), mx.nd.ones(shape))
    return found


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_states_of_every_protocol(protocol, mxtorch, tmp_path):
    path = tmp_path / "x"
    path.write_bytes(pickle.dumps({0: None, 1: (1, None)}, protocol))
    found = json.loads(mxtorch("inspect", path, "--json")[1])
    assert found["states"] == [
        {"index": 0, "arrays": []},
        {"index": 1, "arrays": [{"value": "1"}]},
    ]


def test_states_with_their_optimizer(mxtorch, tmp_path):
    path = tmp_path / "trainer.states"
    path.write_bytes(updater(mx.optimizer.Adam(learning_rate=0.5)).get_states(True))
    status, output, error = mxtorch("inspect", path, "--json")
    assert (status, error) == (0, "")
    found = json.loads(output)
    assert found["optimizer"]["class"] == "Adam"
    assert found["optimizer"]["lr"] == 0.5
    assert found["states"] == [
        {"index": 0, "arrays": [{"shape": [2, 3], "dtype": "float32"}] * 2},
        {"index": "fc_bias", "arrays": [{"shape": [4], "dtype": "float32"}] * 2},
    ]
    output = mxtorch("inspect", path)[1]
    assert "optimizer: Adam, " in output
    assert output.endswith("states of 2 weights, 4 arrays, with the optimizer\n")


def test_damage_is_exit_code_1(graph, mxtorch, tmp_path):
    graph.write_text(graph.read_text()[:-20])
    states = tmp_path / "x.states"
    states.write_bytes(updater(mx.optimizer.Adam()).get_states()[:-30])
    for path in (graph, states):
        status, output, error = mxtorch("inspect", path)
        assert (status, output) == (1, "")
        assert str(path) in error
        assert error.count("\n") == 1
        assert str(path) in json.loads(mxtorch("inspect", path, "--json")[1])["error"]


def test_states_that_would_run_code_are_refused(mxtorch, tmp_path):
    path = tmp_path / "x.states"
    path.write_bytes(pickle.dumps({0: pathlib.PurePath("x")}))
    status, _, error = mxtorch("inspect", path)
    assert status == 1
    assert "pathlib" in error


def test_stats_are_for_arrays(graph, mxtorch):
    status, _, error = mxtorch("inspect", graph, "--stats")
    assert status == 2
    assert "--stats" in error


def test_states_that_are_trusted(mxtorch, tmp_path, monkeypatch):
    path = tmp_path / "x.states"
    path.write_bytes(pickle.dumps({0: pathlib.PurePosixPath("x")}))
    assert "MXTORCH_TRUST_STATES=1" in mxtorch("inspect", path)[2]
    monkeypatch.setenv("MXTORCH_TRUST_STATES", "1")
    found = json.loads(mxtorch("inspect", path, "--json")[1])
    assert found["states"] == [{"index": 0, "arrays": [{"value": "PurePosixPath('x')"}]}]
