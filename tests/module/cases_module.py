"""Module step by step: binding, parameters, gradients, other shapes, sharing, errors."""

from tests.module.cases_fit import nets

_BOUND = """
KEYS = ('data_names', 'label_names', 'context', 'fixed_param_names', 'state_names',
    'work_load_list')

def bound(net=None, batch=4, **more):
    made = mx.mod.Module(mlp(bn=False) if net is None else net,
        **{k: more.pop(k) for k in KEYS if k in more})
    made.bind([('data', (batch, 6))], [('softmax_label', (batch,))], **more)
    return made

def ready(*a, **k):
    made = bound(*a, **k)
    made.init_params(mx.init.Xavier())
    return made

batch = mx.io.DataBatch([nd.array(X[:4])], [nd.array(Y[:4])])
small = mx.io.DataBatch([nd.array(X[:2])], [nd.array(Y[:2])])

def group(m):
    g = m._exec_group
    return [g.grad_req, g.batch_size, [str(s) for s in g.slices], g.data_names, g.label_names,
            [[a.shape for a in row] for row in g.param_arrays],
            [[a if a is None else a.shape for a in row] for row in g.grad_arrays or []]]

def refused(f):
    try:
        f()
    except Exception as error:
        return [c.__name__ for c in (AssertionError, AttributeError,
            ValueError) if isinstance(error, c)]
    return 'accepted'
"""

