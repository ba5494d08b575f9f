"""Sentences of several lengths, each length with a net of its own that shares its weights."""
import random

import mxnet as mx
import numpy as np

VOCABULARY = 12
LAYERS, HIDDEN, EMBED = 2, 10, 6
buckets = [4, 7]
batch_size = 8
rng = np.random.RandomState(91)
random.seed(91)
np.random.seed(91)


def sentences(count):
    """Each word is the one before plus one, or plus two after an even one."""
    found = []
    for _ in range(count):
        words = [rng.randint(1, VOCABULARY)]
        for _ in range(rng.choice([2, 3, 5, 6])):
            step = 2 if words[-1] % 2 == 0 else 1
            words.append((words[-1] + step - 1) % (VOCABULARY - 1) + 1)
        found.append(words)
    return found


train = mx.rnn.BucketSentenceIter(sentences(60), batch_size, buckets=buckets, invalid_label=0)

stack = mx.rnn.SequentialRNNCell()
for layer in range(LAYERS):
    stack.add(mx.rnn.LSTMCell(num_hidden=HIDDEN, prefix='lstm_l%d_' % layer))


def sym_gen(seq_len):
    data = mx.sym.Variable('data')
    label = mx.sym.Variable('softmax_label')
    embed = mx.sym.Embedding(data=data, input_dim=VOCABULARY, output_dim=EMBED, name='embed')

    # from one word to the next
    stack.reset()
    outputs, states = stack.unroll(seq_len, inputs=embed, merge_outputs=True)

    pred = mx.sym.Reshape(outputs, shape=(-1, HIDDEN))
    pred = mx.sym.FullyConnected(data=pred, num_hidden=VOCABULARY, name='pred')

    label = mx.sym.Reshape(label, shape=(-1,))
    pred = mx.sym.SoftmaxOutput(data=pred, label=label, name='softmax')
    return pred, ('data',), ('softmax_label',)


model = mx.mod.BucketingModule(sym_gen=sym_gen, default_bucket_key=train.default_bucket_key,
                               context=mx.cpu())
model.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
model.init_params(mx.init.Xavier())
args, auxs = model.get_params()
for name in sorted(args):
    args[name][:] = rng.normal(0, 0.25, size=args[name].shape)
model.set_params(args, auxs)
model.init_optimizer(optimizer='sgd', optimizer_params={'learning_rate': 0.5, 'momentum': 0.5})
metric = mx.metric.Perplexity(ignore_label=0)

for epoch in range(5):
    train.reset()
    metric.reset()
    batches = sorted(train, key=lambda b: (b.bucket_key, float(b.data[0].asnumpy().sum())))
    for batch in batches:
        model.forward(batch, is_train=True)
        model.update_metric(metric, batch.label)
        model.backward()
        model.update()
    print('epoch %d: %d batches, perplexity %.3f' % (epoch, len(batches), metric.get()[1]))

args, auxs = model.get_params()
print('words', args['embed_weight'].shape, '%.4f' % args['embed_weight'].norm().asscalar())
print('layers', sum(name.endswith('i2h_weight') for name in args))
