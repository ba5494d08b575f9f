"""What variations of the other rows brought up (tools/differential.py)."""

from tests.cases import A, I, S, V

NAN, INF = float("nan"), float("inf")
WHOLE = V([0, 1, 2, 3, 100], "uint8")

ROWS = [
    # limits in the wrong order, outside the type, infinite; nan passes, and so does its gradient
    S("clip", V([-2.0, -1.0, 0.0, 0.5, 1.0, NAN]), a_min=0.5, a_max=-1.0),
    S("clip", V([-2.0, NAN, 0.5, INF], "float64"), a_min=-1.0, a_max=INF),
    S("clip", WHOLE, a_min=-1.0, a_max=2.5, grad=False),
    S("clip", WHOLE, a_min=1, a_max=0, grad=False),
    S("clip", V([0, 1, 2, 3, 100], "int32"), a_min=-INF, a_max=2.9, grad=False),
    S("clip", (2, 3), a_min=True, a_max=2, raises="MXNetError"),
    S("smooth_l1", V([-2.0, 0.0, 3.0]), scalar=0.0),
    S("smooth_l1", WHOLE, scalar=0.5, grad=False),
    S("smooth_l1", WHOLE, scalar=2.7, grad=False),
    S("topk", V([[1.0, 3.0, 2.0]]), ret_typ="mask"),
    S("repeat", (2, 3), repeats=0, axis=1, grad=False),
    S("contrib.div_sqrt_dim", V([[10, 7, 20, -9]], "int8"), grad=False),
    S("contrib.boolean_mask", (3, 2), V([1, 0]), raises="MXNetError"),
    S("contrib.box_iou", (4,), (4,), raises="MXNetError"),
    # whole numbers, labels below 0, no box to look at, values beyond the type
    S("moments", V([[1, 2, 7], [4, 5, 6]], "uint8"), axes=(0,), grad=False),
    S("moments", V([[1, 2, 7], [4, 5, 6]], "int32"), axes=(0, 1), keepdims=True, grad=False),
    S("contrib.round_ste", V([1, -2], "int32"), grad=False),
    S("SVMOutput", (2, 3), V([-1, 1])),
    S("SVMOutput", (2, 3), V([3, 1]), use_linear=True),
    S("contrib.box_nms", V([[[0, 0.9, 0, 0, 2, 2], [0, 0.8, 0, 0, 2, 2]]]), topk=0, id_index=0),
    S("_internal._full", shape=(2,), value=-1, dtype="uint8", grad=False),
    S("_internal._full", shape=(2,), value=300.7, dtype="int8", grad=False),
    S(
        "image.normalize",
        I((3, 2, 2), 0, 100, "uint8"),
        mean=(0.4, 50.5, 20.6),
        std=2.6,
        grad=False,
    ),
    S("image.normalize", I((1, 2, 2), 0, 100, "int8"), mean=50.7, std=0.3, grad=False),
    S(
        "SequenceMask",
        I((4, 2), 0, 9, "uint8"),
        V([1, 4]),
        use_sequence_length=True,
        value=-1.5,
        grad=False,
    ),
    # arrays that the attributes leave no place for
    S("FullyConnected", (2, 3), (4, 3), (4,), num_hidden=4, no_bias=True, raises="MXNetError"),
    S("LeakyReLU", (2, 3), (3,), act_type="leaky", raises="MXNetError"),
    S("SequenceMask", (2, 3), V([1, 2, 1]), raises="MXNetError"),
    # what None is as a type
    S("softmax", V([[1.0, 1.0]]), dtype=None, grad=False),
    S("argsort", (2, 3), dtype=None, grad=False),
    S("one_hot", I((3,), 0, 4), depth=4, dtype=None, grad=False),
    S("expand_dims", (2, 3), axis=True, raises="MXNetError"),
    # arguments that MXNet refuses
    *(
        S(*call, **attrs, raises="MXNetError")
        for *call, attrs in (
            ("reverse", (2, 3), {"axis": (-1,)}),
            ("transpose", (2, 3), {"axes": (0, -1)}),
            ("squeeze", (2, 1, 3), {"axis": (1, 1)}),
            ("dot", (1,), (3,), {}),
            ("dot", (2, 3, 1), (4, 2), {}),
            ("slice", (2, 3), {"begin": (0, 0), "end": (2, 3), "step": (0, 1)}),
            ("LeakyReLU", (2, 1, 3), (3,), {"act_type": "prelu"}),
            ("pick", (3, 1, 4), I((3,), 0, 4), {}),
            ("pick", (2, 3, 4), I((6,), 0, 4), {}),
            ("SequenceLast", (4, 1, 2), V([[1, 2], [1, 2]]), {"use_sequence_length": True}),
            ("SequenceMask", (4, 1, 2), V([1, 2, 3]), {"use_sequence_length": True}),
            ("SequenceReverse", (4, 1, 2), V([1, 2, 3]), {"use_sequence_length": True}),
            ("image.normalize", (2, 4, 5), {"mean": 0.5, "std": 0.5}),
            ("SoftmaxOutput", (2, 3), V([1, 2]), {"smooth_alpha": -0.1}),
            ("SVMOutput", (2, 3), V([0, 1, 2]), {}),
            ("concat", (2, 3), (2, 3), {"num_args": 3}),
            ("concat", (2, 3), (2, 3), {"num_args": 1}),
            ("diag", (2, 3), {"k": 5}),
            ("Crop", (1, 1, 2, 2), {"h_w": (3, 3)}),
            ("arange", {"start": 3, "repeat": 0}),
        )
    ),
    S(
        "ROIPooling",
        (1, 1, 4, 4),
        V([[0, 0, 0, 2, 2]]),
        pooled_size=(1, 1),
        spatial_scale=2.0,
        raises="MXNetError",
    ),
    # one class, labels of more axes than samples, a label that is no number
    S("SoftmaxOutput", (4, 1), V([0, 0, 0, 0]), smooth_alpha=0.2),
    *(
        S("SoftmaxOutput", (4, 3, 2), V([[0, 1, 0]] * 4), normalization=how, use_ignore=True)
        for how in ("batch", "valid", "null")
    ),
    S("SoftmaxOutput", (2, 3), V([0, 1]), ignore_label=NAN, use_ignore=True),
    S("L2Normalization", (4,)),
    S("signsgd_update", (3,), V([1, -2, 3]), lr=0.1, rescale_grad=-1.0, grad=False),
    S("signsgd_update", (3,), V([1, -2, 3]), lr=-1.0, wd=0.1, grad=False),
    S("ftrl_update", (3,), (3,), (3,), V([1, 2, 3]), lr=0.1, lamda1=-1.0, grad=False),
    S("one_hot", V([0, 1]), depth=0, grad=False),
    S("diag", (2, 3), k=3, grad=False),
    S("diag", (2, 3, 4), k=-3, axis1=1, axis2=2, grad=False),
    S("contrib.allclose", V([1, 2]), V([1, 2]), rtol=-0.5, grad=False),
    S("contrib.allclose", V([1, INF, NAN]), V([1, INF, NAN]), grad=False),
    S("image.normalize", A((1, 2, 2), "float64", 0, 100), mean=50.7, std=0.3),
    # labels and lengths are rounded
    S("CTCLoss", (6, 2, 5), V([[0.6, 2.4, 0], [2.5, 1, 2]])),
    S("CTCLoss", (6, 2, 5), V([[1, -0.6, -1], [3, 1, 2]]), blank_label="last"),
    S(
        "CTCLoss",
        *[(6, 2, 5), V([[1, 2, 1], [3, 1, 2]]), V([4.4, 6]), V([1.5, 3])],
        use_data_lengths=True,
        use_label_lengths=True,
    ),
    S("ROIPooling", (1, 2, 5, 5), V([[-0.5, 0, 0, 3, 3]]), pooled_size=(2, 2), spatial_scale=1.0),
    S("repeat", (2, 3), repeats=0),
    S("repeat", (2, 3), repeats=0, axis=2, raises="MXNetError"),
]
