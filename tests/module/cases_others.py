"""BucketingModule, SequentialModule, PythonModule, executor groups and the helpers of mx.model."""

from tests.module.cases_fit import nets

_BUCKETS = """
import random
warnings.simplefilter('ignore')
SENTENCES = [[int(v) for v in rng.randint(1, 9, n)] for n in (3, 5, 4, 3, 5, 5, 2, 3, 3, 5, 4, 4,
    3, 5, 3, 5)]

def sentences():
    random.seed(5)
    onp.random.seed(5)
    return mx.rnn.BucketSentenceIter(SENTENCES, 2, buckets=[3, 5], invalid_label=0)

def unrolled(length):
    x = sym.Embedding(sym.var('data'), input_dim=9, output_dim=4, name='embed')
    stack = mx.rnn.SequentialRNNCell()
    stack.add(mx.rnn.LSTMCell(5, prefix='l0_'))
    stack.add(mx.rnn.GRUCell(4, prefix='l1_'))
    x, _ = stack.unroll(length, x, merge_outputs=True)
    x = sym.FullyConnected(sym.Reshape(x, shape=(-1, 4)), num_hidden=9, name='pred')
    y = sym.Reshape(sym.var('softmax_label'), shape=(-1,))
    return sym.SoftmaxOutput(x, y, name='softmax'), ('data',), ('softmax_label',)

def summed(length):
    x = sym.sum(sym.var('data'), axis=1, keepdims=True)
    x = sym.FullyConnected(x, num_hidden=4, name='fc')
    return sym.SoftmaxOutput(x, name='softmax'), ('data',), ('softmax_label',)

def of(length, batch=4):
    shape = (batch, length)
    return mx.io.DataBatch([nd.array(rng.rand(*shape))], [nd.array(rng.randint(0, 4, batch))],
                           bucket_key=length, provide_data=[('data', shape)],
                           provide_label=[('softmax_label', (batch,))])

def buckets(key=6, **more):
    m = mx.mod.BucketingModule(summed, default_bucket_key=key, **more)
    m.bind([('data', (4, key))], [('softmax_label', (4,))])
    m.init_params(mx.init.Xavier())
    m.init_optimizer(optimizer_params={'learning_rate': 0.5, 'momentum': 0.5})
    return m
"""

