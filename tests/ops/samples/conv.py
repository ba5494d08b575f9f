"""Convolutions and their transposes."""

from tests.cases import A, I, S

SQUARE = (2, 3, 7, 6)


def conv(data, weight, *bias, **attrs):
    attrs.setdefault("kernel", weight[2:])
    attrs.setdefault("num_filter", weight[0])
    if not bias:
        attrs["no_bias"] = True
    return S("Convolution", data, weight, *bias, **attrs)


def deconv(data, weight, *bias, **attrs):
    attrs.setdefault("kernel", weight[2:])
    attrs.setdefault("num_filter", weight[1] * attrs.get("num_group", 1))
    if bias:
        attrs["no_bias"] = False
    return S("Deconvolution", data, weight, *bias, **attrs)


def double(*shapes):
    return [A(shape, "float64") for shape in shapes]


# MXNet's oneDNN fails on target_shape: these come from its plain kernel
TARGET = {"stride": (2, 2), "env": {"MXNET_MKLDNN_ENABLED": "0"}}

ROWS = [
    conv(SQUARE, (4, 3, 3, 3)),
    conv(SQUARE, (4, 3, 3, 3), (4,)),
    conv(SQUARE, (4, 3, 3, 2), (4,), stride=(2, 1), pad=(1, 0)),
    conv(SQUARE, (4, 3, 2, 2), (4,), dilate=(2, 3)),
    conv(SQUARE, (4, 3, 1, 1), (4,), layout="NCHW"),
    conv(SQUARE, (4, 3, 3, 3), (4,), stride=(2, 2), pad=(1, 1), dilate=(2, 2)),
    conv((2, 4, 5, 5), (6, 2, 3, 3), (6,), num_group=2, pad=(1, 1)),
    conv((2, 4, 5, 5), (4, 1, 3, 3), (4,), num_group=4),
    conv((2, 4, 5, 5), (8, 1, 3, 3), num_group=4, stride=(2, 2)),
    conv((1, 1, 1, 1), (1, 1, 1, 1), (1,)),
    conv((1, 3, 3, 3), (2, 3, 3, 3), (2,)),
    conv((2, 3, 9), (4, 3, 3), (4,)),
    conv((2, 3, 9), (4, 3, 3), stride=(2,), pad=(2,), dilate=(2,), layout="NCW"),
    conv((2, 4, 9), (4, 2, 2), (4,), num_group=2),
    conv((2, 3, 4, 5, 6), (4, 3, 2, 3, 2), (4,)),
    conv((2, 2, 4, 5, 6), (4, 1, 2, 2, 2), num_group=2, stride=(1, 2, 2), pad=(1, 0, 1)),
    conv((2, 8, 20, 20), (16, 8, 5, 5), (16,), pad=(2, 2)),
    S("Convolution", *double(SQUARE, (4, 3, 3, 3), (4,)), kernel=(3, 3), num_filter=4, pad=(1, 1)),
    S("Convolution", *double((2, 3, 9), (4, 3, 3), (4,)), kernel=(3,), num_filter=4),
    S(
        "Convolution",
        I(SQUARE, 0, 3),
        I((4, 3, 3, 3), 0, 3),
        kernel=(3, 3),
        num_filter=4,
        no_bias=True,
        grad=False,
        raises="MXNetError",
    ),
    conv(SQUARE, (4, 2, 3, 3), raises="MXNetError"),
    S("Convolution", SQUARE, (4, 3, 3, 3), (3,), kernel=(3, 3), num_filter=4, raises="MXNetError"),
    S(
        "Deconvolution",
        SQUARE,
        (3, 4, 3, 3),
        (3,),
        kernel=(3, 3),
        num_filter=4,
        no_bias=False,
        raises="MXNetError",
    ),
    conv(SQUARE, (4, 3, 9, 9), raises="MXNetError"),
    conv(SQUARE, (4, 3, 3, 3), stride=(2,), raises="MXNetError"),
    conv(SQUARE, (4, 3, 3, 3), pad=1, raises="MXNetError"),
    conv(SQUARE, (4, 3, 3), raises="MXNetError"),
    conv((2, 3, 9), (4, 3, 3, 3), raises="MXNetError"),
    conv(SQUARE, (4, 1, 3, 3), num_group=2, raises="MXNetError"),
    conv(SQUARE, (4, 3, 3, 3), layout="CHWN", raises="MXNetError"),
    deconv(SQUARE, (3, 4, 3, 3)),
    deconv(SQUARE, (3, 4, 3, 3), (4,)),
    deconv(SQUARE, (3, 4, 3, 2), (4,), stride=(2, 1), pad=(1, 0)),
    deconv(SQUARE, (3, 4, 3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1)),
    deconv(SQUARE, (3, 4, 4, 4), stride=(3, 2), pad=(1, 1), adj=(2, 0)),
    deconv(SQUARE, (3, 4, 2, 2), dilate=(2, 3)),
    deconv((2, 4, 5, 5), (4, 3, 3, 3), (6,), num_group=2),
    deconv((2, 4, 5, 5), (4, 1, 4, 4), num_group=4, stride=(2, 2), pad=(1, 1)),
    deconv((1, 1, 1, 1), (1, 1, 1, 1)),
    deconv((2, 3, 5), (3, 4, 3), (4,), stride=(2,)),
    deconv((2, 3, 3, 4, 2), (3, 4, 2, 3, 2), stride=(1, 2, 1)),
    S("Deconvolution", *double(SQUARE, (3, 4, 3, 3)), kernel=(3, 3), num_filter=4, stride=(2, 2)),
    deconv(SQUARE, (3, 4, 3, 3), target_shape=(14, 12), **TARGET),
    deconv(SQUARE, (3, 4, 4, 4), target_shape=(13, 11), **TARGET),
    deconv(SQUARE, (3, 4, 4, 4), target_shape=(14, 12), pad=(3, 3), adj=(1, 1), **TARGET),
    deconv(SQUARE, (3, 4, 3, 3), stride=(2, 2), target_shape=(16, 14), raises="MXNetError"),
    deconv(SQUARE, (3, 4, 3, 3), stride=(2, 2), adj=(2, 2), raises="MXNetError"),
    deconv(SQUARE, (2, 4, 3, 3), raises="MXNetError"),
    S("im2col", (2, 3, 6, 5), kernel=(3, 2), stride=(2, 1), dilate=(1, 2), pad=(1, 0)),
    S("im2col", (2, 3, 7), kernel=(3,), raises="MXNetError"),
    S("im2col", (1, 2, 4, 3, 5), kernel=(2, 1, 3), raises="MXNetError"),
    S("im2col", (1, 3, 4, 4), kernel=(5, 5), raises="MXNetError"),
    S("im2col", (1, 3, 4), kernel=(2, 2), raises="MXNetError"),
]
