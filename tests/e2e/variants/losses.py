"""Every Gluon loss: value per sample, and the gradient to the prediction."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import loss as gloss


def show(name, values):
    print(name, *['%.6g' % float(v) for v in np.ravel(values)[:12]])


def probe(name, loss, pred, *rest):
    pred.attach_grad()
    with autograd.record():
        l = loss(pred, *rest)
    l.backward()
    print(name, l.shape)
    show('  loss', l.asnumpy())
    show('  grad', pred.grad.asnumpy())


mx.random.seed(12)
pred = nd.random.normal(shape=(4, 3))
target = nd.random.normal(shape=(4, 3))
classes = nd.array([0, 2, 1, 1])
dense = nd.random.uniform(shape=(4, 3))
dense = dense / dense.sum(axis=1, keepdims=True)
binary = nd.array([[0, 1, 1], [1, 0, 0], [1, 1, 0], [0, 0, 1]])
signed = binary * 2 - 1
weight = nd.array([[1], [0.5], [0], [2]])

probe('L2Loss', gloss.L2Loss(), pred, target)
probe('L2Loss weight', gloss.L2Loss(weight=3), pred, target)
probe('L2Loss sample weight', gloss.L2Loss(), pred, target, weight)
probe('L2Loss batch_axis', gloss.L2Loss(batch_axis=1), pred, target)
probe('L2Loss reshapes label', gloss.L2Loss(), pred, target.reshape((3, 4)).T.reshape((-1,)).reshape((4, 3)))
probe('L1Loss', gloss.L1Loss(), pred, target)
probe('SoftmaxCE', gloss.SoftmaxCrossEntropyLoss(), pred, classes)
probe('SoftmaxCE dense', gloss.SoftmaxCrossEntropyLoss(sparse_label=False), pred, dense)
probe('SoftmaxCE axis', gloss.SoftmaxCrossEntropyLoss(axis=0), pred, nd.array([3, 0, 2]))
probe('SoftmaxCE from_logits', gloss.SoftmaxCELoss(from_logits=True), pred, classes)
probe('SoftmaxCE weight', gloss.SoftmaxCrossEntropyLoss(weight=0.5), pred, classes, weight)
probe('SigmoidBCE', gloss.SigmoidBinaryCrossEntropyLoss(), pred, binary)
probe('SigmoidBCE sigmoid', gloss.SigmoidBCELoss(from_sigmoid=True), nd.sigmoid(pred), binary)
probe('SigmoidBCE pos_weight', gloss.SigmoidBCELoss(), pred, binary, None, nd.array([1, 2, 3]))
probe('KLDiv', gloss.KLDivLoss(), nd.log_softmax(pred), dense)
probe('KLDiv logits', gloss.KLDivLoss(from_logits=False), pred, dense)
probe('Huber', gloss.HuberLoss(), pred, target)
probe('Huber 0.3', gloss.HuberLoss(rho=0.3), pred, target)
probe('Hinge', gloss.HingeLoss(), pred, signed)
probe('Hinge margin', gloss.HingeLoss(margin=0.5), pred, signed)
probe('SquaredHinge', gloss.SquaredHingeLoss(), pred, signed)
probe('Logistic', gloss.LogisticLoss(), pred, signed)
probe('Logistic binary', gloss.LogisticLoss(label_format='binary'), pred, binary)
probe('Triplet', gloss.TripletLoss(margin=0.7), pred, target, target * 0.5 + 0.1)
probe('Poisson', gloss.PoissonNLLLoss(), pred, nd.abs(target))
probe('Poisson rates', gloss.PoissonNLLLoss(from_logits=False), nd.exp(pred), nd.abs(target))
probe('Cosine', gloss.CosineEmbeddingLoss(), pred, target, nd.array([1, -1, 1, -1]))
probe('Cosine margin', gloss.CosineEmbeddingLoss(margin=0.3), pred, target, nd.array([1, -1, 1, -1]))
scores = nd.random.normal(shape=(2, 6, 5))
probe('CTC', gloss.CTCLoss(), scores, nd.array([[1, 0, -1], [2, 3, 1]]))
probe('CTC TNC', gloss.CTCLoss(layout='TNC'), scores.swapaxes(0, 1).copy(), nd.array([[1, 0, -1], [2, 3, 1]]))
probe('CTC lengths', gloss.CTCLoss(), scores, nd.array([[1, 0, 2], [2, 3, 1]]), nd.array([6, 4]), nd.array([2, 1]))

# losses of sequences keep the batch axis
seq = nd.random.normal(shape=(2, 5, 4))
labels = nd.array([[0, 1, 2, 3, 0], [3, 2, 1, 0, 3]])
probe('SoftmaxCE sequence', gloss.SoftmaxCrossEntropyLoss(), seq, labels)
probe('L2 sequence', gloss.L2Loss(), seq, seq * 0.5)
loss = gloss.SoftmaxCrossEntropyLoss()
loss.hybridize()
probe('hybridized', loss, pred, classes)
print(loss, gloss.L2Loss())
