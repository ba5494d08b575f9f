"""FeedForward: training, prediction, files, pickles; and checkpoints."""

from tests.module.cases_fit import nets

_MODEL = """
import pickle
F = mx.model.FeedForward

def model(net=None, **more):
    more.setdefault('num_epoch', 2)
    more.setdefault('learning_rate', 0.1)
    more.setdefault('numpy_batch_size', 8)
    more.setdefault('initializer', mx.init.Xavier())
    return F(mlp(bn=False) if net is None else net, **more)

def params(m):
    return [m.arg_params, m.aux_params]
"""

CASES = nets(
    """
## fit/arrays
m = model()
m.fit(X, Y)
out += params(m) + [m.predict(X), m.score(it())]

## fit/nd-arrays
m = model()
m.fit(nd.array(X), nd.array(Y.reshape(-1, 1)))
out += params(m)

## initializers-of-plain-names
for name, shape in (('a_moving_mean', (2,)), ('a_moving_var', (2,)), ('a_moving_inv_var', (2,)),
        ('a_moving_avg', (2,)), ('upsampling0_weight', (1, 1, 4, 4)), ('stn_loc_weight', (6, 2)),
        ('stn_loc_bias', (6,)), ('a_min', (2,)), ('a_max', (2,)), ('a_bias', (2,)), ('a_weight',
            (2,))):
    a = nd.ones(shape) * 9
    mx.init.Constant(5)(name, a)
    out.append(a)

## fit/iterator
m = model(mlp(), momentum=0.9, wd=0.01)
m.fit(it(), eval_data=it())
out += params(m) + [m.score(it(), 'ce'), m.score(X), sorted(m.kwargs)]

## fit/evaluated-on-a-pair
log = Log()
root = logging.getLogger()
root.addHandler(log)
root.setLevel(logging.INFO)
m = model()
m.fit(X, Y, eval_data=(X[:20], Y[:20]), eval_metric='ce')
root.removeHandler(log)
out += params(m) + log.lines

## fit/two-contexts
for store in ('local', 'device', None):
    mx.random.seed(1)
    onp.random.seed(1)
    m = model(ctx=[mx.cpu(0), mx.cpu(1)], momentum=0.5)
    m.fit(it(), kvstore=store, work_load_list=[1, 3])
    out += params(m)

## fit/epoch-size
m = model(epoch_size=3)
seen = []
m.fit(it(), batch_end_callback=lambda p: seen.append((p.epoch, p.nbatch)))
out += params(m) + [seen]

## fit/callbacks
calls = []
def note(tag):
    def callback(*a):
        calls.append([tag] + ([a[0].epoch, a[0].nbatch,
            a[0].eval_metric.get()[0]] if len(a) == 1 else [a[0], sorted(a[2])]))
    return callback
m = model()
m.fit(it(batch=26), eval_data=it(batch=26), batch_end_callback=[note('b1'), note('b2')],
    epoch_end_callback=note('e'),
      eval_end_callback=note('v'), eval_batch_end_callback=note('w'))
out += calls

## fit/log
logger, lines = logged()
m = model(num_epoch=3, begin_epoch=1)
m.fit(it(), logger=logger)
out += lines

## fit/optimizer-object
m = model(optimizer=mx.optimizer.SGD(learning_rate=0.01))
m.fit(it())
out += params(m) + [m.optimizer.idx2name, m.optimizer.rescale_grad]

## fit/scheduler
m = model(optimizer='adam', learning_rate=0.1, lr_scheduler=mx.lr_scheduler.FactorScheduler(4, 0.5))
m.fit(it())
out += params(m)

## fit/from-parameters
m = model()
m.fit(it())
n = model(arg_params=m.arg_params, aux_params=m.aux_params, begin_epoch=1)
n.fit(it())
out += params(n)

## fit/extra-parameters
m = model(arg_params={'other': nd.ones((1,)), 'fc1_bias': nd.ones((16,))}, allow_extra_params=True)
out += [sorted(m.arg_params)]
m.fit(it())
out += params(m)

## create
m = F.create(mlp(bn=False), X, Y, num_epoch=1, learning_rate=0.05, initializer=mx.init.One(),
    ctx=mx.cpu(1))
out += params(m) + [str(m.ctx), m.numpy_batch_size, m.num_epoch, m.begin_epoch, m.epoch_size]

## predict
m = model()
m.fit(it())
out += [m.predict(X[:5]).shape, m.predict(nd.array(X)), m.predict(it(), num_batch=2).shape,
    m.predict(it()).dtype.name]
p, x, y = m.predict(it(), return_data=True)
out += [p.shape, x.shape, y.shape, y]

## predict/two-outputs
h = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc')
m = model(sym.Group([sym.SoftmaxOutput(h, name='softmax'), sym.BlockGrad(h * 2)]))
m.fit(it(), eval_metric=mx.metric.Loss())
p = m.predict(X[:10])
out += [type(p).__name__, [a.shape for a in p], p[1]]

## predict/not-trained
model().predict(X)

## predict/trained-again
m = model()
m.fit(it())
a = m.predict(X)
m.fit(it())
out += [a, m.predict(X), m.predict(it(batch=4)).shape]

## files
folder = tempfile.mkdtemp()
m = model()
m.fit(it(), epoch_end_callback=mx.callback.do_checkpoint(os.path.join(folder, 'c'), 2))
m.save(os.path.join(folder, 'm m'))
m.save(os.path.join(folder, 'm m'), 7)
out += [sorted(os.listdir(folder))]
n = F.load(os.path.join(folder, 'm m'), 7, ctx=mx.cpu(1), num_epoch=9)
out += params(n) + [n.begin_epoch, n.num_epoch, str(n.ctx), n.predict(X)]

## pickle
m = model(mlp())
m.fit(it())
p = m.predict(X)
n = pickle.loads(pickle.dumps(m))
out += [sorted(vars(n)), n._pred_exec is None,
    n.symbol.list_arguments()] + params(n) + [n.predict(X), p]
out += [sorted(m.__getstate__()), pickle.loads(pickle.dumps(mlp())).tojson() == mlp().tojson()]

## deprecated [warns]
warnings.simplefilter('always')
m = model()

## deprecated-of-our-own [warns]
import os
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    m = model()
    m.fit(X, Y)
    mx.init.One()('a_weight', nd.zeros(2))
    mx.init.Mixed(['.*'], [mx.init.One()])('a_weight', nd.zeros(2))
    m.save('saved')
    mx.model.FeedForward.load('saved', m.num_epoch)
seen = [w for w in seen if w.category is DeprecationWarning]
out.append(sum(os.path.dirname(mx.__file__) not in w.filename for w in seen))

## wrong/no-labels
model().fit(X)

## wrong/lengths
model().fit(X, Y[:3])

## wrong/label-axes
model().fit(X, onp.ones((52, 2)))

## wrong/label-type
model().fit(X, [1, 2])

## wrong/data
model().fit('x')

## wrong/evaluation
model().fit(X, Y, eval_data=X)

## wrong/evaluation-pair
model().fit(X, Y, eval_data=(None, None))

## wrong/no-epochs
model(num_epoch=None).fit(X, Y)

## wrong/duplicate-names
x = sym.var('data')
model(sym.FullyConnected(x, weight=x, num_hidden=3))

## wrong/save
model(num_epoch=None).save('x')

## checkpoint
folder = tempfile.mkdtemp()
net = mlp()
mx.model.save_checkpoint(os.path.join(folder, 'a b'), 10000, net, {'w': nd.ones((2,))},
    {'s': nd.zeros((3,))})
mx.model.save_checkpoint(os.path.join(folder, 'n'), 1, None, {'w': nd.ones((2,))}, {})
out += [sorted(os.listdir(folder))]
s, args, aux = mx.model.load_checkpoint(os.path.join(folder, 'a b'), 10000)
out += [s.list_arguments(), args, aux, mx.model.load_params(os.path.join(folder, 'n'), 1)]

## checkpoint/absent
mx.model.load_checkpoint('/nowhere/x', 1)

## batch-end-param
p = mx.model.BatchEndParam(1, 2, None, locals=None)
out += [p.epoch, p.nbatch, p._fields, str(p)]
""",
    before=_MODEL,
)
