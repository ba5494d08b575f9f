# Softmax regression and a hidden layer, both without Gluon.
import mxnet as mx
import mxnet.ndarray as nd
import numpy as np
from mxnet import autograd as ag

rs = np.random.RandomState(3)
ctx = mx.cpu()
num_inputs, num_hidden, num_outputs = 20, 16, 4
centers = rs.uniform(-1, 1, size=(num_outputs, num_inputs))
y_all = rs.randint(0, num_outputs, size=320)
x_all = centers[y_all] + 0.4 * rs.randn(320, num_inputs)


def batches(batch_size):
    # data stays on the host until a batch is needed
    for start in range(0, len(x_all), batch_size):
        stop = start + batch_size
        yield (nd.array(x_all[start:stop], ctx=ctx),
               nd.array(y_all[start:stop], ctx=ctx))


def chances(scores):
    raised = nd.exp(scores - nd.max(scores, axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)  # broadcasting


def surprise(p, y):
    return -nd.pick(p, y).log()


def positive(x):
    return nd.maximum(x, nd.zeros_like(x))


def share_right(p, y):
    return (p.argmax(axis=1) == y.astype('float32')).mean().asscalar()


def make_params(shapes, scale):
    made = []
    for shape in shapes:
        value = scale * rs.randn(*shape) if len(shape) > 1 else np.zeros(shape)
        made.append(nd.array(value, ctx=ctx))
    for param in made:
        param.attach_grad()
    return made


def evaluate(net):
    shares = [(share_right(net(X), y), y.size) for X, y in batches(64)]
    return sum(share * n for share, n in shares) / sum(n for _, n in shares)


def train(net, params, epochs, lr):
    for epoch in range(epochs):
        cumulative = nd.zeros((1,), ctx=ctx)
        count = 0
        for X, y in batches(32):
            with ag.record():
                l = surprise(net(X), y).sum()
            l.backward()
            for p in params:
                p[:] -= lr * p.grad / X.shape[0]
            cumulative += l
            count += X.shape[0]
        print('epoch {}: loss {:.5f}, train acc {:.4f}'.format(
            epoch, cumulative.asscalar() / count, evaluate(net)))


print('-- one layer --')
W, b = make_params([(num_inputs, num_outputs), (num_outputs,)], 0.01)
train(lambda X: chances(nd.dot(X.reshape((-1, num_inputs)), W) + b), [W, b], 3, 0.2)

print('-- two layers --')
params = make_params([(num_inputs, num_hidden), (num_hidden,),
                      (num_hidden, num_outputs), (num_outputs,)], 0.1)
W1, b1, W2, b2 = params


def mlp(X):
    h = positive(nd.dot(X, W1) + b1)
    return chances(nd.dot(h, W2) + b2)


train(mlp, params, 4, 0.3)
norms = [float(p.norm().asscalar()) for p in params]
print('norms', ' '.join('%.4f' % n for n in norms))
X, y = next(batches(8))
probs = mlp(X)
print('rows sum to', nd.sum(probs, axis=1).asnumpy().round(4).tolist())
print('labels', y.asnumpy().astype(int).tolist(), 'guess', nd.argmax(probs, axis=1).asnumpy().astype(int).tolist())
