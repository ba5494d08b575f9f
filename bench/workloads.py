"""Whole pieces of work in MXNet's API, timed like programs.py: on mxtorch and on real MXNet.

Each entry of WORKLOADS takes the package (`mx`) and returns a function that does the work once.
"""

import os

import numpy as np

VOCABULARY, STEPS, SENTENCES, UNITS = 500, 20, 16, 128
ARRAYS, ARRAY_SHAPE = 50, (64, 64)
SIDE = 224


def pixels(*shape):
    """Numbers for an image net, the same on each side."""
    return np.random.RandomState(0).uniform(size=shape).astype("float32")


def tokens(*shape):
    """Word numbers, the same on each side."""
    return np.random.RandomState(0).randint(0, VOCABULARY, shape)


def _on_array(operation, *shape):
    def prepare(mx):
        a = mx.nd.array(pixels(*shape))
        return lambda: operation(mx, a).wait_to_read()

    return prepare


def _one_hot(mx):
    index = mx.nd.array(tokens(8192))
    return lambda: mx.nd.one_hot(index, VOCABULARY).wait_to_read()


def _take(mx):
    index, table = mx.nd.array(tokens(8192)), mx.nd.array(pixels(VOCABULARY, 256))
    return lambda: mx.nd.take(table, index).wait_to_read()


