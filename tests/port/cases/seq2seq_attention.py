"""Translation of toy sequences: padding, an encoder, attention, a masked loss."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

PAD, BOS, EOS = 0, 1, 2


class PairDataset(gluon.data.Dataset):
    """Sequences and what is their reverse."""

    def __init__(self, n, seed=0):
        r = np.random.RandomState(seed)
        self._items = []
        for _ in range(n):
            s = r.randint(3, 12, r.randint(2, 6)).astype('float32')
            self._items.append((s, np.concatenate([[BOS], s[::-1], [EOS]]).astype('float32')))

    def __len__(self):
        return len(self._items)

    def __getitem__(self, i):
        src, tgt = self._items[i]
        return src, tgt, len(src), len(tgt)


def pad(sequences):
    length = max(len(s) for s in sequences)
    return nd.array([np.pad(s, (0, length - len(s)), mode='constant', constant_values=PAD)
                     for s in sequences])


class Encoder(gluon.Block):
    def __init__(self, vocab, embed, hidden, **kwargs):
        super(Encoder, self).__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(vocab, embed)
            self.rnn = rnn.GRU(hidden, layout='NTC', input_size=embed)

    def forward(self, x, valid):
        states = self.rnn.begin_state(batch_size=x.shape[0], ctx=x.context)
        out, states = self.rnn(self.embedding(x), states)
        return out, states


class Decoder(gluon.Block):
    def __init__(self, vocab, embed, hidden, **kwargs):
        super(Decoder, self).__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(vocab, embed)
            self.cell = rnn.GRUCell(hidden, input_size=embed + hidden)
            self.query = nn.Dense(hidden, in_units=hidden, use_bias=False, flatten=False)
            self.out = nn.Dense(vocab, in_units=2 * hidden)

    def attend(self, h, memory, valid):
        scores = nd.batch_dot(self.query(h).expand_dims(1), memory, transpose_b=True)
        mask = nd.arange(memory.shape[1], ctx=h.context).expand_dims(0)
        mask = nd.broadcast_lesser(mask, valid.expand_dims(1)).expand_dims(1)
        scores = nd.where(mask, scores, nd.ones_like(scores) * -1e9)
        return nd.batch_dot(nd.softmax(scores, axis=-1), memory).squeeze(axis=1)

    def forward(self, y, memory, valid, states):
        outputs = []
        h = states[0]
        steps = self.embedding(y)
        for t in range(y.shape[1]):
            context = self.attend(h, memory, valid)
            h, _ = self.cell(nd.concat(steps[:, t], context, dim=1), [h])
            outputs.append(self.out(nd.concat(h, context, dim=1)))
        return nd.stack(*outputs, axis=1)


class MaskedLoss(gluon.loss.SoftmaxCELoss):
    def forward(self, pred, label, valid_length):
        weights = nd.ones_like(label).expand_dims(axis=-1)
        weights = nd.SequenceMask(weights, valid_length, use_sequence_length=True, axis=1)
        return super(MaskedLoss, self).forward(pred, label, weights)


def batchify_fn(samples):
    src, tgt, src_len, tgt_len = zip(*samples)
    return pad(src), pad(tgt), nd.array(src_len), nd.array(tgt_len)


loader = gluon.data.DataLoader(PairDataset(24), batch_size=6, batchify_fn=batchify_fn)
encoder, decoder = Encoder(12, 6, 8), Decoder(12, 6, 8)
encoder.initialize()
decoder.initialize()
k = 0
for block in (encoder, decoder):
    for p in block.collect_params().values():
        p.set_data(nd.array(np.random.RandomState(k).uniform(-0.4, 0.4, p.shape)))
        k += 1
trainers = [gluon.Trainer(b.collect_params(), 'adam', {'learning_rate': 0.02})
            for b in (encoder, decoder)]
loss_fn = MaskedLoss(axis=2)
for epoch in range(3):
    total, tokens = 0.0, 0.0
    for src, tgt, src_len, tgt_len in loader:
        with autograd.record():
            memory, states = encoder(src, src_len)
            states = [states[0][0]]
            pred = decoder(tgt[:, :-1], memory, src_len, states)
            loss = loss_fn(pred, tgt[:, 1:], tgt_len - 1)
        loss.backward()
        for trainer in trainers:
            trainer.step(src.shape[0])
        total += loss.sum().asscalar()
        tokens += (tgt_len - 1).sum().asscalar()
    print('epoch %d loss %.4f tokens %d' % (epoch, total / 4, tokens))
src, tgt, src_len, tgt_len = next(iter(loader))
print(src.shape, tgt.shape, src_len.asnumpy().tolist())
