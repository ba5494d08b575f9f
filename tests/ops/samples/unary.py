"""Functions of one array, element by element."""

from tests.cases import A, I, S, V

NAN, INF = float("nan"), float("inf")
HALVES = V([-2.5, -1.5, -0.5, -0.3, 0.0, 0.3, 0.5, 1.5, 2.5])
WHOLE = V([-3, -1, 0, 1, 2, 3, 10], "int32")

# (name, smallest, largest argument, special points, whole numbers that are in its domain)
ANALYTIC = [
    ("exp", -3, 3, [0, -INF, INF, NAN], [-2, -1, 0, 1, 2, 5]),
    ("log", 0.1, 5, [0, 1, INF, -1], [1, 2, 3, 9, 100]),
    ("sqrt", 0.1, 5, [0, 1, 4, -1], [0, 1, 2, 3, 10, 99]),
    ("rsqrt", 0.1, 5, [0, 1, 4, -1], [1, 2, 4]),
    ("cbrt", -5, 5, [0, 8, 27, -64, INF], [-64, -8, -7, 0, 1, 7, 8, 27, 125, 343]),
    ("rcbrt", 0.2, 5, [0, 8, -27], [1, 8, -1]),
    ("reciprocal", 0.2, 5, [0, 1, -2, INF], [-2, -1, 1, 2, 5]),
    ("log1p", -0.9, 5, [0, -1, 1e-6], [0, 1, 2, 3, 50]),
    ("expm1", -3, 3, [0, 1e-6, -INF], [-2, 0, 1, 2, 5]),
    ("log2", 0.1, 5, [0, 1, 8], [1, 2, 3, 8, 9]),
    ("log10", 0.1, 5, [0, 1, 1000], [1, 2, 10, 99, 1000]),
    ("sin", -4, 4, [0, INF], [-3, -1, 0, 1, 2]),
    ("cos", -4, 4, [0, INF], [-3, -1, 0, 1, 2]),
    ("tan", -1.4, 1.4, [0, INF], [-3, -1, 0, 1, 2]),
    ("arcsin", -0.95, 0.95, [-1, 0, 1, 2], [-1, 0, 1]),
    ("arccos", -0.95, 0.95, [-1, 0, 1, 2], [-1, 0, 1]),
    ("arctan", -4, 4, [0, INF, -INF], [-3, -1, 0, 1, 2]),
    ("sinh", -3, 3, [0, INF], [-3, -1, 0, 1, 2]),
    ("cosh", -3, 3, [0, INF], [-3, -1, 0, 1, 2]),
    ("tanh", -3, 3, [0, 40, -INF], [-3, -1, 0, 1, 30]),
    ("arcsinh", -3, 3, [0, 100, -100], [-3, -1, 0, 1, 2, 90]),
    ("arccosh", 1.1, 5, [1, 100, -2], [1, 2, 3, 90]),
    ("arctanh", -0.9, 0.9, [-1, 0, 1, 2], [0]),
    ("degrees", -4, 4, [0, INF], [-3, -1, 0, 1, 2]),
    ("radians", -400, 400, [0, INF], [-300, -1, 0, 100, 200]),
    ("gamma", 0.2, 5, [0, -0.5, -1.5, -1, 1, 20, 36], [1, 2, 3, 5, 8]),
    ("gammaln", 0.2, 9, [0, -0.5, -1, 1, 50], [1, 2, 3, 5, 20]),
    ("erf", -2, 2, [0, 5, -INF], [-1, 0, 1, 6]),
    ("erfinv", -0.95, 0.95, [-1, 0, 1, 2], [0]),
    ("sigmoid", -4, 4, [0, 90, -90, INF, -INF], [-1, 0, 1, 90]),
    ("softsign", -4, 4, [0, 1e6], [-5, -1, 0, 1, 5]),
]
# float64 gradients that MXNet computes in part in float32
ROUGH = {
    "gamma": (1e-6, "MXNet's digamma is float32"),
    "gammaln": (1e-6, "MXNet's digamma is float32"),
    "erf": (1e-7, "MXNet's 2/sqrt(pi) is float32"),
    "erfinv": (1e-7, "MXNet's sqrt(pi)/2 is float32"),
}
STEPS = ["round", "rint", "fix", "floor", "ceil", "trunc"]
# whole numbers that float32 holds without halves between them, zeros of both signs
EDGES = [0.0, -0.0, 0.3, -0.3, 8388609.0, -8388609.0, 16777215.0]
PLAIN = ["square", "abs", "sign", "negative", "logical_not", "relu"]
COPIES = ["identity", "BlockGrad", "make_loss", "zeros_like", "ones_like"]


