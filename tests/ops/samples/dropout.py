"""Dropout: the masks are MXNet's, bit for bit (tests/random has more of them)."""

from tests.cases import A, I, S

ROWS = [
    S("Dropout", (3, 4)),
    S("Dropout", (3, 4), train=False),
    S("Dropout", (3, 4), mode="always", train=False),
    S("Dropout", (50, 90), p=0.3),
    S("Dropout", (3, 4), p=0.0),
    S("Dropout", (3, 4), p=1.0),
    S("Dropout", (3, 4, 5), axes=(1,)),
    S("Dropout", (3, 4, 5), p=0.8, axes=(0, 2)),
    S("Dropout", (1,), p=0.1),
    S("Dropout", A((7, 9), "float64"), p=0.25),
    S("Dropout", A((7, 9), "float16"), p=0.25),
    S("Dropout", (3, 4), p=1.5, raises="MXNetError"),
    S("Dropout", (3, 4), p=-0.5, raises="MXNetError"),
    S("Dropout", I((3, 4), 0, 5), grad=False, raises="MXNetError"),
    S("Dropout", (3, 4), mode="sometimes", raises="MXNetError"),
]
