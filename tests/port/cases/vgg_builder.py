# A small VGG made by functions from a table.
import mxnet as mx
from mxnet import nd, init, autograd
from mxnet.gluon import nn, Trainer
from mxnet.gluon.loss import SoftmaxCrossEntropyLoss
import numpy as np

mx.random.seed(42)
prng = np.random.RandomState(42)


def convolutions(count, channels):
    """So many convolutions of one width, then half the size."""
    block = nn.HybridSequential()
    for _ in range(count):
        block.add(nn.Conv2D(channels, kernel_size=3, padding=1, activation='relu'))
    block.add(nn.MaxPool2D(pool_size=2, strides=2))
    return block


def build(table, classes, width=32):
    net = nn.HybridSequential()
    with net.name_scope():
        features = nn.HybridSequential()
        for row in table:
            features.add(convolutions(*row))
        net.add(features)
        net.add(nn.Flatten())
        for rate in (0.0, 0.0):
            net.add(nn.Dense(width, activation="relu"))
            net.add(nn.Dropout(rate))
        net.add(nn.Dense(classes))
    return net


num_outputs = 3
table = ((1, 4), (1, 8), (2, 8))
net = build(table, num_outputs)
net.initialize(init.Xavier(magnitude=2.24))

X = nd.array(prng.uniform(size=(2, 1, 24, 24)))
net(X)
total = 0
for name, param in sorted(net.collect_params().items()):
    total += int(np.prod(param.shape))
print('parameters', total)

# Initial values from NumPy, the same on every machine
for p in net.collect_params().values():
    if len(p.shape) == 1:
        p.set_data(nd.zeros(p.shape))
        continue
    bound = np.sqrt(6.0 / (p.shape[0] + np.prod(p.shape[1:])))
    p.set_data(nd.array(prng.uniform(-bound, bound, size=p.shape), dtype='float32'))

batch_size = 20
x_train = prng.uniform(0, 0.3, size=(120, 1, 24, 24))
y_train = np.arange(120) % num_outputs
for i in range(120):
    r = 4 * y_train[i]
    x_train[i, 0, r + 4:r + 12, r + 4:r + 12] += 0.7  # a square, further down for a higher class
x_train, y_train = nd.array(x_train), nd.array(y_train)

softmax_cross_entropy = SoftmaxCrossEntropyLoss()
trainer = Trainer(net.collect_params(), optimizer='adam',
                  optimizer_params={'learning_rate': 2e-3, 'beta1': 0.8, 'wd': 1e-4})

for epoch in range(3):
    losses = []
    for i in range(len(y_train) // batch_size):
        batch = slice(i * batch_size, (i + 1) * batch_size)
        data, label = x_train[batch], y_train[batch]
        with autograd.record(train_mode=True):
            output = net(data)
            loss = softmax_cross_entropy(output, label)
        loss.backward()
        trainer.step(batch_size)
        losses.append(loss.mean().asscalar())
    print("epoch %d first %.5f last %.5f" % (epoch, losses[0], losses[-1]))

with autograd.predict_mode():
    scores = nd.log_softmax(net(x_train[:6]), axis=-1)
print('log probabilities', [round(float(v), 3) for v in scores.max(axis=1).asnumpy()])
features = net[0](x_train[0:1])
print('features', features.shape, '%.4f' % features.mean().asscalar())
print(len(net), 'layers, of which', len(net[0]), 'blocks')
