"""Module.fit, score and predict: losses, callbacks, log, several contexts, resumed training."""

from tests.cases import C
from tests.snippets import snippets

_NETS = """
import io, logging, re, tempfile, os, warnings
warnings.simplefilter('ignore')

def mlp(bn=True):
    h = sym.FullyConnected(sym.var('data'), num_hidden=16, name='fc1', no_bias=bn)
    h = sym.BatchNorm(h, name='bn1', fix_gamma=False) if bn else h
    h = sym.Activation(h, act_type='relu', name='relu1')
    return sym.SoftmaxOutput(sym.FullyConnected(h, num_hidden=4, name='fc2'), name='softmax')

def lenet():
    x = sym.var('data')
    for i, n in enumerate((6, 10)):
        x = sym.Convolution(x, kernel=(3, 3), num_filter=n, name='conv%d' % i)
        x = sym.Activation(x, act_type='tanh', name='tanh%d' % i)
        x = sym.Pooling(x, pool_type='max', kernel=(2, 2), stride=(2, 2), name='pool%d' % i)
    x = sym.FullyConnected(sym.Flatten(x), num_hidden=12, name='fc1')
    x = sym.FullyConnected(sym.Activation(x, act_type='tanh'), num_hidden=4, name='fc2')
    return sym.SoftmaxOutput(x, name='softmax')

rng = onp.random.RandomState(7)
Y = rng.randint(0, 4, 52).astype('float32')
X = (rng.randn(52, 6) + Y[:, None] * 0.7).astype('float32')
IMAGES = (rng.randn(52, 1, 14, 14) + Y[:, None, None, None] * 0.3).astype('float32')

def it(x=X, y=Y, batch=8, **more):
    return mx.io.NDArrayIter(x, y, batch, **more)

class Log(logging.Handler):
    def __init__(self):
        logging.Handler.__init__(self)
        self.lines = []
    def emit(self, record):
        self.lines.append(re.sub(r'[-+e0-9.]*[0-9]+\\.[0-9]+(e-?[0-9]+)?', 'F',
            record.getMessage()))

def logged():
    log = Log()
    logger = logging.getLogger('case')
    logger.handlers[:] = [log]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger, log.lines

def train(net, data, epochs=3, contexts=None, **more):
    losses = []
    module = mx.mod.Module(net, context=contexts or mx.cpu())
    metric = mx.metric.create(['ce', 'acc'])
    more.setdefault('optimizer_params', {'learning_rate': 0.1})
    more.setdefault('initializer', mx.init.Xavier())
    module.fit(data, eval_metric=metric, num_epoch=epochs,
               epoch_end_callback=lambda *a: losses.append(metric.get()[1]), **more)
    return module, losses

def values(module):
    args, aux = module.get_params()
    return {k: v for k, v in args.items()}, {k: v for k, v in aux.items()}
"""


def nets(text, before=""):
    """Snippets that train: each is compared as closely as a training run can be."""
    cases = snippets(text, before=_NETS + before)
    return [C(c.id, c.code, "net", xfail=c.xfail) for c in cases]


