"""Resizing images."""

from tests.cases import A, I, S

RESIZE = "contrib.BilinearResize2D"
MODES = ("to_even_down", "to_even_up", "to_odd_down", "to_odd_up")

ROWS = [
    S("contrib.BilinearResize2D", (1, 2, 4, 6), height=1, width=3, align_corners=False),
    S("contrib.BilinearResize2D", (1, 2, 4, 6), height=8, width=1, align_corners=False),
    S("contrib.BilinearResize2D", (1, 2, 4, 6), height=1, width=1),
    S("UpSampling", (2, 3, 2, 3), scale=2, sample_type="nearest"),
    S("UpSampling", (1, 1, 3, 3), scale=1, sample_type="nearest"),
    S("UpSampling", A((2, 3, 2, 3), "float64"), scale=3, sample_type="nearest"),
    S("UpSampling", (1, 2, 2, 2), (1, 1, 4, 4), scale=4, sample_type="nearest", num_args=2),
    S("UpSampling", (1, 2, 4, 4), (1, 1, 2, 2), scale=2, sample_type="nearest", num_args=2),
    S(
        "UpSampling",
        (1, 2, 2, 2),
        (1, 2, 4, 4),
        scale=4,
        sample_type="nearest",
        num_args=2,
        multi_input_mode="sum",
    ),
    *(
        S(
            "UpSampling",
            (2, 3, 3, 4),
            (3, 1, 2 * s - s % 2, 2 * s - s % 2),
            scale=s,
            sample_type="bilinear",
            num_args=2,
            num_filter=3,
        )
        for s in (1, 2, 3, 4)
    ),
    S("UpSampling", (2, 3, 2, 3), scale=0, sample_type="nearest", raises="MXNetError"),
    S(
        "UpSampling",
        I((1, 1, 2, 2), 0, 5),
        scale=2,
        sample_type="nearest",
        grad=False,
        raises="MXNetError",
    ),
    S(
        "UpSampling",
        (1, 2, 2, 2),
        (1, 1, 4, 4),
        scale=4,
        sample_type="nearest",
        num_args=2,
        multi_input_mode="sum",
        raises="MXNetError",
    ),
    S(RESIZE, (2, 3, 4, 5), height=8, width=7),
    S(RESIZE, (2, 3, 4, 5), height=3, width=2),
    S(RESIZE, (2, 3, 4, 5)),
    S(RESIZE, (2, 3, 4, 5), height=4, width=5),
    S(RESIZE, (2, 3, 4, 5), height=8, width=7, align_corners=False),
    S(RESIZE, (2, 3, 4, 5), height=3, width=2, align_corners=False),
    S(RESIZE, (1, 1, 1, 1), height=3, width=2),
    S(RESIZE, A((2, 3, 4, 5), "float64"), height=6, width=7, tol=1e-6, why="weights are float32"),
    S(RESIZE, (2, 3, 4, 5), scale_height=2.0, scale_width=1.5),
    S(RESIZE, (2, 3, 5, 6), scale_height=1.3, scale_width=0.5),
    S(RESIZE, (2, 3, 5, 4), scale_height=2.0, scale_width=1.5, mode="odd_scale"),
    S(RESIZE, (2, 3, 5, 4), scale_height=1.3, scale_width=1.3, mode="odd_scale"),
    S(RESIZE, (2, 3, 4, 5), (1, 1, 3, 2), mode="like"),
    *(S(RESIZE, (1, 2, 5, 6), mode=mode) for mode in MODES),
    S(RESIZE, (2, 3, 4, 5), mode="odd_scale", raises="MXNetError"),
    S(RESIZE, (2, 3, 4, 5), scale_height=2.0, raises="MXNetError"),
    S(RESIZE, I((2, 3, 4, 5), 0, 5), height=2, width=2, grad=False, raises="MXNetError"),
]
