"""A linear model whose workers push gradients to a key-value store, which updates the weights."""
import mxnet as mx
import numpy as np
from mxnet import autograd, nd

rng = np.random.RandomState(17)
WORKERS = 3
FEATURES = 5

# What the workers see: a third of the data each
features = rng.normal(size=(90, FEATURES)).astype('float32')
true_w = np.array([1.0, -2.0, 0.5, 0.0, 3.0], dtype='float32')
targets = features.dot(true_w) + 0.7 + rng.normal(0, 0.05, size=90)
parts = [(nd.array(features[k::WORKERS]), nd.array(targets[k::WORKERS]))
         for k in range(WORKERS)]

store = mx.kv.create('local')
print('store', store.type, store.rank, store.num_workers)

# Keys are numbers or names; a list of keys is a list of values
store.init('w', nd.zeros((FEATURES, 1)))
store.init(['b', 'seen'], [nd.zeros((1,)), nd.zeros((1,))])

# Without an updater a push replaces the value by the sum of what is pushed
store.push('seen', [nd.array([part[0].shape[0]]) for part in parts])
count = nd.zeros((1,))
store.pull('seen', out=count)
print('samples', count.asscalar())

optimizer = mx.optimizer.SGD(learning_rate=0.1, momentum=0.5, rescale_grad=1.0 / 90)
store.set_optimizer(optimizer)

w = [nd.zeros((FEATURES, 1)) for _ in range(WORKERS)]
b = [nd.zeros((1,)) for _ in range(WORKERS)]
for epoch in range(30):
    store.pull('w', out=w)
    store.pull('b', out=b)
    grads_w, grads_b = [], []
    total = 0.0
    for k, (x, y) in enumerate(parts):
        w[k].attach_grad()
        b[k].attach_grad()
        with autograd.record():
            error = nd.dot(x, w[k]).reshape((-1,)) + b[k] - y
            loss = (error ** 2).sum() / 2
        loss.backward()
        total += loss.asscalar()
        grads_w.append(w[k].grad)
        grads_b.append(b[k].grad)
    # the store adds up what the workers send
    store.push('w', grads_w)
    store.push('b', grads_b)
    if epoch % 10 == 9:
        print('epoch %d: loss %.5f' % (epoch, total / 90))

final = nd.zeros((FEATURES, 1))
store.pull('w', out=final)
print('weights', ' '.join('%.4f' % v for v in final.reshape((-1,)).asnumpy()))
bias = nd.zeros((1,))
store.pull('b', out=bias)
print('bias %.4f' % bias.asscalar())
gap = np.abs(final.asnumpy().ravel() - true_w).max()
print('close' if gap < 0.1 else 'far', '%.4f' % gap)
