"""A small convolutional net made by functions, and a loop of Module's own steps."""
import mxnet as mx
import numpy as np

BATCH = 16
SIDE = 12
rng = np.random.RandomState(31)


def conv_unit(data, num_filter, kernel, name):
    """A convolution, a normalization and an activation."""
    conv = mx.sym.Convolution(data, num_filter=num_filter, kernel=kernel, pad=(1, 1),
                              no_bias=True, name=name + '_conv')
    bn = mx.sym.BatchNorm(conv, fix_gamma=False, eps=1e-4, name=name + '_bn')
    return mx.sym.Activation(bn, act_type='relu', name=name + '_act')


def get_symbol(num_classes=3, filters=(6, 8), dropout=0.0):
    data = mx.symbol.Variable('data')
    net = conv_unit(data, filters[0], (3, 3), 'first')
    net = mx.symbol.Pooling(net, pool_type='max', kernel=(2, 2), stride=(2, 2))
    net = conv_unit(net, filters[1], (3, 3), 'second')
    # all pixels of a channel are one number
    net = mx.symbol.Pooling(net, global_pool=True, pool_type='avg', kernel=(1, 1))
    net = mx.symbol.Flatten(net)
    if dropout > 0:
        net = mx.symbol.Dropout(net, p=dropout)
    net = mx.symbol.FullyConnected(net, num_hidden=num_classes, name='last')
    return mx.symbol.SoftmaxOutput(net, name='softmax')


def pictures(count):
    """Stripes that lie, stand or lean."""
    kinds = rng.randint(0, 3, count)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    stripes = [np.sin(rows), np.sin(columns), np.sin(rows + columns)]
    x = np.stack([stripes[k] for k in kinds])[:, None]
    return (x + rng.normal(0, 0.5, size=x.shape)).astype(np.float32), kinds.astype(np.float32)


x, y = pictures(96)
train = mx.io.NDArrayIter(data=x, label=y, batch_size=BATCH, shuffle=False)
x_val, y_val = pictures(40)
val = mx.io.NDArrayIter(x_val, y_val, batch_size=BATCH)

sym = get_symbol(num_classes=3)
mod = mx.mod.Module(sym, data_names=['data'], label_names=['softmax_label'], context=mx.cpu())
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(mx.init.Xavier(magnitude=2.))
arg_params, aux_params = mod.get_params()
for key in arg_params:
    if key.endswith('weight'):
        arg_params[key][:] = rng.normal(0, 0.3, size=arg_params[key].shape)
mod.set_params(arg_params, aux_params)
mod.init_optimizer(optimizer='adam', optimizer_params=(('learning_rate', 0.02),))
metric = mx.metric.create('acc')

for epoch in range(4):
    train.reset()
    metric.reset()
    for batch in train:
        mod.forward(batch, is_train=True)       # compute predictions
        mod.update_metric(metric, batch.label)  # accumulate accuracy
        mod.backward()                          # compute gradients
        mod.update()                            # update parameters
    print('Epoch %d, Training %s' % (epoch, ' %.4f' % metric.get()[1]))

val.reset()
right = 0
for batch in val:
    mod.forward(batch, is_train=False)
    out = mod.get_outputs()[0].asnumpy()
    count = out.shape[0] - batch.pad
    right += (out.argmax(axis=1) == batch.label[0].asnumpy())[:count].sum()
print('right on new pictures: %d of %d' % (right, len(y_val)))
print('chances', ' '.join('%.4f' % p for p in mod.predict(val).asnumpy()[0]))
arg_params, aux_params = mod.get_params()
print('moving', ' '.join('%.4f' % v for v in aux_params['first_bn_moving_mean'].asnumpy()[:3]))
