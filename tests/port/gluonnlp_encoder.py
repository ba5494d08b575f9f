"""gluonnlp's Transformer encoder: with and without lengths, and a few steps of training."""

import mxnet as mx
import numpy as np
from gluonnlp.model.transformer import TransformerEncoder
from mxnet import autograd, gluon, nd


def fill(net):
    for name, p in net.collect_params().items():
        if not name.endswith("const"):
            n = p.data().size
            values = np.sin(np.arange(n) % 64).reshape(p.shape) * 0.3  # torch joins three weights
            p.set_data(nd.array(values))


encoder = TransformerEncoder(num_layers=2, units=8, hidden_size=16, max_length=10, num_heads=2)
encoder.initialize(mx.init.Xavier())
x = nd.array(np.cos(np.arange(2 * 5 * 8)).reshape((2, 5, 8)))
encoder(x)
fill(encoder)
whole, more = encoder(x)
print(whole.shape, len(more))
part, _ = encoder(x, None, nd.array([3, 5]))
for found in (whole, part):
    print(" ".join(f"{v:.4f}" for v in found[:, 1:5:2, 2].asnumpy().ravel()))

trainer = gluon.Trainer(encoder.collect_params(), "sgd", {"learning_rate": 0.1})
loss = gluon.loss.L2Loss()
for step in range(3):
    with autograd.record():
        y, _ = encoder(x)
        gap = loss(y, nd.zeros((2, 5, 8)))
    gap.backward()
    trainer.step(2)
    print(f"step {step} loss {gap.mean().asscalar():.4f}")
