"""Losses: Gluon's with weights, and new ones as blocks."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import loss as gloss
from mxnet.gluon import nn

rng = np.random.RandomState(13)


class FocalLoss(gloss.Loss):
    """Cross entropy that cares less about what is right already."""

    def __init__(self, gamma=2.0, axis=-1, weight=None, batch_axis=0, **kwargs):
        super(FocalLoss, self).__init__(weight, batch_axis, **kwargs)
        self._gamma = gamma
        self._axis = axis

    def hybrid_forward(self, F, pred, label):
        logp = F.log_softmax(pred, axis=self._axis)
        chosen = F.pick(logp, label, axis=self._axis, keepdims=True)
        loss = -((1 - F.exp(chosen)) ** self._gamma) * chosen
        return F.mean(loss, axis=self._batch_axis, exclude=True)


class SmoothLoss(gluon.HybridBlock):
    """The logarithm of the hyperbolic cosine."""

    def hybrid_forward(self, F, guess, wanted):
        d = guess - F.reshape_like(wanted, guess)
        d = F.abs(d)
        return F.mean(d + F.log1p(F.exp(-2 * d)) - 0.6931472, axis=1)


def show(name, values):
    print('%-12s' % name, ' '.join('%.5f' % v for v in values.reshape((-1,)).asnumpy()))


guess = nd.array(rng.normal(size=(4, 3)))
wanted = nd.array(rng.normal(size=(4, 3)))
classes = nd.array([0, 2, 1, 1])
signs = nd.sign(wanted)
show('l2', gloss.L2Loss()(guess, wanted))
show('l2 weighted', gloss.L2Loss(weight=3.0)(guess, wanted))
show('l1', gloss.L1Loss()(guess, wanted))
show('huber', gloss.HuberLoss(rho=0.7)(guess, wanted))
show('hinge', gloss.HingeLoss()(guess, signs))
show('squared', gloss.SquaredHingeLoss(margin=2)(guess, signs))
show('logistic', gloss.LogisticLoss()(guess, signs))
show('ce', gloss.SoftmaxCrossEntropyLoss()(guess, classes))
show('ce dense', gloss.SoftmaxCrossEntropyLoss(sparse_label=False)(guess, nd.one_hot(classes, 3)))
show('ce logs', gloss.SoftmaxCELoss(from_logits=True)(guess.log_softmax(), classes))
show('bce', gloss.SigmoidBCELoss(from_sigmoid=True)(guess.sigmoid(), nd.relu(signs)))
show('kl', gloss.KLDivLoss(from_logits=False)(guess, nd.softmax(wanted)))
show('cosine', gloss.CosineEmbeddingLoss()(guess, wanted, nd.array([1, -1, 1, -1])))
show('triplet', gloss.TripletLoss(margin=2)(guess, wanted, wanted * 0.5))
show('poisson', gloss.PoissonNLLLoss()(guess, nd.abs(wanted)))
rows = nd.array([[1], [0], [2], [1]])
show('ce rows', gloss.SoftmaxCrossEntropyLoss()(guess, classes, rows))

# Two classes, one of them rare; the weight of a sample depends on its class
x = rng.normal(size=(200, 5))
y = (x[:, 0] + 0.5 * x[:, 1] > 1.3).astype('float32')
print('rare %.3f' % y.mean())
X, Y = nd.array(x), nd.array(y)


def fit(loss, weights=None):
    net = nn.Sequential()
    net.add(nn.Dense(8, activation='tanh', in_units=5))
    net.add(nn.Dense(2, in_units=8))
    net.initialize()
    w = np.random.RandomState(1)
    for p in net.collect_params().values():
        p.set_data(nd.array(w.uniform(-0.5, 0.5, size=p.shape)))
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    for _ in range(20):
        with autograd.record():
            l = loss(net(X), Y) if weights is None else loss(net(X), Y, weights)
        l.backward()
        trainer.step(len(X))
    found = net(X).argmax(axis=1)
    return l.mean().asscalar(), (found * Y).sum().asscalar() / Y.sum().asscalar()


print('plain    %.5f found %.3f' % fit(gloss.SoftmaxCrossEntropyLoss()))
print('focal    %.5f found %.3f' % fit(FocalLoss(gamma=1.5)))
print('weighted %.5f found %.3f' % fit(gloss.SoftmaxCrossEntropyLoss(),
                                       nd.where(Y, nd.full(Y.shape, 6.0), nd.ones(Y.shape)).expand_dims(1)))

line = nn.Dense(3, in_units=5)
line.initialize(mx.init.Constant(0.1))
smooth = SmoothLoss()
trainer = gluon.Trainer(line.collect_params(), 'sgd', {'learning_rate': 0.4})
target = nd.array(x.dot(rng.normal(size=(5, 3))))
for step in range(12):
    with autograd.record():
        l = smooth(line(X), target)
    l.backward()
    trainer.step(200)
    if step % 4 == 3:
        print('smooth step %d %.5f' % (step + 1, l.mean().asscalar()))