def _deconvolution(mx):
    data, weight = mx.nd.array(pixels(4, 64, 28, 28)), mx.nd.array(pixels(64, 32, 4, 4))
    form = {"kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), "num_filter": 32}
    return lambda: mx.nd.Deconvolution(data, weight, **form).wait_to_read()


def lenet(mx):
    """The net of the digits, in Gluon."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(20, 5, activation="tanh"),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(50, 5, activation="tanh"),
        nn.MaxPool2D(2, 2),
        nn.Dense(500, activation="tanh"),
        nn.Dense(10),
    )
    return net


def _train(mx, net, x, y, loss_of, optimizer="sgd"):
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.01})

    def once():
        with mx.autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(x.shape[0])
        mx.nd.waitall()

    return once


def _image_training(make, *shape):
    def prepare(mx):
        x, y = mx.nd.array(pixels(*shape)), mx.nd.array(np.arange(shape[0]) % 10)
        return _train(mx, make(mx), x, y, mx.gluon.loss.SoftmaxCrossEntropyLoss())

    return prepare


def _inference(make, *shape):
    def prepare(mx):
        net, x = make(mx), mx.nd.array(pixels(*shape))
        net.initialize(mx.init.Xavier())
        net.hybridize(static_alloc=True, static_shape=True)
        return lambda: net(x).wait_to_read()

    return prepare


def _language_model(mx):
    gluon = mx.gluon

    class Model(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.embed = gluon.nn.Embedding(VOCABULARY, UNITS)
                self.rnn = gluon.rnn.LSTM(UNITS, num_layers=2)
                self.out = gluon.nn.Dense(VOCABULARY, flatten=False)

        def hybrid_forward(self, F, x):
            return self.out(self.rnn(self.embed(x)))

    words = tokens(STEPS + 1, SENTENCES)
    x, y = mx.nd.array(words[:-1]), mx.nd.array(words[1:])
    return _train(mx, Model(), x, y, gluon.loss.SoftmaxCrossEntropyLoss())


def encoder(mx, heads=4):
    """One Transformer layer: self-attention and two dense layers, each with a LayerNorm."""
    gluon = mx.gluon

    class Layer(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.qkv = gluon.nn.Dense(3 * UNITS, flatten=False)
                self.out = gluon.nn.Dense(UNITS, flatten=False)
                self.first = gluon.nn.Dense(4 * UNITS, flatten=False)
                self.second = gluon.nn.Dense(UNITS, flatten=False)
                self.norm1, self.norm2 = gluon.nn.LayerNorm(), gluon.nn.LayerNorm()

        def hybrid_forward(self, F, x):
            q, k, v = F.split(self.qkv(x), 3, axis=2)

            def split(a):
                a = F.reshape(a, shape=(0, 0, heads, -1))
                return F.reshape(F.transpose(a, (0, 2, 1, 3)), shape=(-3, 0, 0))

            scores = F.batch_dot(split(q), split(k), transpose_b=True)
            mixed = F.batch_dot(F.softmax(F.contrib.div_sqrt_dim(scores)), split(v))
            mixed = F.reshape(mixed, shape=(-4, -1, heads, 0, 0))
            mixed = F.reshape(F.transpose(mixed, (0, 2, 1, 3)), shape=(0, 0, -3))
            x = self.norm1(x + self.out(mixed))
            inner = F.LeakyReLU(self.first(x), act_type="gelu")
            return self.norm2(x + self.second(inner))

    return Layer()


def _transformer(mx):
    x = mx.nd.array(pixels(SENTENCES, STEPS, UNITS))
    return _train(mx, encoder(mx), x, x * 2, mx.gluon.loss.L2Loss(), "adam")


def _update(name, **options):
    def prepare(mx):
        parameters = mx.gluon.ParameterDict()
        for i in range(ARRAYS):
            parameters.get(f"p{i}_weight", shape=ARRAY_SHAPE)
        parameters.initialize(mx.init.One())
        trainer = mx.gluon.Trainer(parameters, name, dict(options, learning_rate=0.001))
        arrays = [p.data() for p in parameters.values()]
        with mx.autograd.record():
            loss = sum((a * a).sum() for a in arrays)
        loss.backward()

        def once():
            for array in arrays:
                array._fresh_grad = True
            trainer.step(1)
            mx.nd.waitall()

        return once

    return prepare


def _records():
    """The index and the record file of photographs that run.py has made."""
    return os.environ["BENCH_RECORDS"] + ".idx", os.environ["BENCH_RECORDS"] + ".rec"


def _loader(workers):
    def prepare(mx):
        gluon = mx.gluon
        photos = gluon.data.vision.ImageRecordDataset(_records()[1])
        ready = photos.transform_first(gluon.data.vision.transforms.ToTensor())
        loader = gluon.data.DataLoader(ready, 16, num_workers=workers)

        def once():
            for batch in loader:
                batch[0].wait_to_read()

        return once

    return prepare


def _record_reading(mx):
    def once():
        reader = mx.recordio.MXIndexedRecordIO(*_records(), "r")
        for key in reader.keys:
            mx.recordio.unpack(reader.read_idx(key))
        reader.close()

    return once


def _image_iterator(mx):
    index, records = _records()
    batches = mx.io.ImageRecordIter(
        path_imgrec=records,
        path_imgidx=index,
        data_shape=(3, SIDE, SIDE),
        batch_size=16,
        preprocess_threads=2,
    )

    def once():
        batches.reset()
        for batch in batches:
            batch.data[0].wait_to_read()

    return once


def _zoo(name):
    return lambda mx: mx.gluon.model_zoo.vision.get_model(name, classes=10)


WORKLOADS = {
    "max-pool 3x3": _on_array(
        lambda mx, a: mx.nd.Pooling(a, kernel=(3, 3), stride=(2, 2), pool_type="max"),
        *(8, 64, 56, 56),
    ),
    "max-pool 2x2": _on_array(
        lambda mx, a: mx.nd.Pooling(a, kernel=(2, 2), stride=(2, 2), pool_type="max"),
        *(8, 64, 56, 56),
    ),
    "avg-pool 3x3": _on_array(
        lambda mx, a: mx.nd.Pooling(a, kernel=(3, 3), stride=(2, 2), pool_type="avg"),
        *(8, 64, 56, 56),
    ),
    "one_hot": _one_hot,
    "take": _take,
    "deconvolution": _deconvolution,
    "SGD step, 50 arrays": _update("sgd", momentum=0.9),
    "Adam step, 50 arrays": _update("adam"),
    "LeNet training step": _image_training(lenet, 64, 1, 28, 28),
    "LeNet inference": _inference(lenet, 64, 1, 28, 28),
    "ResNet-18 training step": _image_training(_zoo("resnet18_v1"), 8, 3, 112, 112),
    "ResNet-18 inference": _inference(_zoo("resnet18_v1"), 1, 3, 224, 224),
    "MobileNet inference": _inference(_zoo("mobilenet1.0"), 1, 3, 224, 224),
    "LSTM language model step": _language_model,
    "Transformer training step": _transformer,
    "encoder layer inference": _inference(encoder, SENTENCES, STEPS, UNITS),
    "DataLoader over JPEGs": _loader(0),
    "DataLoader, 2 workers": _loader(2),
    "RecordIO reading": _record_reading,
    "ImageRecordIter": _image_iterator,
}
