"""Operators of single papers, and names kept for old programs."""

from tests.cases import A, S, V

KEY = {"key": "bn"}


def statistics(op, data, channels, dtype="float32", **attrs):
    parameters = [A((channels,), dtype, *limits) for limits in ((1, 3), (-1, 1), (-1, 1), (1, 3))]
    return S(op, data, *parameters, **attrs)


ROWS = [
    S("contrib.round_ste", A((3, 4), lo=-4, hi=4)),
    S("contrib.round_ste", V([-2.5, -0.5, 0.0, 0.5, 1.5, 2.5])),
    S("contrib.round_ste", A((3,), "float64", -4, 4)),
    S("contrib.sign_ste", A((3, 4), lo=-4, hi=4)),
    S("contrib.sign_ste", V([-2.5, 0.0, float("inf")])),
    S("contrib.sign_ste", A((3,), "float16", -4, 4)),
    S("col2im", (2, 12, 12), output_size=(4, 5), kernel=(2, 2)),
    S("col2im", (1, 6, 9), output_size=(5, 6), kernel=(3, 2), stride=(2, 2), pad=(1, 0)),
    S("col2im", A((1, 8, 4), "float64"), output_size=(4, 4), kernel=(2, 2), dilate=(2, 2)),
    S("col2im", (1, 8, 5), output_size=(4, 4), kernel=(2, 2), raises="MXNetError"),
    statistics("contrib.SyncBatchNorm", (4, 3, 5, 2), 3, **KEY),
    statistics("contrib.SyncBatchNorm", (4, 3, 5, 2), 3, fix_gamma=False, momentum=0.5, **KEY),
    statistics("contrib.SyncBatchNorm", (6, 3), 3, fix_gamma=False, eps=0.1, **KEY),
    statistics(
        "contrib.SyncBatchNorm", (4, 3, 5), 3, fix_gamma=False, train=False, grad=False, **KEY
    ),
    statistics("contrib.SyncBatchNorm", (4, 3, 5), 3, output_mean_var=True, grad=False, **KEY),
    S("Convolution_v1", (2, 4, 6, 5), (3, 4, 3, 2), (3,), kernel=(3, 2), num_filter=3),
    S(
        "Convolution_v1",
        (2, 4, 6, 5),
        (4, 2, 3, 3),
        None,
        kernel=(3, 3),
        num_filter=4,
        num_group=2,
        stride=(2, 1),
        pad=(1, 1),
        no_bias=True,
    ),
    S(
        "Convolution_v1",
        A((2, 4, 6, 5), "float64"),
        A((3, 4, 1, 1), "float64"),
        A((3,), "float64"),
        kernel=(1, 1),
        num_filter=3,
    ),
    S("Pooling_v1", (2, 3, 5, 6), kernel=(2, 2), stride=(2, 2)),
    S("Pooling_v1", (2, 3, 5, 6), kernel=(3, 2), pool_type="avg", pad=(1, 1), stride=(2, 2)),
    S(
        "Pooling_v1",
        (2, 3, 5, 6),
        kernel=(2, 2),
        stride=(2, 2),
        pooling_convention="full",
        pool_type="avg",
    ),
    S("Pooling_v1", (2, 3, 5, 6), kernel=(2, 2), pool_type="sum", pooling_convention="full"),
    S("Pooling_v1", (2, 3, 5, 6), kernel=(2, 2), pool_type="avg", global_pool=True),
    S("Pooling_v1", A((1, 2, 3, 3), "float64"), kernel=(2, 2)),
    S("contrib.SparseEmbedding", V([1, 0, 3]), (4, 3), input_dim=4, output_dim=3, grad=False),
    S(
        "contrib.SparseEmbedding",
        V([[1, 0], [9, -1]]),
        A((4, 3), "float64"),
        input_dim=4,
        output_dim=3,
        grad=False,
    ),
    S("_internal._onehot_encode", V([1, 0, 2]), (3, 4), grad=False),
    S("_internal._onehot_encode", V([5, -1, 1.7]), (3, 4), grad=False),
    S("_internal._onehot_encode", V([1, 0]), (3, 4), grad=False, raises="MXNetError"),
    S("_internal._identity_with_attr_like_rhs", (2, 3), (2, 3)),
    S("_internal._identity_with_attr_like_rhs", A((2, 3), "float64"), A((2, 3), "float64")),
    S("_internal._identity_with_attr_like_rhs", (1, 1), (1, 1)),
    S("_internal._set_value", src=3.0, grad=False, raises="MXNetError"),
    S("amp_multicast", (2, 3), (4,), num_outputs=2),
    S("amp_multicast", (2, 3), (4,), num_outputs=3, raises="MXNetError"),
    S("multi_lars", *[A((4,), lo=0.1, hi=2)] * 4, eta=0.1, eps=0.01, grad=False),
    S(
        "multi_lars",
        A((3,), lo=0.1, hi=2),
        V([0, 1, 2]),
        V([1, 0, 2]),
        A((3,), lo=0.1, hi=2),
        eta=0.1,
        eps=1e-8,
        rescale_grad=0.5,
        grad=False,
    ),
    S("multi_lars", *[A((1,), lo=0.1, hi=2)] * 4, eta=0.1, eps=0.01, grad=False),
    S("reset_arrays", (3,), num_arrays=2, grad=False, raises="MXNetError"),
]
