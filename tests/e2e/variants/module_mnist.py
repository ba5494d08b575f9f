"""Digits by the Module API, as programs of 2016 to 2018 are written."""
import gzip
import logging
import os
import struct
import sys
import tempfile

import mxnet as mx
import numpy as np

logging.basicConfig(stream=sys.stdout, level=logging.WARNING)
mx.random.seed(42)
np.random.seed(42)


def write(folder, n, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, 10, n)
    images = rng.randint(0, 60, (n, 28, 28))
    for image, label in zip(images, labels):
        image[label * 2 : label * 2 + 4, 4:24] += 150
    paths = [os.path.join(folder, '%d-%s' % (seed, kind)) for kind in ('images', 'labels')]
    with open(paths[0], 'wb') as f:
        f.write(struct.pack('>IIII', 2051, n, 28, 28) + images.astype(np.uint8).tobytes())
    with open(paths[1], 'wb') as f:
        f.write(struct.pack('>II', 2049, n) + labels.astype(np.uint8).tobytes())
    return paths


def lenet():
    data = mx.symbol.Variable('data')
    conv1 = mx.symbol.Convolution(data=data, kernel=(5, 5), num_filter=8)
    tanh1 = mx.symbol.Activation(data=conv1, act_type='tanh')
    pool1 = mx.symbol.Pooling(data=tanh1, pool_type='max', kernel=(2, 2), stride=(2, 2))
    conv2 = mx.symbol.Convolution(data=pool1, kernel=(5, 5), num_filter=16)
    tanh2 = mx.symbol.Activation(data=conv2, act_type='tanh')
    pool2 = mx.symbol.Pooling(data=tanh2, pool_type='max', kernel=(2, 2), stride=(2, 2))
    flatten = mx.symbol.Flatten(data=pool2)
    fc1 = mx.symbol.FullyConnected(data=flatten, num_hidden=32)
    tanh3 = mx.symbol.Activation(data=fc1, act_type='tanh')
    fc2 = mx.symbol.FullyConnected(data=tanh3, num_hidden=10)
    return mx.symbol.SoftmaxOutput(data=fc2, name='softmax')


def main():
    folder = tempfile.mkdtemp()
    image, label = write(folder, 300, 1)
    train = mx.io.MNISTIter(image=image, label=label, batch_size=50, shuffle=True, seed=3)
    image, label = write(folder, 100, 2)
    val = mx.io.MNISTIter(image=image, label=label, batch_size=50, shuffle=False)
    net = lenet()
    mx.viz.print_summary(net, shape={'data': (50, 1, 28, 28)})
    prefix = os.path.join(folder, 'lenet')

    metric = mx.metric.create(['acc', 'ce'])
    model = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
    model.fit(
        train,
        eval_data=val,
        eval_metric=metric,
        optimizer='sgd',
        optimizer_params={'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.0001},
        initializer=mx.init.Xavier(rnd_type='gaussian', factor_type='in', magnitude=2),
        num_epoch=4,
        epoch_end_callback=[
            lambda epoch, *rest: print('epoch %d' % epoch, ['%s %.4f' % pair for pair in metric.get_name_value()]),
            mx.callback.do_checkpoint(prefix),
        ],
        eval_end_callback=lambda p: print('validation', ['%s %.4f' % v for v in p.eval_metric.get_name_value()]),
    )
    for name, value in model.score(val, ['acc', 'ce']):
        print('score %s %.4f' % (name, value))

    symbol, arg_params, aux_params = mx.model.load_checkpoint(prefix, 4)
    inside = symbol.get_internals()
    feature = mx.mod.Module(inside['flatten0_output'], label_names=None)
    feature.bind(data_shapes=[('data', (50, 1, 28, 28))], for_training=False)
    feature.set_params(arg_params, aux_params, allow_extra=True)
    val.reset()
    feature.forward(val.next(), is_train=False)
    out = feature.get_outputs()[0]
    print(out.shape, '%.4f' % out.asnumpy().mean())

    new = mx.symbol.FullyConnected(inside['activation2_output'], num_hidden=10, name='new')
    new = mx.symbol.SoftmaxOutput(new, name='softmax')
    tuned = mx.mod.Module(new, fixed_param_names=[n for n in arg_params if n.startswith('conv')])
    train.reset()
    tuned.fit(
        train,
        num_epoch=1,
        arg_params=arg_params,
        aux_params=aux_params,
        allow_missing=True,
        initializer=mx.init.Uniform(0.05),
        optimizer_params=(('learning_rate', 0.05),),
    )
    same = np.array_equal(
        tuned.get_params()[0]['convolution0_weight'].asnumpy(), arg_params['convolution0_weight'].asnumpy()
    )
    print('convolutions fixed', same, '%.4f' % tuned.score(val, 'ce')[0][1])


if __name__ == '__main__':
    main()
