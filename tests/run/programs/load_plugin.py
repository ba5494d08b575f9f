"""2016: imp loads a file with the network, as image-classification/symbols did."""
import imp
import os
import tempfile
import time

import mxnet as mx

SOURCE = '''
import mxnet as mx


def get_symbol(num_classes):
    data = mx.symbol.Variable('data')
    fc1 = mx.symbol.FullyConnected(data, name='fc1', num_hidden=16)
    act = mx.symbol.Activation(fc1, name='relu1', act_type='relu')
    fc2 = mx.symbol.FullyConnected(act, name='fc2', num_hidden=num_classes)
    return mx.symbol.SoftmaxOutput(fc2, name='softmax')
'''
tic = time.clock()
folder = tempfile.mkdtemp()
path = os.path.join(folder, 'mlp.py')
with open(path, 'w') as f:
    f.write(SOURCE)
network = imp.load_source('mlp', path)
sym = network.get_symbol(3)
print(sym.list_arguments())
print(sym.infer_shape(data=(2, 8))[1])
found = imp.find_module('mlp', [folder])
found[0].close()
print(os.path.basename(found[1]), imp.new_module('empty').__name__, time.clock() >= tic)
exe = sym.simple_bind(mx.cpu(), data=(2, 8))
for name, array in sorted(exe.arg_dict.items()):
    array[:] = 0.1
print(exe.forward()[0].asnumpy().round(4).tolist())
