"""Normalisation over batches, layers, groups, channels."""

from tests.cases import A, I, S, V


def batch_norm(data, channels, dtype="float32", **attrs):
    """Positive variance; gamma away from one, so that `fix_gamma` shows."""
    return S(
        "BatchNorm",
        data,
        A((channels,), dtype, 1, 3),
        A((channels,), dtype),
        A((channels,), dtype),
        A((channels,), dtype, 1, 3),
        **attrs,
    )


def norm(op, data, channels, dtype="float32", **attrs):
    return S(op, data, A((channels,), dtype, 1, 3), A((channels,), dtype), **attrs)


FREE = {"fix_gamma": False}
IMAGE = (4, 3, 5, 2)

ROWS = [
    S("LayerNorm", (2, 6), (6,), (6,), output_mean_var=True),
    S("LayerNorm", (2, 3, 4), (3,), (3,), axis=1, output_mean_var=True),
    S("GroupNorm", (2, 4, 3), (2,), (2,), num_groups=2, output_mean_var=True),
    S("BatchNorm", (2, 4, 3), (4,), (4,), (4,), A((4,), "float32", 0.5, 1), output_mean_var=True),
    batch_norm(IMAGE, 3),
    batch_norm(IMAGE, 3, **FREE),
    batch_norm(IMAGE, 3, train=False),
    batch_norm(IMAGE, 3, grad=False, train=False, id="BatchNorm(not recorded, predict)", **FREE),
    batch_norm(IMAGE, 3, grad=False, id="BatchNorm(not recorded)", **FREE),
    batch_norm(IMAGE, 3, train=False, **FREE),
    batch_norm(IMAGE, 3, use_global_stats=True, **FREE),
    batch_norm(IMAGE, 3, use_global_stats=True),
    batch_norm(IMAGE, 3, use_global_stats=True, train=False, **FREE),
    batch_norm(IMAGE, 3, output_mean_var=True, grad=False, **FREE),
    batch_norm(IMAGE, 3, output_mean_var=True, grad=False, train=False, **FREE),
    batch_norm(IMAGE, 3, output_mean_var=True, grad=False, use_global_stats=True, **FREE),
    batch_norm(IMAGE, 3, eps=1e-5, momentum=0.5, **FREE),
    batch_norm(IMAGE, 3, eps=2e-5, momentum=0.0, **FREE),
    batch_norm(IMAGE, 3, eps=0.1, momentum=1.0, **FREE),
    batch_norm((4, 5, 2, 3), 3, axis=-1, **FREE),
    batch_norm((4, 5, 2, 3), 3, axis=3, train=False, **FREE),
    batch_norm((4, 5, 3), 4, axis=0, **FREE),
    batch_norm((6, 3), 3, **FREE),
    batch_norm((6, 3, 4), 3, **FREE),
    batch_norm((2, 3, 2, 3, 2), 3, **FREE),
    batch_norm((1, 3), 3, **FREE),
    batch_norm((1, 3, 1, 1), 3, **FREE),
    batch_norm(V([[[1.0, 1.0]], [[1.0, 1.0]]]), 1, **FREE),
    batch_norm(A(IMAGE, "float64"), 3, "float64", **FREE),
    batch_norm(A(IMAGE, "float16"), 3, tol=2e-3, why="the data is float16", **FREE),
    batch_norm(A(IMAGE, lo=99, hi=101), 3, tol=1e-4, why="the mean is large", **FREE),
    batch_norm(A(IMAGE, "float64"), 3, raises="MXNetError"),
    batch_norm(A(IMAGE, "float16"), 3, "float16", raises="MXNetError"),
    batch_norm(I(IMAGE, 0, 5), 3, grad=False, raises="MXNetError"),
    batch_norm(IMAGE, 3, axis=5, raises="MXNetError"),
    norm("LayerNorm", (2, 3, 4), 4),
    norm("LayerNorm", (2, 3, 4), 3, axis=1),
    norm("LayerNorm", (2, 3, 4), 2, axis=0, eps=1e-2),
    norm("LayerNorm", (2, 3, 4), 3, axis=-2),
    norm("LayerNorm", (5,), 5),
    norm("LayerNorm", (3, 1), 1, grad=False),
    norm("LayerNorm", (30, 70), 70, eps=1e-12),
    norm("LayerNorm", (2, 3, 4), 4, output_mean_var=True, grad=False),
    norm("LayerNorm", (2, 3, 4), 3, axis=1, output_mean_var=True, grad=False),
    norm("LayerNorm", A((2, 3, 4), "float64"), 4, "float64"),
    norm("LayerNorm", A((2, 3, 4), "float16"), 4, "float16"),
    norm("LayerNorm", (2, 3, 4), 4, axis=3, raises="MXNetError"),
    norm("LayerNorm", (2, 3, 4), 3, raises="MXNetError"),
    norm("GroupNorm", (2, 6, 4), 3, num_groups=3),
    norm("GroupNorm", (2, 6, 3, 4), 2, num_groups=2, eps=1e-2),
    norm("GroupNorm", (2, 6, 4), 1),
    norm("GroupNorm", (2, 6, 5), 6, num_groups=6),
    norm("GroupNorm", (2, 4, 4), 2, num_groups=2, output_mean_var=True, grad=False),
    norm("GroupNorm", A((2, 6, 4), "float64"), 3, "float64", num_groups=3),
    norm("GroupNorm", (2, 5, 4), 2, num_groups=2, raises="MXNetError"),
    norm("GroupNorm", (2, 6, 4), 6, num_groups=3, raises="MXNetError"),
    norm("GroupNorm", (2, 6), 3, num_groups=3, raises="MXNetError"),
    norm("InstanceNorm", (2, 3, 4), 3),
    norm("InstanceNorm", (2, 3, 4, 5), 3, eps=1e-5),
    norm("InstanceNorm", (2, 3, 2), 3),
    norm("InstanceNorm", (2, 3), 3, raises="MXNetError"),
    norm("InstanceNorm", (2, 3, 4), 4, raises="MXNetError"),
    *(
        S("L2Normalization", (2, 3, 4, 5), mode=mode, **attrs)
        for mode in ("instance", "channel", "spatial")
        for attrs in ({}, {"eps": 0.1})
    ),
    S("L2Normalization", (3, 4)),
    S("L2Normalization", (2, 3, 4), mode="channel"),
    S("L2Normalization", (2, 3, 4), mode="spatial"),
    S("L2Normalization", V([[0.0, 0.0], [3.0, 4.0]])),
    S("L2Normalization", A((2, 3), "float64")),
    S("L2Normalization", (3, 4), mode="channel", raises="MXNetError"),
    S("L2Normalization", (3, 4), mode="spatial", raises="MXNetError"),
    S("LRN", (2, 6, 3, 4), nsize=3),
    S("LRN", (2, 6, 3, 4), nsize=5, alpha=0.5, beta=0.5, knorm=1.0),
    S("LRN", (2, 3, 2, 2), nsize=7, alpha=0.1),
    S("LRN", (2, 3, 2, 2), nsize=1, alpha=0.1),
    S("LRN", (2, 6, 3, 4), nsize=2, alpha=0.5),
    S("LRN", (2, 6, 3), nsize=3, raises="MXNetError"),
]
