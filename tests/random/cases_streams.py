"""Random streams beyond tests/golden/rng.json: odd sizes, dtypes, parameters at their limits."""

from __future__ import annotations

from tests.cases import C

SIZES = (1, 63, 64, 65, 129, 65535, 65536, 65537, 65600, 131073)
DTYPES = ("float32", "float64", "float16")

# The exact size on both sides of a change in the number of engines, or of draws per engine;
# a second, small draw shows how much of each engine was used.
_SIZED = [
    C(
        f"sized/{name}-{n}-{dtype}",
        f"""
        mx.random.seed({n} + 3)
        out = [{call}, nd.random.uniform(shape=(200,))]
        """,
        cls="ulp" if (name, dtype) == ("normal", "float64") else "exact",
    )
    for n in SIZES
    for dtype in DTYPES
    for name, call in (
        ("uniform", f"nd.random.uniform(-2.5, 3.25, shape=({n},), dtype='{dtype}')"),
        ("normal", f"nd.random.normal(0.5, 2.5, shape=({n},), dtype='{dtype}')"),
        ("dropout", f"nd.Dropout(nd.ones(({n},), dtype='{dtype}'), p=0.3, mode='always')"),
    )
]

_LARGE = [
    C(
        f"large/{name}",
        f"""
        mx.random.seed(77)
        out = [nd.random.{call}, nd.random.uniform(shape=(5000,))]
        """,
        cls=cls,
    )
    for name, call, cls in (
        ("uniform", "uniform(shape=(1000007,))", "exact"),
        ("normal", "normal(shape=(1000007,))", "exact"),
        ("normal-ten-million", "normal(shape=(10000007,))", "exact"),
        ("uniform-float64", "uniform(shape=(1000007,), dtype='float64')", "exact"),
        ("normal-float16", "normal(shape=(1000007,), dtype='float16')", "exact"),
        ("randint", "randint(0, 1000, shape=(1000007,))", "exact"),
        ("poisson-low", "poisson(4.5, shape=(200003,))", "exact"),
        ("poisson-high", "poisson(150, shape=(200003,))", "exact"),
        ("gamma", "gamma(3.5, 2.0, shape=(200003,))", "ulp"),
        ("gamma-below-one", "gamma(0.3, 2.0, shape=(200003,))", "ulp"),
        ("negative-binomial", "negative_binomial(9, 0.4, shape=(200003,))", "exact"),
    )
]

# Parameters as arrays: element i of the result uses parameter i // k.
_ARRAYS = [
    C(
        f"arrays/{name}-{ptype}-{dtype}-{label}",
        f"""
        mx.random.seed(11)
        a = nd.array(onp.array([0.5, 1.0, 2.5, 3.0, 13.0, 40.0]).reshape({shape}), dtype='{ptype}')
        b = nd.array(onp.array([0.25, 0.5, 1.5, 0.75, 2.0, 3.0]).reshape({shape}), dtype='{ptype}')
        p = nd.array(onp.array([0.25, 0.5, 0.9, 0.75, 0.3, 1.0]).reshape({shape}), dtype='{ptype}')
        out = [nd.{call.format(extra=f"shape={each}, dtype='{dtype}'")}]
        out.append(nd.random.uniform(shape=(300,)))
        """,
        cls=cls,
    )
    for label, shape, each in (
        ("1", (6,), ()),
        ("2x3", (2, 3), (4, 5)),
        ("long", (3, 2), (700,)),
    )
    for ptype, dtype in (
        ("float32", "float32"),
        ("float32", "float64"),
        ("float64", "float64"),
        ("float64", "float32"),
        ("float16", "float16"),
        ("float16", "float32"),
        ("float32", "float16"),
    )
    for name, call, cls in (
        ("uniform", "sample_uniform(b, b + a, {extra})", "exact"),
        ("normal", "sample_normal(a, b, {extra})", "ulp"),
        ("exponential", "sample_exponential(a, {extra})", "ulp"),
        ("gamma", "sample_gamma(a, b, {extra})", "ulp"),
        ("poisson", "sample_poisson(a, {extra})", "exact"),
        ("negative-binomial", "sample_negative_binomial(a, p, {extra})", "exact"),
        ("generalized", "sample_generalized_negative_binomial(a, b - 0.25, {extra})", "exact"),
    )
]


