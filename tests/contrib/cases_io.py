"""mx.contrib.io: a DataLoader as a data iterator. MXNet leaves the rows that fill up undefined."""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """
X = onp.arange(1, 21, dtype='float32').reshape(10, 2)
Y = onp.arange(1, 11, dtype='float64')
data = gluon.data.ArrayDataset(X, Y)
def make(last_batch='keep', *args):
    loader = gluon.data.DataLoader(data, batch_size=4, last_batch=last_batch)
    return mx.contrib.io.DataLoaderIter(loader, *args)
"""

CASES = snippets(
    """
## batches
it = make()
out += [str(it.provide_data), str(it.provide_label), it.batch_size, it.dtype]
for epoch in range(2):
    for batch in it:
        n = 4 - batch.pad
        out += [batch.data[0][:n], batch.label[0][:n], batch.pad, batch.index, batch.data[0].shape]
    it.reset()

## names-and-type
it = make('discard', 'd', 'l', 'float16')
out += [str(it.provide_data), str(it.provide_label)]
batch = next(it)
out += [batch.data[0].dtype.__name__, batch.label[0].dtype.__name__, it.getpad(), it.getindex()]
out += [it.getdata()[0].shape, it.getlabel()[0].shape, it.iter_next(), it.iter_next()]

## module
mx.random.seed(0)
net = sym.LinearRegressionOutput(sym.FullyConnected(sym.var('data'), num_hidden=1, name='fc'),
                                 sym.var('lin_label'), name='lin')
loader = gluon.data.DataLoader(gluon.data.ArrayDataset(X / 10, Y / 10), batch_size=5)
it = mx.contrib.io.DataLoaderIter(loader, label_name='lin_label')
mod = mx.mod.Module(net, label_names=['lin_label'])
mod.fit(it, num_epoch=3, optimizer_params={'learning_rate': 0.1}, initializer=mx.init.One(),
        eval_metric='mse')
out += [mod.get_params()[0]['fc_weight'], [(n, onp.float32(v)) for n, v in mod.score(it, 'mse')]]
""",
    before=_SETUP,
)
