"""A BiLSTM with a CRF on top: the forward algorithm and Viterbi in plain arrays."""
import mxnet as mx
import numpy as np
from mxnet import autograd as ag
from mxnet import gluon, nd
from mxnet.gluon import Block, nn, rnn

START_TAG, STOP_TAG = "<START>", "<STOP>"
tag2idx = {"B": 0, "I": 1, "O": 2, START_TAG: 3, STOP_TAG: 4}


def to_scalar(x):
    return int(x.asscalar())


def argmax(vec):
    # return the argmax as a python int
    idx = nd.argmax(vec, axis=1)
    return to_scalar(idx)


def prepare_sequence(seq, word2idx):
    return nd.array([word2idx[w] for w in seq])


def log_sum_exp(vec):
    max_score = nd.max(vec).asscalar()
    return nd.log(nd.sum(nd.exp(vec - max_score))) + max_score


class BiLSTM_CRF(Block):
    def __init__(self, vocab_size, tag2idx, embedding_dim, hidden_dim):
        super(BiLSTM_CRF, self).__init__()
        self.embedding_dim = embedding_dim
        self.hidden_dim = hidden_dim
        self.tag2idx = tag2idx
        self.tagset_size = len(tag2idx)
        self.word_embeds = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = rnn.LSTM(hidden_dim // 2, num_layers=1, bidirectional=True,
                             input_size=embedding_dim)
        self.hidden2tag = nn.Dense(self.tagset_size, in_units=hidden_dim)
        self.transitions = self.params.get("crf_transition_matrix",
                                           shape=(self.tagset_size, self.tagset_size))
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return [nd.zeros((2, 1, self.hidden_dim // 2)), nd.zeros((2, 1, self.hidden_dim // 2))]

    def _forward_alg(self, feats):
        alphas = [[-10000.] * self.tagset_size]
        alphas[0][self.tag2idx[START_TAG]] = 0.
        alphas = nd.array(alphas)
        for feat in feats:
            alphas_t = []
            for next_tag in range(self.tagset_size):
                emit_score = feat[next_tag].reshape((1, -1))
                trans_score = self.transitions.data()[next_tag].reshape((1, -1))
                next_tag_var = alphas + trans_score + emit_score
                alphas_t.append(log_sum_exp(next_tag_var))
            alphas = nd.concat(*alphas_t, dim=0).reshape((1, -1))
        terminal_var = alphas + self.transitions.data()[self.tag2idx[STOP_TAG]]
        return log_sum_exp(terminal_var)

    def _get_lstm_features(self, sentence):
        self.hidden = self.init_hidden()
        length = sentence.shape[0]
        embeds = self.word_embeds(sentence).reshape((length, 1, -1))
        lstm_out, self.hidden = self.lstm(embeds, self.hidden)
        lstm_out = lstm_out.reshape((length, self.hidden_dim))
        lstm_feats = self.hidden2tag(lstm_out)
        return nd.split(lstm_feats, num_outputs=length, axis=0, squeeze_axis=True)

    def _score_sentence(self, feats, tags_array):
        score = nd.array([0])
        tags_array = nd.concat(nd.array([self.tag2idx[START_TAG]]), *tags_array, dim=0)
        for idx, feat in enumerate(feats):
            score = score + \
                self.transitions.data()[to_scalar(tags_array[idx + 1]), to_scalar(tags_array[idx])] + \
                feat[to_scalar(tags_array[idx + 1])]
        score = score + self.transitions.data()[self.tag2idx[STOP_TAG],
                                                to_scalar(tags_array[int(tags_array.shape[0] - 1)])]
        return score

    def _viterbi_decode(self, feats):
        backpointers = []
        vvars = nd.full((1, self.tagset_size), -10000.)
        vvars[0, self.tag2idx[START_TAG]] = 0
        for feat in feats:
            bptrs_t = []
            viterbivars_t = []
            for next_tag in range(self.tagset_size):
                next_tag_var = vvars + self.transitions.data()[next_tag]
                best_tag_id = argmax(next_tag_var)
                bptrs_t.append(best_tag_id)
                viterbivars_t.append(next_tag_var[0, best_tag_id])
            vvars = (nd.concat(*viterbivars_t, dim=0) + feat).reshape((1, -1))
            backpointers.append(bptrs_t)
        terminal_var = vvars + self.transitions.data()[self.tag2idx[STOP_TAG]]
        best_tag_id = argmax(terminal_var)
        path_score = terminal_var[0, best_tag_id]
        best_path = [best_tag_id]
        for bptrs_t in reversed(backpointers):
            best_tag_id = bptrs_t[best_tag_id]
            best_path.append(best_tag_id)
        start = best_path.pop()
        assert start == self.tag2idx[START_TAG]
        best_path.reverse()
        return path_score, best_path

    def neg_log_likelihood(self, sentence, tags):
        feats = self._get_lstm_features(sentence)
        forward_score = self._forward_alg(feats)
        gold_score = self._score_sentence(feats, tags)
        return forward_score - gold_score

    def forward(self, sentence):
        lstm_feats = self._get_lstm_features(sentence)
        score, tag_seq = self._viterbi_decode(lstm_feats)
        return score, tag_seq


training_data = [
    ("the wall street journal reported today that apple made money".split(),
     "B I I I O O O B O O".split()),
    ("georgia tech is a university in georgia".split(), "B I O O O O B".split()),
]
word2idx = {}
for sentence, tags in training_data:
    for word in sentence:
        if word not in word2idx:
            word2idx[word] = len(word2idx)

model = BiLSTM_CRF(len(word2idx), tag2idx, 5, 4)
model.initialize(mx.init.Xavier(magnitude=2.24), ctx=mx.cpu())
for i, p in enumerate(model.collect_params().values()):
    p.set_data(nd.array(np.random.RandomState(i).uniform(-0.5, 0.5, p.shape)))
optimizer = gluon.Trainer(model.collect_params(), 'sgd', {'learning_rate': 0.05, 'wd': 1e-4})
score, path = model(prepare_sequence(training_data[0][0], word2idx))
print('%.4f' % score.asscalar(), path)
for epoch in range(3):
    for sentence, tags in training_data:
        sentence_in = prepare_sequence(sentence, word2idx)
        targets = nd.array([tag2idx[t] for t in tags])
        with ag.record():
            neg_log_likelihood = model.neg_log_likelihood(sentence_in, targets)
        neg_log_likelihood.backward()
        optimizer.step(1)
    print('epoch %d nll %.4f' % (epoch, neg_log_likelihood.asscalar()))
score, path = model(prepare_sequence(training_data[0][0], word2idx))
print('%.4f' % score.asscalar(), path)
