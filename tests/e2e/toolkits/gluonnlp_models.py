# gluonnlp 0.10: a Transformer encoder, BERT and language models train a few steps.
import warnings
warnings.simplefilter('ignore')
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
import gluonnlp as nlp
from gluonnlp.model import AWDRNN, StandardRNN
from gluonnlp.model.attention_cell import DotProductAttentionCell, MLPAttentionCell
from gluonnlp.model.bert import BERTEncoder, BERTModel
from gluonnlp.model.bilm_encoder import BiLMEncoder
from gluonnlp.model.convolutional_encoder import ConvolutionalEncoder
from gluonnlp.model.transformer import TransformerEncoder


def show(name, *arrays):
    for a in arrays:
        a = a.asnumpy().ravel()
        print(name, ' '.join('%.6g' % v for v in [a.sum(), abs(a).sum(), a[0], a[-1]]))


mx.random.seed(0)
enc = TransformerEncoder(attention_cell='multi_head', num_layers=2, units=16, hidden_size=32,
                         max_length=20, num_heads=4, dropout=0.1, use_residual=True)
enc.initialize(mx.init.Xavier())
valid = nd.array([7, 5, 3])
for hybrid in (False, True):
    enc.hybridize(hybrid)
    x = nd.random.normal(shape=(3, 7, 16))
    trainer = gluon.Trainer(enc.collect_params(), 'adam', {'learning_rate': 1e-3})
    for _ in range(3):
        with autograd.record():
            y, _ = enc(x, None, valid)
            loss = (y ** 2).mean() * 10 + (y * x).mean()
        loss.backward()
        trainer.step(1)
        show('transformer', y, loss)
print(sorted(k for k in enc.collect_params().keys())[:6])

mx.random.seed(1)
bert = BERTModel(BERTEncoder(num_layers=2, units=16, hidden_size=32, max_length=20, num_heads=4,
                             dropout=0.1),
                 vocab_size=30, token_type_vocab_size=2, units=16, embed_size=16)
bert.initialize(mx.init.Normal(0.1))
ids = nd.array(np.arange(21).reshape(3, 7) % 30)
masked = nd.array([[1, 2], [0, 3], [1, 1]])
for hybrid in (False, True):
    bert.hybridize(hybrid)
    name = 'bertadam' if hybrid else 'adam'
    trainer = gluon.Trainer(bert.collect_params(), name, {'learning_rate': 1e-3})
    for _ in range(3):
        with autograd.record():
            out = bert(ids, nd.zeros((3, 7)), valid, masked)
            loss = sum([(a ** 2).mean() for a in out])
        loss.backward()
        trainer.step(1)
        show('bert', loss, *out)

mx.random.seed(2)
models = (StandardRNN(mode='lstm', vocab_size=20, embed_size=8, hidden_size=8, num_layers=2,
                      dropout=0.2, tie_weights=True),
          AWDRNN(mode='lstm', vocab_size=20, embed_size=8, hidden_size=12, num_layers=2,
                 tie_weights=True, dropout=0.2, weight_drop=0.3, drop_h=0.2, drop_i=0.2,
                 drop_e=0.1))
for lm in models:
    lm.initialize(mx.init.Xavier())
    state = lm.begin_state(batch_size=3, func=nd.zeros)
    words = nd.array(np.arange(15).reshape(5, 3))
    trainer = gluon.Trainer(lm.collect_params(), 'sgd',
                            {'learning_rate': 0.5, 'momentum': 0.9, 'wd': 1e-4})
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    params = [p for p in lm.collect_params().values() if p.grad_req != 'null']
    for _ in range(3):
        with autograd.record():
            out = lm(words, state)
            loss = cross_entropy(out[0].reshape((-1, 20)), words.reshape((-1,))).mean()
        loss.backward()
        nlp.utils.clip_grad_global_norm(params, 0.25)
        trainer.step(1)
        show(type(lm).__name__, loss, out[0])

mx.random.seed(5)
for cell in (DotProductAttentionCell(scaled=True), MLPAttentionCell(units=4)):
    cell.initialize(mx.init.Xavier())
    show('attention', *cell(nd.random.normal(shape=(2, 3, 4)), nd.random.normal(shape=(2, 5, 4))))
conv = ConvolutionalEncoder(embed_size=4, num_filters=(3, 2), ngram_filter_sizes=(1, 2),
                            output_size=5)
conv.initialize(mx.init.Xavier())
show('convolutional', conv(nd.random.normal(shape=(6, 2, 4))))
bilm = BiLMEncoder(mode='lstmpc', num_layers=2, input_size=4, hidden_size=6, dropout=0.1,
                   skip_connection=True, proj_size=4)
bilm.initialize(mx.init.Xavier())
show('bilm', bilm(nd.random.normal(shape=(5, 2, 4)),
                  bilm.begin_state(func=nd.zeros, batch_size=2))[0])
vocab = nlp.Vocab(nlp.data.count_tokens('a b a c a b'.split()))
print(vocab, vocab['a'], vocab.to_tokens([0, 1]), vocab(['a', 'q']))
batchify = nlp.data.batchify.Tuple(nlp.data.batchify.Pad(axis=0, pad_val=0, ret_length=True),
                                   nlp.data.batchify.Stack())
(padded, lengths), labels = batchify([([1, 2], 0), ([1, 2, 3], 1)])
show('batchify', padded, lengths, labels)
search = nlp.model.BeamSearchSampler(
    beam_size=2, eos_id=4, max_length=4,
    decoder=lambda o, s: (nd.log_softmax(nd.array(np.arange(o.shape[0] * 5).reshape(-1, 5) % 7)),
                          s))
show('beam', *search(nd.array([1, 2]), nd.zeros((2, 3))))
show('losses', nlp.loss.LabelSmoothing(units=4)(nd.array([1, 2])),
     nlp.loss.MaskedSoftmaxCrossEntropyLoss()(nd.random.normal(shape=(2, 3, 4)),
                                              nd.array([[1, 2, 3], [0, 1, 2]]), nd.array([2, 3])))
