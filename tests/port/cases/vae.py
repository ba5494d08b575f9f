"""A variational autoencoder as one hybrid block that returns its own loss."""
import mxnet as mx
import numpy as np
from mxnet import autograd as ag
from mxnet import gluon, nd
from mxnet.gluon import nn

data_rng = np.random.RandomState(123)
weight_rng = np.random.RandomState(456)
SIDE, LATENT, HIDDEN = 8, 2, 40
where = mx.cpu()


def squares(n):
    """Filled squares somewhere on the grid, a row each."""
    out = np.zeros((n, SIDE, SIDE), dtype=np.float32)
    for picture in out:
        r, c = data_rng.randint(0, 5, size=2)
        picture[r:r + 4, c:c + 4] = 1
    return out.reshape(n, -1)


class Autoencoder(gluon.HybridBlock):
    def __init__(self, pixels, tiny=1e-10, **kwargs):
        super(Autoencoder, self).__init__(**kwargs)
        self._tiny = tiny
        with self.name_scope():
            self.encoder = nn.HybridSequential(prefix='encoder_')
            with self.encoder.name_scope():
                self.encoder.add(nn.Dense(HIDDEN, activation='relu', in_units=pixels))
                self.encoder.add(nn.Dense(2 * LATENT, activation=None))
            self.decoder = nn.HybridSequential(prefix='decoder_')
            with self.decoder.name_scope():
                self.decoder.add(nn.Dense(HIDDEN, activation='relu', in_units=LATENT))
                self.decoder.add(nn.Dense(pixels, activation='sigmoid'))

    def hybrid_forward(self, F, x, noise):
        mean, log_var = F.split(self.encoder(x), num_outputs=2, axis=1)
        code = F.broadcast_add(mean, F.exp(0.5 * log_var) * noise)
        y = self.decoder(code)
        # how far the code's distribution is from the standard one
        distance = 0.5 * F.sum(mean ** 2 + log_var.exp() - log_var - 1, axis=1)
        on = x * F.log(y + self._tiny)
        off = (1 - x) * F.log(1 - y + self._tiny)
        return distance - F.sum(on + off, axis=1)


train, test = squares(256), squares(64)
net = Autoencoder(SIDE * SIDE)
net.collect_params().initialize(mx.init.Xavier(), ctx=where)
net(nd.array(test[:1]), nd.zeros((1, LATENT)))
for name, p in net.collect_params().items():
    if p.data().ndim == 2:
        edge = np.sqrt(6.0 / sum(p.shape))
        p.set_data(nd.array(weight_rng.uniform(-edge, edge, size=p.shape)))
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), 'adam', dict(learning_rate=.005))

history = []
for epoch in range(4):
    sums = {'train': 0.0, 'test': 0.0}
    for k in range(0, len(train), 32):
        x = nd.array(train[k:k + 32], ctx=where)
        noise = nd.array(data_rng.normal(size=(x.shape[0], LATENT)), ctx=where)
        with ag.record():
            loss = net(x, noise)
        ag.backward(loss)
        trainer.step(x.shape[0])
        sums['train'] += nd.sum(loss).asscalar()
    for k in range(0, len(test), 32):
        x = nd.array(test[k:k + 32]).as_in_context(where)
        # the most likely code
        loss = net(x, nd.zeros((x.shape[0], LATENT)))
        sums['test'] += nd.sum(loss).asscalar()
    history.append((sums['train'] / len(train), sums['test'] / len(test)))
    print('epoch {}: train {:.3f}, test {:.3f}'.format(epoch, *history[-1]))

with ag.pause():
    grid = nd.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    decoded = net.decoder(grid)
print('decoded', decoded.shape)
print('ink', ' '.join('%.2f' % v for v in decoded.sum(axis=1).asnumpy()))
print('dark share %.4f' % nd.mean(decoded > 0.5).asscalar())
middle = net.encoder(nd.array(test))[:, :LATENT].mean(axis=0).asnumpy()
print('middle of the codes %.3f %.3f' % (middle[0], middle[1]))
best = int(np.argmin([b for _, b in history]))
print('best epoch', best, '%.3f' % history[best][1])
