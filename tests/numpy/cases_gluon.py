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

## names-of-nodes
x = mx.sym.var('data').as_np_ndarray()
layers = nn.Dropout(0, prefix='a_'), nn.Flatten(prefix='b_'), nn.LayerNorm(prefix='c_')
for layer in layers:
    out += [layer(x).get_internals().list_outputs(), nn.Dropout(0)(np.ones(2)), layer.name]

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

## parameters-loaded-into-initialized
def make():
    net = nn.HybridSequential()
    net.add(nn.Dense(2), nn.BatchNorm(), nn.Dense(1))
    net.initialize(mx.init.One())
    net(np.ones((2, 3)))
    return net
net = make()
net[0].weight.set_data(np.arange(6).reshape(2, 3))
net.save_parameters('nested.params')
other = make()
other.load_parameters('nested.params')
other.cast('float64')
other.load_parameters('nested.params', cast_dtype=True)
out += [[p.data(), p.dtype] for p in other.collect_params().values()]

## every-optimizer
for name in ('sgd', 'adam', 'rmsprop', 'adagrad', 'adadelta', 'nag', 'ftrl', 'adamax', 'nadam',
             'lamb', 'lars', 'signum', 'ftml', 'dcasgd', 'lbsgd', 'sgld'):
    net = nn.Dense(3, in_units=4)
    net.initialize(mx.init.One())
    options = {'learning_rate': 0.05}
    trainer = gluon.Trainer(net.collect_params(), name, options)
    x = np.array(onp.linspace(-1, 2, 8, dtype='float32').reshape(2, 4))
    for _ in range(3):
        with autograd.record():
            y = (net(x)**2).sum()
        y.backward()
        trainer.step(2)
    out += [name, net.weight.data(), net.bias.data()]
""",
    "mx.npx.set_np()\nnp, npx = mx.np, mx.npx\n",
)
