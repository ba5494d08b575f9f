"""Every loss: values and gradients, weights, batch axes, and its graph as a symbol."""

from tests.cases import C

RUN = """
def rand(shape, lo=-1.0, hi=1.0, seed=[0]):
    seed[0] += 1
    return nd.array(onp.random.RandomState(seed[0]).uniform(lo, hi, shape).astype('float32'))

def signs(*shape):
    return nd.array(onp.random.RandomState(9).choice([-1, 1], shape).astype('float32'))

L = gluon.loss
pred = rand((4, 3))
{setup}
loss = L.{loss}
for hybrid in (False, True):
    if hybrid:
        loss.hybridize()
    pred.attach_grad()
    with autograd.record():
        value = loss(pred, {args})
    value.backward()
    out += [value, pred.grad]
out.append(repr(loss))
"""
LOSSES = {
    "l2": ("L2Loss()", "rand((4, 3))", ""),
    "l2-weight": ("L2Loss(weight=3, batch_axis=1)", "rand((12,)), rand((4, 1))", ""),
    "l1": ("L1Loss()", "rand((4, 3))", ""),
    "l1-weight": ("L1Loss(weight=0.5)", "rand((4, 3)), rand((4, 3))", ""),
    "bce": ("SigmoidBCELoss()", "rand((4, 3), 0, 1)", ""),
    "bce-weight": (
        "SigmoidBinaryCrossEntropyLoss(weight=2.0)",
        "rand((4, 3), 0, 1), rand((4, 1)), rand((1, 3), 1, 2)",
        "",
    ),
    "bce-pos": ("SigmoidBCELoss()", "rand((4, 3), 0, 1), None, rand((1, 3), 1, 2)", ""),
    "bce-sigmoid": (
        "SigmoidBCELoss(from_sigmoid=True)",
        "rand((4, 3), 0, 1)",
        "pred = rand((4, 3), 0.1, 0.9)",
    ),
    "bce-sigmoid-pos": (
        "SigmoidBCELoss(from_sigmoid=True)",
        "rand((4, 3), 0, 1), rand((4, 1)), rand((1, 3), 1, 2)",
        "pred = rand((4, 3), 0.1, 0.9)",
    ),
    "bce-sigmoid-certain": (
        "SigmoidBCELoss(from_sigmoid=True)",
        "nd.array([[0, 1, 0]])",
        "pred = nd.array([[1.0, 0.0, 0.0]])",
    ),
    "ce": ("SoftmaxCrossEntropyLoss()", "nd.array([0, 2, 1, 1])", ""),
    "ce-weight": ("SoftmaxCELoss(weight=2)", "nd.array([0, 2, 1, 1]), rand((4, 1))", ""),
    "ce-clipped": ("SoftmaxCELoss()", "nd.array([-1, 9, 1.9, 0])", ""),
    "ce-column": ("SoftmaxCELoss()", "nd.array([[0], [2], [1], [1]], dtype='int32')", ""),
    "ce-float64": (
        "SoftmaxCELoss()",
        "nd.array([0, 2, 1, 1], dtype='float64')",
        "pred = rand((4, 3)).astype('float64')",
    ),
    "ce-dense": ("SoftmaxCELoss(sparse_label=False)", "rand((4, 3), 0, 1)", ""),
    "ce-logits": ("SoftmaxCELoss(from_logits=True)", "nd.array([0, 2, 1, 1])", ""),
    "ce-axis": (
        "SoftmaxCELoss(axis=1)",
        "nd.array([[[0, 1], [2, 0]], [[1, 1], [2, 2]]])",
        "pred = rand((2, 3, 2, 2))",
    ),
    "ce-axis-dense": (
        "SoftmaxCELoss(axis=1, sparse_label=False, batch_axis=0)",
        "rand((2, 3, 4), 0, 1)",
        "pred = rand((2, 3, 4))",
    ),
    "kl": ("KLDivLoss()", "rand((4, 3), 0, 1)", ""),
    "kl-softmax": ("KLDivLoss(from_logits=False, axis=1)", "rand((4, 3), 0, 1)", ""),
    "kl-weight": ("KLDivLoss(weight=0.5)", "rand((4, 3), 0, 1), rand((4, 1))", ""),
    "ctc": (
        "CTCLoss()",
        "nd.array([[0, 1, -1], [2, 2, 1]])",
        "pred = rand((2, 6, 4))",
    ),
    "ctc-tnc": (
        "CTCLoss('TNC', 'TN', weight=2.0)",
        "nd.array([[0, 2], [1, 2], [-1, 1]])",
        "pred = rand((6, 2, 4))",
    ),
    "ctc-lengths": (
        "CTCLoss()",
        "nd.array([[0, 1, 3], [2, 2, 1]]), nd.array([4, 6]), nd.array([2, 3])",
        "pred = rand((2, 6, 5))",
    ),
    "ctc-label-lengths": (
        "CTCLoss()",
        "nd.array([[0, 1, 3], [2, 2, 1]]), None, nd.array([2, 3])",
        "pred = rand((2, 6, 5))",
    ),
    "huber": ("HuberLoss()", "rand((4, 3), -3, 3)", ""),
    "huber-rho": ("HuberLoss(rho=0.3, weight=2)", "rand((4, 3), -3, 3), rand((4, 1))", ""),
    "hinge": ("HingeLoss()", "signs(4, 3)", ""),
    "hinge-margin": ("HingeLoss(margin=0.5, weight=3)", "signs(4, 3)", ""),
    "squared-hinge": ("SquaredHingeLoss(margin=2)", "signs(4, 3), rand((4, 1))", ""),
    "logistic": ("LogisticLoss()", "signs(4, 3)", ""),
    "logistic-binary": ("LogisticLoss(label_format='binary')", "signs(4, 3) > 0", ""),
    "triplet": ("TripletLoss()", "rand((4, 3)), rand((12,))", ""),
    "triplet-margin": ("TripletLoss(margin=0.1, weight=2)", "rand((4, 3)), rand((4, 3))", ""),
    "poisson": ("PoissonNLLLoss()", "rand((4, 3), 0, 5)", ""),
    "poisson-rates": (
        "PoissonNLLLoss(from_logits=False, weight=2)",
        "rand((4, 3), 0, 5), rand((4, 1))",
        "pred = rand((4, 3), 0.1, 2)",
    ),
    "cosine": ("CosineEmbeddingLoss()", "rand((4, 3)), nd.array([1, -1, 1, -1])", ""),
    "cosine-margin": (
        "CosineEmbeddingLoss(margin=0.3, weight=2)",
        "rand((4, 3)), nd.array([1, -1, 1, -1]), rand((4, 1))",
        "",
    ),
}
CASES = [
    C(label, RUN.format(loss=loss, args=args, setup=setup))
    for label, (loss, args, setup) in LOSSES.items()
]
PLAIN = RUN.replace("(False, True)", "(False,)")
CASES += [
    C(
        "poisson-full",
        """
        loss = gluon.loss.PoissonNLLLoss(compute_full=True)
        out += [loss(nd.array([[1, 2.5]]), nd.array([[1, 3]]))]
        out += [loss(nd.array([[1, 2.5]]), nd.array([[0, 3]]))]
        """,
    ),
    C("sdml", PLAIN.format(loss="SDMLLoss()", args="rand((4, 3))", setup="")),
    C(
        "sdml-smooth",
        PLAIN.format(loss="SDMLLoss(smoothing_parameter=0.1)", args="rand((4, 3))", setup=""),
    ),
    C("base", "gluon.loss.Loss(1, 0)(nd.ones((2, 2)))", raises="NotImplementedError"),
    C("logistic-format", "gluon.loss.LogisticLoss(label_format='x')", raises="ValueError"),
    C("ctc-layout", "gluon.loss.CTCLoss(layout='CTN')", raises="AssertionError"),
    C("ctc-label-layout", "gluon.loss.CTCLoss(label_layout='TT')", raises="AssertionError"),
    C(
        "weight-not-a-number",
        "gluon.loss.L1Loss(weight='2')(nd.ones((2, 2)), nd.ones((2, 2)))",
        raises="AssertionError",
    ),
    C("names", "out.append(sorted(gluon.loss.__all__))"),
]
CASES += [
    C("ce-rows", "gluon.loss.SoftmaxCELoss()(nd.ones((4, 3)), nd.ones((3,)))", raises="MXNetError"),
]
GRAPH = """
import json
inputs = [sym.var(n) for n in 'xyzw'[:{inputs}]]
graph = json.loads(gluon.loss.{loss}(*inputs).tojson())
out.append([(n['op'], n['name'], n.get('attrs'), n['inputs']) for n in graph['nodes']])
"""
CASES += [
    C("graph-" + loss, GRAPH.format(loss=loss, inputs=inputs))
    for loss, inputs in (
        ("L2Loss()", 2),
        ("L1Loss(weight=2)", 3),
        ("SigmoidBCELoss()", 4),
        ("SigmoidBCELoss(from_sigmoid=True)", 2),
        ("SoftmaxCELoss()", 2),
        ("SoftmaxCELoss(sparse_label=False)", 3),
        ("KLDivLoss()", 3),
        ("CTCLoss()", 2),
        ("HuberLoss()", 2),
        ("HingeLoss()", 2),
        ("SquaredHingeLoss()", 2),
        ("LogisticLoss()", 2),
        ("TripletLoss()", 3),
        ("PoissonNLLLoss()", 2),
    )
]
