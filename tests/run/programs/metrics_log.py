"""2018: metrics and schedulers; np.round_, np.NINF, collections.Callable."""
import collections

import mxnet as mx
import numpy as np

best = np.NINF
metric = mx.metric.CompositeEvalMetric()
for name in ('acc', 'ce', 'rmse'):
    metric.add(mx.metric.create(name) if name != 'rmse' else mx.metric.np(lambda l, p: np.float(abs(l - p.argmax(1)).mean())))
rs = np.random.RandomState(4)
for batch in range(3):
    pred = mx.nd.softmax(mx.nd.array(rs.randn(6, 3)))
    label = mx.nd.array(rs.randint(0, 3, (6,)))
    metric.update([label], [pred])
    names, values = metric.get()
    best = max(best, values[0])
    print(batch, np.round_(values, 4).tolist(), np.round_(best, 4))
schedule = mx.lr_scheduler.MultiFactorScheduler(step=[2, 4], factor=.1, base_lr=1.0)
print([round(schedule(i), 4) for i in range(6)], isinstance(schedule, collections.Callable))
