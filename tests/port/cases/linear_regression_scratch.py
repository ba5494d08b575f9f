"""Linear regression written out: arrays, autograd, and an SGD of its own."""
import random

import numpy as np
from mxnet import autograd, nd

random.seed(7)
rng = np.random.RandomState(42)

# A line in two dimensions, and some noise on it.
num_inputs = 2
num_examples = 400
true_w = [2.0, -3.4]
true_b = 4.2
features = nd.array(rng.normal(scale=1, size=(num_examples, num_inputs)))
labels = true_w[0] * features[:, 0] + true_w[1] * features[:, 1] + true_b
labels += nd.array(rng.normal(scale=0.01, size=labels.shape))
print('first example', features[0].asnumpy().tolist(), labels[0].asscalar())
print('shapes', features.shape, labels.shape, 'dtype', features.dtype == np.float32)


def minibatches(size):
    """Rows of the data in random order; the last batch may be smaller."""
    order = list(range(num_examples))
    random.shuffle(order)  # Python's own generator
    while order:
        rows, order = nd.array(order[:size]), order[size:]
        yield features.take(rows), labels.take(rows)


def line(x):
    return nd.dot(x, w) + b


def half_square(guess, y):
    # the guess is a column, the label a row
    return (guess - y.reshape(guess.shape)) ** 2 / 2


def descend(weights, rate, size):
    for weight in weights:
        weight[:] = weight - rate * weight.grad / size


# Model parameters
w = nd.array(rng.normal(scale=0.01, size=(num_inputs, 1)))
b = nd.zeros(shape=(1,))
w.attach_grad()
b.attach_grad()

lr = 0.03
num_epochs = 3
batch_size = 12
for epoch in range(num_epochs):
    for x, y in minibatches(batch_size):
        with autograd.record():
            l = half_square(line(x), y)  # a loss for each row
        l.backward()  # fills w.grad and b.grad
        descend([w, b], lr, batch_size)
    every = half_square(line(features), labels)
    print('epoch %d, loss %f' % (epoch + 1, every.mean().asnumpy()[0]))

print('w', w.reshape((-1,)).asnumpy(), 'true', true_w)
print('b %.4f, true %.1f' % (b.asscalar(), true_b))
error = nd.abs(w.reshape(shape=(2,)) - nd.array(true_w))
print('largest error %.5f' % max(error.max().asscalar(), abs(b.asscalar() - true_b)))

# The closed form, for comparison
A = nd.concat(features, nd.ones((num_examples, 1)), dim=1)
gram = nd.dot(A.T, A)
right = nd.dot(A, labels.expand_dims(axis=1), transpose_a=True)
solution = np.linalg.solve(gram.asnumpy().astype('float64'), right.asnumpy())
print('closed form', ['%.4f' % v for v in solution.ravel()])
