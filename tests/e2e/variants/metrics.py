"""Evaluation metrics over batches, reset and combined."""
import mxnet as mx
import numpy as np
from mxnet import nd


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)])


scores = [nd.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.2, 0.6]]), nd.array([[0.9, 0.05, 0.05]])]
labels = [nd.array([1, 2, 2]), nd.array([0])]
binary = [nd.array([[0.3, 0.7], [0.6, 0.4], [0.2, 0.8], [0.9, 0.1]]), nd.array([[0.4, 0.6], [0.45, 0.55]])]
truth = [nd.array([1, 1, 0, 0]), nd.array([1, 0])]
values = [nd.array([[1.0], [2.5], [3.0]]), nd.array([[0.0]])]
targets = [nd.array([[1.5], [2.0], [5.0]]), nd.array([[1.0]])]


def run(metric, labels, preds):
    out = []
    for l, p in zip(labels, preds):
        metric.update([l], [p])
        value = metric.get()[1]
        out += value if isinstance(value, list) else [value]
    return out


print(mx.metric.Accuracy().get())
show('accuracy', run(mx.metric.Accuracy(), labels, scores))
show('accuracy of classes', run(mx.metric.Accuracy(), labels, [s.argmax(axis=1) for s in scores]))
show('accuracy axis', run(mx.metric.Accuracy(axis=0), [nd.array([1, 0])], [nd.array([[0.1, 0.9], [0.8, 0.2]])]))
print(mx.metric.create('top_k_accuracy', top_k=3).name)
show('top 2', run(mx.metric.TopKAccuracy(top_k=2), labels, scores))
show('f1', run(mx.metric.F1(), truth, binary))
show('f1 micro', run(mx.metric.F1(average='micro'), truth, binary))
show('mcc', run(mx.metric.MCC(), truth, binary))
show('mae', run(mx.metric.MAE(), targets, values))
show('mse', run(mx.metric.MSE(), targets, values))
show('rmse', run(mx.metric.RMSE(), targets, values))
show('ce', run(mx.metric.CrossEntropy(), labels, scores))
show('nll', run(mx.metric.NegativeLogLikelihood(), labels, scores))
show('perplexity', run(mx.metric.Perplexity(ignore_label=None), labels, scores))
show('perplexity ignoring', run(mx.metric.Perplexity(ignore_label=2), labels, scores))
show('pearson', run(mx.metric.PearsonCorrelation(), targets[:1], values[:1]))
show('loss', run(mx.metric.Loss(), [None, None], [nd.array([1, 2, 3]), nd.array([10])]))

for spec in ('acc', 'accuracy', 'mse', 'mae', 'rmse', 'ce'):
    metric = mx.metric.create(spec)
    print(spec, type(metric).__name__, metric.name)
metric = mx.metric.create(['acc', 'ce'])
print(type(metric).__name__, metric.get()[0])
show('composite', run(metric, labels, scores))
metric.reset()
print('after reset', metric.get())
both = mx.metric.CompositeEvalMetric([mx.metric.Accuracy(name='a'), mx.metric.CrossEntropy(name='b')])
show('named', run(both, labels, scores))
print(both.get_name_value()[0][0], both.get()[0])


def distance(label, pred):
    return abs(label.reshape(-1) - pred.reshape(-1)).max()


custom = mx.metric.CustomMetric(distance, name='distance')
show('custom', run(custom, targets, values))
print(custom.get()[0], mx.metric.create(distance).get()[0])
show('np', run(mx.metric.np(distance), targets, values))
metric = mx.metric.Accuracy()
metric.update(labels, scores)
print(metric, metric.get_name_value(), metric.num_inst, metric.sum_metric)
metric = mx.metric.Accuracy()
metric.update(labels[0], scores[0])
show('not in lists', [metric.get()[1]])
try:
    mx.metric.Accuracy().update(labels, scores[:1])
except ValueError:
    print('lengths')


class Half(mx.metric.EvalMetric):
    def __init__(self):
        super(Half, self).__init__('half')

    def update(self, labels, preds):
        for l, p in zip(labels, preds):
            self.sum_metric += float((p > 0.5).sum().asscalar())
            self.num_inst += p.size


show('own', run(Half(), labels, scores))
