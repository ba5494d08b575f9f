"""The oldest style: a symbol bound by hand, updated by an updater."""
import mxnet as mx
import numpy as np


def net():
    data = mx.symbol.Variable('data')
    fc1 = mx.symbol.FullyConnected(data, name='fc1', num_hidden=16)
    act1 = mx.symbol.Activation(fc1, name='relu1', act_type='relu')
    fc2 = mx.symbol.FullyConnected(act1, name='fc2', num_hidden=3)
    return mx.symbol.SoftmaxOutput(fc2, name='sm')


rng = np.random.RandomState(2)
centers = rng.normal(0, 2, (3, 6))
labels = rng.randint(0, 3, 120)
X = (centers[labels] + rng.normal(0, 0.5, (120, 6))).astype('float32')
batch = 20
softmax = net()
arg_names = softmax.list_arguments()
print(arg_names)
arg_shapes, out_shapes, aux_shapes = softmax.infer_shape(data=(batch, 6))
print(dict(zip(arg_names, arg_shapes)), out_shapes)
arg_arrays = {n: mx.nd.zeros(s) for n, s in zip(arg_names, arg_shapes)}
grads = {n: mx.nd.zeros(s) for n, s in zip(arg_names, arg_shapes) if n not in ('data', 'sm_label')}
for n, a in arg_arrays.items():
    if n.endswith('weight'):
        a[:] = rng.uniform(-0.3, 0.3, a.shape)
executor = softmax.bind(mx.cpu(), args=arg_arrays, args_grad=grads, grad_req='write')
lr = 0.3


def error(pred, y):
    return float((np.argmax(pred, axis=1) != y).mean())


for epoch in range(4):
    wrong = 0.0
    for i in range(0, 120, batch):
        arg_arrays['data'][:] = X[i:i + batch]
        arg_arrays['sm_label'][:] = labels[i:i + batch]
        executor.forward(is_train=True)
        wrong += error(executor.outputs[0].asnumpy(), labels[i:i + batch])
        executor.backward()
        for n, g in grads.items():
            arg_arrays[n] -= lr * g / batch
    print('epoch %d error %.3f' % (epoch, wrong / 6))
# another batch size, gradients that add up, a statistic, gradients of outputs
data = mx.sym.Variable('data')
hidden = mx.sym.BatchNorm(mx.sym.FullyConnected(data, num_hidden=4, name='fc'), fix_gamma=False, name='bn')
plain = mx.sym.tanh(hidden)
bound = plain.simple_bind(ctx=mx.cpu(), grad_req='add', data=(6, 6))
bound.arg_dict['data'][:] = X[:6]
bound.arg_dict['fc_weight'][:] = np.linspace(-0.5, 0.5, 24).reshape(4, 6)
bound.arg_dict['bn_gamma'][:] = 1
bound.aux_dict['bn_moving_var'][:] = 1
for turn in range(2):
    bound.forward(is_train=True)
    bound.backward(mx.nd.ones((6, 4)) * (turn + 1))
print('added %.4f' % abs(bound.grad_dict['fc_weight'].asnumpy()).sum(),
      'beta', bound.grad_dict['bn_beta'].asnumpy().round(3),
      'mean', bound.aux_dict['bn_moving_mean'].asnumpy().round(3), len(bound.arg_arrays), len(bound.grad_arrays))
larger = bound.reshape(data=(3, 6))
larger.forward(is_train=False, data=mx.nd.array(X[:3]))
print(larger.outputs[0].shape, abs(larger.outputs[0].asnumpy()).max() < 1)
exe2 = softmax.simple_bind(ctx=mx.cpu(), data=(5, 6))
exe2.copy_params_from({n: arg_arrays[n] for n in grads})
out = exe2.forward(is_train=False, data=mx.nd.array(X[:5]))
print(out[0].asnumpy().argmax(axis=1), labels[:5])