CASES = nets(
    """
## bucketing/lstm
losses = []
data = sentences()
metric = mx.metric.Perplexity(0)
m = mx.mod.BucketingModule(unrolled, default_bucket_key=data.default_bucket_key)
m.fit(data, eval_metric=metric, num_epoch=3,
    initializer=mx.init.Xavier(factor_type='in', magnitude=2.34),
      optimizer_params={'learning_rate': 0.5, 'momentum': 0.0, 'wd': 0.001},
      epoch_end_callback=lambda *a: losses.append(metric.get()[1]))
out += [losses, sorted(m._buckets), values(m), m.score(data, mx.metric.Perplexity(0))]

## bucketing/fused
losses = []
data = sentences()
cell = mx.rnn.FusedRNNCell(5, num_layers=2, mode='lstm', prefix='lstm_')
def fused(length):
    x = sym.Embedding(sym.var('data'), input_dim=9, output_dim=4, name='embed')
    cell.reset()
    x, _ = cell.unroll(length, x, merge_outputs=True, layout='NTC')
    x = sym.FullyConnected(sym.Reshape(x, shape=(-1, 5)), num_hidden=9, name='pred')
    y = sym.Reshape(sym.var('softmax_label'), shape=(-1,))
    return sym.SoftmaxOutput(x, y, name='softmax'), ('data',), ('softmax_label',)
metric = mx.metric.Perplexity(0)
m = mx.mod.BucketingModule(fused, default_bucket_key=data.default_bucket_key)
m.fit(data, eval_metric=metric, num_epoch=2, initializer=mx.init.Xavier(),
      optimizer_params={'learning_rate': 0.5}, epoch_end_callback=lambda *a: losses.append(metric.get()[1]))
out += [losses, values(m)]

## bucketing/two-contexts
m = buckets(context=[mx.cpu(0), mx.cpu(1)])
for n in (6, 3, 4, 3):
    m.forward(of(n))
    m.backward()
    m.update()
out += [values(m), sorted(m._buckets)]

## bucketing/names
def unnamed(length):
    body = mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=3, flatten=False)
    body = mx.sym.sum(mx.sym.Activation(body, act_type='tanh'), axis=1)
    return mx.sym.SoftmaxOutput(body, name='softmax'), ['data'], ['softmax_label']
mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=3)
with mx.name.Prefix('mine_'):
    m = mx.mod.BucketingModule(unnamed, default_bucket_key=4)
    m.bind([('data', (2, 4, 5))], [('softmax_label', (2,))])
    m.init_params()
    out += [m.symbol.list_arguments(), m.symbol.get_internals().list_outputs()]
    m.switch_bucket(3, [('data', (2, 3, 5))], [('softmax_label', (2,))])
    out += [m.symbol.list_arguments(), m.symbol.get_internals().list_outputs()]
    out += [mx.sym.FullyConnected(mx.sym.Variable('data'), num_hidden=3).name]
out += [values(m)]

## bucketing/steps
m = buckets()
out += [m.data_names, m.output_names, m.data_shapes[0].shape, m.label_shapes[0].shape,
    m.output_shapes]
for n in (3, 6, 4):
    m.forward(of(n))
    m.backward()
    m.update()
    out += [m._curr_bucket_key, sorted(m._buckets), m.get_outputs()[0].asnumpy(),
        m.symbol.list_arguments()]
out += [values(m)]
m.prepare(of(5))
out += [m._curr_bucket_key, sorted(m._buckets)]
m.switch_bucket(3, None)
out += [m.data_shapes[0].shape]
m.set_params({'fc_bias': nd.array([1, 2, 3, 4])}, {}, allow_missing=True)
m.forward(of(6), is_train=False)
out += [values(m)]

## bucketing/gradients-of-data
m = mx.mod.BucketingModule(summed, default_bucket_key=5)
m.bind([('data', (4, 5))], [('softmax_label', (4,))], inputs_need_grad=True, grad_req='add')
m.init_params(mx.init.One())
for _ in range(2):
    m.forward(of(3))
    m.backward()
out += [m.get_input_grads()[0], m.get_states(False)]

## bucketing/files
folder = tempfile.mkdtemp()
m = buckets()
m.forward(of(3))
m.save_checkpoint(os.path.join(folder, 'b'), 2)
out += [sorted(os.listdir(folder)), nd.load(os.path.join(folder, 'b.buckets'))]
n = mx.mod.BucketingModule.load(os.path.join(folder, 'b'), 2, sym_gen=summed, default_bucket_key=6)
out += [n.params_initialized, n.binded]
n.bind([('data', (4, 6))], [('softmax_label', (4,))])
out += [values(n)]

## bucketing/load-without-generator
mx.mod.BucketingModule.load('x', 1)

## bucketing/no-key
mx.mod.BucketingModule(summed)

## bucketing/not-bound
mx.mod.BucketingModule(summed, default_bucket_key=3).switch_bucket(3, [('data', (4, 3))])

## bucketing/generator-without-names
mx.mod.BucketingModule(lambda n: summed(n)[0], default_bucket_key=3)

## bucketing/rebind
m = buckets()
m.forward(of(3))
before = values(m)
m.bind([('data', (2, 6))], [('softmax_label', (2,))], force_rebind=True)
out += [sorted(m._buckets), m.data_shapes[0].shape, m.params_initialized, values(m)]

## bucketing/monitor
m = buckets()
names = set()
mon = mx.mon.Monitor(1, pattern='fc.*')
m.install_monitor(mon)
for n in (6, 3):
    mon.tic()
    m.forward(of(n))
    nd.waitall()
    names |= {(n, name) for _, name, _ in mon.toc()}
out += [sorted(names)]

## sequential
first = mx.mod.Module(sym.FullyConnected(sym.var('data'), num_hidden=8, name='fc1'), label_names=[])
h = sym.FullyConnected(sym.Activation(sym.var('hidden'), act_type='relu'), num_hidden=4, name='fc2')
second = mx.mod.Module(sym.SoftmaxOutput(h, name='softmax'), data_names=['hidden'])
m = mx.mod.SequentialModule()
out += [m.add(first).add(second, take_labels=True, auto_wiring=True) is m]
m.fit(it(), num_epoch=2, initializer=mx.init.Xavier(), optimizer_params={'learning_rate': 0.1})
out += [values(m), m.score(it(), ['acc', 'ce']), m.data_names, m.output_names, m.output_shapes]
out += [str(m.label_shapes[0]), str(m.data_shapes[0]), m.predict(it()).shape]

## sequential/gradients
first = mx.mod.Module(sym.FullyConnected(sym.var('data'), num_hidden=8, name='fc1'), label_names=[])
second = mx.mod.Module(sym.SoftmaxOutput(sym.FullyConnected(sym.var('fc1_output'), num_hidden=4,
    name='fc2'), name='softmax'), data_names=['fc1_output'])
m = mx.mod.SequentialModule()
m.add(first)
m.add(second, take_labels=True)
m.bind([('data', (4, 6))], [('softmax_label', (4,))], inputs_need_grad=True)
m.init_params(mx.init.One())
m.forward_backward(mx.io.DataBatch([nd.array(X[:4])], [nd.array(Y[:4])]))
out += [first.get_input_grads()[0], m.get_outputs()[0]]

## sequential/duplicate-names
made = [mx.mod.Module(sym.FullyConnected(sym.var('data'), num_hidden=6, name='fc1'),
    label_names=[]) for _ in range(2)]
m = mx.mod.SequentialModule()
m.add(made[0])
m.add(made[1], auto_wiring=True)
m.bind([('data', (4, 6))])
m.init_params()

## sequential/unknown-meta
mx.mod.SequentialModule().add(mx.mod.Module(mlp()), take_label=True)

## sequential/empty
mx.mod.SequentialModule().bind([('data', (4, 6))])

## python-loss
class Hinge(mx.mod.PythonLossModule):
    def _backward_impl(self):
        scores, labels = self._scores.asnumpy(), self._labels.asnumpy().astype(int)
        rows = onp.arange(len(labels))
        margin = 1 + scores - scores[rows, labels][:, None]
        margin[rows, labels] = 0
        grad = (margin > 0).astype('float32')
        grad[rows, labels] = -grad.sum(1)
        self._scores_grad = nd.array(grad)
first = mx.mod.Module(sym.FullyConnected(sym.var('data'), num_hidden=4, name='fc1'), label_names=[])
m = mx.mod.SequentialModule()
m.add(first).add(Hinge(), take_labels=True, auto_wiring=True)
m.fit(it(), num_epoch=2, initializer=mx.init.Xavier())
out += [values(first), m.score(it(), 'acc')]

## python-loss/function
loss = mx.mod.PythonLossModule(name='l', grad_func=lambda s, y: (s - 1).asnumpy())
loss.bind([('data', (2, 3))], [('softmax_label', (2,))])
loss.init_params()
loss.init_optimizer()
loss.forward(mx.io.DataBatch([nd.ones((2, 3)) * 3], [nd.ones((2,))]))
loss.backward()
loss.update()
out += [loss.get_outputs()[0], loss.get_input_grads()[0], loss.output_shapes, loss.output_names,
    loss.get_params()]
out += [loss.data_names]

## python-loss/no-gradient
loss = mx.mod.PythonLossModule()
loss.bind([('data', (2, 3))], [('softmax_label', (2,))])
loss.init_params()
loss.forward(mx.io.DataBatch([nd.ones((2, 3))], [nd.ones((2,))]))
loss.backward()

## python-loss/heads
loss = mx.mod.PythonLossModule(grad_func=lambda s, y: s)
loss.bind([('data', (2, 3))], [('softmax_label', (2,))])
loss.init_params()
loss.forward(mx.io.DataBatch([nd.ones((2, 3))], [nd.ones((2,))]))
loss.backward([nd.ones((2, 3))])

## python-module
class Twice(mx.mod.PythonModule):
    def _compute_output_shapes(self):
        return [('twice_output', self._data_shapes[0][1])]
    def forward(self, data_batch, is_train=None):
        self.result = data_batch.data[0] * 2
    def get_outputs(self, merge_multi_context=True):
        return [self.result]
m = Twice(('data',), ('softmax_label',), ['twice_output'])
m.bind([('data', (4, 6))], [('softmax_label', (4,))], for_training=False)
m.init_params()
m.forward(mx.io.DataBatch([nd.array(X[:4])], [nd.array(Y[:4])]))
metric = mx.metric.Accuracy()
m.update_metric(metric, [nd.array(Y[:4])])
out += [m.get_outputs()[0], metric.get(), m.output_shapes, m.label_shapes]

## python-module/grad-req
mx.mod.PythonLossModule().bind([('data', (2, 3))], grad_req='add')

## base-module
m = mx.mod.BaseModule()
for f in (lambda: m.symbol, lambda: m.data_names, lambda: m.output_shapes, m.update, m.backward,
    m.get_params, lambda: m.bind(None)):
    try:
        out.append(f())
    except NotImplementedError:
        out.append('not implemented')

## helpers/slices
_split_input_slice = mx.executor_manager._split_input_slice
for size, loads in ((10, [1, 1, 1]), (10, [3, 1]), (7, [1, 2]), (10, [0.5, 0.25, 0.25])):
    out.append([str(s) for s in _split_input_slice(size, loads)])
_split_input_slice(2, [1, 1, 1])

## helpers/names
_parse_data_desc, _as_list = mx.mod.base_module._parse_data_desc, mx.mod.base_module._as_list
data, label = _parse_data_desc(['data'], ['softmax_label'], [('data', (2, 3))],
    [('softmax_label', (2,))])
out += [[str(d) for d in data], [str(d) for d in label], _as_list(3), _as_list((1, 2)),
    _as_list([1])]
_parse_data_desc(['data'], [], [('dat', (2, 3))], None)

## helpers/input-names
_check_input_names = mx.mod.base_module._check_input_names
out += [_check_input_names(mlp(), ['data'], 'data', True)]
_check_input_names(mlp(), ['nope'], 'data', True)

## helpers/stores
_create_kvstore = mx.model._create_kvstore
params = {'w': nd.zeros((4,))}
for store, count in (('local', 1), ('local', 2), ('device', 2), (None, 2),
    (mx.kv.create('local'), 1)):
    kv, update = _create_kvstore(store, count, params)
    out.append([kv is None or kv.type, update])
_create_kvstore(3, 1, params)

## helpers/updates
_initialize_kvstore, _update_params = mx.model._initialize_kvstore, mx.model._update_params
_update_params_on_kvstore = mx.model._update_params_on_kvstore
calls = []
def updater(index, grad, weight):
    calls.append((index, [g.asnumpy() for g in grad], [w.shape for w in weight]))
both = [mx.cpu(0), mx.cpu(1)]
weights = [[nd.zeros((2,), c) for c in both], [nd.zeros((3,), c) for c in both]]
grads = [[nd.ones((2,), c) for c in both], [None, None]]
names = ['a', 'b']
_update_params(weights, grads, updater, 2)
kv = mx.kv.create('local')
_initialize_kvstore(kv, weights, {'a': nd.ones((2,)), 'b': nd.ones((3,))}, names, False)
_update_params(weights, grads, updater, 2, kv, names)
out += calls + [weights]
kv = mx.kv.create('local')
_initialize_kvstore(kv, weights, {'a': nd.ones((2,)), 'b': nd.ones((3,))}, names, True)
kv.set_optimizer(mx.optimizer.SGD(0.5))
_update_params_on_kvstore(weights, grads, kv, names)
out += [weights]

## executor-group
DataParallelExecutorGroup = mx.mod.executor_group.DataParallelExecutorGroup
D = mx.io.DataDesc
g = DataParallelExecutorGroup(mlp(bn=False), [mx.cpu(0), mx.cpu(1)], [1, 1], [D('data', (4, 6))],
                              [D('softmax_label', (4,))], ['fc1_weight', 'fc1_bias', 'fc2_weight',
                                  'fc2_bias'], True, False)
g.set_params({n: nd.ones(a[0].shape) for n, a in zip(g.param_names, g.param_arrays)}, {})
g.forward(mx.io.DataBatch([nd.array(X[:4])], [nd.array(Y[:4])]))
g.backward()
out += [g.get_outputs()[0], g.get_output_shapes(), [a[0] for a in g.grad_arrays], g.data_layouts]
out += [len(g.execs), g.aux_names, g.arg_names, g.num_outputs,
    [(str(s), a.shape) for s, a in g.data_arrays[0]]]
args, aux = {n: nd.zeros(a[0].shape) for n, a in zip(g.param_names, g.param_arrays)}, {}
g.get_params(args, aux)
out += [args]
metric = mx.metric.Accuracy()
g.update_metric(metric, [nd.array(Y[:4])], False)
out += [metric.get()]

## python-module/bound-again
class Doubled(mx.mod.PythonModule):
    def __init__(self):
        super().__init__(['x'], None, ['y_output'])
    def _compute_output_shapes(self):
        return [('y_output', self._data_shapes[0][1])]
m = Doubled()
for batch in (2, 5):
    m.bind([('x', (batch, 3))])
    out += [m.binded, m.output_shapes]

## reshape/refused
net = sym.SoftmaxOutput(sym.FullyConnected(sym.var('data'), num_hidden=3, name='f'), name='softmax')
m = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)])
m.bind([('data', (4, 2))], [('softmax_label', (4,))])
m.init_params(mx.init.One())
try:
    m.predict(nd.ones((6, 2)))
except mx.MXNetError:
    out += ['refused']
g = m._exec_group
out += [[e.arg_dict['data'].shape for e in g.execs], [e.outputs[0].shape for e in g.execs]]

## old-executor-group
DataParallelExecutorManager = mx.executor_manager.DataParallelExecutorManager
net, data = mlp(bn=False), it()
params = ['fc1_weight', 'fc1_bias', 'fc2_weight', 'fc2_bias']
m = DataParallelExecutorManager(net, [mx.cpu(0), mx.cpu(1)], data, net.list_arguments(), params, [])
m.set_params({n: nd.ones(a[0].shape) for n, a in zip(m.param_names, m.param_arrays)}, {})
m.load_data_batch(data.next())
m.forward(is_train=True)
m.backward()
out += [[e.outputs[0] for e in m.execgrp.train_execs], m.grad_arrays[0], [str(s) for s in m.slices]]
""",  # noqa: E501 - a program
    before=_BUCKETS,
)
