"""An Estimator's training that is interrupted ends as one that was not, handlers included."""

import numpy as np
import pytest

import mxtorch as mx
from mxtorch import gluon
from mxtorch.gluon.contrib.estimator import (
    BatchEnd,
    EarlyStoppingHandler,
    EpochEnd,
    Estimator,
)

X = np.random.RandomState(0).randn(22, 6).astype(np.float32)
Y = np.random.RandomState(1).randint(0, 3, 22).astype(np.float32)


class Interrupted(Exception):
    pass


class Notes(EpochEnd, BatchEnd):
    """A handler of the program's own: what the metrics say, and the end at some batch."""

    def __init__(self, stop=None):
        self.stop, self.batches, self.notes = stop, 0, []

    def batch_end(self, estimator, *args, **kwargs):
        self.batches += 1
        if self.batches == self.stop:
            raise Interrupted

    def epoch_end(self, estimator, *args, **kwargs):
        metrics = estimator.train_metrics + estimator.val_metrics
        self.notes.append([[float(value) for _, value in m.get_name_value()] for m in metrics])


def train(path, stop=None, patience=None, every=2, seed=1, **limits):
    """(parameters, notes, optimizer's updates) of a run up to the batch `stop`."""
    mx.random.seed(seed)
    np.random.seed(seed)
    net = gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dropout(0.2), gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    metrics = [mx.metric.Accuracy()]
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    estimator = Estimator(net, loss, metrics, trainer=trainer, context=mx.cpu())
    estimator.logger.disabled = True
    data = gluon.data.ArrayDataset(X, Y)
    run = mx.checkpoint(net, trainer, gluon.data.DataLoader(data, 4, shuffle=True), path, every)
    notes = Notes(stop)
    handlers = [notes]
    if patience is not None:
        handlers.append(
            EarlyStoppingHandler(estimator.train_metrics[0], patience=patience, mode="max")
        )
    validation = gluon.data.DataLoader(data, 11)
    try:
        estimator.fit(run, validation, event_handlers=handlers, **(limits or {"epochs": 3}))
    except Interrupted:
        return None
    values = [p.data().asnumpy() for p in net.collect_params().values()]
    return values, notes.notes, notes.batches, trainer.optimizer.num_update


def assert_same(found, expected):
    for one, other in zip(found[0], expected[0], strict=True):
        np.testing.assert_array_equal(one, other)
    assert found[1:] == expected[1:]


@pytest.mark.parametrize("stops", [[3], [4], [7, 11], [12, 13, 17]])
def test_epochs(tmp_path, stops):
    expected = train(tmp_path / "whole")
    for stop in stops:
        assert train(tmp_path / "run", stop=stop) is None
    assert_same(train(tmp_path / "run", seed=9), expected)


def test_batches(tmp_path):
    expected = train(tmp_path / "whole", batches=10)
    assert expected[2] == 10
    assert train(tmp_path / "run", stop=8, batches=10) is None
    assert_same(train(tmp_path / "run", seed=9, batches=10), expected)


def test_a_run_that_had_ended_is_restored(tmp_path):
    expected = train(tmp_path / "run")
    assert_same(train(tmp_path / "run", seed=9), expected)


def test_more_epochs_than_before(tmp_path):
    expected = train(tmp_path / "whole", epochs=4)
    train(tmp_path / "run", epochs=2)
    assert_same(train(tmp_path / "run", seed=9, epochs=4), expected)


def test_early_stopping_counts_on(tmp_path):
    expected = train(tmp_path / "whole", patience=1, epochs=20)
    assert 2 <= len(expected[1]) < 20
    assert train(tmp_path / "run", stop=expected[2] - 2, patience=1, epochs=20) is None
    assert_same(train(tmp_path / "run", seed=9, patience=1, epochs=20), expected)
    assert_same(train(tmp_path / "run", seed=9, patience=1, epochs=20), expected)


def test_other_handlers_are_refused(tmp_path):
    train(tmp_path / "run", stop=5)
    with pytest.raises(ValueError, match=r"EarlyStoppingHandler.* here and .* in the file"):
        train(tmp_path / "run", patience=2)


def test_metrics_with_parts():
    from mxtorch._resume.handlers import metric_state, put_metric_state

    labels, scores = mx.nd.array([0, 1, 1, 0]), mx.nd.array([[1, 2], [3, 4], [2, 1], [5, 1]])
    for make in (
        mx.metric.F1,
        mx.metric.MCC,
        lambda: mx.metric.CompositeEvalMetric([mx.metric.F1(), mx.metric.Accuracy()]),
    ):
        one, other = make(), make()
        one.update([labels], [scores])
        put_metric_state(other, metric_state(one))
        for metric in (one, other):
            metric.update([labels], [scores[::-1]])
        assert one.get() == other.get()


def test_only_loaders():
    run = mx.checkpoint(gluon.nn.Dense(1), None, [1, 2], "never-written")
    net = gluon.nn.Dense(1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer, context=mx.cpu())
    with pytest.raises(ValueError, match="DataLoader"):
        estimator.fit(run, epochs=1)


def test_a_trainer_that_sorts_otherwise(tmp_path):
    def run(first):
        net = gluon.nn.Sequential()
        for number in (first, first + 1):
            net.add(gluon.nn.Dense(3, in_units=3, prefix=f"dense{number}_"))
        net.initialize()
        trainer = gluon.Trainer(net.collect_params(), "adam")
        made = mx.checkpoint(net, trainer, [1, 2], tmp_path / "run", 1)
        for _ in made.epochs(1):
            for _ in made:
                pass
        return made.is_resumed

    assert not run(7)
    assert run(20)
    with pytest.raises(mx.MXNetError, match=r"in another order .*dense10_bias.*dense7_bias"):
        run(9)
