"""What programs do with modules and executors beside fit: adversarial nets, style transfer, policies."""
import mxnet as mx
import numpy as np

mx.random.seed(5)
np.random.seed(5)
ctx = mx.cpu()


def gan():
    rand = mx.sym.Variable('rand')
    g = mx.sym.FullyConnected(rand, name='g1', num_hidden=128, no_bias=True)
    g = mx.sym.Reshape(g, shape=(-1, 8, 4, 4))
    g = mx.sym.BatchNorm(g, name='gbn1', fix_gamma=True, eps=1e-5 + 1e-12)
    g = mx.sym.Activation(g, name='gact1', act_type='relu')
    g = mx.sym.UpSampling(g, scale=2, sample_type='nearest')
    g = mx.sym.Convolution(g, name='g2', kernel=(3, 3), pad=(1, 1), num_filter=1, no_bias=True)
    gout = mx.sym.Activation(g, name='gact2', act_type='tanh')
    data, label = mx.sym.Variable('data'), mx.sym.Variable('label')
    d = mx.sym.Convolution(data, name='d1', kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=8, no_bias=True)
    d = mx.sym.LeakyReLU(d, name='dact1', act_type='leaky', slope=0.2)
    d = mx.sym.Convolution(d, name='d2', kernel=(4, 4), num_filter=1, no_bias=True)
    dloss = mx.sym.LogisticRegressionOutput(data=mx.sym.Flatten(d), label=label, name='dloss')

    size = 8
    mod_g = mx.mod.Module(symbol=gout, data_names=('rand',), label_names=None, context=ctx)
    mod_g.bind(data_shapes=[('rand', (size, 6))])
    mod_g.init_params(initializer=mx.init.Normal(0.2))
    mod_g.init_optimizer(optimizer='adam', optimizer_params={'learning_rate': 0.01, 'wd': 0., 'beta1': 0.5})
    mod_d = mx.mod.Module(symbol=dloss, data_names=('data',), label_names=('label',), context=ctx)
    mod_d.bind(data_shapes=[('data', (size, 1, 8, 8))], label_shapes=[('label', (size,))], inputs_need_grad=True)
    mod_d.init_params(initializer=mx.init.Normal(0.2))
    mod_d.init_optimizer(optimizer='adam', optimizer_params={'learning_rate': 0.01, 'wd': 0., 'beta1': 0.5})

    def facc(label, pred):
        return ((pred.ravel() > 0.5) == label.ravel()).mean()

    metric = mx.metric.CustomMetric(facc)
    real = np.tanh(np.random.randn(40, 1, 8, 8))
    label = mx.nd.zeros((size,), ctx=ctx)
    for epoch in range(2):
        metric.reset()
        for i in range(0, 40, size):
            batch = mx.io.DataBatch([mx.nd.array(real[i : i + size])], [])
            noise = mx.random.normal(0, 1.0, shape=(size, 6))
            mod_g.forward(mx.io.DataBatch(data=[noise], label=None), is_train=True)
            out_g = mod_g.get_outputs()
            label[:] = 0
            mod_d.forward(mx.io.DataBatch(out_g, [label]), is_train=True)
            mod_d.backward()
            kept = [[grad.copyto(grad.context) for grad in grads] for grads in mod_d._exec_group.grad_arrays]
            mod_d.update_metric(metric, [label])
            label[:] = 1
            batch.label = [label]
            mod_d.forward(batch, is_train=True)
            mod_d.backward()
            for grads_r, grads_f in zip(mod_d._exec_group.grad_arrays, kept):
                for grad_r, grad_f in zip(grads_r, grads_f):
                    grad_r += grad_f
            mod_d.update()
            mod_d.update_metric(metric, [label])
            label[:] = 1
            mod_d.forward(mx.io.DataBatch(out_g, [label]), is_train=True)
            mod_d.backward()
            mod_g.backward(mod_d.get_input_grads())
            mod_g.update()
        print('gan', epoch, '%.3f' % metric.get()[1], '%.4f' % mod_g.get_outputs()[0].asnumpy().std())


