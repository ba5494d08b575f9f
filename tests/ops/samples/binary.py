"""Arithmetic, comparisons and logic of two arrays, and of an array with a number."""

from tests.cases import A, I, S, V

ARITHMETIC = ("add", "sub", "mul", "div", "mod", "hypot", "maximum", "minimum")
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")
SCALAR_ARITHMETIC = (
    "_plus_scalar",
    "_minus_scalar",
    "_rminus_scalar",
    "_mul_scalar",
    "_div_scalar",
    "_rdiv_scalar",
    "_mod_scalar",
    "_rmod_scalar",
    "_power_scalar",
    "_maximum_scalar",
    "_minimum_scalar",
    "_hypot_scalar",
)
SCALAR_LOGIC = tuple(f"_{name}_scalar" for name in (*COMPARISONS, *LOGIC))
NAN = float("nan")
INF = float("inf")
# Pairs with ties, zeros on either side, both signs.
LEFT = V([[7, -7, 0, 3, -3, 2], [1, 0, -5, 2.5, -2.5, 0]])
RIGHT = V([[2, 2, 3, 3, -3, 0], [-2, 0, 3, -1.5, 2, -4]])
WHOLE_LEFT = V([[7, -7, 0, 3, -3, 2]], "int32")
WHOLE_RIGHT = V([[2, 2, 3, 3, -3, -5]], "int32")
POSITIVE = A((2, 3), lo=0.2, hi=3)

ROWS = [
    *(S(f"broadcast_{name}", (2, 3), (1, 3)) for name in ARITHMETIC),
    *(S(f"broadcast_{name}", LEFT, RIGHT) for name in ARITHMETIC),
    *(S(f"broadcast_{name}", WHOLE_LEFT, WHOLE_RIGHT) for name in ARITHMETIC),
    *(S(f"broadcast_{name}", A((2, 1), "float64"), A((1, 3), "float64")) for name in ARITHMETIC),
    *(S(f"broadcast_{name}", A((2, 3), "float16"), A((2, 3), "float16")) for name in ARITHMETIC),
    *(S(f"broadcast_{name}", LEFT, RIGHT) for name in (*COMPARISONS, *LOGIC)),
    *(S(f"broadcast_{name}", (2, 1), (1, 3)) for name in (*COMPARISONS, *LOGIC)),
    *(S(f"broadcast_{name}", WHOLE_LEFT, WHOLE_RIGHT) for name in (*COMPARISONS, *LOGIC)),
    S("broadcast_power", POSITIVE, (1, 3)),
    S("broadcast_power", A((2, 1), "float64", 0.1, 2), A((1, 3), "float64")),
    S("broadcast_power", V([0, 0, 0, -2, -2, 1]), V([2, 0, -1, 2, -3, NAN])),
    S("broadcast_power", V([2, 3, -2, 0, 2], "int32"), V([3, 0, 3, 2, -1], "int32")),
    S("broadcast_add", (2, 3), (3,)),
    S("broadcast_add", (2, 3, 1), (1, 1, 4)),
    S("broadcast_mul", (2, 3), (2, 4), raises="MXNetError"),
    S("broadcast_add", (2, 3), A((2, 3), "float64"), raises="MXNetError"),
    S("broadcast_mul", I((2, 3), 0, 200, "uint8"), I((2, 3), 0, 200, "uint8")),
    S("broadcast_sub", I((2, 3), 0, 100, "uint8"), I((2, 3), 100, 200, "uint8")),
    S("broadcast_div", I((2, 3), 0, 100, "int64"), I((2, 3), 1, 9, "int64")),
    S("broadcast_maximum", V([1, NAN, 2, INF]), V([NAN, 1, 2, 3])),
    S("broadcast_minimum", V([1, NAN, 2, INF]), V([NAN, 1, 2, 3])),
    S("broadcast_hypot", V([0, 3]), V([0, 4])),
    S("broadcast_hypot", V([1e30, 1e-30, INF]), V([1e30, 1e-30, NAN])),
    S("broadcast_plus", (2, 3), (1, 1)),
    S("broadcast_minus", (2, 3), (1, 1)),
    *(S(f"elemwise_{name}", (2, 3), (2, 3)) for name in ("add", "sub", "mul", "div")),
    *(S(f"elemwise_{name}", LEFT, RIGHT) for name in ("add", "sub", "mul", "div")),
    *(S(f"elemwise_{name}", WHOLE_LEFT, WHOLE_RIGHT) for name in ("add", "sub", "mul", "div")),
    S("elemwise_add", (2, 3), (1, 3), raises="MXNetError"),
    S("elemwise_mul", A((2, 3), "float16"), A((2, 3), "float16")),
    *(S(f"_internal._{n}", LEFT, RIGHT) for n in ("mod", "maximum", "minimum", "hypot")),
    *(S(f"_internal._{n}", LEFT, RIGHT) for n in (*COMPARISONS, *LOGIC)),
    S("_internal._power", POSITIVE, (2, 3)),
    S("_internal._grad_add", (2, 3), (2, 3), grad=False),
    S("_internal._scatter_elemwise_div", (2, 3), A((2, 3), lo=1, hi=2)),
    S("_internal._scatter_plus_scalar", (2, 3), scalar=2.0),
    S("_internal._scatter_minus_scalar", (2, 3), scalar=2.0),
    *(S(f"_internal.{name}", POSITIVE, scalar=1.5) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", LEFT, scalar=2.0) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", LEFT, scalar=0.0) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", LEFT, scalar=-3.0) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", WHOLE_RIGHT, scalar=2.0) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", WHOLE_RIGHT, scalar=2.5) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", A((2, 3), "float16"), scalar=0.3) for name in SCALAR_ARITHMETIC),
    *(S(f"_internal.{name}", LEFT, scalar=2.0) for name in SCALAR_LOGIC),
    *(S(f"_internal.{name}", LEFT, scalar=0.0) for name in SCALAR_LOGIC),
    *(S(f"_internal.{name}", WHOLE_LEFT, scalar=3.0) for name in SCALAR_LOGIC),
    *(S(f"_internal.{name}", WHOLE_LEFT, scalar=2.5) for name in SCALAR_LOGIC),
    *(S(f"_internal.{name}", WHOLE_LEFT, scalar=0.5) for name in SCALAR_LOGIC),
    S("_internal._power_scalar", V([-2, 0, 2, 4]), scalar=0.5),
    S("_internal._power_scalar", V([-2, 0, 2, 4]), scalar=-1.0),
    S("_internal._power_scalar", V([2, 4, -1], "int32"), scalar=-1.0),
    S("_internal._rpower_scalar", (2, 3), scalar=2.0),
    S("_internal._rpower_scalar", (2, 3), scalar=0.0, grad=False),
    S("_internal._rpower_scalar", V([3, 0, 2], "int32"), scalar=2.0),
    S("_internal._plus_scalar", A((2, 3), "float64"), scalar=0.1),
    S("_internal._mul_scalar", I((2, 3), 0, 200, "uint8"), scalar=3.0),
    S("_internal._plus_scalar", I((2, 3), 0, 9, "int64"), scalar=1e12),
    S("add_n", (2, 3), (2, 3), (2, 3)),
    S("add_n", (2, 3)),
    S("add_n", I((2, 3), 0, 9), I((2, 3), 0, 9)),
    S("ElementWiseSum", (2, 1), (2, 1)),
    S("add_n", (2, 3), (1, 3), raises="MXNetError"),
]
