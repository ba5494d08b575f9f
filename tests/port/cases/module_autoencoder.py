"""Pictures through a narrow waist and back; a loss of the net's own, and steps one by one."""
import mxnet as mx
import numpy as np

rng = np.random.RandomState(83)
SIDE, BATCH = 8, 16


def blobs(count):
    """A soft spot somewhere."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    centres = rng.uniform(2, 6, size=(count, 2))
    far = (rows[None] - centres[:, :1, None]) ** 2 + (columns[None] - centres[:, 1:, None]) ** 2
    return np.exp(-far / 4)[:, None].astype('float32')


# Down, the waist, and up again
image = mx.sym.Variable('image')
down = mx.sym.Convolution(image, kernel=(3, 3), stride=(2, 2), pad=(1, 1), num_filter=6, name='down')
down = mx.sym.LeakyReLU(down, act_type='elu', slope=1.0)
code = mx.sym.FullyConnected(mx.sym.flatten(down), num_hidden=4, name='code')
code = mx.sym.tanh(code)
up = mx.sym.FullyConnected(code, num_hidden=6 * 4 * 4, name='open')
up = mx.sym.relu(up)
up = mx.sym.reshape(up, shape=(-1, 6, 4, 4))
up = mx.sym.Deconvolution(up, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=1,
                          no_bias=True, name='up')
gap = mx.sym.mean(mx.sym.square(up - image), axis=(1, 2, 3))
net = mx.sym.Group([mx.sym.MakeLoss(gap, name='gap'), mx.sym.BlockGrad(up), mx.sym.BlockGrad(code)])

pictures = blobs(80)
mod = mx.mod.Module(net, data_names=('image',), label_names=None, context=mx.cpu())
mod.bind(data_shapes=[('image', (BATCH, 1, SIDE, SIDE))])
mod.init_params(mx.init.Xavier())
arg_params, aux_params = mod.get_params()
for name, value in sorted(arg_params.items()):
    value[:] = rng.normal(0, 0.3, size=value.shape)
mod.set_params(arg_params, aux_params)
mod.init_optimizer(optimizer='rmsprop', optimizer_params={'learning_rate': 0.01})

batch = mx.io.DataBatch(data=[mx.nd.zeros((BATCH, 1, SIDE, SIDE))])
for epoch in range(6):
    total = 0.0
    for start in range(0, 80, BATCH):
        batch.data = [mx.nd.array(pictures[start:start + BATCH])]
        mod.forward(batch, is_train=True)
        total += mod.get_outputs()[0].sum().asscalar()
        mod.backward()
        mod.update()
    print('epoch %d: %.5f' % (epoch, total / 80))

mod.forward(mx.io.DataBatch([mx.nd.array(blobs(BATCH))]), is_train=False)
gap, drawn, code = mod.get_outputs()
print('new pictures: %.4f' % gap.mean().asscalar())
print('drawn', drawn.shape, 'codes', code.shape)
print('code of the first', ' '.join('%.3f' % v for v in code[0].asnumpy()))
brightest = drawn.reshape((BATCH, -1)).argmax(axis=1).asnumpy()
print('brightest', brightest[:6].astype(int).tolist())
arg_params, _ = mod.get_params()
shapes = dict((name, value.shape) for name, value in arg_params.items())
for name in ('down_weight', 'code_weight', 'up_weight'):
    print(name, ' x '.join(map(str, shapes[name])))