CASES = nets(
    """
## fit/mlp
m, losses = train(mlp(), it())
out += [losses, values(m), m.score(it(), ['ce', 'acc'])]

## fit/lenet
m, losses = train(lenet(), it(IMAGES))
out += [losses, m.score(it(IMAGES), 'ce')]

## fit/momentum-and-decay
m, losses = train(mlp(), it(), optimizer_params={'learning_rate': 0.05, 'momentum': 0.9, 'wd': 0.1})
out += [losses, values(m)]

## fit/adam
m, losses = train(mlp(), it(), optimizer='adam', optimizer_params=(('learning_rate', 0.01),))
out += [losses]

## fit/scheduler
s = mx.lr_scheduler.FactorScheduler(5, 0.5)
m, losses = train(mlp(), it(), optimizer_params={'learning_rate': 0.2, 'lr_scheduler': s})
out += [losses, m._optimizer.num_update, m._optimizer.learning_rate]

## fit/default-initializer
m, losses = train(mlp(bn=False), it(), initializer=mx.init.Uniform(0.01))
out += [losses, values(m)]

## fit/shuffled
m, losses = train(mlp(), it(shuffle=True, last_batch_handle='roll_over'))
out += [losses]

## fit/multipliers
x = sym.var('data')
w = sym.var('w_weight', lr_mult=0.0)
y = sym.FullyConnected(x, weight=w, num_hidden=4, name='fc')
m, losses = train(sym.SoftmaxOutput(y, name='softmax'), it())
out += [losses, values(m), m._optimizer.lr_mult]

## fit/two-contexts
for store in ('local', 'device', None):
    mx.random.seed(1)
    m, losses = train(mlp(bn=False), it(), contexts=[mx.cpu(0), mx.cpu(1)], kvstore=store,
                      optimizer_params={'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.01})
    out += [losses, values(m), m._update_on_kvstore, m._kvstore is None]

## fit/two-contexts-with-batch-norm
m, losses = train(mlp(), it(), contexts=[mx.cpu(0), mx.cpu(1)])
out += [losses, values(m)]

## fit/store-object
m, losses = train(mlp(bn=False), it(), kvstore=mx.kv.create('local'))
out += [losses, values(m), m._update_on_kvstore, m._updater is None]

## fit/work-loads
m = mx.mod.Module(mlp(bn=False), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[3, 1])
m.fit(it(), num_epoch=1, initializer=mx.init.One())
out += [[str(s) for s in m._exec_group.slices],
    [o.shape for row in m.get_outputs(False) for o in row]]
out += [values(m)]

## fit/fixed-parameters
m = mx.mod.Module(mlp(), fixed_param_names=['fc1_weight', 'bn1_beta'])
m.fit(it(), num_epoch=2, initializer=mx.init.Xavier())
out += [values(m), m._exec_group.grad_req]

## fit/from-parameters
m, _ = train(mlp(), it(), epochs=1)
args, aux = m.get_params()
n, losses = train(mlp(), it(), epochs=1, arg_params=args, aux_params=aux)
out += [losses, values(n)]

## fit/missing-parameters
m, losses = train(mlp(), it(), epochs=1, arg_params={'fc1_weight': nd.ones((16, 6))},
    allow_missing=True)
out += [losses]

## fit/resumed
folder = tempfile.mkdtemp()
options = dict(optimizer='adam', optimizer_params={'learning_rate': 0.01})
m, losses = train(mlp(), it(), epochs=2, **options)
m.save_checkpoint(os.path.join(folder, 'a b'), 2, save_optimizer_states=True)
out += [sorted(os.listdir(folder))]
n = mx.mod.Module.load(os.path.join(folder, 'a b'), 2, load_optimizer_states=True)
for module in (m, n):
    module.fit(it(), num_epoch=3, begin_epoch=2, **options)
    out += [values(module)]

## fit/resumed-two-contexts
folder = tempfile.mkdtemp()
both = [mx.cpu(0), mx.cpu(1)]
options = dict(optimizer='sgd', optimizer_params={'learning_rate': 0.05, 'momentum': 0.9})
m, losses = train(mlp(bn=False), it(), epochs=2, contexts=both, **options)
m.save_checkpoint(os.path.join(folder, 'm'), 10000, save_optimizer_states=True)
out += [sorted(os.listdir(folder))]
n = mx.mod.Module.load(os.path.join(folder, 'm'), 10000, True, context=both)
n.fit(it(), num_epoch=3, begin_epoch=2, **options)
out += [values(n)]

## fit/log
logger, lines = logged()
m = mx.mod.Module(mlp(), logger=logger)
m.fit(it(), it(), num_epoch=2, eval_metric=['acc', 'ce'], validation_metric='rmse')
m.fit(it(), num_epoch=1)
out += lines

## fit/callbacks
calls = []
def note(tag):
    def callback(*args):
        p = args[0]
        if hasattr(p, 'nbatch'):
            calls.append([tag, p.epoch, p.nbatch, p.eval_metric.get()[0], sorted(set(p.locals) & {
                'self', 'epoch', 'nbatch', 'data_batch', 'eval_metric', 'train_data', 'eval_batch'})])
        else:
            calls.append([tag, p, args[1].list_outputs(), sorted(args[2]), sorted(args[3])])
    return callback
m = mx.mod.Module(mlp())
m.fit(it(batch=26), it(batch=26), num_epoch=2, begin_epoch=1,
    batch_end_callback=[note('b1'), note('b2')],
      epoch_end_callback=note('e'), eval_end_callback=note('v'), eval_batch_end_callback=note('w'))
out += calls

## fit/order-of-steps
steps = []
class Steps(mx.mod.Module):
    def bind(self, *a, **k):
        steps.append(['bind', sorted(k)])
        super(Steps, self).bind(*a, **k)
    def init_params(self, *a, **k):
        steps.append(['init_params', sorted(k)])
        super(Steps, self).init_params(*a, **k)
    def init_optimizer(self, *a, **k):
        steps.append(['init_optimizer', sorted(k)])
        super(Steps, self).init_optimizer(*a, **k)
    def set_params(self, *a, **k):
        steps.append('set_params')
        super(Steps, self).set_params(*a, **k)
    def get_params(self):
        steps.append('get_params')
        return super(Steps, self).get_params()
    def forward(self, data_batch, is_train=None):
        steps.append(['forward', is_train])
        super(Steps, self).forward(data_batch, is_train)
    def backward(self, out_grads=None):
        steps.append('backward')
        super(Steps, self).backward(out_grads)
    def update(self):
        steps.append('update')
        super(Steps, self).update()
    def update_metric(self, *a, **k):
        steps.append('update_metric')
        super(Steps, self).update_metric(*a, **k)
    def prepare(self, data_batch, sparse_row_id_fn=None):
        steps.append('prepare')
        super(Steps, self).prepare(data_batch, sparse_row_id_fn)
m = Steps(mlp())
m.fit(it(batch=26), it(batch=26), num_epoch=1)
m.predict(it(batch=26))
out += steps

## fit/no-epochs
mx.mod.Module(mlp()).fit(it())

## score
m, _ = train(mlp(), it(), epochs=1)
out += [m.score(it(), 'acc'), m.score(it(), mx.metric.CrossEntropy(), num_batch=2)]
seen = []
out += [m.score(it(), ['acc', 'ce'], num_batch=3, epoch=5, reset=False,
                batch_end_callback=lambda p: seen.append((p.epoch, p.nbatch)),
                score_end_callback=lambda p: seen.append(('end', p.epoch, p.nbatch))), seen]

## predict
m, _ = train(mlp(), it(), epochs=1)
p = m.predict(it())
out += [type(p).__name__, p.shape, p[-1], m.predict(it(), num_batch=2).shape]
q = m.predict(it(), always_output_list=True)
out += [type(q).__name__, [a.shape for a in q]]
r = m.predict(it(), merge_batches=False)
out += [len(r), [[a.shape for a in b] for b in r][-1]]
out += [m.predict(nd.array(X[:8])).shape, m.predict(X[:8]).shape]
out += [[(len(o), i, b.pad, o[0].shape) for o, i, b in m.iter_predict(it())]]

## predict/two-outputs
h = sym.FullyConnected(sym.var('data'), num_hidden=3, name='fc')
net = sym.Group([sym.SoftmaxOutput(h, name='softmax'), sym.BlockGrad(h * 2, name='twice')])
m = mx.mod.Module(net)
m.bind(it().provide_data, it().provide_label)
m.init_params(mx.init.Xavier())
p = m.predict(it())
out += [type(p).__name__, [a.shape for a in p], p[0][-1], p[1][0], m.output_names, m.output_shapes]

## predict/not-an-iterator
m, _ = train(mlp(), it(), epochs=1)
m.predict([1, 2])

## predict/outputs-are-reused
m, _ = train(mlp(), it(), epochs=1)
batches = list(it())
m.forward(batches[0], is_train=False)
first = m.get_outputs()[0]
before = first.asnumpy()
m.forward(batches[1], is_train=False)
out += [before, first, m.get_outputs()[0]]
"""  # noqa: E501 - a program
)
