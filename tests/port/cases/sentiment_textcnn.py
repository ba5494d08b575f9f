# Short reviews, convolutions of several widths over their words, one of two moods.
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import data as gdata, loss as gloss, nn

rng = np.random.RandomState(2)
LENGTH = 12
moods = {0: ['bad', 'awful', 'poor', 'boring'], 1: ['good', 'great', 'fine', 'lovely']}
fillers = ['movie', 'plot', 'the', 'a', 'was', 'is', 'very', 'actor', 'scene']
words = ['<pad>'] + moods[0] + moods[1] + fillers
index = {w: k for k, w in enumerate(words)}


def encode(sentence):
    """Word numbers, cut or filled up to one length."""
    ids = [index[w] for w in sentence if w in index][:LENGTH]
    return ids + [index['<pad>']] * (LENGTH - len(ids))


def reviews(n):
    rows, labels = [], rng.randint(0, 2, size=n)
    for mood in labels:
        sentence = list(rng.choice(fillers, size=rng.randint(5, 14)))
        for place in rng.randint(0, 5, size=2):
            sentence[place] = moods[mood][rng.randint(4)]
        rows.append(encode(sentence))
    return gdata.ArrayDataset(np.array(rows, dtype='float32'), labels.astype('float32'))


class Widths(nn.Block):
    """A convolution over time for each width, and the largest value of each channel."""

    def __init__(self, size, widths, channels, **kwargs):
        super(Widths, self).__init__(**kwargs)
        with self.name_scope():
            self.moving = nn.Embedding(len(words), size)
            self.fixed = nn.Embedding(len(words), size)  # keeps its first values
            self.branches = []
            for k, width in enumerate(widths):
                branch = nn.Conv1D(channels, width, in_channels=2 * size, activation='relu')
                self.branches.append(branch)
                self.register_child(branch, 'branch%d' % k)
            self.largest = nn.GlobalMaxPool1D()
            self.dropout = nn.Dropout(rate=0.0)
            self.output = nn.Dense(2, in_units=channels * len(widths))

    def forward(self, ids):
        both = nd.concat(self.moving(ids), self.fixed(ids), dim=-1)
        # Conv1D wants (batch, channels, time)
        signal = both.transpose(axes=(0, 2, 1))
        found = [self.largest(branch(signal)) for branch in self.branches]
        return self.output(self.dropout(nd.concat(*found, dim=1)))


train_set, test_set = reviews(160), reviews(64)
train_data = gdata.DataLoader(train_set, batch_size=32)
test_data = gdata.DataLoader(test_set, batch_size=32)
net = Widths(6, [2, 3, 4], 5)
net.initialize(init.Xavier(), ctx=mx.cpu())
for param in net.collect_params().values():
    param.set_data(nd.array(rng.normal(0, 0.3, size=param.shape)))
net.fixed.collect_params().setattr('grad_req', 'null')
before = net.fixed.weight.data().copy()

softmax_loss = gloss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.01})
for epoch in range(1, 7):
    losses, right = [], 0
    for ids, mood in train_data:
        with autograd.record():
            scores = net(ids)
            loss = softmax_loss(scores, mood).mean()
        loss.backward()
        # the loss is a mean already
        trainer.step(1)
        losses.append(loss.asscalar())
        right += (scores.argmax(axis=1) == mood).sum().asscalar()
    metric = mx.metric.Accuracy()
    for ids, mood in test_data:
        metric.update([mood], [net(ids)])
    print('epoch %d, loss %.4f, train %.3f, test %s %.3f' % (
        (epoch, np.mean(losses), right / len(train_set)) + metric.get()))
print('the fixed table moved by', (net.fixed.weight.data() - before).abs().sum().asscalar())

for sentence in ['the movie was great very good', 'the plot was poor and very boring']:
    row = nd.array(encode(sentence.split())).expand_dims(0)
    chances = net(row).softmax()
    print('%-36s %s' % (sentence, 'good' if chances[0, 1].asscalar() > 0.5 else 'bad'))
