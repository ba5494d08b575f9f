"""Reshaping, transposing, joining, splitting."""

from tests.cases import A, I, S

ROWS = [
    S("reshape", (2, 3, 4), shape=(0, -1)),
    S("reshape", (2, 3, 4), shape=(-3, 0)),
    S("reshape", (8, 3), shape=(-4, 2, -1, 0)),
    S("transpose", (2, 3, 4), axes=(2, 0, 1)),
    S("transpose", (90, 60)),
    S("expand_dims", (2, 3), axis=1),
    S("concat", (2, 3), (2, 4), dim=1),
    S("stack", (2, 3), (2, 3), axis=1),
    S("split", (2, 6), num_outputs=3, axis=1),
    S("slice_axis", (4, 5), axis=1, begin=1, end=-1),
    S("cast", A((2, 3), lo=-5, hi=5), dtype="int32"),
    S("flip", I((2, 3), 0, 10), axis=1),
    S("reshape", (2, 3), shape=(5, -1), raises="MXNetError"),
]
