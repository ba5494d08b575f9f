"""Further rows for operators that have few: other shapes, dtypes, ties, edges."""

from tests.cases import A, I, S, V

NAN, INF = float("nan"), float("inf")
LEFT = V([[7, -7, 0, 3, -3, NAN], [1, 0, -5, 2.5, INF, 0]])
RIGHT = V([[7, 2, 0, -3, -3, 0], [-2, INF, 3, 2.5, 2, -4]])
WHOLE = (V([[7, -7, 0, 3, -3, 2]], "int32"), V([[2, -7, 3, 3, -3, -5]], "int32"))
WIDE = (A((1, 3), "float64", 0.2, 2), A((1, 3), "float64", 0.2, 2))
HALF = (A((4,), "float16", 0.2, 2), A((4,), "float16", 0.2, 2))
SAME_SHAPE = ("_power", "_hypot", "_mod", "_maximum", "_minimum")
TRUTHS = (
    "_equal",
    "_not_equal",
    "_greater",
    "_greater_equal",
    "_lesser",
    "_lesser_equal",
    "_logical_and",
    "_logical_or",
    "_logical_xor",
)


def steps(op, *states, **attrs):
    """An update of one element and of several axes."""
    return [
        S(op, *(A(shape, t, lo, hi) for t, lo, hi in states), grad=False, **attrs)
        for shape in ((1,), (2, 1, 3))
    ]


def plain(*limits):
    return [("float64", lo, hi) for lo, hi in limits]


def mixed(*limits):
    """A float16 weight and gradient with float32 states."""
    (w, g), *rest = limits[:2], *limits[2:]
    return [("float16", *w), ("float16", *g), *(("float32", lo, hi) for lo, hi in rest)]


ANY, POS = (-1, 1), (0.2, 1)
RATES = {"lr": 0.1, "wd": 0.05}

