import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

mx.random.seed(5)
np.random.seed(5)


class Model(gluon.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.embed = nn.Embedding(12, 6)
            self.drop = nn.Dropout(0.2)
            self.lstm = rnn.LSTM(8, layout="NTC", input_size=6)
            self.gru = rnn.GRU(8, layout="NTC", input_size=8)
            self.decode = nn.Dense(12, flatten=False, in_units=8)

    def forward(self, x):
        hidden = self.gru(self.lstm(self.drop(self.embed(x))))
        scores = nd.batch_dot(hidden, hidden, transpose_b=True) / np.sqrt(8)
        return self.decode(nd.batch_dot(nd.softmax(scores), hidden))


net = Model()
net.initialize(mx.init.Xavier())
tokens = nd.array(np.random.randint(0, 12, (20, 6)))
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
for step in range(5):
    batch = tokens[step * 4 : step * 4 + 4]
    with autograd.record():
        loss = loss_fn(net(batch[:, :5]), batch[:, 1:])
    loss.backward()
    trainer.step(4)
    print("step %d loss %.5f" % (step, loss.mean().asscalar()))
