"""LogMetricsCallback."""

import sys
import types

import mxtorch as mx
from mxtorch.contrib.tensorboard import LogMetricsCallback


class Writer:
    def __init__(self, folder):
        self.folder, self.rows = folder, []

    def add_scalar(self, *row):
        self.rows.append(row)


def test_each_metric_is_a_scalar(monkeypatch):
    board = types.ModuleType("mxboard")
    board.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "mxboard", board)
    metric = mx.metric.create(["acc", "mse"])
    metric.update([mx.nd.array([1])], [mx.nd.array([[0.2, 0.8]])])
    callback = LogMetricsCallback("logs", prefix="train")
    param = types.SimpleNamespace(eval_metric=metric)
    callback(param)
    callback(param)
    callback(types.SimpleNamespace(eval_metric=None))
    writer = callback.summary_writer
    assert writer.folder == "logs"
    assert [row[::2] for row in writer.rows] == [
        ("train-accuracy", 1),
        ("train-mse", 1),
        ("train-accuracy", 2),
        ("train-mse", 2),
    ]


def test_without_a_writer(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "mxboard", None)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    callback = LogMetricsCallback("logs")
    assert "pip install" in caplog.text
    callback(types.SimpleNamespace(eval_metric=mx.metric.create("acc")))
