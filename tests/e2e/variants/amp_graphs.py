import mxnet as mx, json, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
from mxnet import sym, nd, autograd, gluon
from mxnet.contrib import amp
from mxnet.gluon import nn
amp.init()
amp.init()
def show(s):
    for k in json.loads(s.tojson(remove_amp_cast=False))['nodes']:
        if k['op'] != 'null': print(k['op'],k['name'],sorted(k.get('attrs',{}).items()),[i[:2] for i in k['inputs']])
    print('.')
a,b=sym.var('a'),sym.var('b')
for s in (a.exp(), a.sum(), a**2, a**b, 2-a, a>b, a/b, a*b, a-b, a+1, sym.contrib.div_sqrt_dim(a), sym.linalg.gemm2(a,b), sym.linalg.potrf(a), sym.add_n(a,b), sym.stack(a,b,name='st'), sym.op.exp(a), sym.RNN(a,mode='lstm',state_size=2,num_layers=1,name='rnn'), sym.where(a,a,b), sym.broadcast_add(lhs=a,rhs=b), sym.Activation(a,act_type='relu'), sym.softmax(data=a), sym.log_softmax(a,name='ls'), sym.FullyConnected(data=a,weight=b,num_hidden=2,no_bias=True), sym.maximum(a,b), sym.batch_dot(a,b), sym.contrib.interleaved_matmul_selfatt_qk(a,heads=2), sym.norm(a), -a, abs(a), sym.BatchNorm(a, name='bn'), sym.LinearRegressionOutput(a,b,name='lin'), sym.Convolution(a,kernel=(1,1),num_filter=1,name='c'), sym.dot(a,b), sym.Activation(a,act_type='softrelu',name='sp')):
    show(s)
n=nn.Dense(2,activation='relu'); n.initialize(); n.hybridize()
show(n(sym.var('d')))
n=nn.HybridSequential(); n.add(nn.Conv2D(2,3), nn.BatchNorm(), nn.Dense(2)); show(n(sym.var('d')))
h,x,i=nd.ones((2,2)).astype('float16'),nd.ones((2,2)),nd.ones((2,2),dtype='int32')
print((h+x).dtype.__name__, nd.stack(x,h).dtype.__name__, nd.where(x,h,x).dtype.__name__, nd.dot(h,x).dtype.__name__, nd.maximum(x,h).dtype.__name__, nd.add_n(x,h).dtype.__name__, (h+h).dtype.__name__, nd.concat(h,x).dtype.__name__)
