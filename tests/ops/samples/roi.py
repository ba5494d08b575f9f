"""Pooling inside regions of interest."""

from tests.cases import S, V

X = (2, 3, 6, 8)
REGIONS = V(
    [
        [0, 0, 0, 5, 5],
        [1, 2, 1, 7, 4],
        [0, -3, -2, 3, 2],
        [1, 6, 4, 12, 9],
        [0, 3, 3, 3, 3],
        [0, 5, 4, 2, 1],
        [0, 20, 20, 30, 30],
    ]
)
FRACTIONS = V([[0, 1.5, 2.5, 9, 11], [1, 0.3, 0.4, 14.6, 10.7], [0, 3, 3, 3.2, 3.1]])

ROWS = [
    S("ROIPooling", X, REGIONS, pooled_size=(2, 3), spatial_scale=1.0),
    S("ROIPooling", X, FRACTIONS, pooled_size=(3, 3), spatial_scale=0.5),
    S("ROIPooling", (1, 2, 20, 30), V([[0, 1, 2, 27, 17]]), pooled_size=(7, 7), spatial_scale=1.0),
    S("ROIPooling", (1, 2, 20, 30), V([[0, 3, 2, 11, 12]]), pooled_size=(6, 7), spatial_scale=1.0),
    S("ROIPooling", X, V([[-1, 0, 0, 5, 5]]), pooled_size=(2, 2), spatial_scale=1.0, grad=False),
    S("ROIPooling", (1, 2, 6, 8), V([[0, 3, 6, 5, 5]]), pooled_size=(2, 2), spatial_scale=1.0),
    S(
        "ROIPooling",
        X,
        V([[0, 0, 5, 5]]),
        pooled_size=(2, 2),
        spatial_scale=1.0,
        raises="MXNetError",
    ),
    S("contrib.ROIAlign", X, FRACTIONS, pooled_size=(2, 2), spatial_scale=1.0),
    S("contrib.ROIAlign", X, REGIONS, pooled_size=(2, 3), spatial_scale=1.0),
    S("contrib.ROIAlign", X, FRACTIONS, pooled_size=(3, 3), spatial_scale=0.5, sample_ratio=2),
    S("contrib.ROIAlign", X, FRACTIONS, pooled_size=(2, 2), spatial_scale=0.5, aligned=True),
    S(
        "contrib.ROIAlign",
        (1, 12, 6, 8),
        V([[0, 1.5, 2.5, 7, 5], [0, 0, 0, 3, 3]]),
        pooled_size=(2, 2),
        spatial_scale=1.0,
        position_sensitive=True,
        sample_ratio=2,
    ),
]
