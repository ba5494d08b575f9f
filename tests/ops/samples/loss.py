"""Output operators and losses."""

from tests.cases import A, I, S, V

LABELS = V([0.0, 2.0, 1.0, 2.0])
HOLES = V([0.0, 2.0, -1.0, -1.0])
GRID = V([[0.0, 2.0, 1.0], [1.0, -1.0, 0.0]])


def softmax(data, label, **attrs):
    return S("SoftmaxOutput", data, label, **attrs)


NORMS = ("null", "batch", "valid")

ROWS = [
    S("MakeLoss", (2, 3, 4), normalization="batch"),
    S("MakeLoss", (5,), normalization="batch"),
    S("softmax_cross_entropy", V([[100, 0], [1, 2]]), V([1, 0]), grad=False),
    softmax((4, 3), LABELS),
    softmax((4, 3), LABELS, train=False),
    softmax((4, 3), LABELS, grad_scale=2.5),
    softmax((4, 3), LABELS, out_grad=True),
    softmax((4, 3), LABELS, smooth_alpha=0.2),
    softmax((4, 3), LABELS, smooth_alpha=0.2, normalization="batch", grad_scale=3.0),
    softmax((4, 3), V([0.0, 5.0, -1.0, 1.7])),
    softmax((4, 3), (4, 3)),
    softmax((4, 3), (4, 3), normalization="batch", grad_scale=2.0),
    *(softmax((4, 3), LABELS, normalization=norm) for norm in NORMS),
    *(softmax((4, 3), HOLES, normalization=norm) for norm in NORMS),
    *(softmax((4, 3), HOLES, normalization=norm, use_ignore=True) for norm in NORMS),
    softmax((4, 3), LABELS, use_ignore=True, ignore_label=2),
    softmax((4, 3), LABELS, use_ignore=True, ignore_label=2, normalization="valid"),
    softmax((4, 3), HOLES, use_ignore=True, smooth_alpha=0.1),
    softmax((4, 3), V([-1.0] * 4), use_ignore=True, normalization="valid"),
    softmax((2, 3, 4), V([0.0, 2.0]), raises="MXNetError"),
    softmax((2, 3, 3), GRID, preserve_shape=True),
    softmax((2, 3, 3), GRID),
    *(softmax((2, 3, 3), GRID, preserve_shape=True, normalization=norm) for norm in NORMS[1:]),
    *(
        softmax((2, 3, 3), GRID, multi_output=True, normalization=norm, **attrs)
        for norm in NORMS
        for attrs in ({}, {"use_ignore": True}, {"grad_scale": 2.0, "smooth_alpha": 0.1})
    ),
    softmax((2, 3, 3), GRID, multi_output=True, out_grad=True),
    softmax((2, 3, 2, 2), I((2, 2, 2), 0, 3, "float32"), multi_output=True),
    softmax((2, 3, 2, 2), I((2, 4), 0, 3, "float32"), multi_output=True),
    softmax(A((4, 3), "float64"), V([0, 2, 1, 2], "float64")),
    softmax(A((4, 3), "float16"), V([0, 2, 1, 2], "float16")),
    softmax((4, 3), LABELS, normalization="mean", raises="MXNetError"),
    softmax((4, 3), V([0.0, 2.0, 1.0]), raises="MXNetError"),
    S("Softmax", (4, 3), LABELS),
    *(
        S(f"{name}RegressionOutput", *inputs, **attrs)
        for name in ("Linear", "MAE", "Logistic")
        for inputs, attrs in [
            (((4, 3), (4, 3)), {}),
            (((4, 3), (4, 3)), {"grad_scale": 2.0}),
            (((4, 1), (4,)), {}),
            (((4,), (4,)), {}),
            (((2, 3, 2), (2, 3, 2)), {"train": False}),
            ((V([[1.0, 2.0]]), V([[1.0, 3.0]])), {}),
            ((A((4, 3), "float64"), A((4, 3), "float64")), {}),
            (((4, 3), (4,)), {"raises": "MXNetError"}),
        ]
    ),
    S("SVMOutput", (4, 3), LABELS),
    S("SVMOutput", (4, 3), LABELS, use_linear=True),
    S("SVMOutput", (4, 3), LABELS, margin=0.3, regularization_coefficient=2.0),
    S("SVMOutput", (4, 3), LABELS, margin=0.3, regularization_coefficient=2.0, use_linear=True),
    S("SVMOutput", A((4, 3), "float64"), V([0, 2, 1, 2], "float64")),
    S("MakeLoss", (4, 3)),
    S("MakeLoss", (4, 3), grad_scale=2.5),
    S("MakeLoss", (4, 3), normalization="batch", grad_scale=2.0),
    S("MakeLoss", (4, 3), normalization="valid"),
    S("MakeLoss", (4, 3), normalization="valid", valid_thresh=0.3),
    S("MakeLoss", V([[-1.0, -2.0]]), normalization="valid"),
    S("MakeLoss", A((4, 3), "float64"), grad_scale=0.1),
    # MXNet refuses the gradient of a float label: the data's is p - onehot
    S("softmax_cross_entropy", (4, 3), LABELS, grad=False),
    S("softmax_cross_entropy", (1, 5), V([3.0]), grad=False),
    S("softmax_cross_entropy", A((4, 3), "float64"), V([0, 2, 1, 2], "float64"), grad=False),
    S("softmax_cross_entropy", (4, 3), V([0.0, 2.0, 1.0]), raises="MXNetError"),
    S("CTCLoss", (6, 2, 4), V([[1.0, 2.0, 0.0], [3.0, 3.0, 1.0]])),
    S("CTCLoss", (6, 2, 4), V([[0.0, 2.0, -1.0], [2.0, 2.0, 1.0]]), blank_label="last"),
    S("CTCLoss", (6, 2, 4), V([[1, 2, 0], [3, 3, 1]], "int32")),
    # MXNet's kernel is of float32 alone; ours takes float64 too, so that its slope can be measured
    S("ctc_loss", (1, 1, 3), V([[2.0]])),
    S("ctc_loss", (4, 2, 5), V([[1, 2], [3, 0]], "float64")),
    S("ctc_loss", (3, 1, 4), V([[0, 2]], "uint8"), blank_label="last"),
    S("CTCLoss", (2, 1, 4), V([[1.0, 1.0, 2.0]]), raises="MXNetError"),
    S("CTCLoss", (4, 1, 4), V([[1.0, 1.0, 1.0]]), grad=False),
    S(
        "CTCLoss",
        (6, 2, 4),
        V([[1.0, 2.0, 0.0], [3.0, 3.0, 1.0]]),
        V([4.0, 6.0]),
        use_data_lengths=True,
        blank_label="first",
    ),
    S(
        "CTCLoss",
        (6, 2, 4),
        V([[1.0, 2.0, 3.0], [3.0, 3.0, 1.0]]),
        None,
        V([2.0, 3.0]),
        use_label_lengths=True,
    ),
    S(
        "CTCLoss",
        (6, 2, 4),
        V([[0.0, 2.0, 1.0], [2.0, 2.0, 1.0]]),
        V([5.0, 6.0]),
        V([2.0, 1.0]),
        use_data_lengths=True,
        use_label_lengths=True,
        blank_label="last",
    ),
]
