"""Images sampled along grids, correlation of images."""

from tests.cases import A, S, V

X, X64 = (2, 3, 5, 6), A((2, 3, 5, 6), "float64")
GRID = A((2, 2, 3, 4), lo=-1.4, hi=1.4)
IDENTITY = V([[1, 0, 0, 0, 1, 0]] * 2)
TURN = A((2, 6), lo=-1.2, hi=1.2)
ST = {"transform_type": "affine", "sampler_type": "bilinear"}
PAIR = ((2, 3, 8, 9), (2, 3, 8, 9))
TIES = V([[[[1, 2], [2, 3]]]])

ROWS = [
    S("GridGenerator", TURN, transform_type="affine", target_shape=(3, 4)),
    S("GridGenerator", A((1, 6)), transform_type="affine", target_shape=(2, 5)),
    S("GridGenerator", (2, 6), transform_type="affine", target_shape=(2, 1), grad=False),
    S("GridGenerator", A((2, 2, 3, 4), lo=-3, hi=3), transform_type="warp"),
    S("GridGenerator", A((1, 2, 4, 2)), transform_type="warp"),
    S("GridGenerator", (2, 5), transform_type="affine", target_shape=(3, 4), raises="MXNetError"),
    S("GridGenerator", (2, 3, 4, 4), transform_type="warp", raises="MXNetError"),
    S("BilinearSampler", X, GRID),
    S("BilinearSampler", X64, A((2, 2, 3, 4), "float64", -1.4, 1.4)),
    S("BilinearSampler", (1, 2, 3, 3), V([[[[-1, 0, 1]], [[0, 1, -1]]]])),
    S("BilinearSampler", (1, 2, 3, 3), V([[[[-2, 5, 1.5]], [[0, 9, -1.5]]]])),
    S("BilinearSampler", X, (1, 2, 3, 4), raises="MXNetError"),
    S("SpatialTransformer", X, TURN, target_shape=(4, 3), **ST),
    S("SpatialTransformer", X, IDENTITY, target_shape=(5, 6), **ST),
    S("SpatialTransformer", X64, A((2, 6), "float64"), target_shape=(2, 7), **ST),
    S("SpatialTransformer", X, (2, 5), target_shape=(4, 3), raises="MXNetError", **ST),
    S("Correlation", *PAIR),
    S("Correlation", *PAIR, kernel_size=3, max_displacement=2, pad_size=2),
    S("Correlation", *PAIR, max_displacement=4, stride1=2, stride2=2, pad_size=4),
    S("Correlation", *PAIR, kernel_size=3, max_displacement=2, pad_size=3, is_multiply=False),
    S("Correlation", TIES, TIES, max_displacement=1, pad_size=1, is_multiply=False),
    S("Correlation", A((1, 2, 6, 6), "float64"), A((1, 2, 6, 6), "float64"), pad_size=1),
]
