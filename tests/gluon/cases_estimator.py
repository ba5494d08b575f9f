"""mx.gluon.contrib.estimator: the loop, its events, what it logs, checkpoints."""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """
import logging, os, re, tempfile, warnings
E = gluon.contrib.estimator
lines = []
class Lines(logging.Handler):
    def emit(self, record):
        text = re.sub(r'\\d+\\.\\d+s', '#s', record.getMessage())
        text = re.sub(r'total \\d+s', 'total #s', text)
        lines.append(text.replace(folder, 'FOLDER'))
folder = tempfile.mkdtemp()
X = nd.array(onp.random.RandomState(0).normal(size=(20, 3)))
Y = X[:, 0] > 0
data = gluon.data.DataLoader(gluon.data.ArrayDataset(X, Y), batch_size=5)
loss = gluon.loss.SoftmaxCrossEntropyLoss()
def make(hybrid=False, **kwargs):
    mx.random.seed(0)
    net = nn.HybridSequential(prefix='net_')
    net.add(nn.Dense(4, activation='relu', prefix='a_'), nn.Dense(2, prefix='b_'))
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
    e = E.Estimator(net, loss, trainer=trainer, **kwargs)
    e.logger.handlers[:] = [Lines()]
    return e
def quiet(call):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return call()
def files():
    return sorted(os.listdir(folder))
"""

