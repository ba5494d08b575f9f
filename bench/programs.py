"""What is timed, written in MXNet's API: runs on mxtorch and, under Python 3.8, on real MXNet.

Each entry of PROGRAMS takes the package (`mx`) and returns a function that does the work once.
"""

BATCH, FEATURES, HIDDEN, CLASSES = 64, 128, 256, 10


def _binary(operation):
    def prepare(mx):
        a, b = mx.nd.ones((4, 4)), mx.nd.ones((4, 4))
        return lambda: operation(mx, a, b)

    return prepare


def _unary(operation):
    def prepare(mx):
        a = mx.nd.ones((4, 4))
        return lambda: operation(mx, a)

    return prepare


def chain(mx):
    """Ten operators forward, and backward."""
    x = mx.nd.ones((4, 4))
    x.attach_grad()

    def once():
        with mx.autograd.record():
            y = x
            for _ in range(5):
                y = y * x
                y = y + x
        y.backward()

    return once


def mlp_train(mx):
    """A training step of a three-layer perceptron: forward, backward, SGD with momentum."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(
        nn.Dense(HIDDEN, activation="relu"),
        nn.Dense(HIDDEN, activation="relu"),
        nn.Dense(CLASSES),
    )
    net.initialize(mx.init.Xavier())
    net.hybridize()
    options = {"learning_rate": 0.01, "momentum": 0.9}
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", options)
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    x = mx.nd.random.normal(shape=(BATCH, FEATURES))
    y = mx.nd.array([i % CLASSES for i in range(BATCH)])

    def once():
        with mx.autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(BATCH)
        return loss

    return once


PROGRAMS = {
    "x + y": _binary(lambda mx, a, b: a + b),
    "x * 2": _unary(lambda mx, a: a * 2),
    "x > y": _binary(lambda mx, a, b: a > b),
    "dot": _binary(lambda mx, a, b: mx.nd.dot(a, b)),
    "relu": _unary(lambda mx, a: mx.nd.relu(a)),
    "sum(axis=1)": _unary(lambda mx, a: mx.nd.sum(a, axis=1)),
    "x.reshape": _unary(lambda mx, a: a.reshape((2, 8))),
    "x[1:3]": _unary(lambda mx, a: a[1:3]),
    "slice_axis": _unary(lambda mx, a: mx.nd.slice_axis(a, axis=0, begin=1, end=3)),
    "mean(axis=1)": _unary(lambda mx, a: a.mean(axis=1)),
    "softmax": _unary(lambda mx, a: mx.nd.softmax(a, axis=-1)),
    "10-op chain, forward + backward": chain,
    "MLP training step": mlp_train,
}
