"""Metrics: values batch by batch, edge cases, and how they are created and combined."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_METRICS = """
Accuracy()
Accuracy(axis=-1)
Accuracy(name='mine')
TopKAccuracy(top_k=2)
TopKAccuracy(top_k=3)
F1()
F1(average='micro')
MCC()
MCC(average='micro')
MAE()
MSE()
RMSE()
CrossEntropy()
CrossEntropy(eps=0.1)
NegativeLogLikelihood()
Perplexity(ignore_label=None)
Perplexity(ignore_label=1)
PearsonCorrelation()
PCC()
Loss()
"""

_BINARY = ("F1", "MCC")
_REGRESSION = ("MAE", "MSE", "RMSE", "Pearson")

_UPDATE = """
m = mx.metric.{metric}
out.append(m.name)
for label, pred in {batches}:
    m.update([nd.array(label)], [nd.array(pred)])
    out.append(m.get()[1])
m.reset()
out.append(m.get()[1])
"""
_CLASSES = """(
    ([0, 2, 1], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]),
    ([1], [[0.2, 0.5, 0.3]]))"""
_TWO = """(
    ([0, 1, 1, 0], [[0.5, 0.3], [0.1, 0.7], [0.6, 0.4], [0.2, 0.8]]),
    ([1, 1], [[0.2, 0.8], [0.9, 0.1]]))"""
_NUMBERS = """(
    ([1.0, 2.0, 3.0], [1.5, 1.0, 3.5]),
    ([[0.5]], [[1.5]]))"""


def _batches(metric: str) -> str:
    if metric.startswith(_BINARY):
        return _TWO
    return _NUMBERS if metric.startswith(_REGRESSION) else _CLASSES


_FILE = """
## accuracy/nan-before-update
out += [mx.metric.Accuracy().get(), mx.metric.MSE().get()]

## accuracy/label-of-class-indices
m = mx.metric.Accuracy()
m.update([nd.array([0, 1, 2])], [nd.array([0, 1, 1])])
out.append(m.get())

## accuracy/int-labels
m = mx.metric.Accuracy()
m.update([nd.array([0, 1], dtype='int32')], [nd.array([[0.9, 0.1], [0.8, 0.2]])])
out.append(m.get())

## accuracy/column-labels
m = mx.metric.Accuracy()
m.update([nd.array([[0], [1]])], [nd.array([[0.9, 0.1], [0.2, 0.8]])])
out.append(m.get())

## accuracy/sequences
m = mx.metric.Accuracy(axis=2)
m.update(
    [nd.array([[0, 1], [1, 1]])],
    [nd.array([[[0.9, 0.1], [0.2, 0.8]], [[0.9, 0.1], [0.2, 0.8]]])],
)
out.append(m.get())

## accuracy/bare-arrays
m = mx.metric.Accuracy()
m.update(nd.array([0, 1]), nd.array([[0.9, 0.1], [0.2, 0.8]]))
out.append(m.get())

## accuracy/other-contexts
m = mx.metric.Accuracy()
m.update([nd.array([0]), nd.array([1], ctx=mx.cpu(1))],
         [nd.array([[0.9, 0.1]]), nd.array([[0.9, 0.1]], ctx=mx.cpu(1))])
out.append(m.get())

## accuracy/shape-mismatch
mx.metric.Accuracy().update([nd.array([0, 1, 1])], [nd.array([0, 1])])

## accuracy/list-mismatch
mx.metric.Accuracy().update([nd.array([0])], [])

## accuracy/ties
m = mx.metric.Accuracy()
m.update([nd.array([0, 1])], [nd.array([[0.5, 0.5], [0.5, 0.5]])])
out.append(m.get())

## accuracy/counts
m = mx.metric.Accuracy()
m.update([nd.array([0, 1, 1])], [nd.array([[0.9, 0.1], [0.2, 0.8], [0.8, 0.2]])])
out += [float(m.sum_metric), m.num_inst]

## accuracy/text
m = mx.metric.Accuracy()
out += [str(m), repr(m.get_name_value()), m.get_config()]

## accuracy/local
m = mx.metric.Accuracy()
m.update([nd.array([0, 1])], [nd.array([[0.9, 0.1], [0.8, 0.2]])])
m.reset_local()
m.update([nd.array([0])], [nd.array([[0.9, 0.1]])])
out += [m.get(), m.get_global()]

