"""Programs of `mx.np` and `mx.npx`, for the port."""

from __future__ import annotations

from tests.snippets import snippets

ARRAYS = """
from mxnet import np, npx
npx.set_np()
x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
y = np.array([[1.0, 4.0, 3.0], [2.0, 5.0, 8.0]])
"""

CASES = snippets(
    """
## numpy/made
a = np.arange(6).reshape(2, 3)
out += [a.asnumpy(), np.zeros((2, 2)).asnumpy(), np.full((2,), 7).asnumpy(), np.eye(2).asnumpy()]
out += [np.array(onp.arange(3)).asnumpy(), np.linspace(0, 1, 5).asnumpy()]
out += [np.ones_like(x).asnumpy(), np.full_like(x, 2).asnumpy(), a.size, a.ndim]

## numpy/compared
mask = x > 2
out += [float(mask.sum()), float(mask.mean()), x[mask].asnumpy()]
out += [(x == y).astype('float32').sum().item()]
out += [np.where(mask, x, 0).asnumpy(), np.where(mask, 1, 0).asnumpy()]
out += [float((x > 2).mean()), np.equal(x, y).asnumpy().tolist()]

## numpy/reduced
out += [x.sum(1, keepdims=True).asnumpy(), x.mean().item(), x.std().item(), x.var(axis=0).asnumpy()]
out += [np.argmax(x, axis=1).asnumpy(), np.max(x).item(), np.prod(x, axis=0).asnumpy()]
out += [np.linalg.norm(x).item(), np.std(x, axis=1).asnumpy(), np.cumsum(x, axis=1).asnumpy()]

## numpy/shaped
out += [x.reshape(-1).asnumpy(), x.reshape((3, 2)).asnumpy(), x.flatten().asnumpy(), x.T.asnumpy()]
out += [np.concatenate([x, y]).asnumpy(), np.stack([x, y], axis=1).shape, x[:, np.newaxis].shape]
out += [[part.asnumpy() for part in np.split(x, 3, axis=1)], np.expand_dims(x, 0).shape]
out += [x.repeat(2, axis=0).asnumpy(), np.tile(x, (2, 1)).asnumpy(), np.flip(x, 1).asnumpy()]
out += [np.pad(x, ((1, 0), (0, 2))).asnumpy(), np.clip(x, 2, 4).asnumpy(), np.vstack([x, y]).shape]
out += [x.transpose(1, 0).asnumpy(), np.moveaxis(x, 0, 1).asnumpy()]
out += [np.append(x[0], y[1]).asnumpy()]

## numpy/products
out += [np.dot(x, y.T).asnumpy(), np.dot(x[0], y[1]).item(), np.einsum('ij,kj->ik', x, y).asnumpy()]
out += [(x @ y.T).asnumpy(), np.outer(x[0], y[0]).asnumpy(), np.maximum(x, 2).asnumpy()]
out += [np.tensordot(x, y, axes=2).item(), np.meshgrid(x[0], y[0])[0].asnumpy()]

## numpy/extensions
out += [npx.softmax(x).asnumpy(), npx.relu(x - 3).asnumpy()]
out += [npx.one_hot(np.array([1, 0]), 3).asnumpy()]
out += [npx.pick(x, np.array([2, 0])).asnumpy(), npx.topk(x, k=1, ret_typ='value').asnumpy()]
a = np.ones((2, 3, 4))
out += [npx.batch_dot(a, a, transpose_b=True).asnumpy()]
out += [npx.sequence_mask(a, np.array([1, 2]), True, value=-1, axis=1).asnumpy()]
out += [npx.num_gpus() >= 0]

## numpy/gradients
w = np.array([1.0, -2.0])
w.attach_grad()
for step in range(3):
    with autograd.record():
        loss = ((w - 1) ** 2).sum() / 2
    loss.backward()
    w -= 0.5 * w.grad
    out += [loss.item(), w.asnumpy()]

## numpy/layers
class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, in_units=3)
        self.scale = self.params.get('scale', shape=(4,), init='ones')

    def hybrid_forward(self, F, x, scale):
        return F.npx.relu(self.first(x)) * F.np.exp(scale)

net = Net()
net.initialize()
for i, p in enumerate(net.collect_params().values()):
    p.set_data(np.array(onp.random.RandomState(i).uniform(-1, 1, p.shape).astype('float32')))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})

def train(net, updater, loss):
    if isinstance(updater, gluon.Trainer):
        updater = updater.step
    for _ in range(3):
        with autograd.record():
            l = loss(net(x), np.array([0, 2]))
        l.backward()
        updater(x.shape[0])
        out.append(float(l.sum()))

train(net, trainer, gluon.loss.SoftmaxCrossEntropyLoss())
""",
    ARRAYS,
)
