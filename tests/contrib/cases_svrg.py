"""SVRGModule: gradients over all data, training, errors."""

from tests.module.cases_fit import nets

_SVRG = """
import importlib
SVRG = importlib.import_module(mx.__name__ + '.contrib.svrg_optimization.svrg_module').SVRGModule
rows = onp.random.RandomState(1)
X = rows.rand(12, 3).astype('float32')
Y = (X.sum(1) + 1).astype('float32')
y = sym.FullyConnected(sym.var('data'), num_hidden=1, name='fc')
net = sym.LinearRegressionOutput(y, sym.var('lin_label'), name='lro')

def data(n=10):
    return mx.io.NDArrayIter(X[:n], Y[:n], 4, label_name='lin_label')

def module(freq=2, **more):
    return SVRG(net, data_names=['data'], label_names=['lin_label'], update_freq=freq, **more)

def fit(freq=2, optimizer='sgd', contexts=None, **more):
    metric, losses = mx.metric.create('mse'), []
    m = module(freq, context=contexts or mx.cpu())
    m.fit(data(), eval_metric=metric, num_epoch=5, optimizer=optimizer, initializer=mx.init.One(),
          kvstore=None if contexts else 'local', optimizer_params=dict({'learning_rate': 0.1},
              **more),
          epoch_end_callback=lambda *a: losses.append(metric.get()[1]))
    return [losses, values(m), type(m._optimizer).__name__]
"""

CASES = nets(
    """
## fit
out += fit() + fit(1) + fit(3)

## fit/momentum-and-decay
out += fit(2, momentum=0.5, wd=0.1)

## fit/adam
out += fit(2, 'adam')

## fit/two-contexts
out += fit(2, contexts=[mx.cpu(0), mx.cpu(1)])

## fit/store-that-updates
for store, n in (('local', 2), ('object', 1)):
    for optimizer in ('sgd', 'adam'):
        store = mx.kv.create('local') if n == 1 else store
        m = module(context=[mx.cpu(i) for i in range(n)])
        m.fit(data(), eval_metric='mse', num_epoch=3, optimizer=optimizer, kvstore=store,
              initializer=mx.init.One(), optimizer_params={'learning_rate': 0.05})
        out += [values(m), m._update_on_kvstore]

## gradients
for n in (12, 10):
    for contexts, store in (([mx.cpu(0)], 'local'), ([mx.cpu(0), mx.cpu(1)], 'local'),
        ([mx.cpu(0), mx.cpu(1)], None)):
        m = module(context=contexts)
        m.bind(data().provide_data, data().provide_label)
        m.init_params(mx.init.One())
        m.init_optimizer(kvstore=store)
        for _ in range(2):
            m.update_full_grads(data(n))
            out.append([dict(d) for d in m._param_dict])

## steps
m = module()
m.bind(data().provide_data, data().provide_label)
m.init_params(mx.init.One())
m.init_optimizer()
m.update_full_grads(data())
for batch in data():
    m.forward(batch, is_train=True)
    m.backward()
    m.update()
    out.append([values(m), m._exec_group.grad_arrays[0][0].asnumpy()])
out += [m.update_freq, m._ctx_len, m._mod_aux.binded]

## wrong/zero
module(0)

## wrong/text
module('a')

## wrong/none
module(None)
""",
    before=_SVRG,
)