CASES = nets(
    """
## names
m = mx.mod.Module(mlp())
out += [m.data_names, m.label_names, m.output_names, m._param_names, m._aux_names, m.symbol.name]
out += [m.binded, m.params_initialized, m.optimizer_initialized, m.for_training, m.inputs_need_grad]
m.bind([('data', (4, 6))], [('softmax_label', (4,))])
out += [[str(d) for d in m.data_shapes], [str(d) for d in m.label_shapes], m.output_shapes]
out += group(m)

## wrong-data-name
mx.mod.Module(mlp(), data_names=['dat'])

## wrong-label-name [warns]
warnings.simplefilter('always')
m = mx.mod.Module(mlp(), label_names=['lab'])
out += [m._param_names]

## wrong-fixed-name
mx.mod.Module(mlp(), fixed_param_names=['nope'])

## wrong-state-name
mx.mod.Module(mlp(), state_names=['nope'])

## wrong-work-loads
mx.mod.Module(mlp(), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1])

## wrong-bound-name
mx.mod.Module(mlp()).bind([('dat', (4, 6))])

## batch-sizes-differ
mx.mod.Module(mlp()).bind([('data', (4, 6))], [('softmax_label', (5,))])

## before-bind
m = mx.mod.Module(mlp())
for f in (lambda: m.forward(batch), m.get_params, m.init_params, m.init_optimizer, m.update,
    m.backward,
          m.get_outputs, m.get_input_grads, lambda: m.data_shapes, lambda: m.output_shapes, m.get_states,
          lambda: m.save_params('x'), lambda: m.save_optimizer_states('x'), lambda: m.install_monitor(None),
          lambda: m.predict(it()), lambda: m.score(it(), 'acc'), lambda: m.set_params({}, {}),
          lambda: m.reshape([('data', (1,
              6))]), lambda: m.borrow_optimizer(m), lambda: m.prepare(None)):
    out.append(refused(f))

## before-init
m = bound()
for f in (lambda: m.forward(batch), m.get_params, m.init_optimizer, m.update, m.backward,
    m.get_outputs):
    out.append(refused(f))

## bind-twice
logger, lines = logged()
m = mx.mod.Module(mlp(), logger=logger)
for _ in range(2):
    m.bind([('data', (4, 6))], [('softmax_label', (4,))])
m.init_params()
for _ in range(2):
    m.init_optimizer()
out += lines

## force-rebind
m = ready()
m.bind([('data', (2, 6))], [('softmax_label', (2,))], force_rebind=True, for_training=False)
m.forward(small)
out += [m.get_outputs()[0], m.for_training, m.data_shapes[0].shape, m.params_initialized]

## bind-without-labels
m = mx.mod.Module(mlp())
m.bind([('data', (4, 6))], for_training=False)
m.init_params(mx.init.One())
m.forward(mx.io.DataBatch([nd.array(X[:4])]))
out += [m.label_shapes, m.get_outputs()[0], m._exec_group.label_arrays]

## backward-without-training
m = mx.mod.Module(mlp())
m.bind([('data', (4, 6))], for_training=False)
m.init_params()
m.forward(batch)
m.backward()

## gradients-of-data-without-training
mx.mod.Module(mlp()).bind([('data', (4, 6))], for_training=False, inputs_need_grad=True)

## steps
m = ready()
m.init_optimizer(optimizer_params={'learning_rate': 0.5})
m.forward(batch)
m.backward()
out += [m.get_outputs()[0]] + [g[0] for g in m._exec_group.grad_arrays]
m.update()
out += [m._params_dirty, values(m), m._params_dirty, m._optimizer.rescale_grad,
    m._optimizer.idx2name]

## forward-for-training-is-the-default
net = sym.SoftmaxOutput(sym.FullyConnected(sym.Dropout(sym.var('data'), p=0.5), num_hidden=4,
    name='fc'), name='softmax')
m = ready(net)
for train_now in (None, True, False):
    mx.random.seed(3)
    m.forward(batch, is_train=train_now)
    out.append(m.get_outputs()[0])

## gradients-of-data
m = ready(inputs_need_grad=True)
m.forward(batch)
m.backward()
out += [m.get_input_grads()[0], group(m)[0]]

## gradients-of-data-not-asked
m = ready()
m.forward_backward(batch)
m.get_input_grads()

## heads
net = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc')
m = mx.mod.Module(net, label_names=None, context=[mx.cpu(0), mx.cpu(1)])
m.bind([('data', (4, 6))], inputs_need_grad=True)
m.init_params(mx.init.One())
m.forward(mx.io.DataBatch([nd.array(X[:4])]))
m.backward([nd.arange(12).reshape((4, 3))])
out += [m.get_input_grads()[0]] + [g for row in m._exec_group.grad_arrays for g in row]
m.backward([nd.ones((4, 3))])
out += [m.get_input_grads()[0], [[a.shape for a in row] for row in m.get_input_grads(False)]]

## heads-missing
net = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc')
m = mx.mod.Module(net, label_names=None)
m.bind([('data', (4, 6))])
m.init_params()
m.forward(mx.io.DataBatch([nd.array(X[:4])]))
m.backward()
nd.waitall()

## backward-after-prediction
m = ready(inputs_need_grad=True)
m.forward(batch, is_train=False)
m.backward()
out += [m.get_input_grads()[0]]

## grad-req-add
m = ready(grad_req='add', inputs_need_grad=True)
for _ in range(3):
    m.forward_backward(batch)
out += [m.get_input_grads()[0], m._exec_group.grad_arrays[0][0], group(m)[0]]

## grad-req-dict
m = ready(grad_req={'fc1_weight': 'add', 'fc2_bias': 'null'})
for _ in range(2):
    m.forward_backward(batch)
out += group(m) + [m._exec_group.grad_arrays[0][0]]

## grad-req-list
m = ready(grad_req=['null', 'add', 'write', 'write', 'null', 'null'])
m.forward_backward(batch)
out += group(m)

## grad-req-wrong
ready(grad_req=7)

## states
net = sym.FullyConnected(sym.var('data') * sym.var('s'), num_hidden=4, name='fc')
net = sym.Group([sym.SoftmaxOutput(net, name='softmax'), sym.BlockGrad(sym.var('s') + 1)])
s = sym.var('s', shape=(4, 6))
net = sym.FullyConnected(sym.var('data') * s, num_hidden=4, name='fc')
net = sym.Group([sym.SoftmaxOutput(net, name='softmax'), sym.BlockGrad(s + 1)])
m = mx.mod.Module(net, state_names=['s'])
m.bind([('data', (4, 6))], [('softmax_label', (4,))], for_training=False)
m.init_params(mx.init.One())
m.set_states(value=2)
m.forward(batch)
out += [m._state_names, m._param_names, m.get_outputs()[0], m.get_states(False)[0][0]]
m.set_states(states=[[m.get_outputs()[1]]])
m.forward(batch)
out += [m.get_outputs()[1]]

## states-merged
m = ready()
m.get_states()

## other-batch-size
m = ready()
m.init_optimizer()
m.forward(small)
out += [m.get_outputs()[0].asnumpy(), m.data_shapes[0].shape, m.label_shapes[0].shape,
    m._optimizer.rescale_grad]
m.backward()
m.update()
m.forward(batch)
out += [m.get_outputs()[0].asnumpy(), values(m)]
m.forward(mx.io.DataBatch([nd.array(X[:9])], [nd.array(Y[:9])]))
out += [m.get_outputs()[0].shape]

## other-batch-size-two-contexts
m = ready(context=[mx.cpu(0), mx.cpu(1)])
m.forward(mx.io.DataBatch([nd.array(X[:6])], [nd.array(Y[:6])]))
out += [m.get_outputs()[0].asnumpy(), [[o.shape for o in row] for row in m.get_outputs(False)]]
m.backward()
out += [g for row in m._exec_group.grad_arrays for g in row]

## batch-too-small-for-contexts
m = ready(context=[mx.cpu(i) for i in range(4)])
m.forward(mx.io.DataBatch([nd.array(X[:3])], [nd.array(Y[:3])]))

## reshape
m = ready()
m.reshape([('data', (2, 6))], [('softmax_label', (2,))])
m.forward(small)
out += [m.get_outputs()[0].asnumpy(), m.data_shapes[0].shape]
m.reshape([('data', (4, 6))], [('softmax_label', (4,))])
m.forward(batch)
out += [m.get_outputs()[0].asnumpy()]

## other-features
m = ready()
m.forward(mx.io.DataBatch([nd.array(X[:4, :5])], [nd.array(Y[:4])]))

## batches-of-contexts
m = ready(batch=4, context=[mx.cpu(0), mx.cpu(1)])
m.forward([small, mx.io.DataBatch([nd.array(X[2:4])], [nd.array(Y[2:4])])])
m.backward()
out += [m.get_outputs()[0]] + [g for row in m._exec_group.grad_arrays for g in row]

## set-params
m = ready()
args, aux = m.get_params()
ones = {k: nd.ones(v.shape) for k, v in args.items()}
m.set_params(ones, {})
m.forward(batch)
out += [m.get_outputs()[0]]
m.set_params({'fc2_bias': nd.array([1, 2, 3, 4])}, {}, allow_missing=True)
out += [values(m)]
m.set_params(dict(ones, other=nd.ones((1,))), {}, allow_extra=True)
out += [sorted(values(m)[0])]

## set-params-missing
ready().set_params({'fc1_weight': nd.ones((16, 6))}, {})

## set-params-extra
m = ready()
m.set_params({'other': nd.ones((16, 6))}, {}, allow_missing=True)

## set-params-wrong-shape
m = ready()
m.set_params({'fc1_weight': nd.ones((16, 5))}, {}, allow_missing=True)
nd.waitall()

## init-params-missing
bound().init_params(arg_params={'fc1_weight': nd.ones((16, 6))})

## init-params-again
m = ready()
m.init_params(mx.init.One())
out += [values(m)[0]['fc1_weight']]
m.init_params(mx.init.One(), force_init=True)
out += [values(m)[0]['fc1_weight']]

## init-params-own-initializer
w = sym.var('w', init=mx.init.Constant(3))
net = sym.SoftmaxOutput(sym.FullyConnected(sym.var('data'), weight=w, num_hidden=4, name='fc'),
    name='softmax')
m = bound(net)
m.init_params(mx.init.Zero())
out += [values(m)]

## init-params-unknown-name
w = sym.var('strange')
net = sym.SoftmaxOutput(sym.FullyConnected(sym.var('data'), weight=w, num_hidden=4, name='fc'),
    name='softmax')
bound(net).init_params()

## optimizers
m = ready()
for optimizer, options in (('sgd', {'rescale_grad': 3}), ('adam', (('beta1', 0.5),)),
    (mx.optimizer.SGD(0.1), {})):
    m.init_optimizer(optimizer=optimizer, optimizer_params=options, force_init=True)
    out += [type(m._optimizer).__name__, m._optimizer.rescale_grad, m._optimizer.idx2name]

## optimizer-unknown
ready().init_optimizer(optimizer='nope')

## optimizer-wrong
ready().init_optimizer(optimizer=5)

## optimizer-two-contexts
m = ready(context=[mx.cpu(0), mx.cpu(1)])
for store in ('local', None):
    m.init_optimizer(kvstore=store, force_init=True)
    out += [m._optimizer.idx2name, m._update_on_kvstore, m._optimizer.wd_mult]

## files
folder = tempfile.mkdtemp()
m = ready()
m.init_optimizer(optimizer_params={'momentum': 0.9})
m.forward_backward(batch)
m.update()
m.save_params(os.path.join(folder, 'p'))
m.save_optimizer_states(os.path.join(folder, 's'))
m.save_checkpoint(os.path.join(folder, 'c'), 1)
out += [sorted(os.listdir(folder)), sorted(nd.load(os.path.join(folder, 'p')))]
n = ready()
n.load_params(os.path.join(folder, 'p'))
n.init_optimizer(optimizer_params={'momentum': 0.9})
n.load_optimizer_states(os.path.join(folder, 's'))
for module in (m, n):
    module.forward_backward(batch)
    module.update()
    out += [values(module)]
k = mx.mod.Module.load(os.path.join(folder, 'c'), 1, context=mx.cpu(1), label_names=None)
out += [k.params_initialized, k.binded, k._label_names, sorted(k._arg_params), str(k._context)]

## files-wrong
folder = tempfile.mkdtemp()
nd.save(os.path.join(folder, 'p'), {'foo:bar': nd.ones((1,))})
ready().load_params(os.path.join(folder, 'p'))

## shared-module
m = ready()
m.init_optimizer()
n = mx.mod.Module(mlp(bn=False))
n.bind([('data', (2, 6))], [('softmax_label', (2,))], shared_module=m)
out += [n.params_initialized, n.optimizer_initialized, n._arg_params is m._arg_params]
n.forward_backward(small)
n.update()
m.forward(batch)
out += [m.get_outputs()[0], [a[0] for a in m._exec_group.param_arrays]]
m.borrow_optimizer(n)
out += [m._optimizer is n._optimizer]

## shared-module-not-ready
mx.mod.Module(mlp()).bind([('data', (2, 6))], shared_module=mx.mod.Module(mlp()))

## monitor
seen = []
class Watch(mx.mon.Monitor):
    def toc(self):
        found = super(Watch, self).toc()
        seen.append([(n, name) for n, name, _ in found if 'backward' not in name])
        return found
m = ready()
mon = Watch(2, pattern='.*', sort=True)
m.install_monitor(mon)
for _ in range(3):
    mon.tic()
    m.forward_backward(batch)
    mon.toc()
out += seen + [len(mon.exes), mon.step, mon.activated]

## monitor/statistics
m = ready(inputs_need_grad=True)
for every in (False, True):
    mon = mx.mon.Monitor(1, stat_func=lambda a: nd.norm(a), pattern='fc2.*', monitor_all=every)
    m.install_monitor(mon)
    mon.tic()
    m.forward_backward(batch)
    nd.waitall()
    found = [(n, name, float(text)) for n, name, text in mon.toc()]
    names = [name for _, name, _ in found]
    first = names.index('fc2_backward_output0')
    out += [found[: names.index('fc2_output') + 1], found[first :]]

## monitor/wrong-statistic
m = ready()
mon = mx.mon.Monitor(1, stat_func=lambda a: 3)
m.install_monitor(mon)
mon.tic()
m.forward_backward(batch)
nd.waitall()
mon.toc()

## data-types
m = mx.mod.Module(sym.SoftmaxOutput(sym.FullyConnected(sym.Embedding(sym.var('data'), input_dim=9,
    output_dim=3, name='e'), num_hidden=4, name='fc'), name='softmax'))
m.bind([mx.io.DataDesc('data', (4, 2), 'int32')], [('softmax_label', (4,))])
m.init_params(mx.init.One())
m.forward(mx.io.DataBatch([nd.array([[1, 2], [3, 4], [5, 6], [7, 8]], dtype='int32')],
    [nd.ones((4,))]))
out += [m.get_outputs()[0], [str(a[0].dtype) for a in m._exec_group.param_arrays]]

## half-precision
m = mx.mod.Module(mlp())
m.bind([mx.io.DataDesc('data', (4, 6), 'float16')],
    [mx.io.DataDesc('softmax_label', (4,), 'float16')])
out += [[(n, a[0].dtype.__name__) for n, a in zip(m._param_names, m._exec_group.param_arrays)]]
out += [[(n, a[0].dtype.__name__) for n, a in zip(m._aux_names, m._exec_group.aux_arrays)]]

## layout
net = sym.FullyConnected(sym.SwapAxis(sym.var('data'), dim1=0, dim2=1), num_hidden=3, name='fc',
    flatten=False)
m = mx.mod.Module(net, label_names=None, context=[mx.cpu(0), mx.cpu(1)])
m.bind([mx.io.DataDesc('data', (5, 4, 2), layout='TNC')])
m.init_params(mx.init.One())
m.forward(mx.io.DataBatch([nd.arange(40).reshape((5, 4, 2))]))
out += [m.get_outputs()[0], m._exec_group.data_layouts, m._exec_group.batch_size]

## symbol-layout
net = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc', flatten=False, __layout__='TNC')
m = mx.mod.Module(net, label_names=None, context=[mx.cpu(0), mx.cpu(1)])
m.bind([mx.io.DataDesc('data', (5, 4, 2), layout='TNC')])
m.init_params(mx.init.One())
m.forward(mx.io.DataBatch([nd.arange(40).reshape((5, 4, 2))]))
out += [m.get_outputs()[0], m._exec_group.output_layouts, m.output_shapes]

## prepare-with-rows [warns]
warnings.simplefilter('always')
m = ready()
m.init_optimizer()
m.prepare(batch, sparse_row_id_fn=lambda b: {})

## groups-of-contexts
with mx.AttrScope(ctx_group='a'):
    h = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc1')
with mx.AttrScope(ctx_group='b'):
    net = sym.SoftmaxOutput(sym.FullyConnected(h, num_hidden=4, name='fc2'), name='softmax')
m = mx.mod.Module(net, group2ctxs={'a': mx.cpu(0), 'b': mx.cpu(1)})
m.bind([('data', (4, 6))], [('softmax_label', (4,))])
m.init_params(mx.init.One())
m.forward(batch)
out += [m.get_outputs()[0]]
""",  # noqa: E501 - a program
    before=_BOUND,
)
