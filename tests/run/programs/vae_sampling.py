"""2018: sampling and a custom block; np.float_, np.product, time.clock."""
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon


class VAE(gluon.HybridBlock):
    def __init__(self, n_latent=2, **kwargs):
        super(VAE, self).__init__(**kwargs)
        self.n_latent = n_latent
        with self.name_scope():
            self.encoder = gluon.nn.Dense(n_latent * 2)
            self.decoder = gluon.nn.Dense(6, activation='sigmoid')

    def hybrid_forward(self, F, x):
        h = F.split(self.encoder(x), axis=1, num_outputs=2)
        eps = F.random_normal(loc=0, scale=1, shape=(5, self.n_latent))
        z = h[0] + F.exp(0.5 * h[1]) * eps
        kl = -0.5 * F.sum(1 + h[1] - h[0] * h[0] - F.exp(h[1]), axis=1)
        return F.sum(F.square(self.decoder(z) - x), axis=1) + kl


begin = time.clock()
mx.random.seed(21)
net = VAE()
net.initialize(mx.init.Xavier())
x = mx.nd.random.uniform(shape=(5, np.product([2, 3])))
trainer = gluon.Trainer(net.collect_params(), 'rmsprop', {'learning_rate': .01})
for i in range(3):
    with autograd.record():
        loss = net(x)
    loss.backward()
    trainer.step(5)
    print(i, '%.4f' % np.float_(loss.mean().asscalar()), time.clock() >= begin)
