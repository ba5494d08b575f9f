"""Rows of `mx.np`: functions of one or two arrays, element by element."""

from __future__ import annotations

from tests.cases import A, I, S, V

_ANY = [
    "exp",
    "expm1",
    "cbrt",
    "square",
    "sin",
    "cos",
    "tan",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "degrees",
    "radians",
]
_POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "reciprocal"]
_WITHIN = ["arcsin", "arccos", "arctanh"]
_STEPS = [
    "rint",
    "fix",
    "floor",
    "ceil",
    "trunc",
    "around",
    "sign",
    "abs",
    "absolute",
    "fabs",
    "negative",
]
_TESTS = ["logical_not", "isnan", "isinf", "isfinite", "isposinf", "isneginf"]
_ODD = [[1.0, float("nan"), float("inf")], [-float("inf"), 0.0, -0.0]]
_TWO = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "mod",
    "remainder",
    "power",
    "maximum",
    "minimum",
    "hypot",
]
_COMPARE = ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"]
_BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"]

ROWS = [
    *(S(f"np.{name}", (2, 3)) for name in _ANY + _WITHIN + _STEPS),
    *(S(f"np.{name}", A((2, 3), "float32", 0.2, 3)) for name in _POSITIVE),
    S("np.arccosh", A((2, 3), "float32", 1.2, 3)),
    *(S(f"np.{name}", A((3,), "float64", 0.2, 0.9)) for name in ("exp", "log", "sqrt", "tanh")),
    *(S(f"np.{name}", A((3,), "float16", 0.2, 0.9)) for name in ("exp", "log", "sqrt", "tanh")),
    *(S(f"np.{name}", I((2, 3), 1, 5)) for name in ("exp", "log", "sqrt", "square", "abs", "rint")),
    *(S(f"np.{name}", V(_ODD)) for name in _TESTS),
    *(S(f"np.{name}", ()) for name in ("exp", "abs", "logical_not", "floor", "around")),
    *(S(f"np.{name}", (0, 3)) for name in ("exp", "abs", "logical_not")),
    S("np.around", A((2, 3), "float32", -20, 20), decimals=1),
    S("np.around", A((2, 3), "float32", -200, 200), decimals=-1),
    S("np.around", V([0.5, 1.5, 2.5, -0.5, -1.5])),
    S("np.around", V([155, 145, -155], "int32"), decimals=-1),
    S("np.bitwise_not", I((3,), 0, 9)),
    S("np.invert", V([True, False], "bool")),
    S("np.bitwise_not", (3,), raises="MXNetError"),
    S("np.exp", V([True, False], "bool"), raises="MXNetError"),
    S("np.nan_to_num", V(_ODD), grad=False),
    S("np.nan_to_num", V(_ODD), nan=1, posinf=2, neginf=3, grad=False),
    S("np.clip", (2, 3), a_min=-0.5, a_max=0.5),
    S("np.clip", (2, 3), a_min=None, a_max=0.5),
    S("np.clip", I((2, 3), 0, 9), a_min=2, a_max=5),
    *(S(f"np.{name}", A((2, 3), lo=0.2, hi=3), A((2, 3), lo=0.3, hi=2)) for name in _TWO),
    *(S(f"np.{name}", A((2, 1), lo=0.2, hi=3), A((3,), lo=0.3, hi=2)) for name in _TWO),
    *(S(f"np.{name}", A((2, 3), lo=0.2, hi=3), x2=1.5) for name in _TWO),
    *(S(f"np.{name}", A((2, 3), lo=0.2, hi=3), A((), lo=0.3, hi=2)) for name in _TWO[:4]),
    *(S(f"np.{name}", (0, 3), (1, 3)) for name in _TWO[:4]),
    *(S(f"np.{name}", I((2, 3), 1, 9), I((3,), 1, 9), grad=False) for name in _TWO[:-1]),
    *(S(f"np.{name}", I((2, 3), 1, 9), x2=2.5, grad=False) for name in _TWO),
    S("np.hypot", I((2,), 1, 9), I((2,), 1, 9), raises="MXNetError"),
    *(
        S(f"np.{name}", a, b)
        for name in ("add", "multiply", "power")
        for a, b in (
            (I((2,), 1, 5), A((2,), lo=0.2, hi=2)),
            (A((2,), "float16", 0.2, 2), I((2,), 1, 5, "int64")),
            (A((2,), "float16", 0.2, 2), A((2,), "float64", 0.2, 2)),
            (I((2,), 1, 5, "int64"), I((2,), 1, 5, "int8")),
            (V([True, False], "bool"), I((2,), 1, 5)),
            (V([True, False], "bool"), (2,)),
        )
    ),
    S("np.divide", I((2,), 1, 5), A((2,), lo=0.2, hi=2)),
    S("np.divide", A((2,), "float16", 0.2, 2), A((2,), "float64", 0.2, 2), raises="MXNetError"),
    S("np.divide", I((2,), 1, 5, "int64"), I((2,), 1, 5, "int8"), raises="MXNetError"),
    *(S(f"np.{n}", V([True, False], "bool"), V([True, True], "bool")) for n in ("add", "multiply")),
    S("np.divide", V([True, False], "bool"), V([True, True], "bool"), grad=False),
    S("np.subtract", V([True, False], "bool"), V([True, True], "bool"), raises="MXNetError"),
    *(S(f"np.{name}", V([True, False], "bool"), x2=1.5, grad=False) for name in _TWO[:6]),
    S("np.add", I((2,), 1, 5, "int8"), I((2,), 1, 5, "uint8"), raises="MXNetError"),
    S("np.mod", I((2,), 1, 5), I((2,), 1, 5, "int64"), raises="MXNetError"),
    S("np.add", (2, 3), (2,), raises="MXNetError"),
    *(S(f"np.{name}", V([[1, 2], [3, 3]]), V([[2, 2], [3, 1]])) for name in _COMPARE),
    *(S(f"np.{name}", V([[1, 2], [3, 3]]), V([2.0])) for name in _COMPARE),
    *(S(f"np.{name}", V([[1, 2], [3, 3]]), x2=2) for name in _COMPARE),
    *(S(f"np.{name}", V([1, 2, 3], "int32"), x2=2.5) for name in _COMPARE),
    S("np.equal", I((2,), 1, 5), I((2,), 1, 5, "int64"), raises="MXNetError"),
    *(S(f"np.{name}", I((2, 3), 1, 20), I((3,), 1, 20)) for name in _BITS),
    *(S(f"np.{name}", I((2, 3), 1, 20), x2=6) for name in _BITS),
    S("np.bitwise_and", (2,), (2,), raises="MXNetError"),
    *(
        S(f"np.{name}", *inputs)
        for name in ("arctan2", "copysign", "ldexp")
        for inputs in (((2, 3), (2, 3)), ((2, 1), (3,)), ((), (2,)))
    ),
    *(S(f"np.{name}", (2, 3), x2=-2) for name in ("arctan2", "ldexp")),
    S("np.copysign", (2, 3), x2=-2, grad=False),
    S("np.maximum", V([1, 2, 2]), V([2, 2, 1])),
    S("np.minimum", V([1, 2, 2]), V([2, 2, 1])),
]
