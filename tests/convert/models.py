"""Models of the kinds that people own: made, saved and run by real MXNet (tools/record_models.py).

Each entry of MODELS takes the package and returns the graph; SHAPES has those of its inputs.
"""


def face(mx):
    """A face net: scaling inside, fix_gamma, PReLU, depthwise, FullyConnected then BatchNorm."""
    sym = mx.sym
    x = (sym.Variable("data") - 127.5) * 0.0078125
    x = sym.Convolution(x, num_filter=8, kernel=(3, 3), pad=(1, 1), no_bias=True, name="conv0")
    x = sym.BatchNorm(x, fix_gamma=True, eps=2e-5, momentum=0.9, name="bn0")
    x = sym.LeakyReLU(x, act_type="prelu", name="relu0")
    x = sym.Convolution(x, num_filter=8, num_group=8, kernel=(3, 3), stride=(2, 2), name="dw")
    x = sym.Dropout(x, p=0.4)
    x = sym.FullyConnected(x, num_hidden=6, name="pre_fc1")
    return sym.BatchNorm(x, fix_gamma=True, eps=2e-5, name="fc1")


def residual(mx):
    """Residual units, pooling by the `full` convention, global pooling, a class output."""
    sym = mx.sym
    x = sym.Variable("data")
    for i in range(2):
        y = sym.BatchNorm(x, fix_gamma=False, name=f"unit{i}_bn")
        y = sym.Activation(y, act_type="relu")
        y = sym.Convolution(y, num_filter=4, kernel=(3, 3), pad=(1, 1), name=f"unit{i}_conv")
        x = sym.elemwise_add(x, y)
    x = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full")
    x = sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg")
    x = sym.FullyConnected(sym.Flatten(x), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(x, name="softmax")


def segments(mx):
    """A segmentation net: deconvolution with adj, upsampling, softmax by channel."""
    sym = mx.sym
    x = sym.Convolution(
        sym.Variable("data"), num_filter=4, kernel=(3, 3), stride=(2, 2), dilate=(2, 2), name="down"
    )
    x = sym.Deconvolution(
        x, num_filter=3, kernel=(3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1), name="up"
    )
    x = sym.UpSampling(x, scale=2, sample_type="nearest")
    return sym.SoftmaxActivation(x, mode="channel")


def several(mx):
    """Detection heads: transposed, reshaped, joined; several outputs."""
    sym = mx.sym
    x = sym.Convolution(sym.Variable("data"), num_filter=8, kernel=(3, 3), name="body")
    x = sym.LRN(sym.Activation(x, act_type="tanh"), nsize=5, alpha=1e-3, beta=0.75, knorm=2)
    heads = []
    for i in range(2):
        y = sym.Convolution(x, num_filter=6, kernel=(1, 1), name=f"head{i}")
        heads.append(sym.Flatten(sym.transpose(y, axes=(0, 2, 3, 1))))
    boxes = sym.Reshape(sym.Concat(*heads, dim=1), shape=(0, -1, 3))
    score = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg", pad=(1, 1))
    return sym.Group([sym.sigmoid(boxes, name="boxes"), sym.mean(score, axis=(2, 3), name="score")])


def words(mx):
    """A text model: an embedding, sums, a regression output."""
    sym = mx.sym
    x = sym.Embedding(sym.Variable("tokens"), input_dim=11, output_dim=6, name="embed")
    x = sym.sum(x, axis=1)
    x = sym.LeakyReLU(sym.FullyConnected(x, num_hidden=5, name="hidden"), act_type="elu", slope=0.5)
    x = sym.FullyConnected(x, num_hidden=1, no_bias=True, name="score")
    return sym.LogisticRegressionOutput(x, name="logistic")


MODELS = {f.__name__: f for f in (face, residual, segments, several, words)}
SHAPES = {
    "face": {"data": (2, 3, 12, 12)},
    "residual": {"data": (2, 4, 9, 9)},
    "segments": {"data": (2, 3, 14, 14)},
    "several": {"data": (2, 3, 10, 10)},
    "words": {"tokens": (2, 4)},
}