def _limit(name, draw, cls="exact", raises=None):
    """One draw at the limit of its parameters, and where the stream is afterwards."""
    code = f"""
        mx.random.seed(5)
        out = [{draw}, nd.random.uniform(shape=(3,))]
        """
    return C(f"limits/{name}", code, cls=cls, raises=raises)


_LIMITS = [
    _limit("uniform-equal", "nd.random.uniform(2.0, 2.0, shape=(5,))"),
    _limit("uniform-huge", "nd.random.uniform(-1e38, 1e38, shape=(5,))"),
    _limit("uniform-overflow", "nd.random.uniform(-3e38, 3e38, shape=(5,))"),
    _limit("uniform-rounded-parameter", "nd.random.uniform(0.1, 0.7, (5,), dtype='float64')"),
    _limit("uniform-float16-large", "nd.random.uniform(-60000, 60000, (50,), dtype='float16')"),
    _limit("normal-float16-subnormal", "nd.random.normal(0, 1e-6, (50,), dtype='float16')"),
    _limit("normal-tiny-scale", "nd.random.normal(1.0, 1e-30, shape=(5,))"),
    _limit("normal-rounded-parameter", "nd.random.normal(0.1, 0.7, (5,), dtype='float64')", "ulp"),
    _limit("exponential-float16", "nd.random.exponential(3.0, (50,), dtype='float16')", "ulp"),
    _limit("randint-one", "nd.random.randint(4, 5, shape=(5,))"),
    _limit("randint-negative", "nd.random.randint(-10, -3, shape=(50,))"),
    _limit("randint-int32-wide", "nd.random.randint(-2147483648, 2147483647, shape=(50,))"),
    _limit("randint-int64", "nd.random.randint(-2**40, 2**52, shape=(50,), dtype='int64')"),
    _limit("randint-2-62", "nd.random.randint(0, 2**62, shape=(50,), dtype='int64')"),
    _limit("randint-2-63", "nd.random.randint(0, 2**63 - 1, shape=(50,), dtype='int64')"),
    _limit("gamma-one", "nd.random.gamma(1.0, 2.0, shape=(50,))", "ulp"),
    _limit("gamma-small", "nd.random.gamma(0.001, 1.0, shape=(50,))", "ulp"),
    _limit("gamma-small-64", "nd.random.gamma(0.001, 1.0, (50,), dtype='float64')", "ulp"),
    _limit("gamma-large", "nd.random.gamma(1e6, 1.0, shape=(50,))", "ulp"),
    _limit("gamma-third", "nd.random.gamma(1.0 / 3, 1.0, shape=(50,))", "ulp"),
    _limit("poisson-zero", "nd.random.poisson(0.0, shape=(50,))"),
    _limit("poisson-below-12", "nd.random.poisson(11.999999, shape=(50,))"),
    _limit("poisson-12", "nd.random.poisson(12.0, shape=(50,))"),
    _limit("poisson-1e5", "nd.random.poisson(1e5, shape=(50,))"),
    _limit("poisson-float16", "nd.random.poisson(30, shape=(50,), dtype='float16')"),
    _limit("poisson-float64", "nd.random.poisson(30, shape=(50,), dtype='float64')"),
    _limit("negative-binomial-certain", "nd.random.negative_binomial(3, 1.0, shape=(50,))"),
    _limit("negative-binomial-many", "nd.random.negative_binomial(900, 0.01, shape=(50,))"),
    _limit("generalized-none", "nd.random.generalized_negative_binomial(30, 0.0, (50,))"),
    _limit("generalized-strong", "nd.random.generalized_negative_binomial(3, 8.0, (50,))"),
]

# A number reaches the operator as text, which MXNet reads with several roundings.
_TEXT = [
    _limit(f"text/{value}", f"nd.random.uniform({value}, {value}, shape=(1,))")
    for value in (
        "123.456",
        "1.8474337369372327",
        "2.449489742783178",
        "7.3e-05",
        "3.3e-20",
        "1.7e+30",
        "522046418.7695552",
        "1 / 3",
        "-1.1952286093343936",
        "16777217",
    )
]

