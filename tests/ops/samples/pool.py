"""Pooling."""

from tests.cases import A, I, S, V

PLAIN = {"MXNET_MKLDNN_ENABLED": "0"}
TIES = V([[[[1.0] * 6] * 6]])
LEVELS = V([[[[i * j % 3 for i in range(7)] for j in range(6)]]])
IMAGE = (2, 3, 7, 6)


def pool(data, kernel, **attrs):
    return S("Pooling", data, kernel=kernel, **attrs)


def every_type(data, kernel, **attrs):
    return [
        pool(data, kernel, pool_type="max", **attrs),
        pool(data, kernel, pool_type="avg", **attrs),
        pool(data, kernel, pool_type="sum", **attrs),
        pool(data, kernel, pool_type="lp", p_value=2, **attrs),
    ]


ROWS = [
    *every_type(IMAGE, (2, 2)),
    *every_type(IMAGE, (2, 2), stride=(2, 2)),
    *every_type(IMAGE, (3, 2), stride=(2, 1), pad=(1, 1)),
    # in predict mode oneDNN keeps no record of where the maxima were, and gradients are wrong
    *every_type((2, 3, 6, 6), (3, 3), stride=(3, 3), train=False, env=PLAIN),
    *every_type((2, 3, 9), (3,), stride=(2,)),
    *every_type((2, 2, 4, 5, 6), (2, 3, 2), stride=(1, 2, 2), pad=(1, 1, 0)),
    # MXNet's oneDNN divides the gradient of a mean by another number than forward does
    *every_type(IMAGE, (3, 3), stride=(2, 2), pooling_convention="full", env=PLAIN),
    *every_type((2, 3, 8), (3,), stride=(2,), pooling_convention="full", env=PLAIN),
    *every_type(
        (1, 2, 5, 5), (2, 2), stride=(2, 2), pad=(1, 1), pooling_convention="full", env=PLAIN
    ),
    pool(IMAGE, (3, 3), pool_type="avg", pad=(1, 1), count_include_pad=False),
    pool(IMAGE, (3, 3), pool_type="avg", pad=(1, 1), count_include_pad=True),
    pool((2, 3, 8), (3,), pool_type="avg", pad=(1,), stride=(2,), count_include_pad=False),
    pool(
        (1, 2, 5, 5),
        (2, 2),
        pool_type="avg",
        stride=(2, 2),
        pad=(1, 1),
        pooling_convention="full",
        count_include_pad=False,
        env=PLAIN,
    ),
    pool(TIES, (2, 2), stride=(2, 2)),
    pool(TIES, (3, 3)),
    pool(TIES, (3, 3), stride=(2, 2), pad=(1, 1)),
    pool(LEVELS, (2, 2), stride=(2, 2)),
    pool(LEVELS, (3, 3), stride=(3, 3)),
    pool(LEVELS, (3, 2), stride=(1, 2)),
    pool(V([[[1.0, 1.0, 1.0, 0.0]]]), (2,)),
    pool(V([[[[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]]]), (2, 2, 2)),
    pool(IMAGE, (3, 3), pool_type="lp", p_value=1),
    pool(A(IMAGE, lo=0.1), (3, 3), pool_type="lp", p_value=3),
    pool(V([[[[0.0, 0.0], [0.0, 0.0]]]]), (2, 2), pool_type="lp", p_value=2),
    *(
        S("Pooling", IMAGE, global_pool=True, pool_type=kind, **attrs)
        for kind, attrs in [
            ("max", {}),
            ("avg", {}),
            ("sum", {}),
            ("lp", {"p_value": 2}),
            ("avg", {"kernel": (2, 2), "stride": (2, 2), "pad": (1, 1)}),
        ]
    ),
    S("Pooling", TIES, global_pool=True),
    S("Pooling", LEVELS, global_pool=True),
    S("Pooling", (2, 3, 5), global_pool=True, pool_type="avg"),
    S("Pooling", (2, 3, 2, 3, 4), global_pool=True, pool_type="max"),
    pool((2, 6, 5, 3), (3, 2), pool_type="max", stride=(2, 2), layout="NHWC"),
    pool((2, 6, 3), (3,), pool_type="avg", layout="NWC"),
    S("Pooling", (2, 6, 5, 3), global_pool=True, pool_type="avg", layout="NHWC"),
    pool(A(IMAGE, "float64"), (2, 2), stride=(2, 2)),
    pool(A(IMAGE, "float64"), (3, 3), pool_type="avg", pad=(1, 1)),
    pool(A(IMAGE, "float16"), (2, 2), stride=(2, 2)),
    pool((1, 1, 1, 1), (1, 1)),
    pool(IMAGE, (8, 2), raises="MXNetError"),
    pool(IMAGE, (2,), raises="MXNetError"),
    pool(IMAGE, 2, raises="MXNetError"),
    pool(IMAGE, (2, 2), stride=(2,), raises="MXNetError"),
    pool(IMAGE, (2, 2), layout="NCW", raises="MXNetError"),
    pool(IMAGE, (2, 2), pool_type="lp", raises="MXNetError"),
    pool(IMAGE, (2, 2), pool_type="lp", p_value=4, raises="MXNetError"),
    pool(IMAGE, (2, 2), pool_type="median", raises="MXNetError"),
    pool((2, 3, 5), (2,), pooling_convention="same", raises="MXNetError"),
    pool(I(IMAGE, 0, 5), (2, 2), grad=False, raises="MXNetError"),
    S("Pooling", IMAGE, raises="MXNetError"),
    *(
        S("contrib.AdaptiveAvgPooling2D", (2, 3, 5, 6), **attrs)
        for attrs in [{}, {"output_size": 2}, {"output_size": (2, 3)}, {"output_size": (7, 1)}]
    ),
    S("contrib.AdaptiveAvgPooling2D", A((2, 3, 5, 6), "float64"), output_size=(3,)),
    S("contrib.AdaptiveAvgPooling2D", (3, 5, 6), output_size=2, raises="MXNetError"),
]