## accuracy/update_dict
m = mx.metric.Accuracy(output_names=['out'], label_names=['label'])
m.update_dict(
    {'label': nd.array([0]), 'other': nd.array([1])},
    {'out': nd.array([[0.9, 0.1]]), 'no': nd.array([1])},
)
out.append(m.get())

## top_k/one-refused
mx.metric.TopKAccuracy()

## f1/three-classes-refused
mx.metric.F1().update(
    [nd.array([0, 1, 2])], [nd.array([[0.9, 0.1, 0], [0.8, 0.2, 0], [0.1, 0.1, 0.8]])]
)

## f1/no-positives
m = mx.metric.F1()
m.update([nd.array([0, 0])], [nd.array([[0.9, 0.1], [0.8, 0.2]])])
out.append(m.get())

## ce/float-labels
m = mx.metric.CrossEntropy()
m.update([nd.array([0.0, 1.0])], [nd.array([[0.9, 0.1], [0.0, 1.0]])])
out.append(m.get())

## ce/zero-probability
m = mx.metric.CrossEntropy()
m.update([nd.array([0])], [nd.array([[0.0, 1.0]])])
out.append(m.get())

## rmse/mean-of-roots
m = mx.metric.RMSE()
m.update([nd.array([0, 0])], [nd.array([0, 2])])
m.update([nd.array([0])], [nd.array([4])])
out.append(m.get())

## loss/elements
m = mx.metric.Loss()
m.update(None, [nd.array([1, 2, 3])])
m.update(None, nd.array([10]))
out.append(m.get())

## composite/from-list
m = mx.metric.create(['acc', 'ce'])
m.update([nd.array([0, 1])], [nd.array([[0.9, 0.1], [0.8, 0.2]])])
out += [
    type(m).__name__,
    tuple(m.get()[0]),
    tuple(m.get()[1]),
    len(m.metrics),
    type(m.get_metric(1)).__name__,
]

## composite/add
m = mx.metric.CompositeEvalMetric()
m.add(mx.metric.Accuracy())
m.add('mse')
out += [tuple(type(x).__name__ for x in m.metrics), m.get()[0]]

## composite/reset
m = mx.metric.CompositeEvalMetric(['acc', 'mse'])
m.reset()
out.append(m.get())

## composite/get_metric-out-of-range
out.append(str(mx.metric.CompositeEvalMetric(['acc']).get_metric(3)))

## create/names
out += [
    type(mx.metric.create(n)).__name__
    for n in (
        'acc',
        'accuracy',
        'ce',
        'cross-entropy',
        'mae',
        'mse',
        'rmse',
        'f1',
        'mcc',
        'loss',
    )
]

## create/passes-instance
m = mx.metric.Accuracy()
out.append(mx.metric.create(m) is m)

## create/function
m = mx.metric.create(lambda label, pred: float(abs(label - pred).sum()))
m.update([nd.array([1, 2])], [nd.array([1, 4])])
out += [type(m).__name__, m.get()[1]]

## create/unknown
mx.metric.create('no_such')

## custom/two-values
m = mx.metric.CustomMetric(
    lambda label, pred: (float(abs(label - pred).sum()), len(label)), name='d'
)
m.update([nd.array([1, 2])], [nd.array([1, 4])])
m.update([nd.array([1])], [nd.array([2])])
out.append(m.get())

## custom/np
def close(label, pred):
    return float((abs(label - pred) < 1.5).mean())
m = mx.metric.np(close)
m.update([nd.array([1, 2])], [nd.array([1, 4])])
out.append(m.get())

## custom/extra-outputs
m = mx.metric.CustomMetric(lambda label, pred: 1.0, allow_extra_outputs=True)
m.update([nd.array([1])], [nd.array([1]), nd.array([2])])
out.append(m.get()[1])

## own/registered
@mx.metric.register
class Always(mx.metric.EvalMetric):
    def __init__(self, name='always'):
        super().__init__(name)
    def update(self, labels, preds):
        self.sum_metric += 2
        self.num_inst += 1
m = mx.metric.create('always')
m.update([], [])
m.update([], [])
out += [m.get(), m.get_name_value()]
"""


CASES = [
    C("update/" + line, _UPDATE.format(metric=line, batches=_batches(line)))
    for line in _METRICS.splitlines()
    if line
] + snippets(_FILE)
