"""Sums, means, norms, extremes along axes."""

from tests.cases import A, S, V

ROWS = [
    S("sum", (2, 3)),
    S("sum", (2, 3, 4), axis=1),
    S("sum", (2, 3, 4), axis=(0, 2), keepdims=True),
    S("sum", (2, 3, 4), axis=1, exclude=True),
    S("sum", A((2, 3, 4), "float64"), axis=-1),
    S("mean", (3, 4), axis=0),
    S("max", (3, 4), axis=1),
    S("max", V([[1, 2, 2], [3, 3, 0]]), axis=1),
    S("argmax", (3, 4), axis=1),
    S("norm", (3, 4), ord=2, axis=1),
    S("nansum", V([[1, float("nan"), 3]])),
    S("sum", (40, 30, 50), axis=2, keepdims=True),
    S("mean", A((70, 80), "float16", 0, 1), axis=0),
]
