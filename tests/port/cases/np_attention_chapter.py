"""Masked attention and a small encoder, as a textbook writes them with mx.np."""
import math
import numpy as onp
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn, rnn

npx.set_np()


def masked_softmax(X, valid_lens):
    """Softmax over the last axis, without what is behind each sequence's end."""
    if valid_lens is None:
        return npx.softmax(X)
    else:
        shape = X.shape
        if valid_lens.ndim == 1:
            valid_lens = valid_lens.repeat(shape[1])
        else:
            valid_lens = valid_lens.reshape(-1)
        X = npx.sequence_mask(X.reshape(-1, shape[-1]), valid_lens, True, value=-1e6, axis=1)
        return npx.softmax(X).reshape(shape)


class DotProductAttention(nn.Block):
    """Scaled dot product attention."""

    def __init__(self, dropout, **kwargs):
        super(DotProductAttention, self).__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return npx.batch_dot(self.dropout(self.attention_weights), values)


def transpose_qkv(X, num_heads):
    X = X.reshape(X.shape[0], X.shape[1], num_heads, -1)
    X = X.transpose(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])


def transpose_output(X, num_heads):
    X = X.reshape(-1, num_heads, X.shape[1], X.shape[2])
    X = X.transpose(0, 2, 1, 3)
    return X.reshape(X.shape[0], X.shape[1], -1)


class MultiHeadAttention(nn.Block):
    def __init__(self, num_hiddens, num_heads, dropout, use_bias=False, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout)
        self.W_q = nn.Dense(num_hiddens, use_bias=use_bias, flatten=False, in_units=num_hiddens)
        self.W_k = nn.Dense(num_hiddens, use_bias=use_bias, flatten=False, in_units=num_hiddens)
        self.W_v = nn.Dense(num_hiddens, use_bias=use_bias, flatten=False, in_units=num_hiddens)
        self.W_o = nn.Dense(num_hiddens, use_bias=use_bias, flatten=False, in_units=num_hiddens)

    def forward(self, queries, keys, values, valid_lens):
        queries = transpose_qkv(self.W_q(queries), self.num_heads)
        keys = transpose_qkv(self.W_k(keys), self.num_heads)
        values = transpose_qkv(self.W_v(values), self.num_heads)
        if valid_lens is not None:
            valid_lens = valid_lens.repeat(self.num_heads, axis=0)
        output = self.attention(queries, keys, values, valid_lens)
        return self.W_o(transpose_output(output, self.num_heads))


class PositionalEncoding(nn.Block):
    def __init__(self, num_hiddens, dropout, max_len=50):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.P = np.zeros((1, max_len, num_hiddens))
        X = np.arange(max_len).reshape(-1, 1) / np.power(
            10000, np.arange(0, num_hiddens, 2) / num_hiddens)
        self.P[:, :, 0::2] = np.sin(X)
        self.P[:, :, 1::2] = np.cos(X)

    def forward(self, X):
        X = X + self.P[:, :X.shape[1], :].as_in_ctx(X.ctx)
        return self.dropout(X)


class AddNorm(nn.Block):
    def __init__(self, dropout, size, **kwargs):
        super().__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)
        self.ln = nn.LayerNorm(in_channels=size)

    def forward(self, X, Y):
        return self.ln(self.dropout(Y) + X)


class Encoder(nn.Block):
    def __init__(self, vocab_size, num_hiddens, num_heads, num_layers, dropout, **kwargs):
        super().__init__(**kwargs)
        self.num_hiddens = num_hiddens
        self.embedding = nn.Embedding(vocab_size, num_hiddens)
        self.pos_encoding = PositionalEncoding(num_hiddens, dropout)
        self.attentions, self.norms = nn.Sequential(), nn.Sequential()
        for _ in range(num_layers):
            self.attentions.add(MultiHeadAttention(num_hiddens, num_heads, dropout))
            self.norms.add(AddNorm(dropout, num_hiddens))
        self.output = nn.Dense(2, in_units=num_hiddens)

    def forward(self, X, valid_lens):
        X = self.pos_encoding(self.embedding(X) * math.sqrt(self.num_hiddens))
        for attention, norm in zip(self.attentions, self.norms):
            X = norm(X, attention(X, X, X, valid_lens))
        return self.output(X.mean(axis=1))


ctx = npx.gpu(0) if npx.num_gpus() > 0 else npx.cpu()
net = Encoder(20, 8, 2, 2, 0.0)
net.initialize(ctx=ctx)
X = np.array(onp.random.RandomState(0).randint(0, 20, (6, 5)), ctx=ctx)
y = np.array([0, 1, 1, 0, 1, 0], ctx=ctx)
valid_lens = np.array([2, 3, 5, 4, 1, 5], ctx=ctx)
for i, (name, p) in enumerate(net.collect_params().items()):
    if not name.endswith(('gamma', 'beta')):
        p.set_data(np.array(onp.random.RandomState(i).normal(0, 0.3, p.shape).astype('float32')))
loss = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.01})
for step in range(6):
    with autograd.record():
        l = loss(net(X, valid_lens), y)
    l.backward()
    trainer.step(X.shape[0])
    print('step %d loss %.5f' % (step, l.mean().item()))
weights = net.attentions[0].attention.attention_weights
print(len(weights), weights[0].sum(axis=-1).asnumpy().tolist())
print(masked_softmax(np.ones((2, 2, 4)), np.array([2, 3])).asnumpy().round(2).tolist())
