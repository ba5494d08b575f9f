"""Gluon with arrays of `mx.np`: labels of data sets, losses of mixed types, several contexts."""

from tests.snippets import snippets

CASES = snippets(
    """
## mnist-labels
import gzip, os, struct, tempfile
root, vision = tempfile.mkdtemp(), gluon.data.vision
vision.datasets.download = lambda url, path=None, **kwargs: os.path.join(path, url.split('/')[-1])
vision.datasets.check_sha1 = lambda path, checksum: True
with gzip.open(os.path.join(root, 'train-images-idx3-ubyte.gz'), 'wb') as f:
    f.write(struct.pack('>IIII', 2051, 5, 28, 28) + bytes(5 * 784))
with gzip.open(os.path.join(root, 'train-labels-idx1-ubyte.gz'), 'wb') as f:
    f.write(struct.pack('>II', 2049, 5) + bytes(range(5)))
data = vision.FashionMNIST(root)
out += [data[1], data[1:3], data._label]
for name in ['data_batch_%d.bin' % i for i in range(1, 6)] + ['test_batch.bin']:
    with open(os.path.join(root, name), 'wb') as f:
        f.write(bytes([3]) + bytes(3072))
data = vision.CIFAR10(root)
out += [data[1][1], data._label]

## loss-weights-of-another-type
pred = np.array([[.1, .7, -.2], [.5, -.3, .9]])
weight = np.array([[1], [2]], dtype='int32')
for name in ('L1Loss', 'L2Loss', 'SigmoidBCELoss'):
    for active in (False, True):
        loss = getattr(gluon.loss, name)()
        loss.hybridize(active)
        pred.attach_grad()
        with autograd.record():
            value = loss(pred, np.array([[1, 0, 1], [0, 1, 1]], dtype='int32'), weight)
        value.backward()
        out += [value, pred.grad]
loss = gluon.loss.SoftmaxCELoss()
label = np.array([1, 2])
out += [loss(pred, label, weight), loss(pred.astype('float64'), label, weight)]
label = np.array([[1, 0, 1], [0, 1, 1]])
positive = np.array([1, 2, 3], dtype='int32')
out.append(gluon.loss.SigmoidBCELoss()(pred, label, weight, positive))

## first-step-hands-out-the-first-context
for store in (None, 'local', 'device'):
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
    net.initialize(mx.init.One(), ctx=contexts)
    net[0].weight.list_data()[1][:] = 5
    net[1].running_mean.list_data()[1][:] = 7
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}, kvstore=store)
    x = np.array([[1., 2], [3, 4]])
    with autograd.record():
        losses = [net(x.as_in_context(c)).sum() for c in contexts]
    for loss in losses:
        loss.backward()
    trainer.step(2)
    out += [[p.data(c) for c in contexts] for p in net.collect_params().values()]
""",
    "mx.npx.set_np()\nnp, npx = mx.np, mx.npx\n",
)
