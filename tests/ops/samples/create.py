"""Operators that make arrays from numbers."""

from tests.cases import S

ROWS = [
    S("_internal._zeros", shape=(2, 3), grad=False),
    S("_internal._zeros", shape=(2,), dtype="int32", grad=False),
    S("_internal._zeros", shape=3, dtype="float16", grad=False),
    S("_internal._ones", shape=(2, 3), grad=False),
    S("_internal._ones", shape=(1, 2), dtype="float64", grad=False),
    S("_internal._ones", shape=(2,), dtype="uint8", grad=False),
    S("_internal._full", shape=(2, 3), value=1.5, grad=False),
    S("_internal._full", shape=(2,), value=2.9, dtype="int32", grad=False),
    S("_internal._full", shape=(2,), value=-1, dtype="float64", grad=False),
    S("_internal._arange", start=5, grad=False),
    S("_internal._arange", start=1, stop=4, step=0.5, grad=False),
    S("_internal._arange", start=4, stop=0, step=-1.5, grad=False),
    S("_internal._arange", start=0, stop=3, repeat=2, dtype="int32", grad=False),
    S("_internal._arange", start=0, stop=1, step=0.1, cls="exact", grad=False),
    S("_internal._arange", start=0, stop=1, step=0.1, dtype="float64", grad=False),
    S("_internal._arange", start=0.5, stop=7.9, step=1.3, dtype="int64", grad=False),
    S("_internal._arange", start=1.7, stop=500, step=0.37, cls="exact", grad=False),
    S("_internal._arange", start=-1.5, stop=5, step=2.5, dtype="float16", grad=False),
    S("_internal._arange", start=3, stop=3, grad=False, raises="MXNetError"),
    S("_internal._eye", N=3, grad=False),
    S("_internal._eye", N=2, M=4, k=1, grad=False),
    S("_internal._eye", N=3, M=2, k=-1, dtype="int32", grad=False),
    S("_internal._linspace", start=0, stop=1, num=5, grad=False),
    S("_internal._linspace", start=0, stop=1, num=5, endpoint=False, grad=False),
    S("_internal._linspace", start=3, stop=-1, num=7, dtype="float64", grad=False),
]