def style():
    img = mx.sym.Variable('img')
    c = mx.sym.Convolution(img, name='c', num_filter=4, kernel=(3, 3), pad=(1, 1))
    r = mx.sym.Activation(c, act_type='relu')
    flat = mx.sym.Reshape(r, shape=(4, 64))
    gram = mx.sym.FullyConnected(flat, flat, no_bias=True, num_hidden=4)
    loss = mx.sym.sum(mx.sym.square(mx.sym.Variable('goal') - gram)) / 1000.0
    loss = mx.sym.MakeLoss(loss)
    shapes = dict(zip(loss.list_arguments(), loss.infer_shape(img=(1, 3, 8, 8), goal=(4, 4))[0]))
    args = {name: mx.nd.array(np.random.uniform(-0.5, 0.5, shape)) for name, shape in shapes.items()}
    grads = {'img': mx.nd.zeros((1, 3, 8, 8))}
    executor = loss.bind(ctx=ctx, args=args, args_grad=grads, grad_req={'img': 'write'})
    optimizer = mx.optimizer.create('adam', learning_rate=0.05)
    state = optimizer.create_state(0, args['img'])
    for step in range(4):
        executor.forward(is_train=True)
        executor.backward()
        optimizer.update(0, args['img'], grads['img'], state)
        print('style', step, '%.5f' % executor.outputs[0].asnumpy()[0])


def policy():
    h = mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=16, name='fc1')
    h = mx.sym.Activation(h, act_type='relu')
    prob = mx.sym.SoftmaxActivation(mx.sym.FullyConnected(h, name='policy', num_hidden=3))
    value = mx.sym.FullyConnected(h, name='value', num_hidden=1)
    net = mx.sym.Group([mx.sym.BlockGrad(prob), mx.sym.log(prob), value])
    mod = mx.mod.Module(net, data_names=('data',), label_names=None, context=ctx)
    mod.bind(data_shapes=[('data', (4, 5))], label_shapes=None, grad_req='add')
    mod.init_params(mx.init.Xavier())
    mod.init_optimizer(kvstore='local', optimizer='rmsprop', optimizer_params={'learning_rate': 0.01, 'gamma1': 0.9})
    for step in range(3):
        for grads in mod._exec_group.grad_arrays:
            for grad in grads:
                grad[:] = 0
        for _ in range(2):
            batch = mx.io.DataBatch([mx.nd.array(np.random.randn(4, 5))], label=None)
            mod.forward(batch, is_train=True)
            probs, logs, values = mod.get_outputs()
            actions = probs.asnumpy().argmax(1)
            seed = np.zeros((4, 3))
            seed[np.arange(4), actions] = -1 + values.asnumpy()[:, 0]
            heads = [mx.nd.zeros((4, 3)), mx.nd.array(seed), (values - 1)]
            mod.backward(out_grads=heads)
        norm = np.sqrt(sum(float(mx.nd.norm(g[0]).asscalar()) ** 2 for g in mod._exec_group.grad_arrays))
        mod.update()
        print('policy', step, '%.4f' % norm, '%.4f' % float(values.asnumpy().mean()))


class Adaptive(mx.mod.BaseModule):
    """A module that binds again, over the same memory, when larger inputs come."""

    def __init__(self, symbol, shapes):
        super(Adaptive, self).__init__()
        self._symbol = symbol
        self._shapes = shapes
        self._current = None

    def bind(self, data_shapes, label_shapes=None, **more):
        self._current = mx.mod.Module(self._symbol, label_names=('label',))
        self._current.bind(self._shapes[0], self._shapes[1], **more)
        self.binded = True

    def init_params(self, **more):
        self._current.init_params(**more)
        self.params_initialized = True

    def forward(self, batch, is_train=None):
        wanted = [(name, data.shape) for name, data in zip(['data'], batch.data)]
        if wanted != [tuple(d) for d in self._current.data_shapes]:
            module = mx.mod.Module(self._symbol, label_names=('label',))
            module.bind(wanted, [('label', batch.label[0].shape)], shared_module=self._current)
            self._current = module
        self._current.forward(batch, is_train=is_train)


def adaptive():
    net = mx.sym.FullyConnected(mx.sym.mean(mx.sym.Variable('data'), axis=(2, 3)), num_hidden=2, name='fc')
    net = mx.sym.LinearRegressionOutput(net, mx.sym.Variable('label'))
    mod = Adaptive(net, ([('data', (2, 3, 9, 9))], [('label', (2, 2))]))
    mod.bind(None)
    mod.init_params(initializer=mx.init.One())
    for side in (9, 4, 6):
        data = mx.nd.array(np.random.rand(2, 3, side, side))
        mod.forward(mx.io.DataBatch([data], [mx.nd.ones((2, 2))]), is_train=True)
        mod._current.backward()
        weight = mod._current._exec_group.param_arrays[0][0]
        weight -= 0.1 * mod._current._exec_group.grad_arrays[0][0]
        print('adaptive', side, '%.5f' % mod._current.get_outputs()[0].asnumpy().mean(), '%.5f' % weight.asnumpy().mean())


gan()
style()
policy()
adaptive()
