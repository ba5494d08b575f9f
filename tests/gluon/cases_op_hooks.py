"""Hooks on the operators of hybridized blocks; layers that take lengths; queues of batches."""

from tests.cases import C

_NET = """
    def make(calls):
        net = nn.HybridSequential(prefix="n_")
        with net.name_scope():
            net.add(nn.Dense(2, in_units=2, activation="sigmoid"), nn.BatchNorm(in_channels=2))
        net.initialize(mx.init.One())
        return net, lambda name, op, array: calls.append([str(name), str(op)])
    x = nd.array([[1.0, 2.0], [3.0, 4.0]])
    calls = []
    net, hook = make(calls)
"""

CASES = [
    C(
        "hook/outputs",
        _NET
        + """
    net.register_op_hook(hook)
    net(x)
    out += [len(calls)]
    net.hybridize()
    net(x)
    net(x)
    out += [calls]
    """,
    ),
    C(
        "hook/inputs",
        """
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            a, b = F.split(F.exp(x), num_outputs=2, axis=1)
            d = F.broadcast_add(F.relu(a), F.dot(b, b, transpose_b=True).sum(axis=1, keepdims=True))
            e = F.LayerNorm(d * 2, F.ones((2,)), F.zeros((2,)))
            p = F.Pooling(F.reshape(e, shape=(1, 2, 2)), kernel=(1,)).flatten()
            return F.softmax(F.concat(d, e, dim=1)), F.LeakyReLU(p, act_type="elu")
    net = Net(prefix="n_")
    net.initialize()
    net.hybridize()
    calls = []
    net.register_op_hook(lambda name, op, a: calls.append([str(name), str(op)]), monitor_all=True)
    net(nd.ones((2, 4)))
    out += [calls]
    """,
    ),
    C(
        "hook/that-raises",
        """
    import sys
    shown = []
    sys.unraisablehook = lambda error: shown.append(error.exc_type.__name__)
    net = nn.Dense(2, in_units=2)
    net.initialize(mx.init.One())
    net.hybridize()
    net.register_op_hook(lambda name, op, array: name + 1)
    out += [net(nd.ones((2, 2)))]
    sys.unraisablehook = sys.__unraisablehook__
    out += [shown]
    """,
    ),
    C(
        "hook/hidden-outputs",
        """
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
    net.initialize(mx.init.One())
    net.hybridize()
    calls = []
    net.register_op_hook(lambda name, op, array: calls.append(str(name)))
    with autograd.record():
        net(nd.ones((2, 2)))
    out += [calls]
    """,
    ),
    C(
        "hook/after-tracing",
        _NET
        + """
    net.hybridize()
    net(x)
    net.register_op_hook(hook)
    net(x)
    out += [calls]
    net.hybridize(False)
    net(x)
    out += [len(calls)]
    """,
    ),
    C(
        "hook/backward",
        _NET
        + """
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=2, activation="tanh"), nn.Dense(1, in_units=2))
    net.initialize(mx.init.One())
    net.hybridize()
    net.register_op_hook(hook)
    with autograd.record():
        y = net(x)
    y.backward()
    out += [calls]
    """,
    ),
    C(
        "hook/blocked-gradients",
        """
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.BlockGrad(F.tanh(x * 2)) * F.BlockGrad(x) + F.BlockGrad(x + 1) * x
    net = Net()
    net.hybridize()
    calls = []
    net.register_op_hook(lambda name, op, array: calls.append(str(op)))
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = net(x)
    out += [y, sorted(calls)]
    y.backward()
    v = mx.sym.var("x")
    s = mx.sym.BlockGrad(mx.sym.tanh(v)) * v + v
    e = s.bind(mx.cpu(), {"x": x}, {"x": nd.zeros(2)})
    monitor = mx.mon.Monitor(1, lambda a: a.sum(), monitor_all=True)
    monitor.install(e)
    monitor.tic()
    out += [e.forward(is_train=True)[0]]
    e.backward(nd.ones(2))
    out += [x.grad, e.grad_arrays, len(monitor.toc()) > 0]
    """,
    ),
    C(
        "hook/children",
        _NET
        + """
    outer = nn.Sequential()
    outer.add(net)
    outer.register_op_hook(hook)
    outer(x)
    out += [len(calls)]
    outer.hybridize()
    outer(x)
    out += [calls]
    """,
    ),
    C(
        "lengths/GRU",
        """
    for layer in (gluon.rnn.GRU, gluon.rnn.RNN, gluon.rnn.LSTM):
        net = layer(3, use_sequence_length=True, input_size=4)
        net.initialize(mx.init.One())
        out += [net(nd.ones((2, 2, 4)), None, nd.array([2, 2]))]
        y, states = net(nd.ones((2, 2, 4)), net.begin_state(2), nd.array([2, 2]))
        out += [y, *states]
    """,
    ),
    C(
        "loader/queues",
        """
    import multiprocessing
    import queue
    D = gluon.data.dataloader
    q = D.Queue()
    q.put(nd.ones(2))
    x = q.get()
    out += [x, str(x.context)]
    s = D.SimpleQueue()
    s.put({"a": nd.ones(2)})
    out += [s.get()]
    a, b = multiprocessing.Pipe()
    D.ConnectionWrapper(a).send([1, nd.ones(2)])
    out += [D.ConnectionWrapper(b).recv(), D.ConnectionWrapper(b).closed]
    keys, batches, buffer = queue.Queue(), queue.Queue(), {}
    keys.put((0, [1, 2]))
    keys.put((None, None))
    D.worker_loop_v1([1, 2, 3], keys, batches, D.default_batchify_fn)
    batches.put((None, None))
    D.fetcher_loop_v1(batches, buffer)
    out += [buffer[0]]
    """,
    ),
    C(
        "loader/first-version",
        """
    D = gluon.data
    loader = D.dataloader.DataLoaderV1(D.SimpleDataset([1, 2, 3]), 2)
    out += [len(loader), list(loader)]
    """,
    ),
]
