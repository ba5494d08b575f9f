"""2017: a character model; collections ABCs, np.int, string constants."""
import collections
import string

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

text = ''.join(ch for ch in 'The time machine, by H. G. Wells. The time traveller.' if ch in string.printable)
counter = collections.Counter(text)
vocab = {ch: i for i, (ch, _) in enumerate(sorted(counter.items(), key=lambda kv: (-kv[1], kv[0])))}
corpus = np.array([vocab[ch] for ch in text], dtype=np.int)
mx.random.seed(8)


class Model(gluon.Block):
    def __init__(self, size, **kwargs):
        super(Model, self).__init__(**kwargs)
        with self.name_scope():
            self.embed = nn.Embedding(size, 8)
            self.rnn = rnn.LSTM(12)
            self.out = nn.Dense(size, flatten=False)

    def forward(self, x, state):
        y, state = self.rnn(self.embed(x), state)
        return self.out(y), state


net = Model(len(vocab))
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': .02})
ce = gluon.loss.SoftmaxCrossEntropyLoss()
x, y = nd.array(corpus[:48].reshape(4, 12).T), nd.array(corpus[1:49].reshape(4, 12).T)
assert isinstance(vocab, collections.MutableMapping)
for epoch in range(3):
    state = net.rnn.begin_state(batch_size=4)
    with autograd.record():
        out, state = net(x, state)
        loss = ce(out, y).mean()
    loss.backward()
    gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], 1)
    trainer.step(1)
    print('perplexity %.4f' % np.exp(np.float(loss.asscalar())))
