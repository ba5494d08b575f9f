"""What optimizers, initializers, seeds and hybridized blocks say of mistakes; scopes of threads."""

from tests.snippets import snippets

_BEFORE = """
import logging
class Keep(logging.Handler):
    def emit(self, record):
        out.append(record.getMessage())
root = logging.getLogger()
level = root.level
def logged(run):
    keep = Keep()
    root.addHandler(keep)
    root.setLevel(logging.INFO)
    try:
        run()
    finally:
        root.removeHandler(keep)
        root.setLevel(level)
def refused(run):
    try:
        run()
    except Exception as error:
        names = ('AssertionError', 'TypeError', 'KeyError', 'ValueError', 'MXNetError')
        of = [c.__name__ for c in type(error).__mro__]
        out.append([n for n in names if n in of][0])
    else:
        out.append('taken')
"""

CASES = snippets(
    """
## optimizer/no-arrays
for name in ('sgd', 'nag', 'adam', 'adagrad', 'ftrl', 'lbsgd', 'lars', 'lamb'):
    o = mx.optimizer.create(name)
    s = o.create_state(0, nd.ones((2, 1)))
    refused(lambda: o.update(0, 3, nd.ones((2, 1)), s))
    refused(lambda: o.update(0, nd.ones((2, 1)), 3, s))
    out.append(o.num_update)

## optimizer/half-without-master
import warnings
for name in ('sgd', 'nag', 'adam', 'lars', 'ftrl'):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        mx.optimizer.create(name).create_state_multi_precision(0, nd.ones((2,), dtype='float16'))
    out += [str(w.message) for w in caught]

## seed/no-context
mx.random.seed(5)
a = nd.random.uniform(shape=(2,))
try:
    mx.random.seed(3, ctx=3)
except KeyError:
    out.append('KeyError')
out += [a, nd.random.uniform(shape=(2,))]

## initializer/plain-names
import warnings
def run():
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        i = mx.init.One()
        i.set_verbosity(True, lambda x: 'filled')
        i(mx.init.InitDesc('q_weight'), nd.ones(3))
        i('q_bias', nd.ones(3))
        refused(lambda: i('q_weight', [1]))
logged(run)

## initializer/alias
class Seven(mx.init.Initializer):
    def _init_weight(self, name, array):
        array[:] = 7
mx.initializer.alias('sept', 'siete')(Seven)
a = nd.zeros(2)
mx.init.create('siete')(mx.init.InitDesc('w_weight'), a)
out += [a]

## amp/scale
from mxnet.contrib.amp.loss_scaler import LossScaler
s = LossScaler()
p = gluon.Parameter('w', shape=(2,))
p.initialize()
def run():
    s._unskipped = 1999
    out.append([s.has_overflow([p]), s.loss_scale])
    with autograd.record():
        y = (p.data() * 1e38 * 1e10).sum()
    y.backward()
    out.append([s.has_overflow([p]), s.loss_scale])
    out.append([s.has_overflow([p]), s.loss_scale])
logged(run)

## hybridize/static-shape
n = nn.Dense(2, in_units=2)
n.initialize()
n.hybridize(static_shape=True)
refused(lambda: n(nd.ones((1, 2))))
n.hybridize(static_alloc=True, static_shape=True)
out.append(n(nd.ones((1, 2))).shape)

## hybridize/shapes-that-do-not-follow [warns]
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix='net_')
        self.w = self.params.get('w', shape=(0,), allow_deferred_init=True)
    def hybrid_forward(self, F, x, w):
        return F.concat(x, w, dim=0)
n = Net()
n.initialize()
try:
    n(nd.ones((2,)))
except ValueError as error:
    out.append(str(error))
c = gluon.rnn.LSTMCell(2)
c.initialize()
refused(lambda: c(nd.ones((1, 3)), [nd.ones((1, 2))]))

## scopes/of-this-thread
with mx.name.Prefix('p_'):
    out.append(mx.name.NameManager._current.value.get(None, 'foo'))
with mx.AttrScope(ctx_group='x'):
    out.append(mx.AttrScope._current.value.get({'a': 'b'}))
with mx.cpu(2):
    out.append(str(mx.Context._default_ctx.value))
out.append(getattr(gluon.block._BlockScope._current, 'value', None))
with nn.Dense(2, prefix='d_').name_scope():
    out.append(gluon.block._BlockScope._current.value._block.name)

## image/border
x = nd.ones((1, 1, 3), dtype='uint8')
for values in (9, (9,), (9, 8), (9, 8, 7)):
    out.append(mx.image.copyMakeBorder(x, 1, 0, 0, 0, values=values))
out.append(mx.image.copyMakeBorder(x, 1, 0, 0, 0, 0, 9))
""",
    _BEFORE,
)
