"""Activations and softmax."""

from tests.cases import A, I, S, V

NAN, INF = float("nan"), float("inf")
EDGES = V([-2.5, -1.0, -0.0, 0.0, 1.0, 2.5, 40.0, -40.0])
TIES = V([[1.0, 1.0, 0.0], [2.0, 2.0, 2.0]])
BARRED = V([[1.0, 2.0, -INF], [-INF, 0.0, -INF]])


# float64 arrays meet float32 numbers in these
SINGLE = ("leaky", "selu", "gelu")


def softmaxes(name):
    return [
        S(name, (2, 5)),
        S(name, A((2, 3, 4), lo=-9, hi=9), axis=1),
        S(name, (2, 3, 4), axis=0),
        S(name, (2, 3, 4), axis=-2, temperature=2.5),
        S(name, (6,)),
        S(name, TIES),
        S(name, A((2, 5), "float64", -5, 5), temperature=0.5),
        S(name, A((2, 5), "float16")),
        S(name, A((2, 5), "float16"), dtype="float32", tol=2e-3, why="computed in float16"),
        S(name, (2, 5), dtype="float64", tol=1e-5, why="computed in float32"),
        S(name, (2, 5), dtype="float16", tol=2e-3, why="the gradient sees float16 outputs"),
        S(name, V([[80.0, 100.0, -100.0]])),
        S(name, (2, 3), axis=2, raises="MXNetError"),
        S(name, (2, 3), use_length=True, raises="MXNetError"),
        S(name, I((2, 3), 0, 5), grad=False, raises="MXNetError"),
        S(name, (2, 5), dtype="int32", raises="MXNetError"),
    ]


def activations(kind):
    return [
        S("Activation", A((2, 3, 4), lo=-3, hi=3), act_type=kind),
        S("Activation", EDGES, act_type=kind),
        S("Activation", A((2, 3), "float64", -3, 3), act_type=kind),
        S("Activation", A((5,), "float16", -3, 3), act_type=kind),
        S("Activation", I((5,), -3, 3), act_type=kind, grad=False, raises="MXNetError"),
    ]


def rectifiers(kind, **attrs):
    attrs["act_type"] = kind
    rough = {"tol": 2e-7, "why": "float64 meets float32 factors"} if kind in SINGLE else {}
    return [
        S("LeakyReLU", A((2, 3, 4), lo=-3, hi=3), **attrs),
        S("LeakyReLU", EDGES, **attrs),
        S("LeakyReLU", A((2, 3), "float64", -3, 3), **rough, **attrs),
        S("LeakyReLU", A((5,), "float16", -3, 3), **attrs),
        S("LeakyReLU", A((2, 3), lo=-3, hi=3), train=False, **attrs),
        S("LeakyReLU", I((5,), -3, 3), grad=False, raises="MXNetError", **attrs),
    ]


ROWS = [
    *(row for name in ("softmax", "log_softmax", "softmin") for row in softmaxes(name)),
    S("softmax", (3, 1)),
    S("softmax", BARRED),
    S("log_softmax", BARRED, grad=False),
    S("softmax", (2, 3, 4), V([[1, 4, 0], [4, 2, 3]], "int32"), use_length=True),
    S("softmax", (2, 3, 4), V([[1, 2, 0, 3], [3, 1, 2, 2]], "int64"), axis=1, use_length=True),
    S("softmax", (2, 4), V([3, 1], "int32"), use_length=True, temperature=2.0),
    S("softmax", A((2, 4), "float64"), V([3, 1], "int32"), use_length=True),
    S("softmax", (2, 4), V([3, 1]), use_length=True, raises="MXNetError"),
    S("softmax", (2, 3, 4), V([3, 1], "int32"), use_length=True, raises="MXNetError"),
    S("SoftmaxActivation", (2, 5)),
    S("SoftmaxActivation", (2, 3, 4)),
    S("SoftmaxActivation", (2, 3, 4, 2)),
    S("SoftmaxActivation", (2, 3, 4), mode="channel"),
    S("SoftmaxActivation", (2, 3, 4, 2), mode="channel"),
    S("SoftmaxActivation", (2, 3), mode="channel", raises="MXNetError"),
    *(
        row
        for kind in ("relu", "sigmoid", "softrelu", "softsign", "tanh")
        for row in activations(kind)
    ),
    S("Activation", (2, 3), act_type="gelu", raises="MXNetError"),
    S("hard_sigmoid", A((3, 4), lo=-4, hi=4)),
    S("hard_sigmoid", V([-2.5, -0.5, 0.0, 1.5, 2.5]), alpha=0.5, beta=0.25),
    S("hard_sigmoid", A((3, 4), "float64", -4, 4), alpha=0.3),
    S("hard_sigmoid", A((7,), "float16", -4, 4)),
    S("hard_sigmoid", I((5,), -3, 3), grad=False, raises="MXNetError"),
    *rectifiers("leaky"),
    *rectifiers("elu"),
    *rectifiers("selu"),
    *rectifiers("gelu"),
    S("LeakyReLU", (2, 3)),
    S("LeakyReLU", (2, 3), act_type="leaky", slope=0.01),
    S("LeakyReLU", (2, 3), act_type="leaky", slope=-0.5),
    S("LeakyReLU", (2, 3), act_type="elu", slope=1.0),
    S("LeakyReLU", (2, 3), (3,), act_type="prelu"),
    S("LeakyReLU", (2, 3, 4), (3,), act_type="prelu"),
    S("LeakyReLU", (2, 3, 4, 2), (1,), act_type="prelu"),
    S("LeakyReLU", V([[-1.0, 0.0, 2.0]]), V([0.25, 0.25, 0.25]), act_type="prelu"),
    S("LeakyReLU", (3,), (1,), act_type="prelu"),
    S("LeakyReLU", (2, 3), (1, 3), act_type="prelu"),
    S(
        "LeakyReLU",
        A((2, 3), "float64"),
        A((3,), "float64"),
        act_type="prelu",
        tol=2e-7,
        why="MXNet computes float64 with float32 factors",
    ),
    S("LeakyReLU", (2, 3, 4), (4,), act_type="prelu", raises="MXNetError"),
    S(
        "LeakyReLU",
        (2, 3),
        act_type="rrelu",
        train=False,
        grad=False,
        xfail="MXNet's second output, the mask, is uninitialised memory in predict mode",
    ),
]
