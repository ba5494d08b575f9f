"""A word language model with truncated back-propagation through time and tied weights."""
import argparse
import logging
import math
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

parser = argparse.ArgumentParser()
parser.add_argument('--model', default='lstm')
parser.add_argument('--emsize', type=int, default=8)
parser.add_argument('--nhid', type=int, default=8)
parser.add_argument('--nlayers', type=int, default=2)
parser.add_argument('--lr', type=float, default=1.0)
parser.add_argument('--clip', type=float, default=0.2)
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--batch_size', type=int, default=4)
parser.add_argument('--bptt', type=int, default=5)
parser.add_argument('--dropout', type=float, default=0.0)
parser.add_argument('--tied', action='store_true')
parser.add_argument('--gcthreshold', type=float, default=0.5)
args = parser.parse_args(['--tied'])
logging.basicConfig(level=logging.INFO)
context = mx.cpu()


class RNNModel(gluon.Block):
    """A model with an encoder, recurrent layer, and a decoder."""

    def __init__(self, mode, vocab_size, num_embed, num_hidden, num_layers, dropout=0.5,
                 tie_weights=False, **kwargs):
        super(RNNModel, self).__init__(**kwargs)
        with self.name_scope():
            self.drop = nn.Dropout(dropout)
            self.encoder = nn.Embedding(vocab_size, num_embed,
                                        weight_initializer=mx.init.Uniform(0.1))
            if mode == 'rnn_relu':
                self.rnn = rnn.RNN(num_hidden, num_layers, activation='relu', dropout=dropout,
                                   input_size=num_embed)
            elif mode == 'lstm':
                self.rnn = rnn.LSTM(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
            elif mode == 'gru':
                self.rnn = rnn.GRU(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
            else:
                raise ValueError("Invalid mode %s" % mode)
            if tie_weights:
                self.decoder = nn.Dense(vocab_size, in_units=num_hidden,
                                        params=self.encoder.params)
            else:
                self.decoder = nn.Dense(vocab_size, in_units=num_hidden)
            self.num_hidden = num_hidden

    def forward(self, inputs, hidden):
        emb = self.drop(self.encoder(inputs))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        decoded = self.decoder(output.reshape((-1, self.num_hidden)))
        return decoded, hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def batchify(data, batch_size):
    """Reshape data into (num_example, batch_size)"""
    nbatch = data.shape[0] // batch_size
    data = data[:nbatch * batch_size]
    data = data.reshape((batch_size, nbatch)).T
    return data


def get_batch(source, i):
    seq_len = min(args.bptt, source.shape[0] - 1 - i)
    data = source[i:i + seq_len]
    target = source[i + 1:i + 1 + seq_len]
    return data, target.reshape((-1,))


def detach(hidden):
    if isinstance(hidden, (tuple, list)):
        hidden = [detach(i) for i in hidden]
    else:
        hidden = hidden.detach()
    return hidden


rng = np.random.RandomState(0)
ntokens = 12
corpus = mx.nd.array(np.cumsum(rng.randint(1, 4, 100)) % ntokens)
train_data = batchify(corpus, args.batch_size).as_in_context(context)
model = RNNModel(args.model, ntokens, args.emsize, args.nhid, args.nlayers, args.dropout, args.tied)
model.initialize(mx.init.Xavier(), ctx=context)
for p in model.collect_params().values():
    p.set_data(mx.nd.array(np.random.RandomState(p.shape[0]).uniform(-0.3, 0.3, p.shape)))
trainer = gluon.Trainer(model.collect_params(), 'sgd',
                        {'learning_rate': args.lr, 'momentum': 0, 'wd': 0})
loss = gluon.loss.SoftmaxCrossEntropyLoss()


def evaluate(data_source):
    total_L = 0.0
    ntotal = 0
    hidden = model.begin_state(func=mx.nd.zeros, batch_size=args.batch_size, ctx=context)
    for i in range(0, data_source.shape[0] - 1, args.bptt):
        data, target = get_batch(data_source, i)
        output, hidden = model(data, hidden)
        L = loss(output, target)
        total_L += mx.nd.sum(L).asscalar()
        ntotal += L.size
    return total_L / ntotal


def train():
    best_val = float("Inf")
    for epoch in range(args.epochs):
        total_L = 0.0
        start_time = time.time()
        hidden = model.begin_state(func=mx.nd.zeros, batch_size=args.batch_size, ctx=context)
        for ibatch, i in enumerate(range(0, train_data.shape[0] - 1, args.bptt)):
            data, target = get_batch(train_data, i)
            hidden = detach(hidden)
            with autograd.record():
                output, hidden = model(data, hidden)
                L = loss(output, target)
                L.backward()
            grads = [p.grad(context) for p in model.collect_params().values()]
            # Here gradient is for the whole batch.
            gluon.utils.clip_global_norm(grads, args.clip * args.bptt * args.batch_size)
            trainer.step(args.batch_size)
            total_L += mx.nd.sum(L).asscalar()
        val_L = evaluate(train_data)
        print('[Epoch %d] loss %.4f ppl %.2f valid %.4f'
              % (epoch, total_L / corpus.size, math.exp(total_L / corpus.size), val_L))
        if val_L < best_val:
            best_val = val_L
            model.save_parameters('model.params')
        else:
            args.lr = args.lr * 0.25
            trainer._init_optimizer('sgd', {'learning_rate': args.lr, 'momentum': 0, 'wd': 0})
            model.load_parameters('model.params', context)


if __name__ == '__main__':
    train()
    model.load_parameters('model.params', context)
    print('test %.4f' % evaluate(train_data))
