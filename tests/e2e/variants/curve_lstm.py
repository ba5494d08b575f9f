# 100 steps of a word-level LSTM language model: truncated backpropagation, tied weights, clipping.
import math

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

mx.random.seed(11)
np.random.seed(11)
WORDS, UNITS, BATCH, STEPS = 40, 24, 8, 10


class LanguageModel(gluon.Block):
    def __init__(self, words, units, layers, dropout, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.drop = nn.Dropout(dropout)
            self.encoder = nn.Embedding(words, units, weight_initializer=mx.init.Uniform(0.1))
            self.rnn = rnn.LSTM(units, layers, dropout=dropout, input_size=units)
            self.decoder = nn.Dense(words, in_units=units, params=self.encoder.params)

    def forward(self, inputs, state):
        output, state = self.rnn(self.drop(self.encoder(inputs)), state)
        return self.decoder(self.drop(output).reshape((-1, UNITS))), state

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def corpus(length):
    rng = np.random.RandomState(2)
    words = [0]
    for _ in range(length - 1):
        words.append(int((words[-1] * 3 + rng.randint(0, 3)) % WORDS))
    return nd.array(words).reshape((BATCH, -1)).T


model = LanguageModel(WORDS, UNITS, 2, 0.2)
model.initialize(mx.init.Xavier())
trainer = gluon.Trainer(model.collect_params(), 'sgd', {'learning_rate': 1.0, 'momentum': 0.0})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
text = corpus(BATCH * (50 * STEPS + 1))
step = 0
for epoch in range(2):
    total, state = 0.0, model.begin_state(func=nd.zeros, batch_size=BATCH)
    for start in range(0, text.shape[0] - 1, STEPS):
        x, y = text[start:start + STEPS], text[start + 1:start + STEPS + 1]
        state = [s.detach() for s in state]
        with autograd.record():
            output, state = model(x, state)
            loss = loss_of(output, y.reshape((-1,)))
        loss.backward()
        grads = [p.grad() for p in model.collect_params().values()]
        norm = gluon.utils.clip_global_norm(grads, 0.25 * STEPS * BATCH)
        trainer.step(STEPS * BATCH)
        step += 1
        total += loss.mean().asscalar()
        print('step %d loss %.6g norm %.6g' % (step, loss.mean().asscalar(), norm))
    print('epoch %d perplexity %.5g' % (epoch, math.exp(total / 50)))
    trainer.set_learning_rate(trainer.learning_rate * 0.5)