def analytic(name, lo, hi, special, whole):
    tol, why = ROUGH.get(name, (None, ""))
    return [
        S(name, A((3, 4), lo=lo, hi=hi)),
        S(name, A((2, 1, 3), "float64", lo=lo, hi=hi), tol=tol, why=why),
        S(name, A((5,), "float16", lo=lo, hi=hi)),
        S(name, V(special)),
        S(name, V(whole, "int32"), grad=False),
        S(name, V([abs(w) for w in whole], "int64"), grad=False),
        S(name, V([1, 0], "bool"), grad=False, raises="MXNetError"),
    ]


def steps(name):
    return [
        S(name, HALVES),
        S(name, V(EDGES), grad=False, cls="exact"),
        S(name, A((3, 4), "float64", lo=-5, hi=5)),
        S(name, A((7,), "float16", lo=-5, hi=5)),
        S(name, WHOLE, grad=False),
        S(name, V([0, 1, 200], "uint8"), grad=False),
        S(name, V([1, 0], "bool"), grad=False, raises="MXNetError"),
    ]


def plain(name):
    return [
        S(name, A((3, 4), lo=-3, hi=3)),
        S(name, V([-2.5, -0.0, 0.0, 0.25, INF, -INF])),
        S(name, A((1, 5), "float64", lo=-3, hi=3)),
        S(name, A((7,), "float16", lo=-3, hi=3)),
        S(name, WHOLE, grad=False),
        S(name, V([0, 1, 3, 200], "uint8"), grad=False),
        S(name, V([1, 0], "bool"), grad=False, raises="MXNetError"),
    ]


def copies(name):
    return [
        S(name, (2, 3)),
        S(name, A((1, 4), "float64")),
        S(name, A((4,), "float16")),
        S(name, I((2, 3), -5, 5), grad=False),
        S(name, V([[1, 0]], "bool"), grad=False),
    ]


ROWS = [
    S("softsign", V([INF, -INF, 0.0, 2.0])),
    *(row for spec in ANALYTIC for row in analytic(*spec)),
    *(row for name in STEPS for row in steps(name)),
    *(row for name in PLAIN for row in plain(name)),
    *(row for name in COPIES for row in copies(name)),
    S("sqrt", V([[4.0]])),
    S("exp", V([20], "int64"), grad=False),
    S("shape_array", (2, 3, 4), grad=False),
    S("shape_array", I((5,), 0, 3), grad=False),
    S("shape_array", (1, 1), grad=False),
    S("size_array", (2, 3, 4), grad=False),
    S("size_array", I((5,), 0, 3), grad=False),
    S("size_array", (1, 1), grad=False),
    S("cast", A((2, 3), lo=-5, hi=5), dtype="int32", grad=False),
    S("cast", A((2, 3), lo=-5, hi=5), dtype="float16"),
    S("cast", A((2, 3), "float16", lo=-5, hi=5), dtype="float64"),
    S("cast", V([300, -1, 0.5, -129, 2.9]), dtype="uint8", grad=False),
    S("cast", V([300, -1, 0.5, -129, 2.9]), dtype="int8", grad=False),
    S("cast", V([300, 0, 0.5, NAN]), dtype="bool", grad=False),
    S("Cast", I((2, 3), -5, 5), dtype="float32", grad=False),
    S("Cast", (2, 3), dtype="float32"),
    S("Cast", (2, 3), dtype="complex64", raises="MXNetError"),
    S("amp_cast", (2, 3), dtype="float16"),
    S("amp_cast", A((2, 3), "float16"), dtype="float32"),
    S("amp_cast", I((2, 3), -5, 5), dtype="float32", grad=False),
    S("clip", (3, 4), a_min=-0.4, a_max=0.3),
    S("clip", V([-1.0, 0.0, 0.5, 1.0, 2.0, INF]), a_min=0, a_max=1),
    S("clip", A((5,), "float64", lo=-3, hi=3), a_min=-1e-3, a_max=2.5),
    S("clip", V([0, 1, 2, 3, 9], "int32"), a_min=0.5, a_max=2.5, grad=False),
    S("clip", V([0, 1, 2, 3, 9], "uint8"), a_min=1, a_max=2, grad=False),
    S("smooth_l1", A((3, 4), lo=-3, hi=3), scalar=1.0),
    S("smooth_l1", A((3, 4), lo=-3, hi=3), scalar=2.0),
    S("smooth_l1", V([-1.0, -0.25, 0.0, 0.25, 1.0]), scalar=2),
    S("smooth_l1", A((5,), "float64", lo=-3, hi=3), scalar=0.5),
    S("smooth_l1", A((5,), "float16", lo=-3, hi=3)),
    S("smooth_l1", V([0, 1, 2, 3, 200], "int32"), scalar=1.5, grad=False),
]
