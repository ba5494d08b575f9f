"""2016: command line, logging and a Symbol model with its own loop."""
import argparse
import logging
import sys
import time

import mxnet as mx
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument('--num-hidden', type=np.int, default=6)
parser.add_argument('--lr', type=np.float, default=0.5)
args = parser.parse_args()
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format='%(message)s')
tic = time.clock()
data = mx.sym.Variable('data')
net = mx.sym.FullyConnected(data, num_hidden=args.num_hidden, name='fc1')
net = mx.sym.Activation(net, act_type='tanh')
net = mx.sym.FullyConnected(net, num_hidden=2, name='fc2')
net = mx.sym.SoftmaxOutput(net, name='softmax')
mx.random.seed(6)
exe = net.simple_bind(ctx=mx.cpu(), data=(20, 4), softmax_label=(20,), grad_req='write')
init = mx.init.Uniform(0.5)
for name in net.list_arguments():
    if name not in ('data', 'softmax_label'):
        init(mx.init.InitDesc(name), exe.arg_dict[name])
rs = np.random.RandomState(1)
x = rs.randn(20, 4).astype(np.float32)
exe.arg_dict['data'][:] = x
exe.arg_dict['softmax_label'][:] = (x[:, 0] > 0)
opt = mx.optimizer.create('sgd', learning_rate=args.lr, rescale_grad=1.0 / 20)
updater = mx.optimizer.get_updater(opt)
for i in range(4):
    out = exe.forward(is_train=True)[0]
    exe.backward()
    for k, name in enumerate(net.list_arguments()):
        if name not in ('data', 'softmax_label'):
            updater(k, exe.grad_dict[name], exe.arg_dict[name])
    p = out.asnumpy()[np.arange(20), (x[:, 0] > 0).astype(np.int)]
    logging.info('step %d nll %.5f %s', i, -np.log(p).mean(), time.clock() >= tic)