ROWS = [
    *(S(f"_internal.{op}", *WIDE) for op in SAME_SHAPE),
    *(S(f"_internal.{op}", *HALF) for op in SAME_SHAPE),
    *(S(f"_internal.{op}", *WHOLE) for op in SAME_SHAPE if op != "_power"),
    *(S(f"_internal.{op}", LEFT, RIGHT) for op in TRUTHS),
    *(S(f"_internal.{op}", *WHOLE) for op in TRUTHS),
    S("_internal._grad_add", *WIDE, grad=False),
    S("_internal._grad_add", *WHOLE, grad=False),
    S("_internal._rnn_param_concat", A((4, 2), "float64"), A((4, 3), "float64"), dim=1),
    S("_internal._rnn_param_concat", (1,), (1,), (2,), dim=0),
    S("_internal._scatter_elemwise_div", *WIDE),
    S("_internal._scatter_elemwise_div", LEFT, RIGHT, grad=False),
    S("_internal._scatter_plus_scalar", A((1, 3), "float64"), scalar=-2.5),
    S("_internal._scatter_plus_scalar", WHOLE[0], scalar=2.0),
    S("_internal._scatter_minus_scalar", A((1, 3), "float64"), scalar=-2.5),
    S("_internal._scatter_minus_scalar", WHOLE[0], scalar=2.0),
    S("multi_all_finite", A((2, 3), "float64"), A((1,), "float64"), num_arrays=2, grad=False),
    S("multi_all_finite", (2, 3), V([1, INF]), (2,), num_arrays=3, grad=False),
    S("multi_sum_sq", A((4,), "float16"), A((1, 1), "float16"), num_arrays=2, grad=False),
    S("all_finite", A((2, 1), "float64"), grad=False),
    S("all_finite", V([NAN, 1]), grad=False),
    S("contrib.interleaved_matmul_selfatt_valatt", (1, 1, 6), (2, 1, 1), heads=2),
    S("contrib.interleaved_matmul_encdec_qk", (1, 1, 4), (1, 1, 8), heads=1),
    S("contrib.interleaved_matmul_encdec_valatt", (1, 2, 8), (4, 3, 1), heads=2),
    S("_internal._histogram", I((3, 4), 0, 6, "float64"), bin_cnt=2, range=(1, 5), grad=False),
    S("linalg.inverse", V([[2.0]])),
    S("linalg.inverse", A((2, 3, 3), "float64", 0.5, 3), tol=1e-8, why="ill-conditioned"),
    S("image.flip_left_right", I((4, 6, 1), 0, 255, "uint8"), grad=False),
    S("image.flip_left_right", A((1, 2, 1), "float64")),
    S("image.flip_top_bottom", I((4, 6, 1), 0, 255, "uint8"), grad=False),
    S("image.flip_top_bottom", A((2, 1, 1), "float64")),
    S("image.random_flip_left_right", I((4, 6, 1), 0, 255, "uint8"), grad=False),
    S("image.random_flip_left_right", A((4, 4, 3)), grad=False),
    S("image.random_flip_top_bottom", I((4, 6, 1), 0, 255, "uint8"), grad=False),
    S("image.random_flip_top_bottom", A((4, 4, 3)), grad=False),
    S("image.random_lighting", I((1, 1, 3), 0, 255, "uint8"), alpha_std=0.2, grad=False),
    S("fill_element_0index", (1, 1), (1,), V([0]), grad=False),
    S(
        "contrib.box_encode",
        V([[0, 1]]),
        V([[1, 0]]),
        V([[[0, 0, 2, 2], [1, 1, 4, 3]]]),
        V([[[0, 0, 3, 2], [1, 1, 2, 3]]]),
        V([0, 0, 0, 0]),
        V([1, 1, 1, 1]),
        grad=False,
    ),
    S(
        "contrib.MultiProposal",
        A((2, 2, 3, 3), lo=0, hi=1),
        (2, 4, 3, 3),
        V([[48, 48, 1], [30, 48, 1]]),
        scales=(2.0,),
        ratios=(1.0,),
        feature_stride=16,
        rpn_post_nms_top_n=3,
        rpn_min_size=1,
    ),
    S("contrib.SparseEmbedding", V([[0], [2]]), (3, 1), input_dim=3, output_dim=1, grad=False),
    S(
        "amp_multicast",
        A((2,), "float16"),
        (2,),
        num_outputs=2,
        env={"MXNET_MKLDNN_ENABLED": "0"},
    ),
    S(
        "amp_multicast",
        A((2,), "float16"),
        (2,),
        num_outputs=2,
        cast_narrow=True,
        env={"MXNET_MKLDNN_ENABLED": "0"},
    ),
    S("_internal._set_value", src=1.0, grad=False, raises="MXNetError", id="_set_value(no out)"),
    *steps("sgd_update", *plain(ANY, ANY), **RATES),
    *steps("signsgd_update", *plain(ANY, ANY), **RATES),
    *steps("sgd_mom_update", *plain(ANY, ANY, ANY), momentum=0.5, **RATES),
    *steps("nag_mom_update", *plain(ANY, ANY, ANY), momentum=0.5, **RATES),
    *steps("signum_update", *plain(ANY, ANY, ANY), momentum=0.5, **RATES),
    *steps("adam_update", *plain(ANY, ANY, ANY, POS), **RATES),
    *steps("ftrl_update", *plain(ANY, ANY, ANY, POS), **RATES),
    *steps("ftml_update", *plain(ANY, ANY, POS, POS, ANY), t=2, **RATES),
    *steps("rmsprop_update", *plain(ANY, ANY, POS), **RATES),
    *steps("rmspropalex_update", *plain(ANY, ANY, (2, 3), ANY, ANY), **RATES),
    *steps("lamb_update_phase1", *plain(ANY, ANY, ANY, POS), t=1, wd=0.1),
    *steps("mp_sgd_update", *mixed(ANY, ANY, ANY), **RATES),
    *steps("mp_sgd_mom_update", *mixed(ANY, ANY, ANY, ANY), momentum=0.5, **RATES),
    *steps("mp_nag_mom_update", *mixed(ANY, ANY, ANY, ANY), momentum=0.5, **RATES),
    *steps("mp_lamb_update_phase1", *mixed(ANY, ANY, ANY, POS, ANY), t=1, wd=0.1),
    *[
        S(
            "mp_lamb_update_phase2",
            A((1, 3), "float16"),
            A((1, 3)),
            V([r1]),
            V([0.5]),
            A((1, 3)),
            grad=False,
            lr=0.1,
            lower_bound=1.0,
        )
        for r1 in (0.0, 0.7)
    ],
]