CASES = snippets(
    """
## fit [net]
e = make()
e.fit(data, val_data=data, epochs=2)
out += [lines, [m.name for m in e.train_metrics + e.val_metrics]]
out += [[m.get()[1] for m in e.train_metrics + e.val_metrics], e.net[0].weight.data()]
out += [e.max_epoch, e.max_batch, str(e.context), e.logger.name, e.logger.level]

## fit/batches [net]
e = make(train_metrics=[mx.metric.Accuracy(), mx.metric.TopKAccuracy(2)])
e.fit(data, batches=6, event_handlers=[E.LoggingHandler(2, e.train_metrics)])
out += [lines, [m.name for m in e.val_metrics], e.net[0].weight.data()]

## evaluate [net]
e = make()
e.evaluate(data)
out += [lines, [m.get()[1] for m in e.val_metrics]]

## events
log = []
class All(E.TrainBegin, E.TrainEnd, E.EpochBegin, E.EpochEnd, E.BatchBegin, E.BatchEnd):
    def __init__(self, tag, priority=None, stop=None):
        self.tag, self.stop = tag, stop
        if priority is not None:
            self.priority = priority
    def note(self, event, kwargs):
        log.append(self.tag + ' ' + event + ' ' + ','.join(sorted(kwargs)))
        return event == self.stop
    def train_begin(self, estimator, *args, **kwargs): self.note('train_begin', kwargs)
    def train_end(self, estimator, *args, **kwargs): self.note('train_end', kwargs)
    def epoch_begin(self, estimator, *args, **kwargs): self.note('epoch_begin', kwargs)
    def epoch_end(self, estimator, *args, **kwargs): return self.note('epoch_end', kwargs)
    def batch_begin(self, estimator, *args, **kwargs): self.note('batch_begin', kwargs)
    def batch_end(self, estimator, *args, **kwargs): return self.note('batch_end', kwargs)
for stop in (None, 'epoch_end', 'batch_end'):
    e = make()
    e.fit(data, epochs=2, event_handlers=[All('a', stop=stop), All('b', -3000)])
    log.append('evaluate')
    e.evaluate(data, event_handlers=All('c'))
out.append(log)

## checkpoints
for kwargs in ({'verbose': 1}, {'epoch_period': 2}, {'max_checkpoints': 1, 'model_prefix': 'q'},
               {'batch_period': 3, 'epoch_period': None}):
    folder = tempfile.mkdtemp()
    handler = E.CheckpointHandler(folder, **kwargs)
    make(hybrid='epoch_period' in kwargs).fit(data, epochs=3, event_handlers=[handler])
    out += [files(), handler.saved_checkpoints, handler.current_batch, handler.current_epoch]
out.append(lines)

## checkpoints/best [net]
e = make()
h = quiet(lambda: E.CheckpointHandler(folder, monitor=e.val_metrics[1], save_best=True, verbose=1))
e.fit(data, val_data=data, epochs=3, event_handlers=[h])
out += [files(), h.best, h.monitor_op.__name__]
h = E.CheckpointHandler(folder, monitor=e.train_metrics[1], save_best=True, mode='min', verbose=1)
e.fit(data, epochs=2, event_handlers=h)
out += [h.best, h.monitor_op.__name__, [line for line in lines if 'best' in line]]

## checkpoints/resume [net]
make().fit(data, epochs=2, event_handlers=[E.CheckpointHandler(folder)])
e = make()
h = E.CheckpointHandler(folder, resume_from_checkpoint=True, verbose=1)
e.fit(data, epochs=4, event_handlers=[h])
out += [files(), h.trained_epoch, h.trained_batch, e.max_epoch, e.net[0].weight.data(), lines]
f = make()
f.fit(data, epochs=4)
d = abs(e.net[0].weight.data() - f.net[0].weight.data()).max()
out.append(float(d.asscalar()) < 1e-6)

## checkpoints/resume-batches
h = E.CheckpointHandler(folder, batch_period=2, epoch_period=None)
make().fit(data, batches=6, event_handlers=[h])
h = E.CheckpointHandler(folder, batch_period=2, epoch_period=None, resume_from_checkpoint=True)
make().fit(data, batches=9, event_handlers=[h])
out += [files(), h.trained_epoch, h.trained_batch, h.saved_checkpoints]
out.append([i for i in lines if 'Ch' in i])

## checkpoints/resume-nothing
h = E.CheckpointHandler(folder, resume_from_checkpoint=True)
make().fit(data, epochs=1, event_handlers=[h])
out += [files(), h.trained_epoch, h.trained_batch]

## checkpoints/resume-finished
make().fit(data, epochs=2, event_handlers=[E.CheckpointHandler(folder)])
h = E.CheckpointHandler(folder, resume_from_checkpoint=True)
make().fit(data, epochs=2, event_handlers=[h])

## checkpoints/best-of-nothing
E.CheckpointHandler(folder, save_best=True)

## early-stopping [net]
for index, kwargs in ((0, {}), (1, {'patience': 1, 'min_delta': 0.5}), (0, {'mode': 'min'}),
                      (0, {'baseline': 0.99, 'patience': 1}), (1, {'mode': 'max'}),
                      (1, {'mode': 'min', 'min_delta': 0.01})):
    e = make()
    h = quiet(lambda: E.EarlyStoppingHandler(e.train_metrics[index], **kwargs))
    e.fit(data, epochs=4, event_handlers=[h])
    out += [h.wait, h.stopped_epoch, h.current_epoch, h.stop_training, h.best, h.min_delta]
out.append([line for line in lines if 'Early' in line])

## early-stopping/no-metric
E.EarlyStoppingHandler('accuracy')

## validation-handler [net]
e = make()
h = E.ValidationHandler(data, e.evaluate, epoch_period=2, batch_period=3)
e.fit(data, epochs=2, event_handlers=[h])
out += [lines, h.current_batch, h.current_epoch]

## batch-processor
calls = []
class Mine(E.BatchProcessor):
    def fit_batch(self, estimator, train_batch, batch_axis=0):
        found = super(Mine, self).fit_batch(estimator, train_batch, batch_axis)
        calls.append([[type(x).__name__, len(x)] for x in found])
        return found
    def evaluate_batch(self, estimator, val_batch, batch_axis=0):
        calls.append('evaluate')
        return super(Mine, self).evaluate_batch(estimator, val_batch, batch_axis)
e = make(batch_processor=Mine())
e.fit(data, batches=2, val_data=data)
out += [calls, e.batch_processor.__class__.__name__]

## several-contexts [net]
ctx = [mx.cpu(0), mx.cpu(1)]
mx.random.seed(0)
net = nn.Dense(2, in_units=3)
net.initialize(ctx=ctx)
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
e = E.Estimator(net, loss, trainer=t, context=ctx)
e.logger.handlers[:] = []
e.fit(gluon.data.DataLoader(gluon.data.ArrayDataset(X, Y), batch_size=10), epochs=2)
out += [net.weight.data(ctx[1]), [m.get()[1] for m in e.train_metrics]]

## default-trainer-and-initializer
caught = warnings.catch_warnings(record=True)
found = caught.__enter__()
warnings.simplefilter('always')
net = nn.Dense(2, in_units=3)
e = E.Estimator(net, loss, initializer=mx.init.One())
out += [net.weight.data(), type(e.trainer.optimizer).__name__, e.trainer.learning_rate]
e = E.Estimator(net, gluon.loss.L2Loss(), initializer=mx.init.Zero())
out += [net.weight.data(), [m.name for m in e.train_metrics + e.val_metrics]]
caught.__exit__(None, None, None)
out.append(sum(w.category is UserWarning for w in found))

## refused/loss
E.Estimator(nn.Dense(2), 'l2')

## refused/metric
E.Estimator(nn.Dense(2), loss, train_metrics='acc')

## refused/trainer
E.Estimator(nn.Dense(2), loss, trainer='sgd')

## refused/context
E.Estimator(nn.Dense(2), loss, context='cpu')

## refused/batch-processor
make(batch_processor=3)

## refused/no-limit
make().fit(data)

## refused/two-limits
make().fit(data, epochs=1, batches=2)

## refused/data
make().fit([1], epochs=1)

## refused/validation-data
make().evaluate([1])

## refused/handler
make().fit(data, epochs=1, event_handlers=[3])

## refused/strange-metric
make().fit(data, epochs=1, event_handlers=[E.MetricHandler([mx.metric.Accuracy()])])

## refused/log-interval
E.LoggingHandler(log_interval='batch')
""",
    before=_SETUP,
)
