"""Metrics, for the port."""

from __future__ import annotations

from tests.snippets import snippets

ARRAYS = """
def wave(*shape):
    n = 1
    for length in shape:
        n *= length
    return nd.array(onp.cos(onp.arange(n) * 1.7)).reshape(shape)

probs = [nd.softmax(wave(4, 3)), nd.softmax(2 * wave(3, 3))]
classes = [nd.array([0, 1, 2, 0]), nd.array([2, 2, 1])]
values = [wave(4, 1), wave(3, 1) + 0.5]
wanted = [nd.array([0.1, 0.5, -1, 2]), nd.array([1, 2, 3])]
"""

CASES = snippets(
    """
## metric/by-class-number
for metric in [mx.metric.Accuracy(), mx.metric.TopKAccuracy(top_k=2), mx.metric.CrossEntropy(),
               mx.metric.NegativeLogLikelihood(), mx.metric.Perplexity(None),
               mx.metric.Perplexity(ignore_label=2)]:
    for p, c in zip(probs, classes):
        metric.update([c], [p])
    out += [metric.get()]

## metric/regression
for metric in [mx.metric.MAE(), mx.metric.MSE(), mx.metric.RMSE()]:
    for v, w in zip(values, wanted):
        metric.update([w], [v])
    out += [metric.get()]

## metric/mcc
mcc, micro = mx.metric.MCC(), mx.metric.MCC(average='micro', name='all')
two = [nd.softmax(wave(6, 2)), nd.softmax(wave(5, 2) * 3), nd.softmax(wave(3, 2))]
for p, c in zip(two, [[0, 1, 1, 0, 1, 0], [1, 1, 0, 1, 0], [1, 1, 1]]):
    for metric in (mcc, micro):
        metric.update([nd.array(c)], [p])
        out += [metric.get()]
mcc.reset()
mcc.update([nd.array([0, 1])], [nd.array([[0.9, 0.1], [0.2, 0.8]])])
out += [mcc.get(), mx.metric.create('mcc').name]

## metric/correlation
metric = mx.metric.PearsonCorrelation()
for v, w in zip(values, wanted):
    metric.update([w.reshape((-1, 1))], [v])
out += [metric.get()]

## metric/binary
f1 = mx.metric.F1()
micro = mx.metric.F1(average='micro')
for metric in (f1, micro):
    metric.update([nd.array([0, 1, 1, 0])], [nd.softmax(wave(4, 2))])
    metric.update([nd.array([1, 1])], [nd.softmax(wave(2, 2))])
    out += [metric.get()]

## metric/loss
metric = mx.metric.Loss()
metric.update(0, [wave(4)])
metric.update(None, wave(2, 3))
out += [metric.get()]

## metric/composite
metric = mx.metric.CompositeEvalMetric()
metric.add(mx.metric.Accuracy())
metric.add(mx.metric.CrossEntropy(name='loss'))
metric.update(classes, probs)
names, found = metric.get()
out += [names, found, metric.get_name_value()]
metric.reset()
out += [metric.get()[0]]

## metric/by-name
metric = mx.metric.create('acc')
out += [metric.get()[0], mx.metric.create('rmse').get()[0], mx.metric.create('nll_loss').name]
both = mx.metric.create(['accuracy', 'ce'])
both.update(classes, probs)
out += [both.get()]

## metric/reset-and-names
metric = mx.metric.Accuracy(name='train-acc')
metric.update(labels=classes, preds=probs)
out += [metric.get_name_value(), metric.name, metric.num_inst, metric.sum_metric]
metric.reset()
metric.update([nd.array([1, 1])], [nd.array([1, 0])])
name, value = metric.get()
out += ['%s=%.3f' % (name, value)]

## metric/nothing-seen
out += [mx.metric.Accuracy().get(), mx.metric.RMSE().get()[0]]

## metric/own-class
class Within(mx.metric.EvalMetric):
    def __init__(self, bound):
        super(Within, self).__init__('within')
        self.bound = bound

    def update(self, labels, preds):
        for label, pred in zip(labels, preds):
            gap = onp.abs(label.asnumpy() - pred.asnumpy()[:, 0])
            self.sum_metric += (gap < self.bound).sum()
            self.num_inst += len(gap)

metric = Within(1.0)
metric.update(wanted, values)
out += [metric.get()[0], float(metric.get()[1])]

## metric/custom
def largest_gap(label, pred):
    return float(onp.abs(label - pred[:, 0]).max())

metric = mx.metric.np(largest_gap)
other = mx.metric.CustomMetric(largest_gap, name='gap')
metric.update(wanted, values)
other.update(wanted, values)
out += [metric.get(), other.get()]
""",
    ARRAYS,
)