_DROPOUT = [
    C(
        f"dropout/{label}-{dtype}",
        f"""
        mx.random.seed(6)
        x = nd.ones({shape}, dtype='{dtype}')
        out = [nd.Dropout(x, p={p}, mode='always', axes={axes})]
        out.append(nd.random.uniform(shape=(3,)))
        """,
        cls="exact",
    )
    for dtype in DTYPES
    for label, shape, p, axes in (
        ("nearly-all", (3000,), 0.9999, ()),
        ("all-but-rounding", (3000,), 0.99999998, ()),
        ("nearly-none", (3000,), 1e-9, ()),
        ("all", (70,), 1.0, ()),
        ("third", (5, 6, 70), 1 / 3, ()),
        ("axes-0", (50, 30), 0.5, (0,)),
        ("axes-all", (5, 3), 0.5, (0, 1)),
        ("axes-two", (20, 3, 40), 1 / 3, (0, 2)),
        ("axes-nearly-none", (300, 3), 1e-9, (1,)),
    )
]

_ONE = [
    C(
        f"one/{label}",
        f"""
        mx.random.seed(8)
        image = nd.array(onp.arange(6).reshape(1, 2, 3), dtype='uint8')
        out = [{draw}, nd.random.shuffle(nd.arange(6))]
        """,
        cls="exact",
    )
    for label, draw in (
        ("short-row", "nd.random.multinomial(nd.array([[0.1, 0.2], [0.0, 0.0]]), shape=(40,))"),
        ("long-row", "nd.random.multinomial(nd.array([2.0, 3.0]), shape=(40,))"),
        ("zeros-between", "nd.random.multinomial(nd.array([0, 0.5, 0, 0.5, 0]), shape=(4, 5))"),
        ("row-without-shape", "nd.random.multinomial(nd.array([0.25, 0.75]))"),
        ("dtype-class", "nd.random.multinomial(nd.array([0.2, 0.8]), 5, dtype=onp.int32)"),
        ("dtype-object", "nd.sample_multinomial(nd.ones((1, 4)), 5, dtype=onp.dtype('float32'))"),
        ("three-axes", "nd.random.multinomial(nd.array(onp.full((2, 3, 4), 0.25)), shape=(5,))"),
        ("shuffle-3-axes", "nd.random.shuffle(nd.arange(60).reshape((5, 3, 4)))"),
        ("shuffle-flat-2-axes", "nd.random.shuffle(nd.arange(30).reshape((30, 1)))"),
        ("flips", "nd.stack(*[nd.image.random_flip_left_right(image) for _ in range(9)])"),
    )
]
_SEEDS = [
    C(
        f"seeds/{label}",
        f"""
        mx.random.seed({seed})
        out = [nd.random.uniform(shape=(70000,)), nd.random.shuffle(nd.arange(7))]
        """,
        cls="exact",
        raises=raises,
    )
    for label, seed, raises in (
        ("zero", "0", None),
        ("minus-2-31", "-2**31", None),
        ("2-32", "2**32", None),
        ("2-63", "2**63", None),
        ("huge", "10**30", None),
        ("true", "True", None),
        ("context", "9, ctx=mx.cpu(3)", None),
        ("context-negative", "-9, ctx=mx.cpu(0)", None),
        ("wraps-inside-the-bank", "2130574324", None),  # * 127 is 2**32 - 500 modulo 2**32
        ("float", "1.0", "ValueError"),
        ("text", "'1'", "ValueError"),
        ("numpy-int64", "onp.int64(-3)", None),
        ("numpy-int32", "onp.int32(3)", None),
        ("numpy-int16", "onp.int16(1)", "ValueError"),
        ("numpy-bool", "onp.bool_(1)", "ValueError"),
        ("none", "None", "ValueError"),
    )
]

_MIXED = [
    C(
        f"mixed/{seed}",
        f"""
        mx.random.seed({seed})
        order = onp.random.RandomState({seed})
        out = []
        for _ in range(40):
            n = int(10 ** order.uniform(0, 4.3))
            kind = order.randint(6)
            out.append(
                nd.random.uniform(shape=(n,)) if kind == 0
                else nd.random.normal(shape=(n,)) if kind == 1
                else nd.random.uniform(shape=(n,), dtype='float64') if kind == 2
                else nd.random.poisson(3.0, shape=(n,)) if kind == 3
                else nd.random.randint(0, 50, shape=(n,)) if kind == 4
                else nd.Dropout(nd.ones((n,)), p=0.5, mode='always')
            )
        """,
        cls="exact",
    )
    for seed in range(6)
]

CASES = [*_SIZED, *_LARGE, *_ARRAYS, *_LIMITS, *_TEXT, *_DROPOUT, *_ONE, *_SEEDS, *_MIXED]
