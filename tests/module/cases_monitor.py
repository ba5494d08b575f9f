"""Monitors: which arrays they are shown, hidden outputs and unwanted gradients included."""

from tests.snippets import snippets

_BEFORE = """
def names(monitor):
    return [name for _, name, _ in monitor.toc()]
def watched(symbol, train, shape=(4, 5), **kwargs):
    executor = symbol.simple_bind(mx.cpu(), data=shape, **kwargs)
    for array in executor.aux_dict.values():
        array[:] = 2
    values = []
    def note(array):
        values.append(array.asnumpy())
        return array
    monitor = mx.mon.Monitor(1, note)
    monitor.install(executor)
    monitor.tic()
    executor.forward(is_train=train)
    nd.waitall()
    out.append(list(values))
    executor.backward([nd.ones(o.shape) for o in executor.outputs])
    nd.waitall()
    out.append(names(monitor))
x = mx.sym.var("data")
"""

CASES = snippets(
    """
## statistics/BatchNorm
watched(mx.sym.BatchNorm(x, name="bn", fix_gamma=False), True)
watched(mx.sym.BatchNorm(x, name="bn"), False)
## statistics/LayerNorm
watched(mx.sym.LayerNorm(x, name="ln"), True)
watched(mx.sym.GroupNorm(mx.sym.reshape(x, shape=(2, 2, 5)), num_groups=2, name="g"), True)
## no-hidden-outputs
y = mx.sym.reshape(x, shape=(4, 1, 5))
watched(mx.sym.RNN(y, state_size=2, num_layers=1, mode="gru", name="rnn"), False)
## unwanted-gradients
y = mx.sym.BatchNorm(mx.sym.FullyConnected(x, num_hidden=3, name="fc"), name="bn")
watched(y, True, grad_req={"data": "null", "fc_weight": "null", "fc_bias": "write",
                           "bn_gamma": "null", "bn_beta": "write"})
## loss-has-no-head
y = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc"), name="softmax")
watched(y, True, softmax_label=(4,))
y = mx.sym.LinearRegressionOutput(mx.sym.square(x, name="s"), name="l")
watched(y, True, l_label=(4, 5))
## sums-of-gradients
t = mx.sym.tanh(x, name="t")
watched(mx.sym.dot(t, t, name="d"), True, (4, 4))
watched(mx.sym.elemwise_add(t, x * 2, name="a"), True)
watched(mx.sym.stack(x, t, name="k"), True)
## one-input
y = mx.sym.Activation(mx.sym.tanh(x, name="t"), act_type="relu", name="r")
watched(mx.sym.sum(mx.sym.transpose(y, name="p"), axis=1, name="s"), True)
## callback-that-raises
import sys
shown = []
sys.unraisablehook = lambda error: shown.append(error.exc_type.__name__)
exe = mx.sym.FullyConnected(x, num_hidden=2, name="one").simple_bind(mx.cpu(), data=(1, 2))
exe.set_monitor_callback(lambda name, array: name + 1)
out += [exe.forward(is_train=True)[0].shape]
exe.backward(nd.ones((1, 2)))
exe.set_monitor_callback(lambda name, array: sys.exit(3))
out += [exe.forward()[0].shape]
sys.unraisablehook = sys.__unraisablehook__
out.append(sorted(set(shown)))

## module-counts
y = mx.sym.FullyConnected(x, num_hidden=3, name="one")
y = mx.sym.FullyConnected(mx.sym.relu(y, name="act"), num_hidden=2, name="two")
for pattern in (".*", "one.*", ".*backward.*"):
    module = mx.mod.Module(mx.sym.SoftmaxOutput(y, name="softmax"))
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(mx.init.One())
    monitor = mx.mon.Monitor(1, pattern=pattern, sort=True)
    module.install_monitor(monitor)
    monitor.tic()
    module.forward_backward(mx.io.DataBatch([nd.ones((4, 5))], [nd.ones(4)]))
    out.append(names(monitor))
""",
    _BEFORE,
)
