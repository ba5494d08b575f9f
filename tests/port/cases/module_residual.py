"""A residual network for small images, as symbols, trained by Module."""
import mxnet as mx
import numpy as np


def unit(data, filters, stride, same, name, bottle=True, momentum=0.9):
    if bottle:
        bn1 = mx.sym.BatchNorm(data=data, fix_gamma=False, eps=2e-5, momentum=momentum, name=name + '_bn1')
        act1 = mx.sym.Activation(data=bn1, act_type='relu', name=name + '_relu1')
        conv1 = mx.sym.Convolution(data=act1, num_filter=int(filters * 0.25), kernel=(1, 1), stride=(1, 1),
                                   pad=(0, 0), no_bias=True, name=name + '_conv1')
        bn2 = mx.sym.BatchNorm(data=conv1, fix_gamma=False, eps=2e-5, momentum=momentum, name=name + '_bn2')
        act2 = mx.sym.Activation(data=bn2, act_type='relu', name=name + '_relu2')
        conv2 = mx.sym.Convolution(data=act2, num_filter=filters, kernel=(3, 3), stride=stride,
                                   pad=(1, 1), no_bias=True, name=name + '_conv2')
        if same:
            shortcut = data
        else:
            shortcut = mx.sym.Convolution(data=act1, num_filter=filters, kernel=(1, 1), stride=stride,
                                          no_bias=True, name=name + '_sc')
        return conv2 + shortcut
    else:
        bn1 = mx.sym.BatchNorm(data=data, fix_gamma=False, eps=2e-5, momentum=momentum, name=name + '_bn1')
        act1 = mx.sym.Activation(data=bn1, act_type='relu', name=name + '_relu1')
        conv1 = mx.sym.Convolution(data=act1, num_filter=filters, kernel=(3, 3), stride=stride,
                                   pad=(1, 1), no_bias=True, name=name + '_conv1')
        if same:
            shortcut = data
        else:
            shortcut = mx.sym.Convolution(data=act1, num_filter=filters, kernel=(1, 1), stride=stride,
                                          no_bias=True, name=name + '_sc')
        return conv1 + shortcut


def get_symbol(classes, units, filters, bottle=True, momentum=0.9):
    count = len(units)
    data = mx.sym.Variable(name='data')
    data = mx.sym.BatchNorm(data=data, fix_gamma=True, eps=2e-5, momentum=momentum, name='bn_data')
    body = mx.sym.Convolution(data=data, num_filter=filters[0], kernel=(3, 3), stride=(1, 1),
                              pad=(1, 1), no_bias=True, name='conv0')
    for i in range(count):
        body = unit(body, filters[i + 1], (1 if i == 0 else 2, 1 if i == 0 else 2), False,
                    name='stage%d_unit%d' % (i + 1, 1), bottle=bottle, momentum=momentum)
        for j in range(units[i] - 1):
            body = unit(body, filters[i + 1], (1, 1), True, name='stage%d_unit%d' % (i + 1, j + 2),
                        bottle=bottle, momentum=momentum)
    bn1 = mx.sym.BatchNorm(data=body, fix_gamma=False, eps=2e-5, momentum=momentum, name='bn1')
    relu1 = mx.sym.Activation(data=bn1, act_type='relu', name='relu1')
    pool1 = mx.sym.Pooling(data=relu1, global_pool=True, kernel=(7, 7), pool_type='avg', name='pool1')
    flat = mx.sym.Flatten(data=pool1)
    fc1 = mx.sym.FullyConnected(data=flat, num_hidden=classes, name='fc1')
    return mx.sym.SoftmaxOutput(data=fc1, name='softmax')


def filled(arrays):
    """The same values in each run: waves whose height goes with the number of inputs."""
    for name, array in arrays.items():
        if name.endswith('weight'):
            inputs = array.size / array.shape[0]
            wave = np.cos(1.7 * np.arange(array.size)) * np.sqrt(4.0 / inputs)
            array[:] = wave.reshape(array.shape)
    return arrays


def main():
    rng = np.random.RandomState(4)
    net = get_symbol(4, [2, 1, 2], [8, 8, 16, 32], bottle=False)
    labels = rng.randint(0, 4, 64)
    images = rng.normal(0, 0.3, (64, 3, 12, 12)).astype('float32')
    for image, label in zip(images, labels):
        image[:, label * 3:label * 3 + 3] += 1
    train = mx.io.NDArrayIter(images, labels.astype('float32'), 16)
    mod = mx.mod.Module(net, context=mx.cpu())
    mod.bind(train.provide_data, train.provide_label)
    mod.init_params(mx.init.Xavier(rnd_type='gaussian', factor_type='in', magnitude=2))
    arg_params, aux_params = mod.get_params()
    mod.set_params(filled(arg_params), aux_params)
    losses = []

    def note(param):
        losses.append(param.eval_metric.get()[1])

    mod.fit(train, num_epoch=3, eval_metric='ce', batch_end_callback=note,
            optimizer='nag', optimizer_params={'learning_rate': 0.02, 'momentum': 0.9, 'wd': 1e-4})
    for loss in losses[3::4]:
        print('cross entropy %.3f' % loss)
    for name, value in mod.score(train, ['acc', mx.metric.TopKAccuracy(2)]):
        print(name, value > 0.7)
    few = mx.mod.Module(mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=4, name='only'), name='softmax'))
    train.reset()
    few.bind(train.provide_data, train.provide_label)
    few.init_params(mx.init.Zero())
    few.init_optimizer(kvstore=None, optimizer=mx.optimizer.Adam(rescale_grad=1.0 / 16))
    for batch in train:
        few.forward_backward(batch)
        few.update()
    print('one layer %.3f' % few.score(train, 'acc')[0][1])


if __name__ == '__main__':
    main()
